"""Files are old or new: writing, reading, damage, the guard, a full flash."""

import os

from roboto.storage.broken import Broken, Refused
from roboto.storage.volume import Files, Volume, as_file

from tests.portable import MICROPYTHON, Folder, raises
from tests.storage.flash import Mounted, RamFlash


def finish(job):
    """Carries out a job; returns its number of steps."""
    steps = 1
    while not job.step():
        steps += 1
    return steps


class Guard:
    """Allows writing or not, and counts how often it was asked."""

    def __init__(self):
        self.open = None
        self.asked = 0

    def writing(self):
        self.asked += 1
        if self.open:
            raise RuntimeError(self.open + " is open")


def test_reads_what_was_written():
    with Folder() as root:
        volume = Volume(root + "/data")  # made by the first write
        assert volume.read("thing") is None
        assert volume.names() == []
        finish(volume.replace("thing", [b"abc", bytearray(b"def"), memoryview(b"xghi")[1:]]))
        assert volume.read("thing") == b"abcdefghi"
        assert volume.names() == ["thing"]
        finish(volume.replace("thing", []))
        assert volume.read("thing") == b""
        finish(volume.remove("thing"))
        finish(volume.remove("thing"))
        assert volume.read("thing") is None


def test_works_in_the_current_folder():
    before = os.getcwd()
    with Folder() as root:
        os.chdir(root)
        try:
            volume = Volume()
            finish(volume.replace("thing", [b"abc"]))
            assert volume.read("thing") == b"abc"
            assert volume.names() == ["thing"]
            assert volume.free_bytes() > 0
        finally:
            os.chdir(before)


def test_the_old_file_stays_until_the_last_step():
    with Folder() as root:
        volume = Volume(root)
        finish(volume.replace("thing", [b"old"]))
        new = bytes(range(256)) * 64
        job = volume.replace("thing", [new])
        while not job.done:
            assert volume.read("thing") == b"old"
            assert volume.names() == ["thing"]
            job.step()
        assert volume.read("thing") == new


def test_sweep_deletes_what_an_unfinished_job_left():
    with Folder() as root:
        volume = Volume(root)
        finish(volume.replace("thing", [b"old"]))
        job = volume.replace("thing", [bytes(9000)])
        for _ in range(3):
            job.step()
        assert len(os.listdir(root)) == 2
        del job
        assert Volume(root).sweep() == 1
        assert os.listdir(root) == ["thing"]
        assert volume.read("thing") == b"old"
        assert Volume(root + "/none").sweep() == 0


def test_one_step_writes_less_than_a_block():
    with Folder() as root:
        volume = Volume(root)
        data = bytes(80000)
        steps = finish(volume.replace("rule", [b"head", data]))
        assert steps <= 21 + 4  # at most 4032 bytes each; checksum, open, close, rename
        assert volume.read("rule") == b"head" + data


def test_a_blob_reads_at_any_position():
    with Folder() as root:
        volume = Volume(root)
        data = bytes(i * 7 & 255 for i in range(3000))
        finish(volume.replace("thing", [data]))
        assert volume.open_blob("other") is None
        blob = volume.open_blob("thing")
        assert blob.length == 3000
        buffer = bytearray(64)
        for position in (0, 1, 2900, 17, 2999 - 64):
            assert blob.read_at(position, buffer) == 64
            assert buffer == data[position : position + 64]
        assert blob.read_at(2990, buffer) == 10
        assert buffer[:10] == data[2990:]
        assert blob.read_at(3000, buffer) == 0
        assert blob.read_at(5000, buffer) == 0
        blob.close()
        assert blob.read_at(0, buffer) == 0


def test_reading_a_blob_allocates_nothing():
    if not MICROPYTHON:
        return  # CPython cannot say
    import micropython

    with Folder() as root:
        volume = Volume(root)
        data = bytes(i * 7 & 255 for i in range(3000))
        finish(volume.replace("thing", [data]))
        blob = volume.open_blob("thing")
        buffer = bytearray(64)
        micropython.heap_lock()
        try:
            n = (
                blob.read_at(1000, buffer)
                + blob.read_at(2990, buffer)
                + blob.read_at(4000, buffer)
            )
        finally:
            micropython.heap_unlock()
        assert n == 64 + 10
        blob.close()


def test_a_computer_can_prepare_a_file():
    with Folder() as root:
        with open(root + "/thing", "wb") as file:
            file.write(as_file(b"prepared"))
        assert Volume(root).read("thing") == b"prepared"


def test_works_where_littlefs_is_the_current_folder():
    with Mounted(RamFlash(24), blank=True) as mounted:
        before = os.getcwd()
        os.chdir(mounted.root or ".")
        try:
            volume = Volume(files=mounted.files)
            finish(volume.replace("thing", [b"abc"]))
            assert volume.read("thing") == b"abc"
            assert volume.names() == ["thing"]
            assert volume.sweep() == 0
            assert 0 < volume.free_bytes() < 24 * 4096
        finally:
            os.chdir(before)


