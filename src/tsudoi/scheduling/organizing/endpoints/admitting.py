"""Routes that read nothing of a request before they know who sends it, and count it."""

from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import Response

from tsudoi.access.principals import Credentials
from tsudoi.core.db.interface import Tx
from tsudoi.core.rate_limit import Limit, RateLimitResult, count_request
from tsudoi.core.runtime import Runtime
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.wire import ThreadRoute

# Document 001: ten requests a minute for each user, whatever they contain.
CREATIONS = Limit("threads", 10, timedelta(minutes=1))


class AdmittedRoute(ThreadRoute):
    """A route for organisers. Who is not one learns nothing of what is wrong with the request."""

    # Counted in a transaction of its own, so that a request that is refused later counts too.
    limit: ClassVar[Limit | None] = None

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def admitted(request: Request) -> Response:
            runtime: Runtime = request.app.state.runtime
            credentials = Organizer.read_credentials(request, runtime.settings)
            if self.limit is None:
                await runtime.db.read(Organizer.authenticate, credentials)
            else:
                (await runtime.db.write(_count, credentials, self.limit)).raise_if_refused()
            return await handle(request)

        return admitted


class CountedRoute(AdmittedRoute):
    """The route that creates threads."""

    limit = CREATIONS


def _count(tx: Tx, credentials: Credentials, limit: Limit) -> RateLimitResult:
    return count_request(tx, limit, Organizer.authenticate(tx, credentials).rate_key)
