"""The robot's HTTP server: the page, its WebSocket, and what can be saved.

It listens on the loopback address only. Whoever asks must name this host (so that no other site's
name leads here), a WebSocket or an upload must come from this page's origin and bring the token,
and what it sends is checked. The first page plays; the others watch, until it is gone.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import sys
from array import array
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web
from roboto.sound.format import RATE_HZ
from roboto.storage import settings

from host_tools.places import VERSION

from ..audio import BadWav, parse_wav
from ..live import SETTINGS_SHOWN
from ..paper import leaflet
from ..paper.words import LANGUAGES
from ..robot import CONTROLS, POSITIONS
from . import score
from .captions import PAGE_LANGUAGES, Captions, phrases_shown
from .live import LiveRobot
from .patience import Patience
from .session import scenario_zip

STATIC = Path(__file__).with_name("static")
_STATIC_FILES = {path.name: path for path in STATIC.iterdir() if path.is_file()}
_UPLOAD_S = 30
_MESSAGE_BYTES_MAX = 16_384
_WAV_BYTES_MAX = 20_000_000
_WAV_SECONDS_MAX = 12  # the House Rule takes 10
_CLIENTS_MAX = 8
_QUEUE_MAX = 2000  # messages that wait for a page that reads too slowly
_RATE_A_SECOND = 400  # messages; a page that plays and records sends about 200
_BURST = 800
_REFUSALS_MAX = 20
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
    "Cache-Control": "no-cache",
}
_CSP = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Refused(Exception):
    """One line: what was wrong with a message."""


class Page:
    """One page that is connected, and what waits to be sent to it."""

    def __init__(self, number: int, socket: web.WebSocketResponse) -> None:
        self.number = number
        self.socket = socket
        self.hears = False
        self.wants_inside = False
        self._queue: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._allowance = float(_BURST)
        self._allowed_s = 0.0
        self.refusals = 0

    def send(self, message: dict[str, Any] | bytes) -> None:
        if self._queue.qsize() > _QUEUE_MAX:
            self.end()
            return
        self._queue.put_nowait(message if isinstance(message, bytes) else json.dumps(message))

    def end(self) -> None:
        """Close the connection: it reads too slowly, or the server ends."""
        self._queue = asyncio.Queue()
        self._queue.put_nowait(None)
        asyncio.ensure_future(self.socket.close())

    async def write(self) -> None:
        """Sends what waits, until the connection ends."""
        try:
            while True:
                message = await self._queue.get()
                if message is None:
                    return
                if isinstance(message, bytes):
                    await self.socket.send_bytes(message)
                else:
                    await self.socket.send_str(message)
        except ConnectionError:
            return

    def may_speak(self, now_s: float) -> bool:
        """Return whether it keeps to the number of messages a page may send."""
        gained = (now_s - self._allowed_s) * _RATE_A_SECOND
        self._allowance = min(_BURST, self._allowance + gained) - 1
        self._allowed_s = now_s
        return self._allowance >= 0


class Server:
    """`make_robot(tell)` gives the LiveRobot; `port`: the one that is listened on, known once it
    is bound."""

    def __init__(self, make_robot: Callable[[Callable[..., None]], LiveRobot], token: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._token = token
        self.port = 0
        self.robot = make_robot(self._from_thread)
        self.patience = Patience()
        self._captions = Captions(phrases_shown())
        self._pages: list[Page] = []  # the first plays
        self._numbers = 0
        self._status: dict[str, Any] = {
            "switch": "off", "state": "off", "record_led": False, "volume": 2, "players": 0,
            "race": False, "settings": {}, "victories": {},
        }  # fmt: skip
        self._broken = ""
        self._winner: int | None = None  # of the game that has just been won
        self._tasks: set[asyncio.Task[None]] = set()

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=_WAV_BYTES_MAX)
        app.router.add_get("/", self._index)
        app.router.add_get("/leaflet-{lang}.html", self._leaflet)
        app.router.add_get("/ws", self._socket)
        app.router.add_post("/say", self._say)
        app.router.add_post("/score", self._score)
        app.router.add_get("/session/trace.jsonl", self._save_trace)
        app.router.add_get("/session/sound.wav", self._save_sound)
        app.router.add_get("/session/scenario.zip", self._save_scenario)
        app.router.add_get("/static/{name}", self._static)
        app.on_startup.append(self._start)
        app.on_shutdown.append(self._stop)
        return app

    async def _start(self, _app: web.Application) -> None:
        self.robot.start()
        task = asyncio.create_task(self._look_inside())
        self._tasks.add(task)

    async def _stop(self, _app: web.Application) -> None:
        for task in self._tasks:
            task.cancel()
        for page in list(self._pages):
            await page.socket.close(code=1001, message=b"the robot was put away")
        await asyncio.to_thread(self.robot.stop)

    # ---- who may come in

    def _hosts(self) -> tuple[str, ...]:
        return tuple(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost"))

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.patience.begin(request.protocol)
        try:
            return await self._answer(request, handler)
        finally:
            self.patience.done(request.protocol)

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.headers.get("Host", "") not in self._hosts():
            return web.Response(
                status=403, text="Refused: this robot answers to 127.0.0.1 only.\n"
            )
        try:
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(_HEADERS)
            raise
        if not response.prepared:
            response.headers.update(_HEADERS)
            policy = _CSP.format(host=request.host)
            response.headers.setdefault("Content-Security-Policy", policy)
        return response

    def _check(self, request: web.Request, from_page: bool) -> None:
        """Raises 403 without the token, or when another site's page asks."""
        token = request.query.get("token", "")
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            raise web.HTTPForbidden(text="Refused: open the address that the robot printed.\n")
        origin = request.headers.get("Origin")
        if origin is None and not from_page:
            return
        if origin not in [f"http://{host}" for host in self._hosts()]:
            raise web.HTTPForbidden(text="Refused: only the robot's own page may do that.\n")

    # ---- HTTP

    async def _index(self, _request: web.Request) -> web.StreamResponse:
        return web.FileResponse(STATIC / "index.html")

    async def _leaflet(self, request: web.Request) -> web.StreamResponse:
        lang = request.match_info["lang"]
        if lang not in LANGUAGES:
            raise web.HTTPNotFound(text="There is no such leaflet.\n")
        page = await asyncio.to_thread(leaflet.web_page, lang)
        style = base64.b64encode(hashlib.sha256(leaflet.style().encode()).digest()).decode()
        policy = _CSP.format(host=request.host).replace("style-src", f"style-src 'sha256-{style}'")
        return web.Response(
            text=page, content_type="text/html", headers={"Content-Security-Policy": policy}
        )

    async def _static(self, request: web.Request) -> web.StreamResponse:
        path = _STATIC_FILES.get(request.match_info["name"])
        if path is None:
            raise web.HTTPNotFound(text="There is no such file.\n")
        return web.FileResponse(path)

    async def _say(self, request: web.Request) -> web.StreamResponse:
        """A WAV that somebody says while holding the red button."""
        self._check(request, from_page=True)
        if not self._pages or request.query.get("page") != str(self._pages[0].number):
            raise web.HTTPConflict(text="Another page plays; this one watches.")
        try:
            data = await asyncio.wait_for(request.read(), _UPLOAD_S)
        except TimeoutError:
            raise web.HTTPRequestTimeout(text="The WAV does not come.") from None
        try:
            samples = await asyncio.to_thread(_read_wav, data)
        except BadWav as error:
            raise web.HTTPUnprocessableEntity(text=str(error)) from None
        self.robot.do("say", samples)
        return web.json_response({"seconds": round(len(samples) / RATE_HZ, 2)})

    async def _score(self, request: web.Request) -> web.StreamResponse:
        """The sheet of a match that people note down on the page."""
        self._check(request, from_page=True)
        return await score.answer(request)

    async def _save_trace(self, request: web.Request) -> web.StreamResponse:
        self._check(request, from_page=False)
        text = await asyncio.to_thread(self.robot.trace.lines)
        return web.Response(
            text=text, content_type="application/jsonl", headers=_as_file("trace.jsonl")
        )

    async def _save_sound(self, request: web.Request) -> web.StreamResponse:
        self._check(request, from_page=False)
        response = web.StreamResponse(headers={**_HEADERS, **_as_file("sound.wav")})
        response.content_type = "audio/wav"
        await response.prepare(request)
        for data in self.robot.tape.wav(self.robot.now_us):
            await response.write(data)
        await response.write_eof()
        return response

    async def _save_scenario(self, request: web.Request) -> web.StreamResponse:
        self._check(request, from_page=False)
        robot = self.robot
        deeds, end_us = await self._ask(lambda: (list(robot.deeds), robot.now_us))
        data = await asyncio.to_thread(
            scenario_zip,
            deeds,
            robot.takes,
            end_us,
            robot.lang,
            robot.seed,
            robot.forced,
            robot.flash_at_start,
        )
        return web.Response(
            body=data, content_type="application/zip", headers=_as_file("session.zip")
        )

    async def _ask(self, question: Callable[[], Any]) -> Any:
        """The answer to a question that is put to the robot in its own thread, between two
        steps."""
        answer: asyncio.Future[Any] = self._loop.create_future()

        def put() -> None:
            self._loop.call_soon_threadsafe(answer.set_result, question())

        self.robot.do("call", put)
        return await asyncio.wait_for(answer, 10)

    # ---- the WebSocket

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        self._check(request, from_page=True)
        if len(self._pages) >= _CLIENTS_MAX:
            raise web.HTTPServiceUnavailable(text="There are too many pages.\n")
        socket = web.WebSocketResponse(
            heartbeat=10, max_msg_size=_MESSAGE_BYTES_MAX, compress=False
        )
        await socket.prepare(request)
        self._numbers += 1
        page = Page(self._numbers, socket)
        self._pages.append(page)
        page.send(self._hello(page))
        writer = asyncio.create_task(page.write())
        try:
            await self._listen_to(page)
        finally:
            writer.cancel()
            self._leave(page)
        return socket

    async def _listen_to(self, page: Page) -> None:
        async for message in page.socket:
            if not page.may_speak(self._loop.time()):
                await page.socket.close(code=1008, message=b"too many messages")
                return
            try:
                if message.type == WSMsgType.TEXT:
                    self._on_text(page, message.data)
                elif message.type == WSMsgType.BINARY:
                    self._on_words(page, message.data)
            except Refused as error:
                page.refusals += 1
                page.send({"t": "refused", "why": str(error)})
                if page.refusals > _REFUSALS_MAX:
                    await page.socket.close(code=1008, message=b"too much nonsense")
                    return

    def _hello(self, page: Page) -> dict[str, Any]:
        return {
            "t": "hello",
            "version": VERSION,
            "page": page.number,
            "plays": page is self._pages[0],
            "lang": self.robot.lang,
            "page_languages": PAGE_LANGUAGES,
            "broken": self._broken,
            "words": self._captions.of_settings(),
            **self._status,
            "recent": [self._dressed(event) for event in list(self.robot.trace.recent)],
        }

    def _leave(self, page: Page) -> None:
        played = page is self._pages[0]
        self._pages.remove(page)
        if not played:
            return
        self.robot.do("let_go")
        self.robot.do("listen", None)
        if self._pages:
            successor = self._pages[0]
            successor.send({"t": "role", "plays": True})
            if successor.hears:
                self.robot.do("listen", successor.number)

    def _on_text(self, page: Page, text: str) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            raise Refused("not JSON") from None
        if not isinstance(message, dict):
            raise Refused("not an object")
        what = message.get("t")
        plays = page is self._pages[0]
        if what == "listen":
            page.hears = not plays  # whoever plays hears from the beginning of its credit on
            if plays:
                self.robot.do("listen", page.number)
        elif what == "played":
            frames = message.get("frames")
            if isinstance(frames, bool) or not isinstance(frames, int) or frames < 0:
                raise Refused("frames is no count")
            if plays:
                self.robot.do("played", frames)
        elif what == "inside":
            page.wants_inside = message.get("on") is True
        elif what in ("press", "switch", "let_go", "set"):
            if not plays:
                raise Refused("another page plays; this one watches")
            self._on_deed(what, message)
        else:
            raise Refused("unknown message")

    def _on_deed(self, what: str, message: dict[str, Any]) -> None:
        if what == "press":
            control, down = message.get("control"), message.get("down")
            if control not in CONTROLS or not isinstance(down, bool):
                raise Refused("no such press")
            self.robot.do("contact", control, down)
        elif what == "switch":
            position = message.get("position")
            if position not in POSITIONS:
                raise Refused("no such position")
            self.robot.do("switch", position)
        elif what == "set":
            key, value = message.get("key"), message.get("value")
            if key not in SETTINGS_SHOWN:
                raise Refused("that is no setting of a page's")
            try:
                settings.check(str(key), value)
            except ValueError as error:
                raise Refused(str(error)) from None
            self.robot.do("set", key, value)
        else:
            self.robot.do("let_go")

    def _on_words(self, page: Page, data: bytes) -> None:
        """The microphone: int16, little-endian."""
        if page is not self._pages[0]:
            raise Refused("another page plays; this one watches")
        if len(data) % 2:
            raise Refused("half a sample")
        samples = array("h", data)
        if sys.byteorder == "big":
            samples.byteswap()
        self.robot.do("words", samples)

    # ---- from the robot

    def _from_thread(self, what: str, value: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(self._from_robot, what, value)
        except RuntimeError:
            pass  # the loop has ended before the robot did

    def _from_robot(self, what: str, value: Any) -> None:
        if what == "sound":
            for page in self._pages:
                if page.hears:
                    page.send(value)
        elif what == "drop":
            self._send_all({"t": "drop", "frames": value})
        elif what == "talk":
            self._send_all({"t": "talk", "level": value})
        elif what == "event":
            self._follow(value)
            self._send_all({"t": "event", **self._dressed(value)})
        elif what == "heard":
            for page in self._pages:
                if page.number == value:
                    page.hears = True
                    page.send({"t": "heard"})
        elif what == "inside":
            for page in self._pages:
                if page.wants_inside:
                    page.send({"t": "inside", **value})
        elif what == "settings":
            self._status["settings"] = value
            self._send_all({"t": "settings", "settings": value})
        elif what == "broken":
            self._broken = value
            self._send_all({"t": "broken", "why": value})

    def _send_all(self, message: dict[str, Any]) -> None:
        for page in self._pages:
            page.send(message)

    def _dressed(self, event: dict[str, Any]) -> dict[str, Any]:
        """An event for the page: its time as `at`, since `t` says what a message is; captions for
        what is said."""
        dressed = {key: value for key, value in event.items() if key != "t"}
        dressed["at"] = event["t"]
        if event["event"] == "say":
            dressed["captions"] = self._captions.of(event)
        return dressed

    def _follow(self, event: dict[str, Any]) -> None:
        """Keeps what a page that comes later must know."""
        status, what = self._status, event["event"]
        if what == "state":
            status["state"] = event["state"]
            status["race"] = False
            self._winner = None
            if event["state"] in ("names", "demo"):
                status["players"] = 0
                status["victories"] = {}
        elif what == "say":
            status["race"] = bool(event.get("race"))
        elif what == "victory":
            self._count_victory(event["player"], event["victories"])
        elif what == "switch":
            status["switch"] = event["position"]
            if event["position"] == "off":
                status["state"] = "off"
                self._broken = ""
        elif what == "led" and event["led"] == "record":
            status["record_led"] = event["on"]
        elif what == "volume":
            status["volume"] = event["level"]
        elif what == "record" and event["what"] == "name" and event["result"] == "stored":
            status["players"] = max(status["players"], event["player"] + 1)

    def _count_victory(self, player: int, victories: int) -> None:
        """Whoever is named again in the same game corrects what was said before."""
        counted = self._status["victories"]
        if self._winner is not None and self._winner != player:
            counted[self._winner] -= 1
        self._winner = player
        counted[player] = victories

    async def _look_inside(self) -> None:
        while True:
            await asyncio.sleep(0.25)
            if any(page.wants_inside for page in self._pages):
                self.robot.do("inside")


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="roboto-{name}"'}


def _read_wav(data: bytes) -> array[int]:
    """Return the samples of an uploaded WAV. Raises BadWav."""
    samples = parse_wav(data, "this file")
    if len(samples) > _WAV_SECONDS_MAX * RATE_HZ:
        raise BadWav(f"the WAV is longer than {_WAV_SECONDS_MAX} s")
    return samples
