"""The plain table plays at least 20 times as many games a second as RLCard, in one run."""

import pytest

from tests.conftest import need


@pytest.mark.slow
def test_at_least_twenty_times_rlcard():
    need("rlcard", "pip install rlcard")
    from tests.bench.bench_table import measure

    rate = measure(seconds=6.0)
    print({name: round(n) for name, n in rate.items()})
    assert rate["ours"] >= 20 * rate["env"]
