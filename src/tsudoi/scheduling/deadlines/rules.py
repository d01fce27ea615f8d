"""Who is reminded by itself before the time to answer is over. Pure."""

from collections.abc import Collection
from datetime import datetime, timedelta

from tsudoi.scheduling.delivery.rules.messages import Addressee

REMIND_BEFORE = timedelta(hours=24)


def is_due(person: Addressee, asked_at: datetime, can_change: Collection[str], now: datetime) -> bool:
    """Who was asked less than a day before the end has the invitation before the eyes, and is not reminded of it."""
    reminds_at = person.expires_at - REMIND_BEFORE
    return person.invitee_key in can_change and reminds_at <= now < person.expires_at and asked_at <= reminds_at
