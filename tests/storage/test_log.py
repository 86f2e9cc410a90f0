"""The log: bounded in RAM and on flash, appended, never in the way."""

import os

from roboto.storage.log import Log
from roboto.storage.volume import Files, Volume

from tests.portable import Folder, stored_log
from tests.storage.test_volume import finish


def test_lines_are_kept_up_to_forty():
    log = Log(Volume("nowhere"))
    for i in range(100):
        log.note(f"line {i}")
    assert log.lines() == [f"line {i}" for i in range(60, 100)]


def test_note_takes_anything():
    class Unspeakable:
        def __str__(self):
            raise ValueError

    log = Log(Volume("nowhere"), lambda: 12)
    log.note("two\nlines\r")
    log.note(7)
    log.note("x" * 1000)
    log.note(Unspeakable())
    lines = log.lines()
    assert lines[:2] == ["12 two lines ", "12 7"]
    assert len(lines) == 3 and len(lines[2]) < 100


def test_saved_lines_follow_each_other_over_boots():
    with Folder() as root:
        for boot in range(5):
            log = Log(Volume(root))
            assert log.save() is None
            log.note(f"boot {boot}")
            log.note("ñandú")
            finish(log.save())
            assert log.save() is None
            log.note("later")
            finish(log.save())
        expected = []
        for boot in range(5):
            expected += [f"boot {boot}", "ñandú", "later"]
        assert stored_log(Volume(root)) == expected


def test_the_files_stay_small_and_the_newest_lines_stay():
    with Folder() as root:
        volume = Volume(root)
        log = Log(volume)
        n_lines = 0
        for _ in range(60):
            for _ in range(12):
                log.note(f"{n_lines:06} " + "x" * 60)
                n_lines += 1
            finish(log.save())
            sizes = [os.stat(root + "/" + name)[6] for name in volume.names()]
            assert len(sizes) <= 2 and max(sizes) <= 4096
        stored = [int(line[:6]) for line in stored_log(volume)]
        assert stored == list(range(n_lines - len(stored), n_lines))
        assert len(stored) > 50


def test_forty_long_lines_fit_one_file():
    with Folder() as root:
        volume = Volume(root)
        log = Log(volume)
        for i in range(40):
            log.note(f"{i} " + "ñ" * 200)
        finish(log.save())
        assert os.stat(root + "/log-0")[6] <= 4096 or os.stat(root + "/log-1")[6] <= 4096
        assert stored_log(volume)[-1].startswith("39 ñ")


def test_a_damaged_file_costs_only_its_own_lines():
    with Folder() as root:
        volume = Volume(root)
        finish(volume.replace("log-0", [b"# 3\nkept\n"]))
        for payload in (b"# x\nlost\n", b"no number", b"#"):
            finish(volume.replace("log-1", [payload]))
            assert stored_log(volume) == ["kept"]
        with open(root + "/log-1", "wb") as file:
            file.write(b"nonsense")
        log = Log(volume)
        log.note("new")
        finish(log.save())
        assert stored_log(volume) == ["kept", "new"]


def test_no_line_is_lost_while_saving_waits_or_fails():
    with Folder() as root:
        volume = Volume(root)
        log = Log(volume)
        log.note("one")
        job = log.save()
        log.note("two")
        assert log.save() is None  # the first still waits
        job.failed = "flash full"
        finish(log.save())
        log.note("three")
        finish(log.save())
        assert stored_log(Volume(root)) == ["one", "two", "three"]


def test_the_first_line_goes_to_flash_with_a_second_one_only():
    with Folder() as root:
        for _ in range(2):
            log = Log(Volume(root), lambda: 0, "roboto 1.2.3")
            assert log.lines() == ["0 roboto 1.2.3"]
            assert log.save() is None  # a boot without trouble writes nothing
        log.note("one")
        job = log.save()
        job.failed = "flash full"
        finish(log.save())
        log.note("two")
        finish(log.save())
        assert log.save() is None
        assert stored_log(Volume(root)) == ["0 roboto 1.2.3", "0 one", "0 two"]


def test_no_large_piece_of_memory_is_wanted():
    """Late in a long day the heap has no room for 4 KB in one piece."""

    class Watched(Files):
        def open(self, path, mode="r"):
            return Watching(open(path, mode))

    class Watching:
        def __init__(self, file):
            self._file = file
            self.seek, self.close = file.seek, file.close

        def read(self, n):
            assert n <= 512
            return self._file.read(n)

        def readinto(self, buffer):
            assert len(buffer) <= 512
            return self._file.readinto(buffer)

        def write(self, data):
            assert len(data) <= 512
            return self._file.write(data)

    with Folder() as root:
        log = Log(Volume(root, None, Watched()))
        for n in range(200):
            log.note(f"{n:03} " + "x" * 80)
            finish(log.save())
        assert stored_log(Volume(root))[-1].startswith("199 x")
