"""SPEC section 5, what survives what; and nothing broken, whenever the power is cut."""

import shutil

import pytest
from roboto.storage.volume import Broken, Volume

from .conftest import Table, clips_of, phrases_of
from .voices import said, voice


def keep_game(t, on=True):
    t.robot.app.settings.set("keep_game", on)
    t.robot.app.saver.add(t.robot.app.settings.save())
    return t


def log_of(t):
    """What the robot's log has on flash."""
    text = ""
    for name in ("log-0", "log-1"):
        blob = Volume(str(t.flash)).open_blob(name)
        if blob is not None:
            data = bytearray(blob.length)
            blob.read_at(0, data)
            text += data.decode()
    return text.splitlines()


def power_cycle(t):
    t.switch("off").wait(2.0)
    since = t.mark()
    t.switch("on").wait(1.0)
    return since


def test_default(table):
    """ "sleep, power off (default)": names, nicknames and House Rule dropped, settings kept"""
    t = table()
    t.to_play(3, rule=said(voice(1.5))).press("volume")
    t.robot.app.settings.set("pace", "wild")
    t.robot.app.saver.add(t.robot.app.settings.save())
    t.quiet(1.0)
    since = power_cycle(t)
    assert t.phrases(since) == ["names.greeting"]
    assert (
        t.robot.app.settings.values() | {"volume": 3, "pace": "wild"}
        == t.robot.app.settings.values()
    )
    t.quiet(1.0)
    assert not list(t.flash.glob("*.clip"))


@pytest.mark.parametrize("how", ("off", "sleep", "cut"))
def test_keep_game(table, how):
    """ "sleep, power off with keep_game": kept; "the robot asks on waking whether to go on: plate
    = go on" """
    t = keep_game(table(seed=3))
    t.to_play(3, rule=said(voice(1.5)))
    b = t.surprise("nickname")["players"][1]
    t.record().quiet(1.0)
    if how == "sleep":
        t.wait(80)
        since = t.mark()
        t.press("plate").wait(1.0)
    elif how == "cut":
        t.robot.battery(False)
        t.wait(1)
        t.robot.battery(True)
        since = t.mark()
        t.wait(1)
    else:
        since = power_cycle(t)
    assert t.phrases(since) == ["resume.ask"] and t.state == "names"
    t.none("fault")
    t.press("plate").quiet()
    assert t.state == "play" and phrases_of(t.said(since)[-1])[0] == "resume.go_on"
    since = t.mark()
    t.wait(10)
    t.surprise("house_rule")
    clips = {clip for say in t.said(since) for clip in clips_of(say)}
    assert "house_rule" in clips and f"name/{b}" not in clips
    t.none("tone", since, tone="missing")


@pytest.mark.parametrize("where", ("names", "house_rule", "won"))
def test_keep_game_in_every_state(table, where):
    t = keep_game(table())
    if where == "won":
        t.to_play(2).press("win")
    else:
        t.names(2)
        if where == "house_rule":
            t.press("plate")
    t.quiet(1.0)
    since = power_cycle(t)
    assert t.phrases(since) == ["resume.ask"]
    t.press("plate").quiet()
    assert t.state == where
    since = t.mark()
    if where == "names":
        t.record()
        assert t.one("record", since)["player"] == 2
    t.none("tone", since, tone="missing")


def test_start_over(table):
    """ "red = start over" """
    t = keep_game(table())
    t.to_play(2).quiet(1.0)
    power_cycle(t)
    since = t.mark()
    t.press("record", 1.0).quiet(1.0)
    assert t.phrases(since) == ["names.greeting"] and t.state == "names"
    t.none("record", since)
    assert not list(t.flash.glob("*.clip"))


@pytest.mark.parametrize("presses", (1, 2, 3, 4))
def test_volume_is_remembered(table, presses):
    """ "and is remembered when the power is cut" """
    t = table()
    t.quiet()
    for _ in range(presses):
        t.press("volume")
    t.quiet(0.5)
    t.robot.battery(False)
    t.wait(1)
    t.robot.battery(True)
    t.wait(1)
    assert t.robot.app.settings.volume == (2, 3, 1, 2, 3)[presses]


def test_watchdog(table):
    """A loop that hangs is restarted; the game goes on, and the robot says that it is sorry."""
    t = table()
    t.to_play(3).quiet(1.0)

    def hang():
        from sim.machine.modules import sleep_ms

        while True:
            sleep_ms(100)

    t.robot.app.step = hang
    since = t.mark()
    t.wait(12.0)
    assert t.state == "play"
    t.first("fault", since)
    assert "sorry" in t.quiet().phrases(since)
    t.wait(10)
    t.surprise()


