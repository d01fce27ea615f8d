"""What a fault does to a call: before LINE has taken it, or after."""

import asyncio
import contextlib

from starlette.responses import Response

from tsudoi.sandbox import errors
from tsudoi.sandbox.faults import Fault, Kind
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import JSONAnswer, Silence


async def before(fault: Fault, world: World) -> Response | None:
    """The answer that comes, or does not come, instead of the work."""
    match fault.kind:
        case Kind.TIMEOUT_BEFORE_ACCEPT | Kind.DROP_CONNECTION:
            return Silence(world, fault.seconds)
        case Kind.ERROR_500_BEFORE:
            raise errors.server_error()
        case Kind.RATE_LIMITED:
            raise errors.rate_limited()
        case Kind.QUOTA_EXHAUSTED:
            raise errors.quota_exhausted()
        case Kind.SLOW:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(world.stream.closing.wait(), fault.seconds)
    return None


def after(fault: Fault, world: World) -> Response | None:
    """The answer that replaces the true one once the work is done."""
    if fault.kind is Kind.TIMEOUT_AFTER_ACCEPT:
        return Silence(world, fault.seconds)
    if fault.kind is Kind.ERROR_500_AFTER:
        return JSONAnswer(errors.server_error().body(), 500)
    return None
