"""Steers the language models: what they answer, whether they hold their answers back, and what they were asked."""

from starlette.responses import Response

from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.language_models import AnswerMode
from tsudoi.sandbox.wire import OrjsonResponse

_LONGEST_TEXT = 1_000_000


async def get_models(request: ControlRequest) -> Response:
    return OrjsonResponse(request.world.models.as_json())


async def put_models(request: ControlRequest) -> Response:
    """What is left out goes back to its default: `match`, and nothing is held back."""
    mode = request.body.text("answer", AnswerMode.MATCH)
    if mode not in list(AnswerMode):
        raise Refusal(400, f"'answer' must be one of {', '.join(AnswerMode)}")
    models, hold = request.world.models, request.body.flag("hold")
    models.mode, models.text = AnswerMode(mode), request.body.text("text", None, most=_LONGEST_TEXT) or ""
    (models.free.clear if hold else models.free.set)()
    return await get_models(request)


ROUTES = [control("GET", "/models", get_models), control("PUT", "/models", put_models)]
