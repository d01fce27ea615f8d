"""What a fault does to a call, before the work was done or after."""

import asyncio
import contextlib
from http import HTTPStatus

from starlette.responses import Response

from tsudoi.sandbox import errors
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.fault_places import FaultKind
from tsudoi.sandbox.faults import Fault
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import NoResponse, OrjsonResponse

# Nothing is served there: who follows a redirect is found in the list of requests.
ELSEWHERE = "/elsewhere"
_FIRST_REDIRECT = 300
_HTML = "<!DOCTYPE html><html><head><title>Sandbox</title></head><body><h1>This is no JSON</h1></body></html>"
_HALF_JSON = '{"sandbox": [1, 2, {"cut'


async def apply_before(fault: Fault, world: World) -> Response | None:
    """The response that replaces the work, or None when the work is to be done."""
    match fault.kind:
        case FaultKind.TIMEOUT_BEFORE_ACCEPT | FaultKind.DROP_CONNECTION:
            return NoResponse(world, fault.seconds)
        case FaultKind.ERROR_500_BEFORE:
            raise errors.server_error()
        case FaultKind.RATE_LIMITED:
            refusal = errors.rate_limited()
            raise Refusal(refusal.status, refusal.message, headers=_headers(fault))
        case FaultKind.QUOTA_EXHAUSTED:
            raise errors.quota_exhausted()
        case FaultKind.ERROR_STATUS if fault.body is None:
            raise Refusal(fault.status, _phrase(fault.status), headers=_headers(fault))
        case FaultKind.SLOW:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(world.stream.closing.wait(), fault.seconds)
    return None if fault.status < _FIRST_REDIRECT else _replaced(fault)


def apply_after(fault: Fault, world: World) -> Response | None:
    """The response that replaces the true one after the work was done, or None to keep the true one."""
    if fault.kind is FaultKind.TIMEOUT_AFTER_ACCEPT:
        return NoResponse(world, fault.seconds)
    if fault.kind is FaultKind.ERROR_500_AFTER:
        return OrjsonResponse(errors.server_error().body(), 500)
    return _replaced(fault)


def _replaced(fault: Fault) -> Response | None:
    """A status below 300 says that the work was done, a higher one that it was not."""
    headers = _headers(fault)
    match fault.kind:
        case FaultKind.ERROR_STATUS:
            return Response(fault.body or "", fault.status, headers, "application/json")
        case FaultKind.HTML_PAGE:
            return Response(fault.body or _HTML, fault.status, headers, "text/html")
        case FaultKind.BROKEN_JSON:
            return Response(fault.body or _HALF_JSON, fault.status, headers, "application/json")
        case FaultKind.EMPTY_BODY:
            return Response(b"", fault.status, headers)
        case FaultKind.REDIRECT:
            return Response(b"", fault.status, {**headers, "Location": fault.location or ELSEWHERE})
    return None


def _headers(fault: Fault) -> dict[str, str]:
    return {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Error {status}"
