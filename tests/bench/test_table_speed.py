"""The plain table plays at least 20 times as many games a second as RLCard, in one run."""

import pytest

pytest.importorskip("rlcard")


def test_at_least_twenty_times_rlcard():
    from bench_table import measure

    rate = measure(seconds=6.0)
    print({name: round(n) for name, n in rate.items()})
    assert rate["ours"] >= 20 * rate["env"]
