"""Shows the short messages of both providers, and says what happens to a phone.

    GET    /_sandbox/sms?to=%2B819012345678    DELETE empties it
    PUT    /_sandbox/sms/phones/{number}       {"state": "reachable" | "opted_out" | "unreachable" | "blocked"}

A phone that was never set is reachable.
"""

from starlette.responses import Response

from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.sms import PhoneState
from tsudoi.sandbox.wire import OrjsonResponse


async def everything(request: ControlRequest) -> Response:
    network = request.world.sms
    found = network.to(request.http.query_params.get("to"))
    return OrjsonResponse({"messages": [message.as_json() for message in found], "phones": network.phones})


async def clear(request: ControlRequest) -> Response:
    request.world.sms.clear()
    return Response(status_code=204)


async def put_phone(request: ControlRequest) -> Response:
    number, state = request.path("number"), request.body.text("state")
    if state not in list(PhoneState):
        raise Refusal(400, f"'state' must be one of {', '.join(PhoneState)}")
    if not number.startswith("+"):
        raise Refusal(400, "The number must be international, such as +819012345678")
    request.world.sms.phones[number] = PhoneState(state)
    return OrjsonResponse({"state": state})


ROUTES = [
    control("GET", "/sms", everything),
    control("DELETE", "/sms", clear),
    control("PUT", "/sms/phones/{number}", put_phone),
]
