"""What one room hands to another, by its shape. For a type checker alone: nothing imports this at
run time, and it is not on the board."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypedDict

from _mpy_shed.time_mp import _TicksMs

from roboto.game.demo import Demo
from roboto.game.house_rule import HouseRule
from roboto.game.names import Names
from roboto.game.nickname import Nickname
from roboto.game.play import Play
from roboto.game.resume import Resume
from roboto.game.won import Won
from roboto.sound.clip import Clip, Pause

Buffer = bytearray | memoryview  # to be written to
Bytes = bytes | bytearray | memoryview  # to be read
Setting = str | int  # a setting's value; an int may be a bool
Ticks = _TicksMs  # what time.ticks_ms() gives: for ticks_add and ticks_diff alone
Note = Callable[[str], None]  # told one line
Notify = Callable[[str, dict[str, Any]], None]  # told an event and its fields

Event = tuple[Any, ...]  # for the game; all of them are in game/__init__.py
Action = tuple[Any, ...]  # of the game's; they are there, too
Part = tuple[Any, ...]  # of an utterance, see game/utterance.py

# What a mixer plays; None stands for a clip that could not be opened.
Played = Clip | Pause | None

class Blob(Protocol):
    """Bytes that lie somewhere: in RAM, in a file, in a stretch of one."""

    def read_at(self, position_bytes: int, buffer: Buffer, /) -> int:
        """Fill buffer from a place on; return how many bytes there were. Allocate nothing."""

class Source(Protocol):
    """What makes samples of a clip's bytes; last is where it stood when the clip broke off."""

    last: int

    def begin(self, clip: Clip, /) -> None: ...
    def take(self, out: Buffer, at: int, n: int, /) -> bool: ...

class Piece(Protocol):
    """A part of a file that is to be written: its length, and bytes when it is sliced."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> Bytes: ...

class Gate(Protocol):
    """Knows when flash must not be written."""

    def writing(self) -> None:
        """Raise an exception while writing would do harm."""

class BinaryFile(Protocol):
    def read(self, n: int = -1, /) -> bytes: ...
    def readinto(self, buffer: Buffer, /) -> int | None: ...
    def seek(self, position: int, whence: int = 0, /) -> int: ...
    def write(self, data: Bytes, /) -> int | None: ...
    def close(self) -> None: ...

class FileSystem(Protocol):
    """What a Volume wants of one; all of it raises OSError as the interpreter's own does."""

    def open(self, path: str, mode: str, /) -> Any: ...
    def listdir(self, path: str, /) -> list[str]: ...
    def mkdir(self, path: str, /) -> None: ...
    def remove(self, path: str, /) -> None: ...
    def rename(self, old: str, new: str, /) -> None: ...
    def rmdir(self, path: str, /) -> None: ...
    def stat(self, path: str, /) -> Any: ...
    def statvfs(self, path: str, /) -> Any: ...

class BlockDevice(Protocol):
    """What littlefs wants of a chip; see MicroPython's vfs.AbstractBlockDev."""

    def readblocks(self, block: int, buffer: Buffer, offset: int = 0, /) -> int: ...
    def writeblocks(self, block: int, buffer: Bytes, offset: int | None = None, /) -> int: ...
    def ioctl(self, operation: int, argument: int, /) -> int: ...

class Spi(Protocol):
    """machine.SPI, as far as board/spi_bus.py uses it."""

    def init(self, *, baudrate: int, polarity: int, phase: int, bits: int) -> None: ...
    def write(self, buffer: Bytes, /) -> object: ...
    def readinto(self, buffer: Buffer, write_value: int = 0, /) -> object: ...

class SpiTransaction(Protocol):
    """What adafruit_bus_device's SPIDevice gives inside `with device as spi`."""

    def write(self, buffer: Bytes, /) -> object: ...
    def readinto(self, buffer: Buffer, /) -> object: ...

class SpiDevice(Protocol):
    def __enter__(self) -> SpiTransaction: ...
    def __exit__(self, kind: Any, error: Any, traceback: Any, /) -> object: ...

class Sounding(Protocol):
    """A mixer, as the loudspeaker asks it for sound."""

    @property
    def busy(self) -> bool: ...
    def render(self, out: Buffer, /) -> bool: ...

class Mixing(Sounding, Protocol):
    """A mixer, as the app and its speech use it: see sound/mixer.py."""

    talking: bool
    level: int
    broken: int

    def say(self, parts: Sequence[Played], squeaky: Sequence[bool] = (), /) -> None: ...
    def cut(self) -> None: ...
    def drop(self) -> None: ...
    def tone(self, name: str, /) -> None: ...
    def set_volume(self, level: int, /) -> None: ...

class Text(Protocol):
    """A phrase, as the game sees it: see storage/pack.py."""

    @property
    def text(self) -> str: ...
    @property
    def parts(self) -> list[int]: ...

class Catalogue(Protocol):
    """What the robot can say: a voice pack, as the game sees it."""

    def kinds(self, kind: str, /) -> int: ...
    def variants(self, prefix: str, /) -> int: ...
    def command(self, kind: str, i: int, /) -> str: ...
    def unfit(self, players: int, gentle: bool, acts: Sequence[str] = (), /) -> Any: ...
    def fitting(self, kind: str, unfit: Any, /) -> list[int]: ...
    def trait(self, name: str, kind: str, i: int, /) -> bool | None: ...
    @property
    def stamp(self) -> str: ...
    def phrase(self, id: str, /) -> Text: ...

StateName = Literal["names", "house_rule", "play", "nickname", "won", "demo", "resume"]

class States(TypedDict):
    """The states of a game, by their names in the code."""

    names: Names
    house_rule: HouseRule
    play: Play
    nickname: Nickname
    won: Won
    demo: Demo
    resume: Resume

class GameSettings(Protocol):
    """The settings that the game asks for: see storage/settings.py."""

    game: str
    pace: str
    gentle: bool
    sleep_s: int

    def set(self, key: str, value: Setting, /) -> None: ...
    def choices(self, key: str, /) -> tuple[Setting, ...]: ...
    def after(self, key: str, /) -> Setting: ...
