from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Integer, Row, Select, case, cast, func, select
from sqlalchemy.orm import InstrumentedAttribute

from tsudoi.core.clock import jst_date, jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import DONE, FAILED, IS_PENDING, UNKNOWN
from tsudoi.events.answers.queries import unanswered
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.schemas import BroadcastDeliveries, DeliveryProblem, EventDeliveries, Resend
from tsudoi.events.event.queries import event_of
from tsudoi.line.delivery.rules import QUOTA, result_word
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order

MOST_PROBLEMS = 500
_NUMBERS = ("success", "fail", "unknown", "pending")


@dataclass(frozen=True, slots=True)
class PushResult:
    """How many recipients there are for each result of a broadcast."""

    success: int = 0
    fail: int = 0
    unknown: int = 0
    pending: int = 0


def state() -> ColumnElement[str]:
    """The status of a recipient, for a query that joins the chunk. 200 chunks hold the status of 100,000 recipients."""
    return case((EventDelivery.status == rules.WAITING, EventChunk.status), else_=EventDelivery.status)


def result(tx: ReadTx, broadcast_id: int) -> PushResult:
    row = tx.execute(_counted(EventDelivery.broadcast_id == broadcast_id)).first()
    return PushResult() if row is None else PushResult(row.success, row.fail, row.unknown, row.pending)


def unsent_messages(tx: ReadTx) -> int:
    """The number of messages that are decided but not sent, of all broadcasts."""
    count = select(func.count()).select_from(EventDelivery)
    open_chunks = select(EventChunk.id).where(EventChunk.status == IS_PENDING)
    alone: int = tx.scalar(count.where(EventDelivery.status == IS_PENDING))
    in_chunks: int = tx.scalar(
        count.where(EventDelivery.chunk_id.in_(open_chunks), EventDelivery.status == rules.WAITING)
    )
    return alone + in_chunks


def totals(tx: ReadTx, event_ids: Sequence[int]) -> dict[int, PushResult]:
    """Results of the invitations by event, late ones included, each person once. Events without any are left out."""
    counted = _counted(EventDelivery.event_id.in_(event_ids)).subquery()
    sums = [_sum(counted.c[name]).label(name) for name in _NUMBERS]
    statement = (
        select(EventBroadcast.event_id, *sums)
        .join(counted, counted.c.broadcast_id == EventBroadcast.id)
        .where(EventBroadcast.kind.in_(rules.INVITATIONS))
        .group_by(EventBroadcast.event_id)
    )
    again = _resent(tx, event_ids)
    return {
        row.event_id: PushResult(row.success, row.fail - again.get(row.event_id, 0), row.unknown, row.pending)
        for row in tx.execute(statement)
    }


def announced(tx: ReadTx, event_ids: Collection[int]) -> set[int]:
    """The events of these that invitations were decided for."""
    wanted = select(EventBroadcast.event_id).where(
        EventBroadcast.event_id.in_(event_ids), EventBroadcast.kind.in_(rules.INVITATIONS)
    )
    return set(tx.execute(wanted).scalars()) if event_ids else set()


def _resent(tx: ReadTx, event_ids: Collection[int]) -> dict[int, int]:
    """By event, how many failed invitations a later broadcast repeated. Their members count with the later one."""
    statement = (
        select(EventBroadcast.event_id, func.count().label("people"))
        .join(EventDelivery, EventDelivery.resent_by == EventBroadcast.id)
        .where(EventBroadcast.event_id.in_(event_ids), EventBroadcast.kind.in_(rules.INVITATIONS))
        .group_by(EventBroadcast.event_id)
    )
    return {row.event_id: row.people for row in tx.execute(statement)}


