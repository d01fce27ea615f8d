"""Starts, shows and stops a run in which everybody answers."""

from starlette.responses import Response

from tsudoi.sandbox.answer_plan import AnswerOptions
from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.wire import OrjsonResponse

LONGEST_SECONDS = 60


async def start(request: ControlRequest) -> Response:
    body = request.body
    options = AnswerOptions(
        share=body.number("share", 90.0, least=0, most=100),
        seconds=body.number("seconds", 10.0, least=0, most=LONGEST_SECONDS),
        seed=body.whole("seed", None),
    )
    event_id = body.whole("event_id", None, least=1)
    return OrjsonResponse(request.answering.start(options, event_id, request.base_url), 202)


async def look(request: ControlRequest) -> Response:
    return OrjsonResponse(request.answering.as_json())


async def stop(request: ControlRequest) -> Response:
    await request.answering.stop()
    return Response(status_code=204)


ROUTES = [
    control("GET", "/answers", look),
    control("POST", "/answers", start),
    control("DELETE", "/answers", stop),
]
