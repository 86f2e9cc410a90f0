"""The page to hear a pack: complete, self-contained, and it decodes as the device does."""

import re
import subprocess

import numpy as np
import pytest

from host_tools.voice import adpcm, codecs, listen, packfile
from tests.conftest import need


def test_the_page_holds_every_phrase_and_asks_nobody_for_anything(pack_path, phrases):
    html = listen.page(pack_path)
    for id, phrase in phrases.items():
        assert f'"{id}"' in html and phrase.shown in html
    assert not re.findall(r"""(?:src|href)=|https?://|fetch\(|import """, html)


def test_a_broken_pack_is_told_before_the_page_is_written(pack_path, pack_data):
    pack_path.write_bytes(pack_data[:-1] + b"\x00\xff"[pack_data[-1] == 0 :][:1])
    with pytest.raises(ValueError, match="is damaged"):
        listen.page(pack_path)


PROBE = """
<script>
const sum = x => x.reduce((a, v) => (a * 31 + Math.round(v * 32768) + 65536) % 1000003, 7);
const first = about.phrases.find(p => p.id === "order.blue").segments[0];
const rows = document.querySelectorAll("li").length;
document.title = "sum " + sum(heard(first)) + " rows " + rows +
  " length " + samples(about.phrases.find(p => p.id === "order.blue")).length;
</script>
"""


def test_a_browser_decodes_the_speech_codec_to_the_same_samples(phrases, sounds, tmp_path):
    chromium = need("chromium", "apt-get install chromium")
    segments = {
        id: [packfile.Segment(codecs.encode("mdct", x), len(x)) for x in pieces]
        for id, pieces in sounds.items()
    }
    pack = tmp_path / "es.pack"
    # bytes that nobody encoded take every path through the decoder
    wild = np.random.default_rng(5).integers(0, 256, 300).astype(np.uint8).tobytes()
    segments["order.blue"][0] = packfile.Segment(wild, 2000)
    pack.write_bytes(packfile.pack_bytes("es", 16000, 7, phrases, segments, codec="mdct"))
    page = tmp_path / "page.html"
    page.write_text(listen.page(pack).replace("</html>", PROBE + "</html>"), "utf-8")
    done = subprocess.run(
        [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    total = 7
    for value in codecs.decode("mdct", wild, 2000).tolist():
        total = (total * 31 + value + 65536) % 1000003
    assert f"sum {total} rows {len(phrases)} length {2000 + 4000}" in done.stdout


def test_a_browser_shows_all_and_decodes_the_same_samples(pack_path, sounds, phrases, tmp_path):
    chromium = need("chromium", "apt-get install chromium")
    page = tmp_path / "page.html"
    page.write_text(listen.page(pack_path).replace("</html>", PROBE + "</html>"), "utf-8")
    done = subprocess.run(
        [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    x = sounds["order.blue"][0]
    total = 7
    for value in adpcm.decode(adpcm.encode(x), len(x)).tolist():
        total = (total * 31 + value + 65536) % 1000003
    length = len(x) + 4000  # a name sounds for 0.25 s
    assert f"sum {total} rows {len(phrases)} length {length}" in done.stdout
    assert np.abs(x).max() > 0
