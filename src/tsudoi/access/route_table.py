"""Finds the routes that a path can belong to by its first segments, so that a request is not compared with all of them.

The framework compares a path with one route after the other, and with 200 routes that costs more than a small request.
"""

from functools import cached_property

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

_LONGEST_PREFIX = 3


class RouteTable:
    """The routes of an application by the literal segments that their paths begin with, at most three.

    Each entry is a router with all routes that can match, in the order of the application. So the framework's own code
    still decides between them: 404, 405 and the order are the same as without the table.
    """

    def __init__(self, router: APIRouter) -> None:
        self._router = router

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope.get("root_path"):
            await self._router.app(scope, receive, send)
            return
        scope["router"] = self._router
        await self.router_for(scope["path"]).app(scope, receive, send)

    def router_for(self, path: str) -> APIRouter:
        segments = tuple(path.split("/", _LONGEST_PREFIX + 1)[1 : _LONGEST_PREFIX + 1])
        while (found := self._routers.get(segments)) is None:
            segments = segments[:-1]
        return found

    @cached_property
    def _routers(self) -> dict[tuple[str, ...], APIRouter]:
        """The framework too builds its layers at the first request, because routes may be added before it."""
        made: dict[tuple[str, ...], APIRouter] = {}
        routes = [(route, _literal_prefix(route)) for route in self._router.routes]
        for prefix in {(), *(own for _, own in routes)}:
            made[prefix] = APIRouter(redirect_slashes=self._router.redirect_slashes)
            made[prefix].routes.extend(route for route, own in routes if own == prefix[: len(own)])
        return made


def _literal_prefix(route: BaseRoute) -> tuple[str, ...]:
    segments: list[str] = getattr(route, "path", "").split("/")[1 : _LONGEST_PREFIX + 1]
    first_parameter = next((n for n, segment in enumerate(segments) if "{" in segment), len(segments))
    return tuple(segments[:first_parameter])


def install(app: FastAPI) -> None:
    """The table takes the place of the function that compares a path with all routes of the application."""
    app.router.middleware_stack = RouteTable(app.router)
