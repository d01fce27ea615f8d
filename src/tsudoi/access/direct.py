"""For the few routes that are called most: the function gets the request itself.

Working out a function's parameters costs FastAPI more than the rest of a small request. Here the declared function
still describes the contract, for the API's description; the one that answers is named beside it.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import orjson
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import request_response

from tsudoi.core.errors import Detail, InvalidInput

M = TypeVar("M", bound=BaseModel)
Answering = Callable[[Request], Awaitable[Response]]

# Any such number fits every column and every program that reads JSON.
_ID = TypeAdapter(Annotated[int, Field(ge=1, le=2**53)])


def direct(answering: Answering) -> type[APIRoute]:
    """The route class for `APIRouter.add_api_route(…, route_class_override=…)`."""

    class DirectRoute(APIRoute):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.app = request_response(answering)

    return DirectRoute


def path_id(request: Request, name: str) -> int:
    try:
        return _ID.validate_python(request.path_params[name])
    except ValidationError as error:
        raise _invalid(error, "path", name) from error


def parsed(model: type[M], body: bytes) -> M:
    """The same checks and the same errors as FastAPI's own."""
    if not body:
        raise InvalidInput(details=[Detail("body", "REQUIRED")])
    try:
        return model.model_validate(orjson.loads(body))
    except orjson.JSONDecodeError as error:
        raise InvalidInput(details=[Detail("body", "INVALID_JSON")]) from error
    except ValidationError as error:
        raise _invalid(error, "body") from error


def _invalid(error: ValidationError, *place: str) -> RequestValidationError:
    return RequestValidationError([{**fault, "loc": (*place, *fault["loc"])} for fault in error.errors()])
