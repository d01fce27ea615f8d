"""Sets the rules by which calls go wrong.

    GET    /_sandbox/faults
    PUT    /_sandbox/faults   {"rules": [{"kind", "endpoint", …}]}: these rules and no others
    DELETE /_sandbox/faults

`endpoint` is one call, a group (`line`, `stripe`, `openai`, `stores`, `chatwork`, `sms`, `twilio`, `karaden`) or `*`.
`times`, `percent` and `seed` say how often; `path` (with wildcards) and `token` narrow a rule to some calls.
`seconds` belongs to slow and silent answers, `status`, `body`, `location` and `retry_after` to replaced ones.
"""

from starlette.responses import Response

from tsudoi.sandbox.control_api.requests import ControlRequest, Fields, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.fault_places import DEFAULT_STATUSES, ENDPOINTS, EVERY_ENDPOINT, GROUPS, FaultKind
from tsudoi.sandbox.faults import FaultRule
from tsudoi.sandbox.wire import OrjsonResponse

RULES = 100
LONGEST_SECONDS = 600.0
_LONGEST_BODY = 100_000
# What a rule of each kind may answer.
_STATUSES = dict.fromkeys(DEFAULT_STATUSES, (200, 599)) | {
    FaultKind.ERROR_STATUS: (400, 599),
    FaultKind.REDIRECT: (300, 399),
}


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
        path=fields.text("path", None),
        token=fields.text("token", None),
        status=_status(fields, FaultKind(kind)),
        retry_after=fields.whole("retry_after", None, least=0),
        location=fields.text("location", None),
        body=fields.text("body", None, most=_LONGEST_BODY),
    )


def _status(fields: Fields, kind: FaultKind) -> int | None:
    least, most = _STATUSES.get(kind, (0, 0))
    if not most and "status" in fields and fields.values["status"] is not None:
        raise Refusal(400, f"A fault of the kind {kind} has no 'status'")
    status: int | None = fields.whole("status", None, least=least, most=most)
    return status


ROUTES = [
    control("GET", "/faults", get_faults),
    control("PUT", "/faults", put_faults),
    control("DELETE", "/faults", delete_faults),
]
