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
        ("declined_card", "may", "may", "may", "may"),
        ("direction", "left", "left", "right", "left"),
        ("uno_until", "next_begins", "next_begins", "next_begins", "own_next_card"),
        ("spare_cards", 4, 4, 0, 0),
        ("blank_cards", 0, 0, 0, 0),
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
        ("[ours]\nblank_does = 'explode'\n", "wild, skip"),
        ("[ours]\nblank_points = 101\n", "0 to 100"),
        ("[ours]\nblank_cards = 2\nspare_cards = 1\n", "spare_cards = 1"),
        ("[ours]\nlost_cards = 'red 7'\n", "a list"),
        ("[ours]\nlost_cards = ['purple 7']\n", "purple 7"),
        ("[ours]\nlost_cards = ['red 0', 'red 0']\n", "only 1 of 'red 0'"),
        ("[ours]\nhand_cards = 20\n", "do not go round"),
        ("[ours\n", "not TOML"),
        ("common = 5\n[ours]\n", "'?common'? stands outside"),
        ("[common]\n[ours]\n", "not said"),
        ("[[ours]]\n", "outside"),
        ("a = " + "[" * 5000, "too deep"),
        ("[ours]\nuno_penalty = " + "9" * 5000, "too many digits"),
        ("[ours]\n" + "x" * 5000 + " = 1", "'x{40}…'"),
        ('[ours]\nsheet = "' + "x" * 500 + '"\n', "at most 100"),
        ('[ours]\nsheet = "a\\tb"\n', "at most 100"),
        ("['a/b']\n", "without , and /"),
        ('["a\\nb"]\n', "without , and /"),
        ("[ours]\nplayers = [2, " + "9" * 300 + "]\n", "2 to 10"),
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


@pytest.mark.parametrize("data", [b"\xff\xfe[\x00o\x00", b"\x00", b"\xe9 = 1", b"[ours]\r\r\n"])
def test_bytes_that_are_no_rules(tmp_path, data):
    file = tmp_path / "bad.toml"
    file.write_bytes(data)
    with pytest.raises(RulesError, match="not TOML|not UTF-8") as error:
        load(file)
    assert "\n" not in str(error.value)


def test_a_file_from_an_editor_that_marks_its_encoding(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_bytes(b"\xef\xbb\xbf[ours]\r\nuno_penalty = 3\r\n")
    assert named("ours", file).uno_penalty == 3


def test_what_is_no_file(tmp_path):
    for path in (tmp_path, tmp_path / ("x" * 5000), "a\0b"):
        with pytest.raises(RulesError, match="cannot be read") as error:
            load(path)
        assert "\n" not in str(error.value)


def test_missing_file_and_unknown_name(tmp_path):
    with pytest.raises(RulesError, match="cannot be read"):
        load(tmp_path / "nothing.toml")
    with pytest.raises(RulesError, match="robot, classic"):
        named("bridge")
