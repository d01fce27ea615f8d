"""What a fault does to a call, before LINE has accepted it or after."""

import asyncio
import contextlib

from starlette.responses import Response

from tsudoi.sandbox import errors
from tsudoi.sandbox.faults import Fault, FaultKind
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import NoResponse, OrjsonResponse


async def apply_before(fault: Fault, world: World) -> Response | None:
    """The response that replaces the work, or None when the work is to be done."""
    match fault.kind:
        case FaultKind.TIMEOUT_BEFORE_ACCEPT | FaultKind.DROP_CONNECTION:
            return NoResponse(world, fault.seconds)
        case FaultKind.ERROR_500_BEFORE:
            raise errors.server_error()
        case FaultKind.RATE_LIMITED:
            raise errors.rate_limited()
        case FaultKind.QUOTA_EXHAUSTED:
            raise errors.quota_exhausted()
        case FaultKind.SLOW:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(world.stream.closing.wait(), fault.seconds)
    return None


def apply_after(fault: Fault, world: World) -> Response | None:
    """The response that replaces the true one after the work was done, or None to keep the true one."""
    if fault.kind is FaultKind.TIMEOUT_AFTER_ACCEPT:
        return NoResponse(world, fault.seconds)
    if fault.kind is FaultKind.ERROR_500_AFTER:
        return OrjsonResponse(errors.server_error().body(), 500)
    return None
