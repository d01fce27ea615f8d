"""The ASGI application, built from the contexts that are switched on: routes, errors, pages, limits."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import FastAPI
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

from tsudoi import __version__
from tsudoi.access import api_docs, rendering, spa
from tsudoi.access.middleware import Edge
from tsudoi.access.registration import ActiveContexts, Context
from tsudoi.access.rendering import ErrorBody
from tsudoi.contexts import CONTEXTS
from tsudoi.core.runtime import Runtime

_PATH_PARAMETER = re.compile(r"\\{[a-z_]+\\}")


class BodyLimits(Mapping[str, int]):
    """The largest body for a path, found by the pattern of its route."""

    def __init__(self, contexts: Sequence[Context]) -> None:
        self._limits = [(path, limit) for context in contexts for path, limit in context.body_limits.items()]
        self._patterns = [(re.compile(_PATH_PARAMETER.sub("[^/]+", re.escape(path))), n) for path, n in self._limits]

    def __getitem__(self, path: str) -> int:
        for pattern, limit in self._patterns:
            if pattern.fullmatch(path):
                return limit
        raise KeyError(path)

    def __iter__(self) -> Iterator[str]:
        return (path for path, _ in self._limits)

    def __len__(self) -> int:
        return len(self._limits)


_ERRORS = {
    400: "The input is wrong; `details` names each field and the reason.",
    401: "Not logged in.",
    403: "Logged in, but not allowed.",
    429: "Too often; `Retry-After` says when to come back.",
    503: "Cannot be done just now; nothing was changed.",
}


def create_app(runtime: Runtime) -> Edge:
    """What the server runs: the API and the pages of the active contexts, behind the edge."""
    active, registry = runtime.part(ActiveContexts).contexts, _registry()
    runtime.add(registry)
    app = create_api(active)
    app.state.runtime = runtime
    api_docs.install(app)
    spa.install(app, runtime.settings, active)
    return Edge(app, runtime.settings, registry, BodyLimits(active))


def create_api(contexts: Sequence[Context] = CONTEXTS) -> FastAPI:
    app = FastAPI(
        title="Tsudoi 集い",
        version=__version__,
        description="Ask people, get their answers, decide, and tell them, with LINE as the front door.",
        openapi_tags=[{"name": tag.name, "description": tag.description} for one in contexts for tag in one.tags],
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    rendering.install(app)
    for router in (router for context in contexts for router in context.routers):
        # The routes themselves, because FastAPI matches an included router inside the outer one, which costs more than
        # the rest of a small request. Each router says its own prefix and tags.
        app.router.routes.extend(router.routes)
    app.openapi = partial(_description, app.openapi)  # type: ignore[method-assign]
    return app


def _description(made_by_fastapi: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """With our errors, and without the 422 that FastAPI promises for wrong input: ours is the documented 400."""
    description = made_by_fastapi()
    schemas = description["components"]["schemas"]
    shape = ErrorBody.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update({**shape.pop("$defs", {}), "ErrorBody": shape})
    for operation in (operation for path in description["paths"].values() for operation in path.values()):
        if "HTTPValidationError" in str(operation["responses"].get("422", "")):
            del operation["responses"]["422"]
        if operation["tags"] != ["operations"]:
            operation["responses"].update({str(status): _error(text) for status, text in _ERRORS.items()})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    return description


def _error(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ErrorBody"}
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _registry() -> CollectorRegistry:
    """A registry of our own: the library's global one would mix several applications of one test process."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry
