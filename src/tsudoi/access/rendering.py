"""Turns errors into HTTP responses: `{"code","message","details"}`, or the shape that a route declares."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from tsudoi.core.api_examples import example
from tsudoi.core.errors import (
    Detail,
    Forbidden,
    InvalidInput,
    MethodNotAllowed,
    NotFound,
    Problem,
    TooLarge,
    Unauthenticated,
    UnsupportedMediaType,
)

_BY_STATUS: dict[int, type[Problem]] = {
    400: InvalidInput,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    405: MethodNotAllowed,
    413: TooLarge,
    415: UnsupportedMediaType,
}
_REASONS = {
    "missing": "REQUIRED",
    "string_too_long": "TOO_LONG",
    "too_long": "TOO_LONG",
    "string_too_short": "TOO_SHORT",
    "too_short": "TOO_SHORT",
    "extra_forbidden": "UNKNOWN_FIELD",
    "json_invalid": "INVALID_JSON",
    "greater_than_equal": "TOO_SMALL",
    "greater_than": "TOO_SMALL",
    "less_than_equal": "TOO_LARGE",
    "less_than": "TOO_LARGE",
    "literal_error": "NOT_ALLOWED",
    "enum": "NOT_ALLOWED",
}
_MOST_DETAILS = 50


class ErrorDetail(BaseModel):
    """One field that is wrong."""

    field: str = Field(description="Name of the field, dotted where it is nested.")
    reason: str = Field(description="Why, for programs.")


class ErrorBody(BaseModel):
    """The shape of every answer that is not a success."""

    model_config = example(
        code="INVALID_INPUT",
        message="ユーザー名を入力してください。",
        details=[{"field": "username", "reason": "REQUIRED"}],
    )

    code: str = Field(description="What happened, for programs.")
    message: str = Field(description="What is wrong and what to do, in Japanese, for people.")
    details: list[ErrorDetail]


def standard_body(problem: Problem) -> dict[str, Any]:
    details = [{"field": _printable(detail.field), "reason": detail.reason} for detail in problem.details]
    return {"code": problem.code, "message": problem.message, "details": details}


@dataclass(frozen=True, slots=True)
class ErrorShape:
    """How the errors of a route are written: the body of a problem, and its model for the API description."""

    body: Callable[[Problem], dict[str, Any]]
    model: type[BaseModel]

    def render(self, problem: Problem) -> bytes:
        return orjson.dumps(self.body(problem))


STANDARD_ERRORS = ErrorShape(standard_body, ErrorBody)


class ApiRoute(APIRoute):
    """A route whose errors may have a shape of their own.

    A context whose document asks for another shape makes a subclass with its `error_shape`, and gives it to its routers
    as `route_class`. Everything that the routes of such a router refuse is then written in that shape.
    """

    error_shape: ClassVar[ErrorShape] = STANDARD_ERRORS
    # True: a request with a form gets a page instead of that shape.
    error_pages: ClassVar[bool] = False
    # The prefix below which this class also answers for addresses that no route has, such as a link that was cut off.
    answers_below: ClassVar[str | None] = None

    async def error_response(self, _request: Request, problem: Problem) -> Response:
        """What the caller gets. A route that people open in a browser answers with a page instead."""
        return error_json(self.error_shape, problem)


def error_json(shape: ErrorShape, problem: Problem) -> Response:
    return Response(shape.render(problem), problem.status, problem.headers, media_type="application/json")


async def render(request: Request, problem: Problem) -> Response:
    route = request.scope.get("route") or _beside(request)
    if isinstance(route, ApiRoute):
        return await route.error_response(request, problem)
    return error_json(STANDARD_ERRORS, problem)


def _beside(request: Request) -> ApiRoute | None:
    """A route whose class answers for addresses that no route has."""
    path: str = request.scope["path"]
    routes: list[BaseRoute] = request.app.routes
    for route in routes:
        if isinstance(route, ApiRoute) and route.answers_below and f"{path}/".startswith(f"{route.answers_below}/"):
            return route
    return None


def install(app: FastAPI) -> None:
    async def on_problem(request: Request, error: Exception) -> Response:
        return await render(request, error if isinstance(error, Problem) else Problem())

    async def on_invalid(request: Request, error: Exception) -> Response:
        faults = error.errors() if isinstance(error, RequestValidationError) else []
        return await render(request, InvalidInput(details=[_detail(fault) for fault in faults[:_MOST_DETAILS]]))

    async def on_http(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = error.headers if isinstance(error, HTTPException) else None
        return await render(request, _BY_STATUS.get(status, Problem)(headers=headers))

    app.add_exception_handler(Problem, on_problem)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http)
    # Without this the framework would send its own "Internal Server Error" before `EdgeMiddleware` sees the error.
    app.add_exception_handler(Exception, on_problem)


def _detail(fault: dict[str, Any]) -> Detail:
    """`body.username` is reported as `username`. A body that is not JSON has no fields."""
    kind, location = fault["type"], fault["loc"]
    # Our own validators use the reason itself as the type of their error; pydantic's types are lower case.
    reason = kind if kind.isupper() else _REASONS.get(kind, "INVALID_FORMAT")
    field = ".".join(str(part) for part in location[1:]) or str(location[0])
    return Detail("body" if reason == "INVALID_JSON" else field, reason)


def _printable(text: str) -> str:
    """Field names can come from outside (an unknown field is named back), and not every string is UTF-8."""
    return text[:200].encode("utf-8", "replace").decode()
