"""What a family gets on paper: the leaflet, House Rule cards to cut out, and stickers.

Texts are files a language; what a number or a button is comes from where the robot and the page
have it (facts.py), and every picture is the page's own (art.py).
"""

from pathlib import Path

STATIC = Path(__file__).resolve().parents[1] / "web" / "static"  # the page's files
