"""Sets the conditions of the sandbox: faults, quota, clock, and starting over."""

from datetime import UTC, datetime

from starlette.responses import Response

from tsudoi.sandbox.clock import iso
from tsudoi.sandbox.control_api.requests import ControlRequest, Fields, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.faults import ENDPOINTS, EVERY_ENDPOINT, GROUPS, FaultKind, FaultRule
from tsudoi.sandbox.wire import OrjsonResponse

RULES = 100
LONGEST_SECONDS = 600.0
EARLIEST_MS = round(datetime(2000, 1, 1, tzinfo=UTC).timestamp() * 1000)
LATEST_MS = round(datetime(2100, 1, 1, tzinfo=UTC).timestamp() * 1000)


async def get_faults(request: ControlRequest) -> Response:
    return OrjsonResponse({"rules": [rule.as_json() for rule in request.world.faults.rules]})


async def put_faults(request: ControlRequest) -> Response:
    entries = request.body.entries("rules")
    if len(entries) > RULES:
        raise Refusal(400, f"At most {RULES} rules")
    request.world.faults.rules = [_rule(Fields(entry), number) for number, entry in enumerate(entries, 1)]
    request.world.conditions_changed()
    return await get_faults(request)


async def delete_faults(request: ControlRequest) -> Response:
    request.world.faults.rules = []
    request.world.conditions_changed()
    return Response(status_code=204)


def _rule(fields: Fields, number: int) -> FaultRule:
    kind, endpoint = fields.text("kind"), fields.text("endpoint", EVERY_ENDPOINT)
    if kind not in list(FaultKind):
        raise Refusal(400, f"'kind' must be one of {', '.join(FaultKind)}")
    if endpoint not in (*ENDPOINTS, *GROUPS, EVERY_ENDPOINT):
        names = ", ".join((*ENDPOINTS, *GROUPS))
        raise Refusal(400, f"'endpoint' must be one of {names} or {EVERY_ENDPOINT}")
    return FaultRule(
        fields.text("id", f"rule-{number}"),
        FaultKind(kind),
        endpoint,
        percent=fields.number("percent", 100.0, least=0, most=100),
        seed=fields.whole("seed", 0),
        seconds=fields.number("seconds", None, least=0, most=LONGEST_SECONDS),
        times=fields.whole("times", None, least=0),
    )


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
    control("GET", "/faults", get_faults),
    control("PUT", "/faults", put_faults),
    control("DELETE", "/faults", delete_faults),
    control("GET", "/quota", get_quota),
    control("PUT", "/quota", put_quota),
    control("GET", "/clock", get_clock),
    control("POST", "/clock", move_clock),
    control("GET", "/behaviour", get_behaviour),
    control("PUT", "/behaviour", put_behaviour),
    control("POST", "/reset", reset),
    control("GET", "/state", state),
]
