"""The errors in the API description: derived from an operation's parameters, or declared by its route (`raises`)."""

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel
from starlette.routing import BaseRoute

from tsudoi.access.principals import Principal
from tsudoi.access.rendering import STANDARD_ERRORS
from tsudoi.core.errors import Problem

_TEXTS = {
    400: "The input is wrong; `details` names each field and the reason.",
    401: "Not logged in, or no longer.",
    403: "Logged in, but not allowed.",
    404: "There is no such thing.",
    409: "It does not go together with what others did; `IN_FLIGHT`: the same request is being worked on.",
    413: "The body is too long.",
    415: "The body has another type than the one described.",
    422: "`IDEMPOTENCY_KEY_REUSED`: the key was used before, for another content.",
    429: "Too many requests; `Retry-After` says when to come back.",
    503: "It cannot be done just now; nothing was changed.",
}
_REF = "#/components/schemas/{model}"


def raises(*problems: type[Problem]) -> dict[int | str, dict[str, Any]]:
    """For a route's `responses`: the errors that its own function raises, with their codes."""
    by_status: dict[int, list[str]] = {}
    for problem in problems:
        codes = by_status.setdefault(problem.status, [])
        if f"`{problem.code}`" not in codes:
            codes.append(f"`{problem.code}`")
    return {status: {"description": f"{', '.join(codes)}."} for status, codes in by_status.items()}


def add_errors(description: dict[str, Any], routes: Iterable[BaseRoute]) -> dict[str, Any]:
    """FastAPI documents wrong input as 422. Ours is a 400, and our 422 means that a key was used before."""
    schemas = description["components"]["schemas"]
    shapes = {
        (getattr(route, "path", ""), method.lower()): (
            getattr(route, "error_shape", STANDARD_ERRORS).model,
            getattr(route, "error_pages", False),
        )
        for route in routes
        for method in getattr(route, "methods", None) or ()
    }
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            model, pages = shapes.get((path, method), (STANDARD_ERRORS.model, False))
            _add_schema(schemas, model)
            responses = operation["responses"]
            if "HTTPValidationError" in str(responses.get("422", "")):
                del responses["422"]
            if operation["tags"] == ["operations"]:
                continue  # Programs that watch the server use their own formats.
            for status in _statuses(operation):
                responses.setdefault(str(status), {"description": _TEXTS[status]})
            for status, response in responses.items():
                if status.startswith(("4", "5")):
                    response.setdefault("content", _content(model, pages=pages))
            operation["responses"] = dict(sorted(responses.items()))
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    return description


def _statuses(operation: dict[str, Any]) -> Iterator[int]:
    parameters, body = operation.get("parameters", ()), "requestBody" in operation
    names = {parameter["name"] for parameter in parameters}
    identifying = {header.replace("_", "-") for kind in Principal.__subclasses__() for header in kind.headers}
    yield 503
    if names - identifying or body:
        yield 400
    if body:
        yield from (413, 415)
    if any(parameter["in"] == "path" for parameter in parameters):
        yield 404
    if "idempotency-key" in names:
        yield from (409, 422)
    if names & identifying:
        yield from (401, 403)


def _add_schema(schemas: dict[str, Any], model: type[BaseModel]) -> None:
    if model.__name__ not in schemas:
        shape = model.model_json_schema(ref_template=_REF)
        schemas.update({**shape.pop("$defs", {}), model.__name__: shape})


def _content(model: type[BaseModel], *, pages: bool) -> dict[str, Any]:
    page = {"text/html": {"schema": {"type": "string"}}} if pages else {}
    return {"application/json": {"schema": {"$ref": _REF.format(model=model.__name__)}}, **page}
