"""What the game asks for, carried out: each action of the list in game/__init__.py."""

from .sound.tones import TONES
from .storage import game_save
from .unload import unload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .app import App
    from .shapes import Action


# What a game does not come back to before the switch is moved.
_BEFORE_PLAY = ("names", "resume", "demo", "kept")


def carry_out(app: "App", action: "Action") -> None:  # noqa: C901 - a case an action
    """Carry out one action of the list in game/__init__.py."""
    what = action[0]
    if what == "tone":
        app.speech.tone(action[1], app.now_ms)
    elif what == "sound":
        app.mixer.tone(action[1])
    elif what == "say":
        app.speech.say(action[1], app.now_ms)
    elif what == "hush":
        app.speech.hush()
    elif what == "state":
        app.tell("state", state=action[1])
        if action[1] == "play":
            for name in _BEFORE_PLAY:
                unload("roboto.game." + name)
    elif what == "ready":
        app.recordings.ready(action[1])
    elif what == "listen":
        app.recordings.listen(action[3], app.now_ms)
    elif what == "finish":
        app.handle(("recorded",) + app.recordings.finish())
    elif what == "cancel":
        app.recordings.cancel()
    elif what == "recorded":
        app.tell("record", what=action[1], player=action[2], ms=action[3], result=action[4])
    elif what == "keep":
        app.recordings.keep(action[1], action[2])
    elif what == "forget":
        _forget(app, action[1])
    elif what == "setting":
        _change_setting(app, action[1], action[2])
    elif what == "save_game":
        app.saver.add(game_save.save(app.volume, game_save.GAME, action[1]))
    elif what == "save_bags":
        app.saver.add(game_save.save(app.volume, game_save.BAGS, action[1]))
    elif what == "victory":
        app.tell("victory", player=action[1], victories=action[2])
    elif what == "tell":
        app.tell(action[1], **action[2])
    elif what == "unload":
        unload("roboto.game." + action[1])
    elif what == "tones":
        TONES.update(action[1])
    elif what == "sleep":
        from .doze import Doze

        app.dozing = Doze(app)
    elif what == "restart":
        app.begin(action[1])
    else:
        raise ValueError(what)


def _change_setting(app: "App", key: str, value: "Any") -> None:
    if key == "volume":
        app.mixer.set_volume(value)
        app.tell("volume", level=value)
    elif key == "language":
        pack = app.take_pack(value)
        app.handle(("catalogue", pack, app.settings.language))
    app.saver.add(app.settings.save())


def _forget(app: "App", keys: list[str] | None) -> None:
    app.recordings.forget(keys)
    if keys is None and game_save.GAME in app.volume.names():
        app.saver.add(game_save.forget(app.volume, game_save.GAME))
