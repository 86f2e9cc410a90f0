"""SPEC section 7: what a scenario may say, and one clear line for everything else."""

import struct

import pytest

from sim.scenario import BadScenario, read

from .conftest import NAME, events_of
from .voices import chunk, voice, write_wav

STEP = "[[step]]\n"
FAULTS = {
    "not toml": ("[[step\n", "not TOML"),
    "unknown key": ("colour = 1\n", "unknown key 'colour'"),
    "unknown step key": (STEP + "after = 1\nsing = 2\n", "step 1: unknown key 'sing'"),
    "no time": (STEP + 'press = "plate"\n', "step 1: has no time"),
    "two times": (
        STEP + 'after = 1\nafter_quiet = 1\npress = "plate"\n',
        "step 1: has after and after_quiet",
    ),
    "wait and press": (STEP + 'wait = 1\npress = "plate"\n', "step 1: has wait and press"),
    "two actions": (
        STEP + 'after = 1\npress = "plate"\nhold = "record"\n',
        "step 1: has hold and press",
    ),
    "press and switch": (STEP + 'after = 1\npress = "plate"\nswitch = "on"\n', "step 1"),
    "unknown control": (STEP + 'after = 1\npress = "red"\n', "step 1: press is 'red'"),
    "control of another type": (STEP + "after = 1\nhold = 3\n", "step 1: hold is 3"),
    "control is a list": (STEP + "after = 1\nhold = []\n", "step 1: hold is []"),
    "unknown switch": (STEP + 'after = 1\nswitch = "up"\n', "step 1: switch is 'up'"),
    "unknown power": (STEP + 'after = 1\npower = "on"\n', "step 1: power is 'on'"),
    "negative": (STEP + 'after = -1\npress = "plate"\n', "step 1: after is -1"),
    "nan": (STEP + 'after = nan\npress = "plate"\n', "step 1: after is nan"),
    "infinite": (STEP + "wait = inf\n", "step 1: wait is inf"),
    "time as text": (STEP + 'after = "1"\npress = "plate"\n', "step 1: after is '1'"),
    "time as bool": (STEP + 'after = true\npress = "plate"\n', "step 1: after is True"),
    "for 0": (STEP + 'after = 1\nhold = "plate"\nfor = 0\n', "step 1: for is 0"),
    "for without hold": (STEP + "after = 1\nfor = 1\n", "step 1: has for without hold"),
    "mic without hold": (STEP + 'after = 1\nmic = "a.wav"\n', "step 1: has mic without hold"),
    "times 0": (STEP + 'after = 1\npress = "plate"\ntimes = 0\n', "step 1: times is 0"),
    "times 1.5": (STEP + 'after = 1\npress = "plate"\ntimes = 1.5\n', "step 1: times is 1.5"),
    "every without times": (
        STEP + 'after = 1\npress = "plate"\nevery = 1\n',
        "step 1: has every without times",
    ),
    "every too short": (
        STEP + 'after = 1\nhold = "plate"\nfor = 2\ntimes = 3\nevery = 1\n',
        "step 1: every is 1",
    ),
    "lang": ("lang = 3\n", "lang is 3"),
    "seed": ('seed = "x"\n', "seed is 'x'"),
    "seed bool": ("seed = true\n", "seed is True"),
    "switch": ('switch = "left"\n', "switch is 'left'"),
    "switch list": ("switch = []\n", "switch is []"),
    "step is no list": ("step = 3\n", "step is not a list"),
    "step is one table": ("[step]\nafter = 1\n", "step is not a list"),
    "the second step": (STEP + "wait = 1\n" + STEP + 'press = "plate"\n', "step 2: has no time"),
    "mic missing": (STEP + 'after = 1\nhold = "record"\nmic = "none.wav"\n', "step 1: mic: "),
    "mic is no name": (STEP + 'after = 1\nhold = "record"\nmic = 3\n', "step 1: mic is 3"),
    "mic is a folder": (STEP + 'after = 1\nhold = "record"\nmic = "."\n', "step 1: mic"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_bad_file(tmp_path, name):
    """ "2 with one clear line on a bad file, naming the step" """
    text, expected = FAULTS[name]
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadScenario) as caught:
        read(path)
    message = str(caught.value)
    assert expected in message and str(path) in message and "\n" not in message


def test_other_bad_files(tmp_path):
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\0\0lang")
    (tmp_path / "folder.toml").mkdir()
    for name in ("bytes.toml", "folder.toml", "missing.toml"):
        with pytest.raises(BadScenario) as caught:
            read(tmp_path / name)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ("two times", "not toml", "mic missing"))
