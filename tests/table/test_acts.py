"""People play their part in what a command does after it was said."""

import pytest
from roboto.game.kinds import ACTS
from roboto.storage.pack import Pack

from tests.table.test_party import _voice, play  # noqa: F401 - a fixture


@pytest.mark.parametrize("act", [row[0] for row in ACTS])
@pytest.mark.parametrize("n_players", [2, 5])
def test_a_party_at_which_all_commands_of_its_kind_have_the_act(monkeypatch, act, n_players):
    kind = next(row[1] for row in ACTS if row[0] == act)
    plain = Pack.trait

    def trait(self, name, of_kind, i):
        return of_kind == kind if name == act else plain(self, name, of_kind, i)

    monkeypatch.setattr(Pack, "trait", trait)
    acts = 0
    for index in range(4):
        seen, game, trouble = play(n_players, index=index)
        assert trouble == ""
        assert game.winner is not None
        assert (seen.lost_presses, seen.early, seen.faults, seen.wrong) == (0, 0, [], [])
        assert max(seen.named) - min(seen.named) <= 2
        acts += seen.acts.get(act, 0)
    assert acts > 0
