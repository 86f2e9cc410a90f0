"""Every surface holds against its corpus and some drawn inputs; under --slow, many more."""

import random
from types import SimpleNamespace

import pytest

from tests import fuzz
from tests.fuzz import _corpus, _run


@pytest.mark.parametrize("name", _run.surfaces())
def test_no_input_ends_as_none_may(name, record_property):
    counted = _run.run(name)
    record_property("figure", f"fuzz {counted.row()}")
    assert not counted.bad, "\n".join(counted.failures)
    assert counted.inputs >= _run.load(name).IN_CI


@pytest.mark.slow
@pytest.mark.parametrize("name", _run.surfaces())
def test_no_input_of_very_many_ends_as_none_may(name, record_property):
    counted = _run.run(name, seed=1, count=100 * _run.load(name).IN_CI)
    record_property("figure", f"fuzz {counted.row()}")
    assert not counted.bad, "\n".join(counted.failures)


@pytest.mark.parametrize("name", _run.surfaces())
def test_an_input_follows_from_its_seed_alone(name):
    surface = _run.load(name)
    assert surface.draw(random.Random(7)) == surface.draw(random.Random(7))


def _door(one):
    return SimpleNamespace(__name__="door", one=one)


def test_every_way_to_fail_is_seen():
    def raising(given):
        raise SystemExit(given)

    assert _run.outcome_of(_door(raising), b"")[0] == _run.TRACEBACK
    assert _run.outcome_of(_door(lambda given: fuzz.LOST), b"") == (fuzz.LOST, "lost")
    assert _run.outcome_of(_door(lambda given: fuzz.REFUSED), b"") == (fuzz.REFUSED, "")


def test_what_does_not_end_is_a_hang(monkeypatch):
    monkeypatch.setattr(fuzz, "HANG_S", 0.05)

    def endless(given):
        while True:
            pass

    outcome, told = _run.outcome_of(_door(endless), b"")
    assert outcome == _run.HANG and "endless" in told


@pytest.mark.parametrize(
    "given, needed, least",
    [
        (b"abcdefgXhijkl", lambda g: b"X" in g, b"X"),
        ({"a": b"12X3", "b": b"4"}, lambda g: b"X" in g.get("a", b""), {"a": b"X"}),
        (["ab", "cXd", "ef"], lambda g: any("X" in s for s in g), ["X"]),
    ],
)
def test_failures_are_made_as_small_as_they_go(given, needed, least):
    assert _run.smaller(given, needed) == least


@pytest.mark.parametrize("given", [b"\x00\xff", {"a": [b"\xfe", 1, None], "b": "ñ"}])
def test_what_is_kept_comes_back(given, tmp_path, monkeypatch):
    monkeypatch.setattr(_corpus, "FOLDER", tmp_path)
    path = _corpus.keep("door", given, "hang")
    assert list(_corpus.kept("door")) == [(path.name, given)]
