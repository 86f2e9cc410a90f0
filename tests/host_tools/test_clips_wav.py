"""Recordings as WAV files and back; backups; the robot's own files."""

import io
import wave
import zipfile
from array import array
from math import pi, sin
from pathlib import Path

import pytest
from roboto.storage.clips import Clips
from roboto.storage.volume import Volume, as_file

from host_tools.maker import backup, clips, device_files
from host_tools.maker.errors import MakerError
from host_tools.voice.packfile import SPARING
from sim.emulated.install import small_pack

from .folder_board import FolderBoard


def tone_wav(
    seconds: float = 0.8, rate_hz: int = 16000, channels: int = 1, peak: int = 9000
) -> bytes:
    samples = array("h")
    for i in range(int(seconds * rate_hz)):
        # loud and soft by turns, as speech is; the recorder takes a steady sound for noise
        loud = peak if int(i / rate_hz * 8) % 3 else peak // 30
        samples.extend([int(loud * sin(2 * pi * 440 * i / rate_hz))] * channels)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((channels, 2, rate_hz, 0, "NONE", ""))
        out.writeframes(samples.tobytes())
    return file.getvalue()


def test_a_pulled_wav_pushed_back_is_the_same_recording() -> None:
    first = clips.from_wav("name/0", tone_wav())
    again = clips.from_wav("name/0", first.wav())
    assert again == first
    assert clips.from_wav("name/0", again.wav()) == first


def test_an_edited_wav_is_recorded_anew() -> None:
    first = clips.from_wav("name/0", tone_wav())
    data = bytearray(first.wav())
    data[2000:2400] = bytes(400)
    edited = clips.from_wav("name/0", bytes(data))
    assert edited.payload != first.payload
    assert abs(edited.seconds - first.seconds) < 0.1


def test_the_firmware_reads_what_was_made_here(tmp_path: Path) -> None:
    recording = clips.from_wav("nickname/3", tone_wav(1.2))
    (tmp_path / "nickname-3.clip").write_bytes(as_file(recording.payload))
    clip = Clips(Volume(str(tmp_path))).load("nickname/3")
    assert (clip.n_samples, clip.rate_hz) == (recording.n_samples, 16000)
    assert 0.9 < recording.seconds <= 1.3
    peak = max(map(abs, recording.samples()))
    assert 3000 < peak < 32768


def test_other_rates_and_channels_are_taken() -> None:
    pytest.importorskip("soxr")
    stereo = clips.from_wav("name/1", tone_wav(0.8, 44100, 2))
    mono = clips.from_wav("name/1", tone_wav(0.8))
    assert abs(stereo.seconds - mono.seconds) < 0.05


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"not a wav", "not a WAV file"),
        (tone_wav(0.1), "less than 0.3 s|nothing but silence"),
        (tone_wav(1.0, peak=0), "silence"),
    ],
)
def test_what_the_robot_would_not_keep_is_said_in_a_line(data: bytes, line: str) -> None:
    with pytest.raises(MakerError, match=line) as error:
        clips.from_wav("name/0", data, "ana.wav")
    assert str(error.value).startswith("ana.wav: ") and "\n" not in str(error.value)


def test_names_of_files() -> None:
    for key in ("name/0", "name/9", "nickname/4", "house_rule"):
        assert clips.key_of(clips.wav_name(key)) == key
    assert clips.wav_name("name/0") == "player-1-name.wav"
    for wrong in ("ana.wav", "player-0-name.wav", "player-11-name.wav", "player-1-song.wav"):
        with pytest.raises(MakerError, match="player-N-name.wav"):
            clips.key_of(wrong)


def test_pull_push_wipe(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path / "board")
    wanted = {key: clips.from_wav(key, tone_wav()) for key in ("name/0", "name/1", "house_rule")}
    clips.push(board, wanted)
    before = board.files()
    pulled, _ = clips.pull(board, tmp_path / "wavs")
    assert [p.name for p in pulled] == [
        "player-1-name.wav",
        "player-2-name.wav",
        "house-rule.wav",
    ]
    assert clips.wipe(board) == 3
    assert not board.files()
    clips.push(
        board,
        {
            clips.key_of(p.name): clips.from_wav(clips.key_of(p.name), p.read_bytes())
            for p in pulled
        },
    )
    assert board.files() == before
    game = device_files.record.decode("game", device_files.payload(board, "game"))
    assert (game["players"], game["has_rule"], game["state"]) == (2, True, "play")


