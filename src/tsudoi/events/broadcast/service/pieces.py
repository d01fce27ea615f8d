"""A piece is what one call to LINE is about: a chunk, or one person of a chunk that was refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, Row, Table, and_, or_, select
from sqlalchemy.orm import aliased

from tsudoi.core.outbox import IS_PENDING, Outbox, RetryPolicy
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery


def _has_to_wait() -> ColumnElement[bool]:
    """A change is not told before what it changes, as long as that has certainly not gone out."""
    mine, earlier, chunk = aliased(EventBroadcast), aliased(EventBroadcast), aliased(EventChunk)
    before = (
        select(earlier.id)
        .join(mine, and_(mine.event_id == earlier.event_id, mine.id > earlier.id))
        .where(mine.id == EventChunk.broadcast_id, mine.kind == "change")
        .correlate(EventChunk)
    )
    open_chunk = before.join(chunk, chunk.broadcast_id == earlier.id).where(
        chunk.status == IS_PENDING, ~chunk.uncertain
    )
    open_push = before.join(EventDelivery, EventDelivery.broadcast_id == earlier.id).where(
        EventDelivery.status == IS_PENDING, ~EventDelivery.uncertain
    )
    return or_(open_chunk.exists(), open_push.exists())


CHUNKS = Outbox(cast("Table", EventChunk.__table__), waits=_has_to_wait())
PUSHES = Outbox(cast("Table", EventDelivery.__table__))
# Longer than all that one sender takes at a time can last when LINE lets every call time out.
LEASE = timedelta(minutes=3)
# The hours decide, not the number of tries: LINE may be away for an afternoon.
POLICY = RetryPolicy(most_attempts=200)


@dataclass(frozen=True, slots=True)
class Letter:
    """What all pieces of one broadcast have in common; read once for all of them."""

    broadcast_id: int
    event_id: int
    kind: str
    messages: list[dict[str, Any]]
    # The event was cancelled after this was written: what has not gone out stays here.
    obsolete: bool


@dataclass(frozen=True, slots=True)
class People:
    """Whom a piece is for: as members, and as users of LINE, each in an order of their own."""

    member_ids: Sequence[int]
    line_user_ids: Sequence[str]


NOBODY = People((), ())


@dataclass(frozen=True, slots=True)
class Piece:
    outbox: Outbox
    row: Row[Any]
    letter: Letter

    @property
    def alone(self) -> bool:
        return self.outbox is PUSHES

    @property
    def id(self) -> int:
        return int(self.row.id)

    @property
    def token(self) -> str:
        return str(self.row.lease_token)

    @property
    def uncertain(self) -> bool:
        return bool(self.row.uncertain)

    @property
    def held_until(self) -> datetime:
        until: datetime = self.row.lease_until
        return until
