"""Which tests `make quick` runs: under two minutes on two cores, lint and types with them.

`make test` runs those first, and the rest only when none of them failed.
"""

QUICK = (
    "tests/test_",
    "tests/game/",
    "tests/hardware/test_hardware_board.py",
    "tests/host_tools/",
    "tests/sound/",
    "tests/spec/",
    "tests/storage/",
    "tests/table/",
    "tests/voice/",
)

# In those rooms, but each of more than about two seconds: whole files, or tests in them.
LONG = (
    "tests/game/test_any_sequence.py",
    "tests/game/test_robust.py",
    "tests/host_tools/test_commands.py::test_something_that_does_not_answer",
    "tests/host_tools/test_flash.py::test_the_plug_pulled",
    "tests/host_tools/test_in_the_way.py",
    "tests/host_tools/test_one_door.py::test_a_board_that_misbehaves",
    "tests/host_tools/test_release.py",
    "tests/host_tools/test_stock_pico.py",
    "tests/sound/test_desktop.py",
    "tests/spec/test_demo_is_understood.py",
    "tests/spec/test_trace.py::test_the_trace_does_not_depend_on_whether_anybody_listens",
    "tests/storage/test_power_cut.py::test_replacing_a_clip_on_spi_flash",
    "tests/table/test_cli.py",
    "tests/table/test_cluster.py",
    "tests/table/test_party.py",
    "tests/table/test_properties.py",
    "tests/table/test_rlcard.py",
    "tests/voice/test_adpcm.py::test_search",
    "tests/voice/test_build.py::test_the_same_inputs_give_the_same_bytes",
    "tests/voice/test_cli.py",
    "tests/voice/test_hearing.py::test_the_robot_is_understood",
    "tests/voice/test_listen_page.py",
)


FIRST = "tests/test_style.py"  # the types take longest: the other core has the rest meanwhile


def is_quick(nodeid: str) -> bool:
    """Return whether the quick run has this test; nodeid: as pytest names it."""
    return nodeid.startswith(QUICK) and not nodeid.startswith(LONG)


def of_tier(tier: str, items: list) -> tuple[list, list]:
    """Return the tests of a tier, "quick" or "rest", in their order, and the others."""
    mine = [item for item in items if is_quick(item.nodeid) == (tier == "quick")]
    others = [item for item in items if is_quick(item.nodeid) != (tier == "quick")]
    return sorted(mine, key=lambda item: not item.nodeid.startswith(FIRST)), others
