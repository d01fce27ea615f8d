"""What a sender works on: the two outboxes of broadcasts, a claimed task, an attempt and its result."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, Row, Table, and_, or_, select
from sqlalchemy.orm import aliased

from tsudoi.core.outbox.table import IS_PENDING, Outbox, RetryPolicy
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.line.delivery.rules import CalledOff


def _has_to_wait() -> ColumnElement[bool]:
    """A change notice waits while earlier messages of the event are unsent, so that it does not arrive before them."""
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
# Longer than all tasks of one sender can take when every call to LINE times out, and shorter than a request keeps its
# idempotency key, so that the repetition of a request that died finds its tasks free.
LEASE = timedelta(seconds=100)
# Tasks that a sender holds at a time: those in a call, and enough others to keep its threads busy until the next claim.
TASKS_HELD = 24
# The time limit decides, not the number of attempts, because LINE may be down for hours.
POLICY = RetryPolicy(most_attempts=200)


@dataclass(frozen=True, slots=True)
class BroadcastContent:
    """What all tasks of one broadcast share; read once for all of them."""

    broadcast_id: int
    event_id: int
    kind: str
    messages: list[dict[str, Any]]
    # The event was cancelled after this was decided: its unsent messages must not be sent any more.
    obsolete: bool


@dataclass(frozen=True, slots=True)
class Recipients:
    """The recipients of a task as member ids and as LINE user ids; the two lists are sorted separately."""

    member_ids: Sequence[int]
    line_user_ids: Sequence[str]


NOBODY = Recipients((), ())


@dataclass(frozen=True, slots=True)
class SendTask:
    """The work of one call to LINE: a claimed chunk, or one recipient of a chunk that was refused."""

    outbox: Outbox
    row: Row[Any]
    content: BroadcastContent

    @property
    def alone(self) -> bool:
        return self.outbox is PUSHES


@dataclass(frozen=True, slots=True)
class SendAttempt:
    """A task and its outcome. `outcome` is None when LINE was not called and the task can be released."""

    task: SendTask
    recipients: Recipients
    outcome: SendOutcome | CalledOff | None
    # How many messages are left this month, asked after LINE refused the call for its monthly limit.
    quota_left: int | None = None


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What was recorded about an attempt. `state` is None while nothing is final for its recipients."""

    # False: the lease was lost, and nothing was written.
    kept: bool
    at: datetime
    state: str | None = None
    reason: str | None = None
    request_id: str | None = None
    message_id: str | None = None
