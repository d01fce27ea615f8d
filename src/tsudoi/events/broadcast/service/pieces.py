"""A piece is what one call to LINE is about: a chunk, or one person of a chunk that was refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Row, Table

from tsudoi.core.outbox import Outbox, RetryPolicy
from tsudoi.events.broadcast.models import EventChunk, EventDelivery

CHUNKS = Outbox(cast("Table", EventChunk.__table__))
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