def test_exit_2(cli, tmp_path, name):
    path = tmp_path / "bad.toml"
    path.write_text(FAULTS[name][0])
    done = cli("run", path, "--trace", "-")
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and FAULTS[name][1] in done.stderr


def test_bad_options(cli, tmp_path):
    good = tmp_path / "good.toml"
    good.write_text(STEP + "wait = 1\n")
    (tmp_path / "file").write_text("")
    for options in (
        ("--speed", "0"),
        ("--speed", "fast"),
        ("--seed", "x"),
        ("--lang", "xx"),
        ("--wav", "/no/where.wav"),
        ("--trace", tmp_path / "no" / "t"),
        ("--flash", tmp_path / "file"),
        ("--what",),
    ):
        done = cli("run", good, *options)
        assert done.returncode == 2, (options, done.stderr)
        assert len(done.stderr.splitlines()) == 1, done.stderr
    assert cli("run").returncode == 2


def test_an_empty_scenario(scenario):
    """No step is no fault: the robot greets, and the run ends."""
    assert scenario("").phrases() == ["names.greeting"]


RECORD = (
    'lang = "en"\n[[step]]\nafter_quiet = 0.5\nhold = "record"\nfor = 1.2\nmic = "voice.wav"\n'
)


def reads(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(RECORD)
    return read(path).steps[0].mic


@pytest.mark.parametrize("rate_hz", (8000, 11025, 16000, 22050, 44100, 48000, 96000))
@pytest.mark.parametrize("kind", ("8", "16", "24", "32", "f32", "f64"))
@pytest.mark.parametrize("channels", (1, 2))
def test_any_usual_wav(tmp_path, rate_hz, kind, channels):
    """8 to 96 kHz; 8, 16, 24, 32 bit and float; mono and stereo: the same sound."""
    import numpy as np

    write_wav(tmp_path / "voice.wav", voice(0.3, rate_hz=rate_hz), rate_hz, kind, channels)
    got = np.array(reads(tmp_path), "float64")
    assert abs(len(got) - 4800) <= 2
    wanted = np.sqrt(np.mean((voice(0.3, rate_hz=rate_hz) * 32768) ** 2))
    assert abs(20 * np.log10(np.sqrt(np.mean(got**2)) / wanted)) < 0.5


@pytest.mark.parametrize("where", ("before", "after", "odd", "extensible"))
def test_other_chunks(tmp_path, where):
    extra = chunk(b"LIST", b"INFOISFT\x05\0\0\0Lavf\0\0") + chunk(
        b"junk", bytes(7 if where == "odd" else 100)
    )
    options = {"extensible": {"extensible": True}, "after": {"after": extra}}.get(
        where, {"before": extra}
    )
    write_wav(tmp_path / "voice.wav", voice(0.3), **options)
    assert len(reads(tmp_path)) == 4800


def bad_wavs():
    good = b""

    def riff(*chunks):
        body = b"WAVE" + b"".join(chunks)
        return b"RIFF" + struct.pack("<I", len(body)) + body

    pcm = struct.pack("<HHIIHH", 1, 1, 16000, 32000, 2, 16)
    data = chunk(b"data", bytes(3200))
    yield "empty", good
    yield "text", b"hello, this is no sound at all"
    yield "mp3", b"ID3\x03\0\0\0" + bytes(200)
    yield "flac", b"fLaC" + bytes(200)
    yield "head only", b"RIFF\0\0\0\0WAVE"
    yield "no data", riff(chunk(b"fmt ", pcm))
    yield "no format", riff(data)
    yield "no samples", riff(chunk(b"fmt ", pcm), chunk(b"data", b""))
    yield "truncated", riff(chunk(b"fmt ", pcm), data)[:1000]
    yield "in the header", riff(chunk(b"fmt ", pcm), data)[:20]
    yield "alaw", riff(chunk(b"fmt ", struct.pack("<HHIIHH", 6, 1, 16000, 16000, 1, 8)), data)
    yield "mulaw", riff(chunk(b"fmt ", struct.pack("<HHIIHH", 7, 1, 16000, 16000, 1, 8)), data)
    yield (
        "gsm",
        riff(chunk(b"fmt ", struct.pack("<HHIIHHHH", 0x31, 1, 8000, 1625, 65, 0, 2, 320)), data),
    )
    yield (
        "unknown codec",
        riff(chunk(b"fmt ", struct.pack("<HHIIHH", 0x1234, 1, 16000, 32000, 2, 16)), data),
    )
    yield (
        "6 channels",
        riff(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 6, 16000, 192000, 12, 16)), data),
    )
    yield (
        "0 channels",
        riff(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 0, 16000, 32000, 2, 16)), data),
    )
    yield "4 kHz", riff(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 4000, 8000, 2, 16)), data)
    yield (
        "192 kHz",
        riff(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 192000, 384000, 2, 16)), data),
    )
    yield "0 Hz", riff(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 0, 0, 2, 16)), data)
    nan = struct.pack("<f", float("nan")) * 800
    yield (
        "not a number",
        riff(
            chunk(b"fmt ", struct.pack("<HHIIHH", 3, 1, 16000, 64000, 4, 32)), chunk(b"data", nan)
        ),
    )


