"""The score sheet's one question to the server: what a match comes to."""

from __future__ import annotations

import asyncio
import json

from aiohttp import web

from ..table.kept_score import counted

NOTE_BYTES_MAX = 500_000  # 300 games of ten hands, tapped card by card


async def answer(request: web.Request) -> web.StreamResponse:
    """Answer a note of a match (see `kept_score.counted`) with its sheet.

    422 with one line for what is no note, 413 for one that nobody can have tapped.
    """
    data = await request.content.read(NOTE_BYTES_MAX + 1)
    while not request.content.at_eof() and len(data) <= NOTE_BYTES_MAX:
        data += await request.content.read(NOTE_BYTES_MAX + 1)
    if len(data) > NOTE_BYTES_MAX:
        raise web.HTTPRequestEntityTooLarge(NOTE_BYTES_MAX, len(data))
    try:
        sheet = await asyncio.to_thread(_sheet, data)
    except ValueError as error:
        raise web.HTTPUnprocessableEntity(text=str(error)) from None
    return web.json_response(sheet)


def _sheet(data: bytes) -> dict:
    try:
        note = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    return counted(note)
