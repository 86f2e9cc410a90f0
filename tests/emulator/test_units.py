"""Unit tests of game, sound and storage on the emulated board: the same files as everywhere.

An emulated second of a busy CPU costs ten of the host's, so it is a choice: of each room what
hangs most on the machine's integers, buffers and file system, and is done in less than a second.
"""

import pytest

from host_tools.maker.firmware import compile_mpy
from host_tools.places import ROOT
from sim.emulated import install
from sim.emulated.board import EmulatedBoard

CHOSEN = {
    "tests/game/test_robust.py": (
        "test_a_menu_that_nobody_uses_closes",
        "test_an_eleventh_player_finds_the_table_full",
    ),
    "tests/game/test_surprises.py": ("test_a_pack_without_commands_only_beeps",),
    "tests/sound/test_kernels.py": (
        "test_decode_in_pieces_is_decode_at_once",
        "test_decode_is_the_reference_s_with_the_high_nibble_first",
        "test_self_test_passes_here_and_names_a_wrong_kernel",
        "test_steps_are_those_of_the_recommendation",
    ),
    "tests/sound/test_mixer.py": (
        "test_an_utterance_of_nothing_ends_at_once",
        "test_nothing_to_play_is_zeros",
        "test_each_clip_fades_at_its_ends",
    ),
    "tests/sound/test_recorder.py": (
        "test_a_dead_microphone_is_known_by_its_sameness",
        "test_feeding_allocates_nothing",
    ),
    "tests/sound/test_tones.py": ("test_the_plate_beep_is_exactly_one_for_every_press",),
    "tests/storage/test_clips.py": (
        "test_a_clip_comes_back_as_it_was",
        "test_a_clip_plays_from_ram_until_it_is_on_flash",
        "test_a_damaged_clip_is_broken_the_next_one_plays",
        "test_keys_that_are_none",
    ),
    "tests/storage/test_log.py": ("test_saved_lines_follow_each_other_over_boots",),
    "tests/storage/test_pack.py": (
        "test_a_hash_is_fnv1a",
        "test_all_that_is_in_a_pack_is_found",
    ),
    "tests/storage/test_saver.py": (
        "test_ten_changes_are_written_once",
        "test_whatever_a_job_runs_into_stays_inside",
    ),
    "tests/storage/test_settings.py": (
        "test_the_saved_game",
        "test_wrong_values_are_refused_in_one_line",
    ),
    "tests/storage/test_volume.py": (
        "test_reads_what_was_written",
        "test_sweep_deletes_what_an_unfinished_job_left",
        "test_the_old_file_stays_until_the_last_step",
    ),
}
HELPERS = (
    "tests/portable.py",
    "tests/micropython/run.py",
    "tests/game/driver.py",
    "tests/sound/agree.py",
    "tests/sound/signals.py",
    "tests/storage/flash.py",
)


@pytest.fixture(scope="module")
def board(image, tmp_path_factory) -> EmulatedBoard:
    """The firmware and the compiled test files, at the REPL."""
    folder = tmp_path_factory.mktemp("mpy")
    files = {**install.firmware(), "main.py": b""}
    for name in (*CHOSEN, *HELPERS):
        code = compile_mpy(name, (ROOT / name).read_bytes(), folder)
        files[name[: -len(".py")] + ".mpy"] = code
    board = EmulatedBoard(files, console=True, flash_times=False)
    board.power_on()
    board.run(300)
    return board


@pytest.mark.parametrize("file", CHOSEN)
def test_on_the_board(board, file):
    told = board.python(
        "import gc, sys\n"
        f"from tests.micropython.run import run\nrun({file!r}, {CHOSEN[file]!r})\n"
        f"del sys.modules[{file[: -len('.py')].replace('/', '.')!r}]\ngc.collect()\n"
    )
    assert told.splitlines() == [f"ok {name}" for name in CHOSEN[file]], told
