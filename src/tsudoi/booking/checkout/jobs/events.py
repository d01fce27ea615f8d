"""Applies what Stripe answered when we asked, in the same way as a webhook."""

from tsudoi.booking.checkout.rules.events import EventFacts
from tsudoi.booking.checkout.service.receiving import live_mode, receive
from tsudoi.core.runtime import Runtime


def receive_facts(runtime: Runtime, facts: EventFacts) -> str | None:
    """What became of it; None if it was known. The notices are left to the command: the worker never sends them."""
    found = runtime.db.write_now(receive, facts, live=live_mode(runtime.settings))
    return None if found is None else found[0]
