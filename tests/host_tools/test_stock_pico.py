"""A voice for the smallest board: a stock Pico with 2 MB."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from roboto.game import tuning

from host_tools import cli
from host_tools.image import PICO, SECTOR_BYTES, make_filesystem, read_filesystem, read_uf2
from host_tools.maker import packs
from host_tools.voice import device
from host_tools.voice.catalogue import COMMANDS
from tests.conftest import need

from .test_image import a_stock_uf2

SLOW = pytest.mark.slow
OTHERS = [pytest.param(lang, marks=SLOW) for lang in ("es", "en", "fr", "de", "pt")]


@pytest.mark.parametrize("lang", ["it", *OTHERS])  # Italian takes the most room
def test_an_image_leaves_room_for_every_recording(
    lang, tmp_path: Path, monkeypatch, capsys, record_property
) -> None:
    """As `roboto image` makes it, with the firmware and a voice that was built to fit; then ten
    players say ten names and ten nicknames of 3 s, and a House Rule of 10."""
    need("py_nanotts", "pip install py-nanotts")
    monkeypatch.setattr(packs, "PACKS", tmp_path / "packs")
    stock = tmp_path / "stock.uf2"
    stock.write_bytes(a_stock_uf2(PICO))
    made = tmp_path / "roboto.uf2"
    words = ["image", "-l", lang, "--micropython", str(stock), "-o", str(made)]
    monkeypatch.setattr(sys, "argv", ["roboto", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code, capsys.readouterr().err
    capsys.readouterr()
    sectors = read_uf2(made.read_bytes())
    first = PICO.start_byte // SECTOR_BYTES
    erased = b"\xff" * SECTOR_BYTES
    image = b"".join(sectors.get(first + i, erased) for i in range(PICO.n_blocks))
    files = read_filesystem(image, PICO)
    kib = len(files[f"voice/{lang}.pack"]) // 1024
    record_property("figure", f"a stock Pico's {lang}.pack: {kib} KiB")
    (tmp_path / "made.pack").write_bytes(files[f"voice/{lang}.pack"])
    pack = device.open_pack(tmp_path / "made.pack")
    assert (pack.rate_hz, pack.names_hz) == (16000, 8000)
    assert all(pack.kinds(kind) for kind in COMMANDS)
    numbers = random.Random(1)
    for what, n_bytes in [("name", 12_000), ("nickname", 12_000)]:
        for player in range(tuning.PLAYERS_MAX):
            files[f"data/{what}-{player}.clip"] = numbers.randbytes(n_bytes + 32)
    files["data/house_rule.clip"] = numbers.randbytes(40_032)
    files["data/log-0"] = files["data/log-1"] = numbers.randbytes(4000)
    make_filesystem(files, PICO)
