"""The table of routes finds what a comparison with every route finds, for every path and method."""

import re

import httpx2
import pytest
from fastapi import FastAPI
from starlette.routing import BaseRoute, Match

from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.servers import serving
from tsudoi.access import route_table
from tsudoi.access.middleware import EdgeMiddleware
from tsudoi.access.route_table import RouteTable
from tsudoi.app import create_app

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND")


def matching(routes: list[BaseRoute], path: str, method: str) -> list[tuple[str, Match]]:
    scope = {"type": "http", "path": path, "method": method}
    found = [(route, route.matches(scope)[0]) for route in routes]
    return [(f"{route}", match) for route, match in found if match is not Match.NONE]


def paths_near(path: str) -> set[str]:
    """The path with values, and paths that are a little longer, shorter or different."""
    filled = {re.sub(r"\{[^}]+\}", value, path) for value in ("1", "assets", "a.b", "", "é")}
    cut = {one.rpartition("/")[0] for one in filled}
    return {*filled, *cut, *(f"{one}/" for one in filled), *(f"{one}/more/and/more" for one in filled), path.upper()}


@sqlite_only
class TestRouterFor:
    def test_the_product_finds_the_same_routes_in_the_same_order(self, product: Product) -> None:
        edge = create_app(product.runtime)
        assert isinstance(edge, EdgeMiddleware)
        app = edge._app
        assert isinstance(app, FastAPI)
        table = app.router.middleware_stack
        assert isinstance(table, RouteTable)
        paths = {near for route in app.routes for near in paths_near(getattr(route, "path", ""))}
        assert len(paths) > 500
        for path in sorted(paths | {"", "/", "//", "*", "api", "/api//admin", "/i//respond"}):
            few = table.router_for(path).routes
            for method in METHODS:
                assert matching(few, path, method) == matching(app.routes, path, method), f"{method} {path}"

    def test_a_request_is_compared_with_few_routes(self, product: Product) -> None:
        app = create_app(product.runtime)._app
        assert isinstance(app, FastAPI)
        table = app.router.middleware_stack
        assert isinstance(table, RouteTable)
        most = max(len(table.router_for(route.path).routes) for route in app.routes if hasattr(route, "path"))
        assert most < len(app.routes) / 4


class TestInstall:
    @pytest.fixture
    def app(self) -> FastAPI:
        app = FastAPI(redirect_slashes=False, openapi_url=None)
        for path in ("/{name}", "/a/{b}/c", "/a/b/{c}", "/files/{path:path}", "/a/b/c/d/e", "/a"):
            app.add_api_route(path, lambda path=path: path, methods=["GET"])
            app.add_api_route(path, lambda path=path: f"put {path}", methods=["PUT"])
        return app

    def test_the_same_answers_with_and_without_it(self, app: FastAPI) -> None:
        paths = (
            "/a",
            "/b",
            "/a/b",
            "/a/b/c",
            "/a/x/c",
            "/a/b/x",
            "/files/a/b/c/d",
            "/a/b/c/d/e",
            "/a/b/c/d",
            "/",
            "/a/",
        )
        requests = [(method, path) for method in METHODS for path in paths]

        def answers() -> list[tuple[int, bytes, str | None]]:
            with serving(app) as url, httpx2.Client(base_url=url) as http:
                heard = [http.request(method, path) for method, path in requests]
            return [(one.status_code, one.content, one.headers.get("allow")) for one in heard]

        without = answers()
        route_table.install(app)
        assert answers() == without
        assert {status for status, *_ in without} == {200, 404, 405}

    def test_a_route_that_is_added_later_is_found(self, app: FastAPI) -> None:
        route_table.install(app)
        app.add_api_route("/later/{name}", lambda: "later")
        with serving(app) as url:
            assert httpx2.get(f"{url}/later/1").json() == "later"
