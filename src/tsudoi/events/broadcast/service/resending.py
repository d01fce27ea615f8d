"""Resending: a new broadcast takes over deliveries that the monthly limit kept back; nobody is counted twice."""

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import FAILED
from tsudoi.events.broadcast.models import EventDelivery
from tsudoi.events.broadcast.queries import content_of
from tsudoi.events.broadcast.service.settling import count_results

_TAKE_OVER = (
    update(EventDelivery)
    .where(
        EventDelivery.broadcast_id == bindparam("old"),
        EventDelivery.member_id == bindparam("member"),
        EventDelivery.resent_by.is_(None),
    )
    .values(resent_by=bindparam("new"))
)


def take_over(tx: Tx, event_id: int, kept_back: Mapping[int, Sequence[int]], resent_by: int) -> int:
    """Mark these members' failed deliveries, by broadcast, as repeated by the new one; returns how many were free.

    The rows stay, because they say what happened. The caller holds the event's lock, has checked that each of them is
    FAILED, which is final, and sends nothing unless all of them were free.
    """
    taken = 0
    for broadcast_id, member_ids in kept_back.items():
        rows = [{"old": broadcast_id, "member": one, "new": resent_by} for one in member_ids]
        number = tx.execute(_TAKE_OVER, rows).rowcount
        count_results(tx, event_id, content_of(tx, broadcast_id).kind, FAILED, -number)
        taken += number
    return taken