def unsettled(tx: ReadTx, settled: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """(unknown, pending) by event: for how many people the result of the invitation is unknown, and how many wait.

    `settled`: by event, for how many people the result is known. Only events with other recipients are read further,
    and of those only the deliveries of chunks that failed or are unknown.
    """
    everybody = (
        select(EventBroadcast.event_id, _sum(EventBroadcast.recipients).label("people"))
        .where(EventBroadcast.event_id.in_(settled), EventBroadcast.kind.in_(rules.INVITATIONS))
        .group_by(EventBroadcast.event_id)
    )
    rows = tx.execute(everybody).all() if settled else ()
    rest = {row.event_id: row.people - settled[row.event_id] for row in rows if row.people > settled[row.event_id]}
    again = _resent(tx, rest) if rest else {}
    still = {one: people - again.get(one, 0) for one, people in rest.items() if people > again.get(one, 0)}
    unknown = _unknown(tx, list(still)) if still else {}
    return {one: (unknown.get(one, 0), max(0, people - unknown.get(one, 0))) for one, people in still.items()}


def _unknown(tx: ReadTx, event_ids: Sequence[int]) -> dict[int, int]:
    statement = (
        select(EventBroadcast.event_id, func.count().label("people"))
        .join(EventChunk, EventChunk.broadcast_id == EventBroadcast.id)
        .join(EventDelivery, EventDelivery.chunk_id == EventChunk.id)
        .where(
            EventBroadcast.event_id.in_(event_ids),
            EventBroadcast.kind.in_(rules.INVITATIONS),
            # When recipients get a push each, their chunk is FAILED, and each delivery may be UNKNOWN.
            EventChunk.status.in_((UNKNOWN, FAILED)),
            state() == UNKNOWN,
        )
        .group_by(EventBroadcast.event_id)
    )
    return {row.event_id: row.people for row in tx.execute(statement)}


def broadcasts(tx: ReadTx, event_id: int) -> Sequence[Row[Any]]:
    """(id, kind, created_at, created_by, recipients, success, fail, unknown, pending), the newest first."""
    counted = _counted(EventDelivery.event_id == event_id).subquery()
    numbers = [func.coalesce(counted.c[name], 0).label(name) for name in _NUMBERS]
    statement = (
        select(
            EventBroadcast.id,
            EventBroadcast.kind,
            EventBroadcast.created_at,
            EventBroadcast.created_by,
            EventBroadcast.recipients,
            *numbers,
        )
        .outerjoin(counted, counted.c.broadcast_id == EventBroadcast.id)
        .where(EventBroadcast.event_id == event_id, EventBroadcast.recipients > 0)
        .order_by(EventBroadcast.id.desc())
    )
    return tx.execute(statement).all()


def problems(tx: ReadTx, event_id: int, *, most: int = MOST_PROBLEMS) -> Sequence[Row[Any]]:
    """Recipients whose message is not known to be sent: (broadcast_id, member_id, name, status, reason).

    Those whom a later broadcast took over are left out. At most `most` per broadcast; failures come first, so that
    pending ones do not hide them, each in roster order.
    """
    gravity = case((state() == FAILED, 0), (state() == UNKNOWN, 1), else_=2)
    place = func.row_number().over(partition_by=EventDelivery.broadcast_id, order_by=(gravity, *roster_order()))
    listed = (
        select(
            EventDelivery.broadcast_id,
            EventDelivery.member_id,
            Member.name,
            state().label("status"),
            func.coalesce(EventDelivery.last_error, EventChunk.last_error).label("reason"),
            place.label("place"),
        )
        .join(Member, Member.id == EventDelivery.member_id)
        .join(EventChunk, EventChunk.id == EventDelivery.chunk_id)
        .where(EventDelivery.event_id == event_id, EventDelivery.resent_by.is_(None), state() != DONE)
        .subquery()
    )
    names = ("broadcast_id", "member_id", "name", "status", "reason")
    statement = select(*(listed.c[name] for name in names)).where(listed.c.place <= most)
    return tx.execute(statement.order_by(listed.c.broadcast_id.desc(), listed.c.place)).all()


def resendable(tx: ReadTx, event: Row[Any]) -> dict[int, list[int]]:
    """By broadcast, the members whom LINE's monthly limit kept back and who may get it now.

    Their messages surely did not go out. Members who cannot be reached any more are left out, and those who need not
    be asked any more, because they have answered or were reminded today.
    """
    statement = (
        select(EventDelivery.broadcast_id, EventBroadcast.kind, EventDelivery.member_id)
        .join(EventBroadcast, EventBroadcast.id == EventDelivery.broadcast_id)
        .join(EventChunk, EventChunk.id == EventDelivery.chunk_id)
        .join(Member, Member.id == EventDelivery.member_id)
        .where(
            EventDelivery.event_id == event.id,
            EventDelivery.resent_by.is_(None),
            state() == FAILED,
            func.coalesce(EventDelivery.last_error, EventChunk.last_error) == QUOTA,
            Member.line_user_id.is_not(None),
            Member.withdrawn_at.is_(None),
        )
        .order_by(EventDelivery.broadcast_id, *roster_order())
    )
    rows = tx.execute(statement).all()
    found: dict[int, list[int]] = defaultdict(list)
    if not rows:
        return found
    newest = _newest_of_kind(tx, event.id)
    asked, reminded = unanswered(tx, event.id), _reminded_today(tx, event.id)
    for row in rows:
        kind, is_newest = row.kind, newest[row.kind] == row.broadcast_id
        if not rules.may_resend(
            kind, cancelled=event.cancelled_at is not None, begun=event.held_at < tx.now, is_newest=is_newest
        ):
            continue
        needless = kind in (*rules.INVITATIONS, "reminder") and row.member_id not in asked
        if not needless and not (kind == "reminder" and row.member_id in reminded):
            found[row.broadcast_id].append(row.member_id)
    return found


def _newest_of_kind(tx: ReadTx, event_id: int) -> dict[str, int]:
    newest = select(EventBroadcast.kind, func.max(EventBroadcast.id).label("newest"))
    found = newest.where(EventBroadcast.event_id == event_id).group_by(EventBroadcast.kind)
    return {row.kind: row.newest for row in tx.execute(found)}


def _reminded_today(tx: ReadTx, event_id: int) -> set[int]:
    today = EventDelivery.reminder_day == jst_date(tx.now)
    found = select(EventDelivery.member_id).where(EventDelivery.event_id == event_id, today)
    return set(tx.execute(found).scalars())


def content_of(tx: ReadTx, broadcast_id: int) -> Row[Any]:
    """(kind, messages)"""
    statement = select(EventBroadcast.kind, EventBroadcast.messages).where(EventBroadcast.id == broadcast_id)
    return tx.execute(statement).one()


def deliveries(tx: ReadTx, event_id: int) -> EventDeliveries:
    again = resendable(tx, event_of(tx, event_id))
    by_broadcast: dict[int, list[DeliveryProblem]] = defaultdict(list)
    for row in problems(tx, event_id):
        by_broadcast[row.broadcast_id].append(_problem(row))
    later = _resends(tx, event_id)
    items = [
        _item(row, by_broadcast[row.id], len(again.get(row.id, ())), later[row.id]) for row in broadcasts(tx, event_id)
    ]
    return EventDeliveries(items=items)


def _resends(tx: ReadTx, event_id: int) -> dict[int, list[Resend]]:
    """By broadcast, the later ones that repeated what it could not send, the oldest first."""
    statement = (
        select(EventDelivery.broadcast_id, EventBroadcast.id, EventBroadcast.created_at, func.count().label("people"))
        .join(EventBroadcast, EventBroadcast.id == EventDelivery.resent_by)
        .where(EventBroadcast.event_id == event_id)
        .group_by(EventDelivery.broadcast_id, EventBroadcast.id, EventBroadcast.created_at)
        .order_by(EventBroadcast.id)
    )
    found: dict[int, list[Resend]] = defaultdict(list)
    for row in tx.execute(statement):
        one = Resend(broadcast_id=row.id, created_at=jst_text(row.created_at), people=row.people)
        found[row.broadcast_id].append(one)
    return found


def _item(row: Row[Any], listed: list[DeliveryProblem], again: int, later: list[Resend]) -> BroadcastDeliveries:
    fields = dict(row._mapping)  # noqa: SLF001 (public by documentation)
    return BroadcastDeliveries(
        broadcast_id=fields.pop("id"),
        created_at=jst_text(fields.pop("created_at")),
        problems_total=row.fail + row.unknown + row.pending - sum(one.people for one in later),
        problems=listed,
        resendable=again,
        resends=later,
        **fields,
    )


def _problem(row: Row[Any]) -> DeliveryProblem:
    return DeliveryProblem.model_validate(
        {
            "member_id": row.member_id,
            "name": row.name,
            "status": result_word(row.status),
            "reason": row.reason,
            "reason_text": rules.explanation(row.status, row.reason),
        }
    )


def _sum(of: ColumnElement[int] | InstrumentedAttribute[int]) -> ColumnElement[int]:
    """A sum as an integer, because PostgreSQL returns a decimal."""
    return cast(func.sum(of), Integer)


def _counted(whose: ColumnElement[bool]) -> Select[Any]:
    """(broadcast_id, success, fail, unknown, pending). Deliveries are counted by chunk before the join."""
    tally = (
        select(EventDelivery.broadcast_id, EventDelivery.chunk_id, EventDelivery.status, func.count().label("people"))
        .where(whose)
        .group_by(EventDelivery.broadcast_id, EventDelivery.chunk_id, EventDelivery.status)
        .subquery()
    )
    became = case((tally.c.status == rules.WAITING, EventChunk.status), else_=tally.c.status)

    def number(what: ColumnElement[bool], name: str) -> ColumnElement[int]:
        return _sum(case((what, tally.c.people), else_=0)).label(name)

    return (
        select(
            tally.c.broadcast_id,
            number(became == DONE, "success"),
            number(became == FAILED, "fail"),
            number(became == UNKNOWN, "unknown"),
            number(became.not_in((DONE, FAILED, UNKNOWN)), "pending"),
        )
        .join(EventChunk, EventChunk.id == tally.c.chunk_id)
        .group_by(tally.c.broadcast_id)
    )
