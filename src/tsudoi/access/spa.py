"""Serves the built pages from the package. Browsers may cache files with a hash in their name, but not index.html."""

import gzip
import html
import mimetypes
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from tsudoi import __version__
from tsudoi.access.registration import Context
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.errors import NotFound
from tsudoi.core.settings import Settings

_MISSING = """<!doctype html><html lang="ja"><meta charset="utf-8"><title>集い</title>
<p>画面がまだ作られていません。<code>make web</code> を実行してから、もう一度開いてください。</p></html>"""
_FOREVER = "public, max-age=31536000, immutable"
_TEXT = (".js", ".css", ".svg")


class SinglePageApp:
    """One single-page application below its prefix: real files where they exist, index.html for everything else."""

    def __init__(self, folder: Path, settings: Settings, contexts: Sequence[Context]) -> None:
        self._folder = folder.resolve()
        index = self._folder / "index.html"
        page = index.read_text(encoding="utf-8") if index.is_file() else _MISSING
        self._index = _with_config(_with_sdk(page, self._folder, settings), settings, contexts)

    async def page(self, request: Request) -> Response:
        return self.serve(request.path_params.get("path", ""), request.headers.get("accept-encoding", ""))

    def serve(self, path: str, encodings: str = "") -> Response:
        """`encodings` is the Accept-Encoding header."""
        target = self._file(path) if path else None
        if target is not None and path.startswith("assets/"):
            return _asset(target, encodings)
        if target is not None:
            return FileResponse(target, headers={"cache-control": "public, max-age=3600"})
        if path.startswith("assets/"):
            raise NotFound
        return HTMLResponse(self._index, headers={"cache-control": "no-cache"})

    def _file(self, path: str) -> Path | None:
        try:
            target = (self._folder / path).resolve()
            found = target.is_relative_to(self._folder) and target.is_file() and target.name != "index.html"
        except (OSError, ValueError):  # The name is too long or contains a NUL.
            return None
        return target if found else None


def _asset(target: Path, encodings: str) -> Response:
    """Compress text files, because phones may have a slow network."""
    headers = {"cache-control": _FOREVER, "vary": "accept-encoding"}
    if target.suffix not in _TEXT or "gzip" not in encodings.lower():
        return FileResponse(target, headers=headers)
    kind = mimetypes.guess_type(target.name)[0]
    return Response(_packed(target), media_type=kind, headers={**headers, "content-encoding": "gzip"})


@cache
def _packed(target: Path) -> bytes:
    """Each file is compressed once, because its name changes with its content."""
    return gzip.compress(target.read_bytes(), mtime=0)


def _with_sdk(page: str, folder: Path, settings: Settings) -> str:
    """Preload LINE's SDK. It is a separate file, because the sandbox does not need it."""
    if settings.liff_adapter != "line":
        return page
    names = sorted(sdk.name for sdk in (folder / "assets").glob("line-*.js"))
    links = (f'<link rel="modulepreload" crossorigin href="/liff/assets/{name}">' for name in names)
    return page.replace("</head>", "".join(links) + "</head>")


def contexts_config(contexts: Sequence[Context], settings: Settings | None = None) -> dict[str, Any]:
    """What the pages know of the contexts: what is switched on, the menu, and the words of the audit screen.

    Without settings every switch is on.
    """
    groups = [group for context in contexts for group in context.audit_actions.items()]
    switches = [
        switch for context in contexts for switch in context.switches if settings is None or switch.is_on(settings)
    ]
    names = [context.name for context in contexts if context.optional] + [switch.name for switch in switches]
    menu = [*(context.navigation for context in contexts), *(switch.navigation for switch in switches)]
    return {
        "features": names,
        "navigation": [asdict(item) for items in menu for item in items],
        "member_pages": list(dict.fromkeys(name for context in contexts for name in context.member_pages)),
        "audit_groups": [{"label": label, "actions": list(actions)} for label, actions in groups],
        "audit_actions": {action: name for _, actions in groups for action, name in actions.items()},
        "audit_subjects": {
            kind: asdict(subject) for context in contexts for kind, subject in context.audit_subjects.items()
        },
        "audit_actors": {actor: name for context in contexts for actor, name in context.audit_actors.items()},
        "audit_fields": {field: label for context in contexts for field, label in context.audit_fields.items()},
    }


def _with_config(page: str, settings: Settings, contexts: Sequence[Context]) -> str:
    config = {
        "liff_adapter": settings.liff_adapter,
        "liff_id": settings.liff_id,
        "version": __version__,
        "command": tsudoi_command(),
        "office_phone": settings.organisation_phone,
        "roster_sheet": settings.members_sheet_id is not None,
        **contexts_config(contexts, settings),
    }
    return page.replace("__TSUDOI_CONFIG__", html.escape(orjson.dumps(config).decode(), quote=True))


def install(app: FastAPI, settings: Settings, contexts: Sequence[Context]) -> None:
    static = Path(str(files("tsudoi"))) / "static"
    for mount in (mount for context in contexts for mount in context.pages):
        page = SinglePageApp(static / mount.folder, settings, contexts).page
        app.add_route(mount.prefix, page, include_in_schema=False)
        app.add_route(f"{mount.prefix}/{{path:path}}", page, include_in_schema=False)

    @app.get("/", include_in_schema=False)
    async def root() -> RedirectResponse:
        return RedirectResponse("/admin/")
