"""Resending: deliveries that the monthly limit kept back leave their old broadcast, so that nobody is counted twice."""

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, delete, exists, select, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import FAILED
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.service.settling import count_results


def take_over(tx: Tx, kept_back: Mapping[int, Sequence[int]]) -> None:
    """Remove these members' failed deliveries, by broadcast; the caller enqueues a new broadcast for them.

    The caller holds the event's lock and has checked that each of them is FAILED, which is final.
    """
    for broadcast_id, member_ids in kept_back.items():
        broadcast = tx.execute(select(EventBroadcast).where(EventBroadcast.id == broadcast_id)).one()
        failed = delete(EventDelivery).where(
            EventDelivery.broadcast_id == broadcast_id, EventDelivery.member_id == bindparam("the_member")
        )
        tx.execute(failed, [{"the_member": member_id} for member_id in member_ids])
        fewer = update(EventBroadcast).where(EventBroadcast.id == broadcast_id)
        tx.execute(fewer.values(recipients=EventBroadcast.recipients - len(member_ids)))
        count_results(tx, broadcast.event_id, broadcast.kind, FAILED, -len(member_ids))
    somebody = exists().where(EventDelivery.chunk_id == EventChunk.id)
    empty = delete(EventChunk).where(
        EventChunk.broadcast_id.in_(list(kept_back)), EventChunk.status == FAILED, ~somebody
    )
    tx.execute(empty)
