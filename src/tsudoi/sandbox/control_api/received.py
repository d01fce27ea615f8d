"""Shows the requests that reached the outside systems, as they arrived, and forgets them.

    GET    /_sandbox/requests?system=stores&after=7
    DELETE /_sandbox/requests?system=stores
    GET    /_sandbox/counts

What is counted begins anew when the requests are deleted.
"""

from starlette.responses import Response

from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.received import SYSTEMS
from tsudoi.sandbox.wire import OrjsonResponse


async def list_requests(request: ControlRequest) -> Response:
    found = request.world.received.listed(_system(request), request.query_number("after", 0) or 0)
    return OrjsonResponse({"requests": [row.as_json() for row in found]})


async def delete_requests(request: ControlRequest) -> Response:
    request.world.received.clear(_system(request))
    return Response(status_code=204)


def _system(request: ControlRequest) -> str | None:
    system = request.http.query_params.get("system")
    if system not in (None, *SYSTEMS):
        raise Refusal(400, f"'system' must be one of {', '.join(SYSTEMS)}")
    return system


async def counts(request: ControlRequest) -> Response:
    world = request.world
    rooms = world.chatwork.rooms.values()
    return OrjsonResponse(
        {
            "requests": world.received.counts(),
            "stores": {
                "customers": len(world.stores.customers),
                "reservations": len(world.stores.reservations),
                "tokens": len(world.stores.tokens),
            },
            "chatwork": {"rooms": len(rooms), "messages": sum(len(room.messages) for room in rooms)},
            "sms": {"phones": len(world.sms.numbers()), "messages": len(world.sms.to(None))},
            "mails": len(world.mailbox.to(None)),
        }
    )


ROUTES = [
    control("GET", "/requests", list_requests),
    control("DELETE", "/requests", delete_requests),
    control("GET", "/counts", counts),
]
