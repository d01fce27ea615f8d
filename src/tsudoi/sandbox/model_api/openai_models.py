"""The list of models of the OpenAI-compatible API: a call that costs nothing, to see whether the key is right."""

from starlette.responses import Response

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.outside import OutsideEndpoint, OutsideRequest, OutsideSystem, bearer_of, is_right
from tsudoi.sandbox.wire import OrjsonResponse

MODELS = ("gpt-4.1-mini", "gpt-4.1", "gpt-4o-mini")
_CREATED = 1_744_000_000
_TYPES = {429: "rate_limit_error", 500: "server_error"}
_CODES = {401: "invalid_api_key"}


def _authorize(request: OutsideRequest) -> None:
    if not is_right(request.token, request.world.config.openai_api_key):
        raise Refusal(401, "Incorrect API key provided.")


def _refuse(refusal: Refusal) -> Response:
    kind = _TYPES.get(refusal.status, "invalid_request_error")
    error = {"message": refusal.message, "type": kind, "param": None, "code": _CODES.get(refusal.status)}
    return OrjsonResponse({"error": error}, refusal.status)


def list_models(_request: OutsideRequest) -> Response:
    data = [{"id": model, "object": "model", "created": _CREATED, "owned_by": "sandbox"} for model in MODELS]
    return OrjsonResponse({"object": "list", "data": data})


OPENAI = OutsideSystem("/openai/v1", bearer_of, _authorize, _refuse)
ROUTES = OPENAI.routes([OutsideEndpoint("GET", "/models", "openai_models", list_models)])
