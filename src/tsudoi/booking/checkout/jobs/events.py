"""Applies what Stripe says, whether a webhook brings it or we asked."""

import structlog

from tsudoi.booking.checkout.rules.events import EventFacts, is_live
from tsudoi.booking.checkout.service.receiving import receive
from tsudoi.core.errors import ChangedMeanwhile
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.notifications.notices.jobs import initial_attempt, job_ids

_log = structlog.stdlib.get_logger(__name__)

# A reservation that is moved at the same moment makes the event begin again.
_TRIES = 5


def live_mode(settings: Settings) -> bool:
    key = settings.stripe_secret_key
    return key is not None and is_live(key.get_secret_value())


async def receive_webhook(runtime: Runtime, facts: EventFacts) -> None:
    """After the commit the new notices are tried once, for at most a second; Stripe gets the same answer in any case."""
    live, found = live_mode(runtime.settings), None
    for tries_left in reversed(range(_TRIES)):
        try:
            found = await runtime.db.write(receive, facts, live=live)
            break
        except ChangedMeanwhile:
            if not tries_left:
                raise
    outcome, enqueued = found or ("DUPLICATE", [])
    _log.info("stripe_event", event_id=facts.event_id, type=facts.type, outcome=outcome)
    runtime.work.send()
    await initial_attempt(runtime, job_ids(enqueued))


def receive_facts(runtime: Runtime, facts: EventFacts) -> str | None:
    """What became of the event; None if it was known. The notices are left to the command."""
    live = live_mode(runtime.settings)
    for tries_left in reversed(range(_TRIES)):
        try:
            found = runtime.db.write_now(receive, facts, live=live)
        except ChangedMeanwhile:
            if not tries_left:
                raise
        else:
            return None if found is None else found[0]
    raise AssertionError("the last try either returned or raised")
