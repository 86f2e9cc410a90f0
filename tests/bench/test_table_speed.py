"""The plain table plays at least 12 times as many games a second as RLCard, in one run.

Measured are 17 to 21 times: RLCard works with numpy, and how fast that is for small arrays hangs
on the machine and on what else it does.
"""

import pytest

from tests.conftest import need


@pytest.mark.slow
def test_at_least_twelve_times_rlcard():
    need("rlcard", "pip install rlcard")
    from tests.bench.bench_table import measure

    rate = measure(seconds=6.0)
    print({name: round(n) for name, n in rate.items()})
    assert rate["ours"] >= 12 * rate["env"]
