"""The voice packs at hand, and the choice among them."""

import os

from .broken import Broken
from .pack import Pack
from .settings import is_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..shapes import BinaryFile, Note
    from .silent_pack import SilentPack


def packs(folder: str) -> dict[str, str]:
    """Return the voice packs at hand, language -> path. A pack's file is named for its language,
    es.pack; other files are none."""
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    languages = [name[:-5] for name in names if name.endswith(".pack")]
    return {code: f"{folder}/{code}.pack" for code in languages if is_language(code)}


def choose(
    paths: dict[str, str],
    language: str,
    fault: "Note",
    open_file: "Callable[[str, str], BinaryFile]",
) -> "tuple[str, Pack | SilentPack]":
    """Open the voice pack of a language, or else another one: (language, pack).

    paths: language -> path. fault(line) is told of each that cannot be opened; open_file as in
    Pack. Where none can, the answer is a pack without a phrase, and the language that was wanted.
    """
    for candidate in [language] + [other for other in sorted(paths) if other != language]:
        if candidate not in paths:
            continue
        try:
            return candidate, Pack(paths[candidate], open_file)
        except Broken as error:
            fault(f"voice pack {candidate}: {error}")
    from .silent_pack import SilentPack  # seldom needed

    fault("no voice pack: the robot can only beep")
    return language, SilentPack()
