"""A web page that holds a whole pack: every phrase to read and to hear, no board needed.

The page is one file without anything from outside. It carries the pack's ADPCM as it is and
decodes it as the device does.
"""

import base64
import json
from pathlib import Path

from . import device

_TEMPLATE = Path(__file__).with_name("listen.html")


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
                "segments": [[start, n] for start, n, _ in phrase.segments],
            }
        )
    about = {
        "language": pack.language,
        "rate": pack.rate_hz,
        "version": f"{pack.version:08x}",
        "bytes": pack.length,
        "phrases": phrases,
    }
    pack.close()
    html = _TEMPLATE.read_text(encoding="utf-8")
    # "</" would end the script in which the text stands.
    html = html.replace(
        "/*ABOUT*/null", json.dumps(about, ensure_ascii=False).replace("</", "<\\/")
    )
    return html.replace("/*PACK*/", base64.b64encode(path.read_bytes()).decode())
