"""Recordings: kept, played from RAM until they are on flash, checked once."""

from roboto.sound.clip import Clip, RamBlob
from roboto.storage.broken import Broken
from roboto.storage.clips import Clips
from roboto.storage.volume import Volume

from tests.portable import Folder, raises
from tests.storage.test_volume import finish

FIELDS = ("n_samples", "rate_hz", "predictor", "index", "gain_q12", "ms")


def a_clip(n_samples=801, seed=1, start_byte=5):
    """A clip in RAM, and its bytes."""
    n_bytes = (n_samples + 1) // 2
    samples = bytes((i * seed + seed) & 255 for i in range(n_bytes))
    blob = RamBlob(bytearray(start_byte) + samples + bytes(9))
    return Clip(blob, start_byte, n_samples, 16000, -1234, 17, 5000), samples


def samples_of(clip):
    buffer = bytearray((clip.n_samples + 1) // 2)
    assert clip.blob.read_at(clip.start_byte, buffer) == len(buffer)
    return bytes(buffer)


def test_a_clip_comes_back_as_it_was():
    with Folder() as root:
        clip, samples = a_clip()
        finish(Clips(Volume(root)).save("name/0", clip))
        clips = Clips(Volume(root))
        loaded = clips.load("name/0")
        assert loaded.blob is not clip.blob
        assert samples_of(loaded) == samples
        for field in FIELDS:
            assert getattr(loaded, field) == getattr(clip, field), field
        clips.close()


def test_a_clip_plays_from_ram_until_it_is_on_flash():
    with Folder() as root:
        clips = Clips(Volume(root))
        old, old_samples = a_clip(seed=3)
        finish(clips.save("name/1", old))
        opened = clips.load("name/1")
        clip, samples = a_clip(seed=7)
        job = clips.save("name/1", clip)
        assert opened.blob.read_at(0, bytearray(4)) == 0  # closed: its file is to be replaced
        while not job.done:
            assert clips.load("name/1") is clip
            job.step()
        loaded = clips.load("name/1")
        assert loaded is not clip and samples_of(loaded) == samples != old_samples
        assert clips.load("name/1") is loaded
        clips.close()


def test_when_saving_fails_the_old_clip_is_back():
    with Folder() as root:
        clips = Clips(Volume(root))
        old, old_samples = a_clip(seed=3)
        finish(clips.save("name/1", old))
        job = clips.save("name/1", a_clip(seed=7)[0])
        job.failed = "flash full"
        assert samples_of(clips.load("name/1")) == old_samples
        clips.close()


def test_forgotten_at_once():
    with Folder() as root:
        clips = Clips(Volume(root))
        for key in ("name/0", "nickname/10", "house_rule"):
            finish(clips.save(key, a_clip()[0]))
        assert clips.keys() == ["house_rule", "name/0", "nickname/10"]
        job = clips.forget("name/0")
        raises(KeyError, clips.load, "name/0")
        saving = clips.save("name/3", a_clip()[0])
        assert clips.keys() == ["house_rule", "name/3", "nickname/10"]
        finish(job)
        finish(saving)
        raises(KeyError, clips.load, "name/0")
        assert (
            clips.keys() == Clips(Volume(root)).keys() == ["house_rule", "name/3", "nickname/10"]
        )
        finish(clips.forget("name/7"))  # never was


def test_a_damaged_clip_is_broken_the_next_one_plays():
    with Folder() as root:
        clips = Clips(Volume(root))
        finish(clips.save("name/0", a_clip()[0]))
        with open(root + "/name-0.clip", "rb") as file:
            whole = bytearray(file.read())
        for position in (0, 9, 13, 20, 100, len(whole) - 1):
            copy = bytearray(whole)
            copy[position] ^= 0x40
            with open(root + "/name-0.clip", "wb") as file:
                file.write(copy)
            assert "name-0.clip" in str(raises(Broken, clips.load, "name/0"))
        finish(clips.save("name/0", a_clip()[0]))
        assert samples_of(clips.load("name/0")) == a_clip()[1]
        clips.close()


def test_a_file_of_another_kind_is_broken():
    with Folder() as root:
        volume = Volume(root)
        for payload in (b"", b"short", b"RC\x02" + bytes(30), b"RC\x01" + bytes(30), bytes(420)):
            finish(volume.replace("name-0.clip", [payload]))
            raises(Broken, Clips(volume).load, "name/0")


def test_an_unchanged_file_is_read_through_once():
    with Folder() as root:
        volume = Volume(root)
        clips = Clips(volume)
        for i in range(8):
            finish(clips.save(f"name/{i}", a_clip(seed=i)[0]))
        checks = []
        open_blob = volume.open_blob

        def counting(name, check=True):
            checks.append(check)
            return open_blob(name, check)

        volume.open_blob = counting
        loaded = [clips.load(f"name/{i}") for i in range(8)]
        assert checks == [True] * 8
        # The two that were not asked for the longest were closed; the others are still open.
        assert loaded[1].blob.read_at(0, bytearray(4)) == 0
        assert clips.load("name/2") is loaded[2]
        assert samples_of(clips.load("name/0")) == a_clip(seed=0)[1]
        assert checks == [True] * 8 + [False]
        assert clips.load("name/2") is loaded[2]
        finish(clips.save("name/0", a_clip(seed=9)[0]))
        clips.load("name/0")
        assert checks == [True] * 8 + [False, True]
        clips.close()


def test_keys_that_are_none():
    clips = Clips(Volume("nowhere"))
    for key in ("name-0", "a.b", "", "ñ/1"):
        raises(ValueError, clips.save, key, a_clip()[0])
