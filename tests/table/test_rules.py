"""Rule sets read from data, and bad ones refused with one clear line."""

import pytest

from sim.table.rules import RulesError, load, named


def test_the_four_sheets_are_there():
    assert list(load()) == ["robot", "classic", "compact", "traditional"]


@pytest.mark.parametrize(
    "rule, robot, classic, compact, traditional",
    [
        ("first_skip", "back", "acts", "acts", "acts"),
        ("first_wild", "back", "player_names", "player_names", "player_names"),
        ("first_reverse", "back", "other_side", "other_side", "dealer"),
        ("first_wild_draw_four", "back", "back", "acts", "back"),
        ("first_player", "named", "left", "right", "left"),
        ("dealer", "none", "highest", "highest_number", "highest_number"),
        ("drawn_card", "may", "must", "may", "may"),
        ("wild_draw_four", "no_colour", "no_colour", "no_colour", "any"),
        ("challenge", True, True, True, False),
        ("stack_draw_twos", False, False, False, True),
        ("uno_penalty", 2, 4, 2, 2),
        ("wrong_card_draws", 0, 0, 2, 2),
        ("advice_draws", 0, 0, 2, 2),
    ],
)
def test_the_differences_between_the_sheets(rule, robot, classic, compact, traditional):
    sets = load()
    assert [getattr(sets[name], rule) for name in sets] == [robot, classic, compact, traditional]


def test_a_family_says_only_what_differs(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text("[ours]\nuno_penalty = 7\nplayers = [2, 5]\n")
    ours = named("ours", file)
    assert ours.uno_penalty == 7
    assert ours.players == (2, 5)
    assert ours.sheet == "ours"
    assert ours.guilty_draws == 4  # as printed


@pytest.mark.parametrize(
    "text, says",
    [
        ("[ours]\nuno_fine = 2\n", "uno_fine"),
        ("[ours]\nuno_penalty = 'two'\n", "uno_penalty wants int"),
        ("[ours]\nuno_penalty = true\n", "uno_penalty wants int"),
        ("[ours]\nuno_penalty = 200\n", "0 to 20"),
        ("[ours]\ndrawn_card = 'never'\n", "may, must"),
        ("[ours]\nplayers = [1, 30]\n", "2 to 10"),
        ("[ours\n", "not a TOML file"),
        ("uno_penalty = 2\n", "outside"),
        ("", "no rule set"),
    ],
)
def test_bad_files(tmp_path, text, says):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(RulesError, match=says) as error:
        load(file)
    assert "\n" not in str(error.value)
    assert "bad.toml" in str(error.value)


def test_missing_file_and_unknown_name(tmp_path):
    with pytest.raises(RulesError, match="cannot be read"):
        load(tmp_path / "nothing.toml")
    with pytest.raises(RulesError, match="robot, classic"):
        named("bridge")
