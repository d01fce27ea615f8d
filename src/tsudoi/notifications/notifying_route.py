"""The route of writes that make notices."""

from tsudoi.access.writes import TransactionRoute
from tsudoi.core.idempotency import Reply
from tsudoi.core.runtime import Runtime
from tsudoi.notifications.notices.jobs import initial_attempt, job_ids


class NotifyingRoute(TransactionRoute):
    """A `TransactionRoute` that tries the new notices of its transaction once, between the commit and the response.

    The reply is the same whatever LINE answers. What is not sent within a second is left to the command.
    """

    async def finish(self, runtime: Runtime, reply: Reply, enqueued: list[tuple[str, int]]) -> Reply:
        await initial_attempt(runtime, job_ids(enqueued))
        return reply