BAD_WAVS = dict(bad_wavs())


@pytest.mark.parametrize("name", BAD_WAVS)
def test_bad_wav(tmp_path, name):
    (tmp_path / "voice.wav").write_bytes(BAD_WAVS[name])
    with pytest.raises(BadScenario) as caught:
        reads(tmp_path)
    message = str(caught.value)
    assert "step 1: mic: " in message and "voice.wav" in message and "\n" not in message


def test_a_wav_that_may_not_be_read(tmp_path):
    """A folder of that name, since root may read every file."""
    (tmp_path / "voice.wav").mkdir()
    with pytest.raises(BadScenario, match="step 1: mic: .*cannot be read"):
        reads(tmp_path)


def test_a_wav_of_10_minutes(tmp_path, scenario):
    """Somebody who never stops: the recording ends at its limit all the same."""
    import numpy as np

    write_wav(tmp_path / "long.wav", np.tile(voice(1.0), 600))
    run = scenario('[[step]]\nafter = 0.5\nhold = "record"\nfor = 5.0\nmic = "long.wav"\n')
    assert run.one("record")["result"] == "stored" and 2950 <= run.one("record")["ms"] <= 3000


def test_a_person_waits_for_the_light(scenario):
    """ "it starts when the record LED lights, or after 2 s without a light"; for is "counted from
    the lighting" """
    run = scenario('[[step]]\nafter = 0.5\nhold = "record"\nfor = 1.0\nmic = "name.wav"\n')
    lit = run.one("led", led="record", on=True)["t"]
    assert abs(run.one("release")["t"] - lit - 1000) <= 1
    run = scenario(
        '[[step]]\nafter = 0.5\nhold = "plate"\nfor = 1.0\nmic = "name.wav"\n', flash="other"
    )
    assert run.one("release")["t"] - run.one("press")["t"] == 3000


def test_after_quiet(scenario):
    """ "when the robot has been silent (no utterance, no tone) for so many seconds in a row since
    the step before ended" """
    run = scenario(
        '[[step]]\nafter_quiet = 0.5\npress = "win"\n[[step]]\nafter_quiet = 2.0\npress = "win"\n'
    )
    first, second = (e["t"] for e in run.all("press"))
    assert first - run.all("quiet")[0]["t"] == 500
    tone = run.all("tone")[0]
    assert (
        second == max(tone["t"] + run.robot.tone_ms("not_now"), run.all("release")[0]["t"]) + 2000
    )


