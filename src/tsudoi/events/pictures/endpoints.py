"""The pictures of events, for LINE's servers and for phones, which come without a session.

Anybody who knows the address may fetch a picture: it cannot be guessed, and it is sent to the invited members.
"""

import hashlib
import os
from typing import Annotated, BinaryIO

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tsudoi.access.guard import RuntimeDep
from tsudoi.core.media import MediaStore
from tsudoi.events.pictures import service
from tsudoi.events.pictures.errors import NoSuchPicture

router = APIRouter(tags=["events"])

_FILE = {"type": "string", "format": "binary"}
_ERROR = {"$ref": "#/components/schemas/ErrorBody"}
_CHUNK = 256 * 1024
_HEADERS = {
    "Content-Type": "image/jpeg",
    "Content-Disposition": "inline",
    # The files of a key never change.
    "Cache-Control": "public, max-age=31536000, immutable",
    # Pages of other origins show the pictures: LINE's, and the simulated phones.
    "Cross-Origin-Resource-Policy": "cross-origin",
    # Browsers add a style of their own to a picture that is opened by itself; nothing else is allowed.
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}


class _PictureStream(StreamingResponse):
    """Sends a picture in chunks, so that a thousand slow phones do not keep whole pictures in memory."""

    def __init__(self, file: BinaryIO, headers: dict[str, str]) -> None:
        super().__init__(iter(lambda: file.read(_CHUNK), b""), headers=headers)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


@router.head("/files/events/{key}/{name}", include_in_schema=False)
@router.get(
    "/files/events/{key}/{name}",
    summary="The picture of an event",
    response_class=Response,
    responses={
        200: {"description": "The picture.", "content": {"image/jpeg": {"schema": _FILE, "example": "(a JPEG file)"}}},
        304: {"description": "The caller has it already (`If-None-Match`)."},
        404: {"description": "There is no such picture.", "content": {"application/json": {"schema": _ERROR}}},
    },
)
async def picture(
    request: Request,
    runtime: RuntimeDep,
    key: Annotated[str, Path(description="The random part of the address.")],
    name: Annotated[str, Path(description="`notice_o.jpg`: full size. `notice_p.jpg`: at most 1080 px wide.")],
) -> Response:
    """Anybody who knows the address may fetch it, because LINE's servers have no session. The file never changes."""
    if name not in (service.ORIGINAL, service.PREVIEW) or not service.is_media_key(key):
        raise NoSuchPicture
    file, size = await run_in_threadpool(_open, runtime.media, service.path(key, name))
    # The content of a name never changes, so the name is enough. Hashed, so that the secret key is not in a header.
    tag = f'"{hashlib.sha256(f"{key}/{name}".encode()).hexdigest()[:32]}"'
    headers = {**_HEADERS, "ETag": tag}
    known = ",".join(request.headers.getlist("if-none-match")).split(",")
    if any(one.strip().removeprefix("W/") in (tag, "*") for one in known):
        file.close()
        return Response(status_code=304, headers=headers)
    headers["Content-Length"] = str(size)
    if request.method == "HEAD":
        file.close()
        return Response(headers=headers)
    return _PictureStream(file, headers)


def _open(media: MediaStore, path: str) -> tuple[BinaryIO, int]:
    file = media.open(path)
    if file is None:
        raise NoSuchPicture
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return file, size