def snapshots(t, tmp_path, script):
    """Run script(t) and copy the flash as it is before each of its operations: a power cut then
    would leave that."""
    copies = []

    def copying():
        copy = tmp_path / f"cut{len(copies)}"
        shutil.copytree(t.flash, copy)
        copies.append(copy)

    t.robot.flash.on_change = copying
    script(t)
    distinct = {}
    for copy in copies:
        files = tuple(sorted((p.name, p.read_bytes()) for p in copy.iterdir()))
        distinct.setdefault(files, copy)
    return list(distinct.values())


def test_power_cut_at_every_write(table, packs, tmp_path):
    """ "power cut in the middle of any write: old or new, never broken" - names, nicknames, House
    Rule, settings, game."""
    t = keep_game(table(seed=3))
    t.quiet(0.5)

    def evening(t):
        t.names(3).press("volume").press("plate")
        t.record(said(voice(1.2))).quiet(1.0)
        t.surprise("nickname")
        t.record().quiet(1.0)
        t.press("volume").quiet(1.0)
        t.press("win").press("plate").quiet(1.0)

    cuts = snapshots(t, tmp_path, evening)
    assert len(cuts) > 25
    for cut in cuts:
        volume = Volume(str(cut))
        for name in volume.names():
            try:
                volume.read(name)
            except Broken as error:
                raise AssertionError(f"{cut}: {error}") from None
    resumed = 0
    for cut in cuts:
        again = Table(packs, cut)
        again.none("fault")
        assert not list(cut.glob("*.tmp"))
        again.wait(0.3)
        if "resume.ask" in again.phrases():
            resumed += 1
            again.press("plate").quiet(0.1)
            if again.state == "names":
                again.record()
        again.none("fault")
        again.none("tone", tone="missing")
    assert resumed > 10


def test_cut_in_the_middle_of_everything(table):
    """The battery falls out every 170 ms of a busy evening, writes and all, and the same robot
    always comes back."""
    for n in range(24):
        t = table("same", seed=n)
        t.none("fault")
        if n == 0:
            keep_game(t)
        t.press("plate").wait(0.1).names(2).press("volume")
        t.wait(0.17 * n)
        t.robot.battery(False)
        t.wait(0.5)
    t = table("same")
    t.none("fault")
    assert t.state == "names"