def test_after_times_every_and_wait(scenario):
    run = scenario(
        '[[step]]\nwait = 1.5\n[[step]]\nafter = 1.0\npress = "plate"\ntimes = 5\nevery = 2.0\n'
        '[[step]]\nafter = 0.25\nhold = "win"\nfor = 0.3\n'
    )
    presses = run.all("press", control="plate")
    assert [e["t"] for e in presses] == [2500, 4500, 6500, 8500, 10500]
    assert all(r["t"] - p["t"] == 100 for p, r in zip(presses, run.all("release"), strict=False))
    assert (
        run.one("press", control="win")["t"] == 10850
        and run.one("release", control="win")["t"] == 11150
    )


def test_the_run_ends(scenario):
    """ "The run ends when the last step has ended and the robot has been silent for 1 s, or
    sleeps, at most 30 s later." """
    run = scenario('[[step]]\nafter = 0.5\npress = "plate"\n')
    assert run.robot.now_ms - run.all("quiet")[-1]["t"] == 1000
    run = scenario("[[step]]\nwait = 90.0\n", flash="b")
    assert run.robot.asleep and run.robot.now_ms <= 91000


def test_switch_and_power(scenario):
    """ "switch" moves, "power" cuts: times run on, "off" is a power cut, too."""
    run = scenario(
        'switch = "off"\n[[step]]\nafter = 1.0\nswitch = "on"\n'
        '[[step]]\nafter = 1.0\npower = "cut"\n'
        '[[step]]\nafter = 2.0\npower = "restore"\n[[step]]\nafter = 1.0\nswitch = "try-me"\n'
        '[[step]]\nafter = 2.0\nswitch = "off"\n[[step]]\nwait = 1.0\n'
    )
    assert [(e["t"], e["on"]) for e in run.all("power")] == [
        (1000, True),
        (2000, False),
        (4000, True),
        (7000, False),
    ]
    assert [e["state"] for e in run.all("state")] == ["names", "names", "demo"]
    times = [e["t"] for e in run.events]
    assert times == sorted(times)


def test_seed_and_lang(scenario, cli, tmp_path):
    """ "reproducible from a seed", and the options win over the file's."""
    text = "".join(
        '[[step]]\nafter = 0.3\nhold = "record"\nfor = 0.8\nmic = "name.wav"\n' for _ in range(4)
    )
    text += '[[step]]\nafter_quiet = 1\npress = "plate"\ntimes = 2\nevery = 0.5\n'
    text += '[[step]]\nafter_quiet = 1\npress = "plate"\ntimes = 30\nevery = 3.0\n'
    one, same, other = (
        scenario(text, seed, flash=f"f{n}").events for n, seed in enumerate((1, 1, 2))
    )
    assert one == same and one != other
    path = tmp_path / "s.toml"
    path.write_text('lang = "es"\nseed = 3\n[[step]]\nwait = 1.0\n')
    spoken = [
        e
        for e in events_of(cli("run", path, "--lang", "en", "--trace", "-").stdout)
        if e["event"] == "say"
    ]
    assert spoken[0]["text"].startswith("Hello!")


def test_flash(cli, tmp_path):
    """ "--flash DIR keeps the device's flash between runs" """
    path = tmp_path / "s.toml"
    path.write_text('[[step]]\nafter_quiet = 0.5\npress = "volume"\n')
    levels = []
    for _ in range(2):
        done = cli("run", path, "--flash", tmp_path / "flash", "--trace", "-", "--lang", "en")
        assert done.returncode == 0, done.stderr
        levels += [e["level"] for e in events_of(done.stdout) if e["event"] == "volume"]
    assert levels == [3, 1]


def test_records_while_saving(scenario):
    """Names one after the other, as quickly as a finger can: all are kept."""
    text = "".join(
        '[[step]]\nafter = 0.05\nhold = "record"\nfor = 0.8\nmic = "name.wav"\n' for _ in range(10)
    )
    run = scenario(text)
    assert [e["player"] for e in run.all("record", result="stored")] == list(range(10))
    assert len(NAME) == 12800


def test_a_scenario_that_ended_leaves_files_to_others(scenario, tmp_path):
    """It may end while the microphone's I2S is open, which forbids the firmware to write."""
    from roboto.storage import volume

    run = scenario(STEP + "wait = 20\n")  # greeted, it waits for a name
    assert run.robot.chip.i2s and not run.robot.chip.running
    job = volume.Volume(str(tmp_path)).replace("kept", [b"by somebody else"])
    while not job.step():
        pass
