"""Settings and the saved game: checked, remembered, and never in the way."""

from roboto.game.kinds import GAMES
from roboto.storage import game_save, record
from roboto.storage.broken import Broken
from roboto.storage.settings import TABLE, Settings
from roboto.storage.volume import Volume

from tests.portable import Folder, raises
from tests.storage.test_volume import finish

DEFAULTS = {
    "language": "es",
    "game": "roboto",
    "pace": "normal",
    "volume": 2,
    "names_voice": "squeaky",
    "keep_game": False,
    "gentle": False,
    "sleep_s": 60,
}
GOOD = (
    ("language", ("en", "pt-br")),
    ("game", GAMES),
    ("pace", ("calm", "normal", "wild")),
    ("volume", (1, 2, 3)),
    ("names_voice", ("plain", "squeaky")),
    ("keep_game", (True, False)),
    ("gentle", (True, False)),
    ("sleep_s", (20, 3600)),
)
BAD = (
    ("language", ("", "e", "ES", "../x", "toolongcode", 5, None)),
    ("game", ("chess", "", 1, None)),
    ("pace", ("fast", "", 1, None)),
    ("volume", (0, 4, 2.0, "2", True, None)),
    ("names_voice", ("loud", 0)),
    ("keep_game", (1, 0, "true", None)),
    ("gentle", (1, 0, "true", None)),
    ("sleep_s", (19, 3601, "60", 60.0)),
    ("colour", ("red",)),
)


def test_defaults_where_nothing_was_stored():
    with Folder() as root:
        notes = []
        settings = Settings(Volume(root), notes.append)
        settings.load()
        assert settings.values() == DEFAULTS
        assert notes == []
        assert sorted(row[0] for row in TABLE) == sorted(DEFAULTS)


def test_remembered():
    with Folder() as root:
        for key, values in GOOD:
            for value in values:
                settings = Settings(Volume(root))
                settings.set(key, value)
                finish(settings.save())
                again = Settings(Volume(root))
                again.load()
                assert getattr(again, key) == value
                assert type(getattr(again, key)) is type(value)


def test_wrong_values_are_refused_in_one_line():
    settings = Settings(Volume("nowhere"))
    for key, values in BAD:
        for value in values:
            line = str(raises(ValueError, settings.set, key, value))
            assert key in line and "\n" not in line
    assert settings.values() == DEFAULTS


def test_a_damaged_file_gives_defaults_and_a_fault():
    with Folder() as root:
        settings = Settings(Volume(root))
        settings.set("volume", 3)
        finish(settings.save())
        with open(root + "/settings", "rb") as file:
            data = bytearray(file.read())
        data[20] ^= 1
        with open(root + "/settings", "wb") as file:
            file.write(data)
        notes = []
        settings = Settings(Volume(root), notes.append)
        settings.load()
        assert settings.values() == DEFAULTS
        assert len(notes) == 1 and "settings" in notes[0]


def test_a_wrong_entry_does_not_take_the_good_ones_with_it():
    with Folder() as root:
        volume = Volume(root)
        values = {"volume": 9, "pace": "wild", "colour": "red", "sleep_s": 120}
        finish(record.save(volume, "settings", values))
        notes = []
        settings = Settings(volume, notes.append)
        settings.load()
        assert (settings.volume, settings.pace, settings.sleep_s) == (2, "wild", 120)
        assert not hasattr(settings, "colour")
        assert len(notes) == 2
        finish(settings.save())
        assert sorted(record.load(volume, "settings")) == sorted(DEFAULTS)


def test_records_that_are_none():
    for data in (b"", b"[1]", b"7", b"{", b"\xff\xfe", b'{"a"'):
        assert "thing: " in str(raises(Broken, record.decode, "thing", data))
    values = {"a": [1, [2, -3], "ñ"], "b": None, "c": True, "d": {}}
    assert record.decode("thing", memoryview(record.encode(values))) == values


def test_the_saved_game():
    with Folder() as root:
        volume = Volume(root)
        notes = []
        assert game_save.load(volume, game_save.GAME, notes.append) is None
        game = {"state": "play", "players": [0, 1, 2], "seed": 123456789, "last": "duel.stare"}
        finish(game_save.save(volume, game_save.GAME, game))
        assert game_save.load(volume, game_save.GAME, notes.append) == game
        assert notes == []
        finish(volume.replace("game", [b"{"]))
        assert game_save.load(volume, game_save.GAME, notes.append) is None
        assert len(notes) == 1
        finish(game_save.forget(volume, game_save.GAME))
        assert game_save.load(volume, game_save.GAME, notes.append) is None
        assert len(notes) == 1
