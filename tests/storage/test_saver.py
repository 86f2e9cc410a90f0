"""The queue of changes: in order, patient with refusals, never an exception."""

from roboto.storage.broken import FULL
from roboto.storage.saver import Saver
from roboto.storage.volume import Volume

from tests.portable import Folder
from tests.storage.flash import Mounted, RamFlash
from tests.storage.test_volume import Guard


def run(saver, most=1000):
    """Steps until all is saved; returns the number of calls."""
    calls = 0
    while saver.busy:
        saver.step()
        calls += 1
        assert calls < most
    return calls


def test_saves_in_order():
    with Folder() as root:
        volume = Volume(root)
        saver = Saver(None)
        assert not saver.busy
        saver.step()
        jobs = [volume.replace(name, [name.encode()]) for name in ("a", "b", "c")]
        for job in jobs:
            saver.add(job)
        while saver.busy:
            done = [job.done for job in jobs]
            assert done == sorted(done, reverse=True)
            saver.step()
        assert [volume.read(name) for name in ("a", "b", "c")] == [b"a", b"b", b"c"]
        assert all(job.done for job in jobs)


def test_ten_changes_are_written_once():
    with Folder() as root:
        volume = Volume(root)
        saver = Saver(None)
        first = volume.replace("settings", [b"first"])
        saver.add(first)
        saver.step()  # begun: it is carried out all the same
        jobs = [volume.replace("settings", [b"%d" % i]) for i in range(10)]
        for job in jobs:
            saver.add(job)
        saver.add(volume.replace("other", [b"x"]))
        assert [job.done for job in jobs] == [True] * 9 + [False]
        assert not first.done
        run(saver)
        assert volume.read("settings") == b"9"


def test_a_change_and_then_a_deletion():
    with Folder() as root:
        volume = Volume(root)
        saver = Saver(None)
        saver.add(volume.replace("clip", [bytes(9000)]))
        saver.step()
        saver.add(volume.remove("clip"))
        run(saver)
        assert volume.names() == []
        saver.add(volume.remove("clip"))
        saver.add(volume.replace("clip", [b"new"]))
        run(saver)
        assert volume.read("clip") == b"new"


def test_a_refused_job_is_kept_and_tried_again_ever_more_rarely():
    with Folder() as root:
        guard = Guard()
        notes = []
        volume = Volume(root, guard)
        saver = Saver(notes.append)
        job = volume.replace("a", [bytes(9000)])
        saver.add(job)
        saver.add(volume.replace("b", [b"b"]))
        saver.step()
        guard.asked = 0
        guard.open = "battery low, flash"
        for _ in range(1000):
            saver.step()
        assert 1000 // 65 <= guard.asked <= 25
        assert not job.done and saver.busy and volume.names() == []
        guard.open = None
        run(saver)
        assert job.done and volume.names() == ["a", "b"]
        assert notes == []
        # After a success the patience starts anew.
        guard.open = "speaker"
        saver.add(volume.replace("c", [b"c"]))
        saver.step()
        guard.open = None
        assert run(saver) < 10


def test_a_full_flash_is_a_fault_and_the_rest_is_saved():
    with Mounted(RamFlash(24), blank=True) as volume:
        notes = []
        gave_up = []
        saver = Saver(notes.append, gave_up.append)
        saver.add(volume.replace("rule", [b"old"]))
        run(saver)
        big = volume.replace("rule", [bytes(120000)])
        saver.add(big)
        saver.add(volume.replace("settings", [b"new"]))
        run(saver)
        assert notes == ["save rule: flash full"]
        assert big.failed is FULL and gave_up == [big] and not big.done
        assert volume.read("rule") == b"old"
        assert volume.read("settings") == b"new"


def test_whatever_a_job_runs_into_stays_inside():
    class Wrong:
        name = about = "wrong"
        begun = done = False
        failed = None

        def step(self):
            raise MemoryError("of all things")

    with Folder() as root:
        notes = []
        volume = Volume(root)
        saver = Saver(notes.append)
        saver.add(Wrong())
        saver.add(volume.replace("a", [b"a"]))
        run(saver)
        assert volume.read("a") == b"a"
        assert len(notes) == 1 and notes[0].startswith("wrong: MemoryError")
