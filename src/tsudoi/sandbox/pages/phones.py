"""Serves the phones page, which is built from web/phones into `static/`, or says how to build it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from tsudoi.sandbox.pages.frame import page, phones_policy
from tsudoi.sandbox.wire import world_of

Page = Callable[[Request], Awaitable[Response]]
# Vite puts a hash of the content into each name under assets/, so those never change.
FOR_EVER = "public, max-age=31536000, immutable"


def phones_page(static_dir: Path) -> Page:
    async def serve(request: Request) -> Response:
        index = static_dir / "index.html"
        if not index.is_file():
            return page(
                "スマホの画面はまだできていません",
                "<p>サンドボックスは動いています。スマホの画面を見るには、次のコマンドで画面を組み立ててから、"
                "このページを読み込みなおしてください。</p><p><code>make web</code></p>",
            )
        policy = phones_policy(world_of(request).config)
        headers = {"content-security-policy": policy, "cache-control": "no-cache"}
        return FileResponse(index, headers=headers)

    return serve


def phones_file(static_dir: Path, *, cache_control: str) -> Page:
    root = static_dir.resolve()

    async def serve(request: Request) -> Response:
        wanted = (root / request.url.path.lstrip("/")).resolve()
        if not wanted.is_relative_to(root) or not wanted.is_file():
            raise HTTPException(404)
        return FileResponse(wanted, headers={"cache-control": cache_control})

    return serve