def test_names_are_made_at_the_rate_that_the_robot_s_voice_leaves_room_for(tmp_path: Path) -> None:
    """As the robot would have recorded them."""
    board = FolderBoard(tmp_path)
    assert clips.names_hz(board) == 16000
    for rate_hz in (16000, 8000):
        board.put({"voice/en.pack": small_pack("en", 20, rate_hz)})
        assert clips.names_hz(board) == rate_hz
        made = clips.from_wav("name/0", tone_wav(2.0), names_hz=rate_hz)
        assert made.rate_hz == rate_hz and 1.7 < made.seconds <= 2
    sparing = bytearray(small_pack("en", 20))
    sparing[5] |= SPARING
    board.put({"voice/en.pack": bytes(sparing)})
    assert clips.names_hz(board) == 8000
    assert clips.from_wav("house_rule", tone_wav(9.9)).rate_hz == 8000


def test_a_damaged_recording_is_named(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    clips.push(board, {"name/0": clips.from_wav("name/0", tone_wav())})
    path = tmp_path / "data/name-0.clip"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    found, damaged = clips.stored(board)
    assert not found and damaged == ["name-0.clip: checksum does not fit"]


def test_a_backup_holds_everything(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    files = {
        "main.py": b"m",
        "voice/es.pack": small_pack("es", 20),
        "data/settings": device_files.settings_file(device_files.default_settings()),
        "data/name-0.clip": device_files.as_file(clips.from_wav("name/0", tone_wav()).payload),
    }
    board.put(files)
    assert backup.read(backup.take(board), "robot.zip") == backup.Saved(files)
    for wrong in (b"PK", b""):
        with pytest.raises(MakerError, match="robot.zip: not a backup"):
            backup.read(wrong, "robot.zip")


ADDED = (
    "__MACOSX/._main.py", ".DS_Store", "data/._name-0.clip", ".directory", "data/.fuse_hidden01",
    "data/.name-0.clip.swp", "data/name-0.clip~", "Thumbs.db", "voice/thumbs.db", "Desktop.ini",
    "Icon\r", "$RECYCLE.BIN/x", "System Volume Information/x", ".Trash-1000/info/x",
)  # fmt: skip
FOLDERS = ("data/", "voice/", "roboto/", "data/empty/")
_SEPARATORS = ("/", "\\")  # the second by old tools under Windows


@pytest.mark.parametrize("separator", _SEPARATORS)
@pytest.mark.parametrize("folder", ("", "robot/", "My robot (2)/"))
@pytest.mark.parametrize("added", ((), FOLDERS, ADDED, ADDED + FOLDERS))
def test_a_backup_unpacked_and_zipped_again(added: tuple, folder: str, separator: str) -> None:
    """By whatever system and tool; with the folder or without."""
    files = {"main.py": b"m", "data/settings": device_files.settings_file({"volume": 3})}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, data in (dict.fromkeys(added, b"") | files).items():
            entry = zipfile.ZipInfo("x")
            entry.filename = (folder + name).replace("/", separator)
            made.writestr(entry, data)
        if folder and added:
            made.writestr("__MACOSX/._robot", b"")
    assert backup.read(file.getvalue(), "robot.zip") == backup.Saved(files)


@pytest.mark.parametrize("root", ("/", "../", "..\\", "./", "//", "a/../"))
def test_a_folder_that_is_none_is_not_taken_off(root: str) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr(root + "main.py", b"m")
    with pytest.raises(MakerError, match="robot.zip: not a backup"):
        backup.read(file.getvalue(), "robot.zip")


def test_settings_are_checked_here_as_on_the_robot(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    assert device_files.settings_of(board)["volume"] == 2
    values = {**device_files.settings_of(board), "volume": 3, "keep_game": True}
    board.put({"data/settings": device_files.settings_file(values)})
    assert device_files.settings_of(board) == values
    assert device_files.parse_setting("keep_game", "on") is True
    assert device_files.parse_setting("sleep_s", "90") == 90
    for key, text in (("volume", "4"), ("pace", "mad"), ("colour", "red"), ("language", "ñ")):
        with pytest.raises(MakerError, match="must be|no setting"):
            device_files.parse_setting(key, text)
    board.put({"data/settings": b"rubbish"})
    assert device_files.settings_of(board)["volume"] == 2


def test_the_log_in_order(tmp_path: Path) -> None:
    board = FolderBoard(tmp_path)
    board.put(
        {
            "data/log-0": as_file(b"# 3\n12 dead microphone\n"),
            "data/log-1": as_file(b"# 2\n5 low battery\n9 flash full\n"),
        }
    )
    assert device_files.log_lines(board) == ["5 low battery", "9 flash full", "12 dead microphone"]
