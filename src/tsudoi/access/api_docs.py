"""`/api/docs`: Swagger UI from our own files, because our pages load no script from other hosts."""

import asyncio
from functools import cache
from importlib.resources import files
from pathlib import Path

import orjson
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from tsudoi.access.watchers import require_reader
from tsudoi.core.errors import NotFound

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tsudoi API</title><link rel="stylesheet" href="/api/docs/assets/swagger-ui.css"></head>
<body><main id="swagger-ui"></main>
<script src="/api/docs/assets/swagger-ui-bundle.js"></script><script src="/api/docs/assets/start.js"></script>
</body></html>"""


def _names(folder: Path) -> list[str]:
    """List the files, so that a name from a request is only compared and never used as a path."""
    return [entry.name for entry in folder.iterdir()] if folder.is_dir() else []


def install_description(app: FastAPI) -> None:
    """`/api/openapi.json`, which the page below reads.

    It is written once, because that takes a second, and in a thread, because nobody else should wait for it.
    """
    written, writing = cache(lambda: orjson.dumps(app.openapi())), asyncio.Lock()

    async def description(request: Request) -> Response:
        await require_reader(request, request.app.state.runtime)
        async with writing:
            text = await run_in_threadpool(written)
        return Response(text, media_type="application/json")

    app.add_route("/api/openapi.json", description, include_in_schema=False)


def install_pages(app: FastAPI) -> None:
    folder = Path(str(files("tsudoi"))) / "static" / "apidocs"

    async def docs(request: Request) -> Response:
        await require_reader(request, request.app.state.runtime)
        return HTMLResponse(_PAGE, headers={"cache-control": "no-cache"})

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _names(folder):
            raise NotFound
        return FileResponse(folder / name, headers={"cache-control": "public, max-age=3600"})

    app.add_route("/api/docs", docs, include_in_schema=False)
    app.add_route("/api/docs/assets/{name}", asset, include_in_schema=False)
