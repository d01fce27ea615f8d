"""The button that makes everybody answer."""

from starlette.responses import Response

from tsudoi.sandbox.answer_plan import Wish
from tsudoi.sandbox.control_api.hands import Hand, control
from tsudoi.sandbox.wire import JSONAnswer

LONGEST_SECONDS = 60


async def start(hand: Hand) -> Response:
    body = hand.body
    wish = Wish(
        share=body.number("share", 90.0, least=0, most=100),
        seconds=body.number("seconds", 10.0, least=0, most=LONGEST_SECONDS),
        seed=body.whole("seed", None),
    )
    event_id = body.whole("event_id", None, least=1)
    return JSONAnswer(hand.answering.start(wish, event_id, hand.base_url), 202)


async def look(hand: Hand) -> Response:
    return JSONAnswer(hand.answering.as_json())


async def stop(hand: Hand) -> Response:
    await hand.answering.stop()
    return Response(status_code=204)


ROUTES = [
    control("GET", "/answers", look),
    control("POST", "/answers", start),
    control("DELETE", "/answers", stop),
]
