"""Sets the conditions of the sandbox: quota, clock, and starting over."""

from datetime import UTC, datetime

from starlette.responses import Response

from tsudoi.sandbox.clock import iso
from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.wire import OrjsonResponse

EARLIEST_MS = round(datetime(2000, 1, 1, tzinfo=UTC).timestamp() * 1000)
LATEST_MS = round(datetime(2100, 1, 1, tzinfo=UTC).timestamp() * 1000)


async def put_quota(request: ControlRequest) -> Response:
    kind = request.body.text("type")
    if kind not in ("none", "limited"):
        raise Refusal(400, "'type' must be none or limited")
    now, quota = request.world.clock.now_ms(), request.world.quota
    limit = request.body.whole("value", least=0) if kind == "limited" else None
    usage = request.body.whole("total_usage", quota.usage(now), least=0)
    quota.limit = limit
    quota.set_usage(usage, now)
    request.world.conditions_changed()
    return OrjsonResponse(quota.as_json(now))


async def get_quota(request: ControlRequest) -> Response:
    return OrjsonResponse(request.world.quota.as_json(request.world.clock.now_ms()))


async def get_clock(request: ControlRequest) -> Response:
    clock = request.world.clock
    return OrjsonResponse({"now": iso(clock.now_ms()), "offset_seconds": clock.offset_seconds})


async def move_clock(request: ControlRequest) -> Response:
    moment, seconds = request.body.text("now", None), request.body.number("advance_seconds", 0)
    start = request.world.clock.now_ms() if moment is None else round(_moment(moment).timestamp() * 1000)
    target = start + round(seconds * 1000)
    if not EARLIEST_MS <= target < LATEST_MS:
        raise Refusal(400, "The clock goes from 2000 to 2100")
    request.world.clock.move_to(target)
    return await get_clock(request)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Refusal(400, "'now' must be an ISO 8601 time") from error
    if moment.tzinfo is None:
        raise Refusal(400, "'now' must carry its offset")
    return moment


async def get_behaviour(request: ControlRequest) -> Response:
    refuses = request.world.multicast_refuses_unknown
    return OrjsonResponse({"multicast_unknown_id": "reject" if refuses else "accept"})


async def put_behaviour(request: ControlRequest) -> Response:
    choice = request.body.text("multicast_unknown_id")
    if choice not in ("accept", "reject"):
        raise Refusal(400, "'multicast_unknown_id' must be accept or reject")
    request.world.multicast_refuses_unknown = choice == "reject"
    return await get_behaviour(request)


async def reset(request: ControlRequest) -> Response:
    await request.answering.forget()
    request.world.reset()
    return Response(status_code=204)


async def state(request: ControlRequest) -> Response:
    return OrjsonResponse(request.world.as_json())


ROUTES = [
    control("GET", "/quota", get_quota),
    control("PUT", "/quota", put_quota),
    control("GET", "/clock", get_clock),
    control("POST", "/clock", move_clock),
    control("GET", "/behaviour", get_behaviour),
    control("PUT", "/behaviour", put_behaviour),
    control("POST", "/reset", reset),
    control("GET", "/state", state),
]
