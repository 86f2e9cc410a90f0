"""The power is cut before and in the middle of every program and erase of the flash.

After each cut littlefs mounts, the file is the old or the new one, and nothing is left over.
On littlefs in RAM, and on littlefs over the SPI flash driver and a model of the chip.
"""

from roboto.sound.clip import Clip, RamBlob
from roboto.storage.broken import Broken
from roboto.storage.clips import Clips
from roboto.storage.log import Log
from roboto.storage.settings import Settings

from tests.portable import raises, stored_log
from tests.storage import flash
from tests.storage.test_volume import finish
from tests.storage.test_w25q import driver
from tests.storage.w25q_model import Chip

N_BLOCKS = 32
CHIP_ID = b"\xef\x40\x11"  # 128 KB


class RamBench:
    """littlefs straight on flash in RAM."""

    def __init__(self, memory=None):
        self.chip = flash.RamFlash(N_BLOCKS, memory)
        self.device = self.chip


class SpiBench:
    """littlefs on the driver on the chip."""

    def __init__(self, memory=None):
        self.chip = Chip(N_BLOCKS, memory, CHIP_ID)
        self.device = driver(self.chip)


def a_clip(seed, n_bytes):
    samples = bytearray((i * seed + seed) & 255 for i in range(n_bytes))
    return Clip(RamBlob(samples), 0, 2 * n_bytes, 16000, 0, 0, 4096)


def cut_everywhere(bench, prepare, change, look):
    """prepare(volume) and change(volume) do jobs; look(volume) says what one then finds.

    Returns the number of cuts and the number of erases.
    """
    first = bench()
    with flash.Mounted(first.device, blank=True) as volume:
        prepare(volume)
        old = look(volume)
        memory = bytes(first.chip.memory)
        first.chip.journal.clear()
        change(volume)
        new = look(volume)
        journal = list(first.chip.journal)
    assert old != new and journal
    found = []
    for survivor in flash.power_cuts(memory, journal):
        after = bench(survivor)
        with flash.Mounted(after.device) as volume:
            volume.sweep()
            state = look(volume)
            assert state in (old, new), state
            found.append(state == new)
            assert not [name for name in volume._listing() if name.endswith(".tmp")]
            if len(found) % 5 == 1:  # and life goes on
                change(volume)
                assert look(volume) == new
    # Old before some instant, new ever after; and both were seen.
    assert not found[0] and found[-1] and found == sorted(found)
    return len(found), sum(data is None for _, data in journal)


def save_settings(volume):
    settings = Settings(volume)
    settings.load()
    settings.set("volume", 3)
    settings.set("pace", "wild")
    finish(settings.save())


def look_at_settings(volume):
    faults = []
    settings = Settings(volume, faults.append)
    settings.load()
    assert not faults
    return (settings.volume, settings.pace, settings.sleep_s)


def old_settings(volume):
    settings = Settings(volume)
    settings.set("sleep_s", 120)
    finish(settings.save())


def old_clip(volume):
    finish(Clips(volume).save("name/0", a_clip(3, 9000)))
    old_settings(volume)


def replace_clip(volume):
    finish(Clips(volume).save("name/0", a_clip(7, 14000)))


def forget_clip(volume):
    finish(Clips(volume).forget("name/0"))


def look_at_clip(volume):
    """Loading checks length and CRC; the settings beside it must not suffer."""
    assert look_at_settings(volume)[2] == 120
    clips = Clips(volume)
    if not clips.keys():
        return None
    clip = clips.load("name/0")
    samples = bytearray(clip.n_samples // 2)
    clip.blob.read_at(clip.start_byte, samples)
    clips.close()
    return bytes(samples)


def old_log(volume):
    log = Log(volume)
    log.note("first")
    finish(log.save())


def append_to_log(volume):
    if "second" not in stored_log(volume):
        log = Log(volume)
        log.note("second")
        finish(log.save())


def look_at_log(volume):
    return stored_log(volume)


def test_settings_in_ram():
    cut_everywhere(RamBench, old_settings, save_settings, look_at_settings)


def test_settings_while_littlefs_tidies_its_directory():
    """Every few saves the directory's log is full and is written anew into an erased block."""
    n_erases = 0
    for n_saves in range(1, 13):

        def prepare(volume, n_saves=n_saves):
            for _ in range(n_saves):
                old_settings(volume)

        n_erases += cut_everywhere(RamBench, prepare, save_settings, look_at_settings)[1]
    assert n_erases >= 2


def test_settings_on_spi_flash():
    cut_everywhere(SpiBench, old_settings, save_settings, look_at_settings)


def test_replacing_a_clip_in_ram():
    n_cuts, _ = cut_everywhere(RamBench, old_clip, replace_clip, look_at_clip)
    assert n_cuts > 100  # four erases and 56 pages at least, each before and in the middle


def test_replacing_a_clip_on_spi_flash():
    n_cuts, _ = cut_everywhere(SpiBench, old_clip, replace_clip, look_at_clip)
    assert n_cuts > 100


def test_forgetting_a_clip_in_ram():
    cut_everywhere(RamBench, old_clip, forget_clip, look_at_clip)


def test_forgetting_a_clip_on_spi_flash():
    cut_everywhere(SpiBench, old_clip, forget_clip, look_at_clip)


def test_appending_to_the_log_in_ram():
    cut_everywhere(RamBench, old_log, append_to_log, look_at_log)


def test_writing_in_place_would_be_found_out():
    """The bench tells a volume that writes in place from one that does not."""

    def in_place(volume):
        with volume.files.open(volume.path("name-0.clip"), "wb") as file:
            file.write(bytes(4000))
        replace_clip(volume)

    raises(Broken, cut_everywhere, RamBench, old_clip, in_place, look_at_clip)
