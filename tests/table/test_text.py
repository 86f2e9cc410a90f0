"""The table's own files stay short enough to be read at one go."""

from pathlib import Path

import sim.table

LINES_MAX = 450


def test_no_file_of_the_table_is_too_long_to_read():
    files = sorted(Path(sim.table.__file__).parent.glob("*.py"))
    assert len(files) > 10
    for file in files:
        n_lines = len(file.read_text(encoding="utf-8").splitlines())
        assert n_lines <= LINES_MAX, f"{file.name}: {n_lines} lines"
