"""The ASGI application, built from the contexts that are switched on: routes, errors, pages, limits."""

import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from fastapi import FastAPI
from prometheus_client import CollectorRegistry, Gauge, GCCollector, PlatformCollector, ProcessCollector

from tsudoi import __commit__, __version__
from tsudoi.access import api_docs, rendering, route_table, spa
from tsudoi.access.api_description import add_errors
from tsudoi.access.health import Readiness
from tsudoi.access.middleware import EdgeMiddleware
from tsudoi.access.registration import ActiveContexts, Context
from tsudoi.access.rendering import STANDARD_ERRORS, ApiRoute, ErrorShape
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


def error_shapes(app: FastAPI) -> Callable[[str], ErrorShape]:
    """The shape of the errors at a path, for what is refused before a route is found."""
    routes = [route for route in app.routes if isinstance(route, ApiRoute)]
    own = {route.path_regex: route.error_shape for route in routes if route.error_shape is not STANDARD_ERRORS}

    def shape_of(path: str) -> ErrorShape:
        return next((shape for pattern, shape in own.items() if pattern.match(path)), STANDARD_ERRORS)

    return shape_of


def create_app(runtime: Runtime) -> EdgeMiddleware:
    """Build what the server runs: the API and the pages of the active contexts, behind `EdgeMiddleware`."""
    active = runtime.part(ActiveContexts).contexts
    # Each application has its own registry, because the global one would mix the applications of a test process.
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    _tell_build(registry, runtime)
    runtime.add(registry)
    runtime.add(Readiness(runtime))
    app = create_api(active)
    app.state.runtime = runtime
    api_docs.install_pages(app)
    spa.install(app, runtime.settings, active)
    route_table.install(app)
    return EdgeMiddleware(app, runtime, registry, BodyLimits(active), error_shapes(app))


def _tell_build(registry: CollectorRegistry, runtime: Runtime) -> None:
    """A gauge with the value 1, as Prometheus has it for what never changes while the process runs."""
    labels = {
        "version": __version__,
        "commit": __commit__,
        "python": platform.python_version(),
        "database": "sqlite" if runtime.settings.on_sqlite else "postgresql",
    }
    Gauge("tsudoi_build_info", "Which program answers.", list(labels), registry=registry).labels(**labels).set(1)


def create_api(contexts: Sequence[Context] = CONTEXTS) -> FastAPI:
    app = FastAPI(
        title="Tsudoi 集い",
        version=__version__,
        description="Ask people, get their answers, decide, and tell them, with LINE as the front door.",
        openapi_tags=[{"name": tag.name, "description": tag.description} for one in contexts for tag in one.tags],
        # `api_docs` serves it, to those who may read it.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        # The framework's own tracing would send the paths elsewhere, and the link of an invitation is a password.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    rendering.install(app)
    for router in (router for context in contexts for router in context.routers):
        # The routes are added directly. `include_router` would match each request twice, which costs more than the rest
        # of a small request. Each router has its own prefix and tags.
        app.router.routes.extend(router.routes)
    described = app.openapi
    app.openapi = lambda: add_errors(described(), app.routes)  # type: ignore[method-assign]
    api_docs.install_description(app)
    return app
