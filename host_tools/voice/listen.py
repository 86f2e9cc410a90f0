"""A web page that holds a whole pack: every phrase to read and to hear, no board needed.

The page is one file without anything from outside. It carries the pack's sound as it is and
decodes it as the device does.
"""

import base64
import json
from pathlib import Path

from roboto.sound import mdct_tables as tables
from roboto.storage.pack import MDCT

from . import device

_TEMPLATE = Path(__file__).with_name("listen.html")
_DECODER = Path(__file__).with_name("mdct.js")
_TABLES = (
    *("EDGES", "MEANS", "STEPS", "ROWS", "LOUD", "LEVELS", "SIZES", "SWAP", "TURN", "FFT"),
    "WINDOW",
)


def page(path: Path) -> str:
    """Return the page of a pack as HTML. ValueError with one line when the pack is broken."""
    pack = device.open_whole(path)
    phrases = []
    for id in device.ids_of(pack):
        phrase = pack.phrase(id)
        device.clips_of(pack, id)  # a broken sound is told here, not in the browser
        phrases.append(
            {
                "id": id,
                "kind": phrase.kind,
                "text": phrase.text,
                "parts": phrase.parts,
                "segments": [[start, n, n_bytes] for start, n, _, n_bytes in phrase.segments],
            }
        )
    about = {
        "language": pack.language,
        "rate": pack.rate_hz,
        "version": f"{pack.version:08x}",
        "bytes": pack.length,
        "phrases": phrases,
    }
    if pack.codec == MDCT:
        about["tables"] = {
            name: base64.b64encode(getattr(tables, name)).decode() for name in _TABLES
        }
        about["shares"] = [tables.FAINT, tables.FAINT_QUIET, tables.ONE]
    pack.close()
    html = _TEMPLATE.read_text(encoding="utf-8")
    html = html.replace("/*MDCT*/", _DECODER.read_text(encoding="utf-8"))
    # "</" would end the script in which the text stands.
    html = html.replace(
        "/*ABOUT*/null", json.dumps(about, ensure_ascii=False).replace("</", "<\\/")
    )
    return html.replace("/*PACK*/", base64.b64encode(path.read_bytes()).decode())