def test_every_damage_is_noticed():
    with Folder() as root:
        volume = Volume(root)
        finish(volume.replace("thing", [b"some text that matters"]))
        with open(root + "/thing", "rb") as file:
            whole = file.read()
        damaged = [whole[:n] for n in range(len(whole))] + [whole + b"x"]
        for i in range(len(whole)):
            copy = bytearray(whole)
            copy[i] ^= 0x10
            damaged.append(copy)
        for copy in damaged:
            with open(root + "/thing", "wb") as file:
                file.write(copy)
            for read in (volume.read, volume.open_blob):
                line = str(raises(Broken, read, "thing"))
                assert line.startswith("thing: ") and "\n" not in line


def test_unchecked_blob_still_checks_the_length():
    with Folder() as root:
        volume = Volume(root)
        finish(volume.replace("thing", [b"some text"]))
        with open(root + "/thing", "rb") as file:
            whole = bytearray(file.read())
        whole[-1] ^= 1
        with open(root + "/thing", "wb") as file:
            file.write(whole)
        blob = volume.open_blob("thing", check=False)
        blob.close()
        with open(root + "/thing", "wb") as file:
            file.write(whole[:-1])
        raises(Broken, volume.open_blob, "thing", False)


def test_names_that_are_not_file_names():
    volume = Volume("nowhere")
    for name in ("", "a/b", "..", ".hidden", "thing.tmp", "a b", "ñ", "-"):
        raises(ValueError, volume.replace, name, [])
        raises(ValueError, volume.remove, name)


def test_the_guard_is_asked_before_every_bite():
    with Folder() as root:
        guard = Guard()
        volume = Volume(root, guard)
        steps = finish(volume.replace("thing", [bytes(10000)]))
        assert guard.asked == steps
        guard.open = "microphone"
        job = volume.replace("thing", [b"new"])
        error = raises(Refused, job.step)
        assert "microphone is open" in str(error)
        assert not job.begun and not job.done
        guard.open = None
        job.step()
        guard.open = "speaker"
        raises(Refused, job.step)
        guard.open = None
        finish(job)
        assert volume.read("thing") == b"new"
        guard.open = "speaker"
        raises(Refused, volume.remove("thing").step)
        assert volume.read("thing") == b"new"


def test_a_full_flash_loses_nothing():
    with Mounted(RamFlash(24), blank=True) as volume:
        finish(volume.replace("thing", [b"old" * 700]))
        before = volume.free_bytes()
        assert 60000 < before < 24 * 4096
        job = volume.replace("thing", [bytes(120000)])
        error = raises(OSError, finish, job)
        assert error.errno == 28
        assert not job.done
        assert volume.sweep() == 0  # the job has cleaned up already
        assert volume.read("thing") == b"old" * 700
        assert volume.free_bytes() == before
        finish(volume.replace("thing", [b"new" * 700]))
        assert volume.read("thing") == b"new" * 700


def test_one_step_erases_at_most_one_block():
    flash = RamFlash(64)
    with Mounted(flash, blank=True) as volume:
        most = []
        for _ in range(3):
            for name, n_bytes in (("name", 24000), ("rule", 80000), ("settings", 120)):
                job = volume.replace(name, [bytes(n_bytes)])
                while not job.done:
                    flash.journal.clear()
                    job.step()
                    most.append(sum(data is None for _, data in flash.journal))
        assert max(most) == 1


def test_a_stray_file_where_the_folder_belongs_is_moved_away():
    with Folder() as parent:
        root = parent + "/data"
        with open(root, "wb") as file:
            file.write(b"not mine")
        volume = Volume(root)
        assert volume.sweep() == 0
        finish(volume.replace("thing", [b"new"]))
        assert volume.read("thing") == b"new"
        with open(root + ".stray", "rb") as file:
            assert file.read() == b"not mine"


def test_a_folder_in_a_files_place_costs_nothing():
    """Read it is damaged; written or deleted, it is moved out of the way with what lies in it."""
    with Folder() as root:
        volume = Volume(root)
        for name in ("thing", "other", "thing.tmp", "more.tmp"):
            os.mkdir(root + "/" + name)
            with open(root + "/" + name + "/inside", "wb") as file:
                file.write(b"x")
        raises(Broken, volume.read, "thing")
        raises(Broken, volume.open_blob, "thing")
        notes = []
        assert volume.sweep(notes.append) == 2 and notes == []
        finish(volume.replace("thing", [b"new"]))
        assert volume.read("thing") == b"new"
        finish(volume.remove("other"))
        assert volume.read("other") is None
        assert volume.names() == ["other.stray", "thing", "thing.stray"]
        with open(root + "/thing.stray/inside", "rb") as file:
            assert file.read() == b"x"


class Stubborn(Files):
    """Files that will not be deleted."""

    @staticmethod
    def remove(path):
        raise OSError(5, "EIO")


def test_what_cannot_be_deleted_is_told_and_stays():
    with Folder() as root:
        for name in ("a.tmp", "b.tmp"):
            with open(root + "/" + name, "wb") as file:
                file.write(b"x")
        notes = []
        volume = Volume(root, files=Stubborn())
        assert volume.sweep(notes.append) == 0
        assert len(notes) == 2 and "a.tmp" in notes[0]
        assert volume.sweep() == 0


def test_a_file_that_is_far_too_long_is_not_read_into_memory():
    with Folder() as root:
        with open(root + "/thing", "wb") as file:
            file.write(as_file(bytes(20000)))
        assert "too long" in str(raises(Broken, Volume(root).read, "thing", 8000))