def test_a_damaged_clip(table):
    """ "A missing or broken phrase or clip becomes a short tone in its place, is noted in the
    log, and the game goes
    on." """
    t = keep_game(table())
    t.to_play(2).quiet(1.0)
    t.switch("off").wait(1)
    clip = t.flash / "name-0.clip"
    data = bytearray(clip.read_bytes())
    data[len(data) // 2] ^= 0xFF
    clip.write_bytes(data)
    since = t.mark()
    t.switch("on").wait(0.5).press("plate").quiet()
    for _ in range(3):
        t.wait(10)
        t.surprise()
    assert (
        "name-0" in t.first("fault", since)["what"] or "name/0" in t.first("fault", since)["what"]
    )
    t.first("tone", since, tone="missing")
    assert any("name" in line for line in t.robot.app.log.lines())


@pytest.mark.parametrize("harm", ("gone", "empty", "garbage", "phrase"))
def test_a_damaged_voice_pack(packs, tmp_path, harm):
    pack = tmp_path / "en.pack"
    data = bytearray(packs["en"].read_bytes())
    if harm == "garbage":
        data[4:400] = bytes(396)
    if harm == "phrase":
        data[-len(data) // 2 :] = bytes(len(data) // 2)
    if harm == "empty":
        data = bytearray()
    if harm != "gone":
        pack.write_bytes(data)
    t = Table({"en": pack}, tmp_path / "flash")
    t.to_play(2)
    t.first("fault")
    t.first("tone", tone="missing")
    for _ in range(12):
        since = t.mark()
        t.press("plate").wait(0.5)
        t.one("tone", since, tone="plate")


@pytest.mark.parametrize("name", ("settings", "game"))
@pytest.mark.parametrize("content", (b"", b"garbage", b"RBF1" + bytes(100)))
def test_a_damaged_record(table, name, content):
    t = keep_game(table())
    t.to_play(2).quiet(1.0)
    t.switch("off").wait(1)
    (t.flash / name).write_bytes(content)
    since = t.mark()
    t.switch("on").wait(1)
    t.first("fault", since)
    t.quiet().record().wait(0.5)
    assert t.all("record")[-1]["result"] == "stored"


def test_a_dead_microphone(table):
    t = table()
    t.quiet()
    t.robot.room.alive = False
    since = t.mark()
    t.hold("record", 2.0).quiet(1.0)
    assert "microphone" in t.one("fault", since)["what"]
    assert "deaf" in t.phrases(since)
    t.none("led", since, led="record")
    t.robot.room.alive = True
    t.record()
    assert t.all("record")[-1]["result"] == "stored"


def test_a_full_flash(table):
    """ "flash full": the game goes on from RAM, and says so."""

    t = table()
    t.robot.flash.full = True
    t.to_play(3)
    assert "flash full" in t.first("fault")["what"]
    assert "flash_full" in t.phrases()
    for _ in range(3):
        t.wait(10)
        t.surprise()
    t.none("tone", tone="missing")


def test_what_could_not_be_saved_gives_way_to_what_comes_after_it(table):
    """The next game's House Rule is the one that is said back and played, however long."""
    t = table()
    t.names(2).quiet().wait(2)

    t.robot.flash.full = True
    t.press("plate").quiet().hold("record", 6.1, said(voice(6.0))).quiet().wait(3)
    t.press("win").quiet().press("plate").quiet()
    since = t.mark()
    t.hold("record", 10.5, said(voice(10.5))).quiet()
    ms = t.one("record", since)["ms"]
    assert ms >= 9900
    heard = [part for e in t.said(since) for part in e["parts"] if "clip" in part]
    assert heard[0] == {"clip": "house_rule", "ms": ms}


def test_where_there_is_no_room_the_robot_says_so(table):
    """On a low battery nothing is saved: seven names of 2 s have room in RAM, the eighth has none
    and is not said to be silence alone."""
    t = table()
    t.robot.chip.microvolts[29] = 2_500_000 // 3
    t.quiet().wait(32).quiet()
    for _ in range(7):
        t.record(said(voice(1.9))).quiet()
    assert [e["result"] for e in t.all("record")] == ["stored"] * 7
    since = t.mark()
    t.record(said(voice(1.9))).quiet()
    assert "no_room" in t.phrases(since) and "heard_nothing" not in t.phrases(since)
    assert t.all("fault", since)[0]["what"] == "no room for a recording"
    t.none("led", since, led="record", on=True)
    t.press("plate").quiet()
    assert t.state == "house_rule"


@pytest.mark.parametrize("mv", [4400, 3150, 3050, 2650, 2550, 1900])
def test_cells_that_run_low_are_said_and_below_2_6_v_nothing_is_saved(table, mv):
    """The voltage goes into the log while that may be saved; the words come once, at each step."""
    t = table()
    before = t.robot.app.settings.volume
    t.robot.chip.microvolts[29] = mv * 1000 // 3
    t.quiet().wait(2).press("volume").quiet().wait(90)
    level = t.one("volume")["level"]
    assert t.phrases().count("low_battery") == (mv < 3100)
    told = [e["what"] for e in t.all("fault")]
    assert told == (
        ["low battery: nothing is saved any more"] if mv < 2600
        else ["low battery"] if mv < 3100 else []
    )  # fmt: skip
    since = power_cycle(t)
    t.none("fault", since)
    assert level != before and t.robot.app.settings.volume == (level if mv >= 2600 else before)
    noted = [line for line in log_of(t) if " cells " in line]
    if mv < 2600:
        assert not noted
    else:
        assert abs(int(noted[0].split()[2]) - mv) <= 3


def test_cells_that_empty_while_people_play_are_said_at_each_step(table):
    t = table()
    t.quiet()
    for mv in (4000, 3500, 3090, 3000, 2590, 2500):
        t.robot.chip.microvolts[29] = mv * 1000 // 3
        t.press("volume").wait(31).quiet()
    assert t.phrases().count("low_battery") == 2
    assert [e["what"] for e in t.all("fault")] == [
        "low battery", "low battery: nothing is saved any more",
    ]  # fmt: skip


def test_on_usb_nothing_is_said_of_the_cells(table):
    t = table()
    t.robot.chip.drive(24, None)
    t.robot.chip.driven[24] = 1
    t.robot.chip.microvolts[29] = 4_700_000 // 3
    t.quiet().press("volume").wait(35)
    t.robot.chip.microvolts[29] = 2_000_000 // 3
    t.press("volume").wait(35)
    t.none("fault")
    assert not [line for line in t.robot.app.log.lines() if " cells " in line]


def test_low_battery(table):
    t = table()
    t.robot.chip.microvolts[29] = 2_500_000 // 3
    t.quiet().wait(32).names(2).press("plate")
    t.first("fault", what="low battery: nothing is saved any more")
    t.record(said(voice(2.0))).quiet()
    assert t.state == "play" and "low_battery" in t.phrases()
    t.surprise()
    t.none("tone", tone="missing")
