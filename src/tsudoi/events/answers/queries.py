from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Row, TextClause, select, text

from tsudoi.core.clock import jst_moment_text, jst_text, parse_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.events.answers.errors import NotInvited
from tsudoi.events.answers.rules import PENDING, MyEvent
from tsudoi.events.event.errors import NoSuchEvent
from tsudoi.events.event.models import EventTarget
from tsudoi.events.event.queries import event_of
from tsudoi.events.event.rules import first_not_over
from tsudoi.roster.members.errors import NotRegistered
from tsudoi.roster.members.models import Member

_END_OF_TIME = "9999"
_RECENT = timedelta(minutes=1)
_PAST_SHOWN = 50
_ROWS_AT_A_TIME = 1_000
# Each target's newest answer, or NULLs. The quickest way differs (10,000 targets, see `bench`): SQLite looks an id up
# through the index and then the row, PostgreSQL wants the row in one go.
_NEWEST = """
    FROM event_responses x
    WHERE x.event_id = t.event_id AND x.member_id = t.member_id AND x.responded_at <= :as_of
    ORDER BY x.responded_at DESC, x.id DESC LIMIT 1"""
_LATEST = {
    "sqlite": f"LEFT JOIN event_responses r ON r.id = (SELECT x.id {_NEWEST})",
    "postgresql": f"LEFT JOIN LATERAL (SELECT x.* {_NEWEST}) r ON true",
}
# `added_at` is NULL for members who are invited since the event was created. Both databases look up `created_at` once,
# not for each target.
_ASKED_BY_THEN = """(SELECT e.created_at FROM events e WHERE e.id = :event_id) <= :as_of
    AND (t.added_at IS NULL OR t.added_at <= :as_of)"""
_IN_ROSTER_ORDER = "ORDER BY m.display_order ASC NULLS LAST, m.id ASC"


def _status(dialect: str, columns: str, more: str = "") -> str:
    return f"""SELECT {columns}
        FROM event_targets t JOIN members m ON m.id = t.member_id {_LATEST[dialect]}
        WHERE t.event_id = :event_id AND {_ASKED_BY_THEN} {more}"""  # noqa: S608 (our own text)


_STATUS_COLUMNS = (
    "m.id AS member_id, m.name, coalesce(r.status, 'pending') AS status, r.extra_text, r.responded_at, r.via,"
    " r.id AS response_id, m.withdrawn_at IS NOT NULL AS withdrawn"
)
_STATUS = {dialect: RawSql(_status(dialect, _STATUS_COLUMNS, _IN_ROSTER_ORDER)) for dialect in _LATEST}


def status_rows(tx: ReadTx, event_id: int, as_of: datetime | None = None) -> Sequence[Any]:
    """(member_id, name, status, extra_text, responded_at, via, response_id, withdrawn) in roster order."""
    return _STATUS[tx.dialect].all(tx, _moment(event_id, as_of))


def status_stream(tx: ReadTx, event_id: int, as_of: datetime | None = None) -> Iterator[Any]:
    """The same rows, read a thousand at a time, for exports that must not hold all of them in memory."""
    statement = text(_status(tx.dialect, _STATUS_COLUMNS, _IN_ROSTER_ORDER))
    return iter(_streaming(tx, statement, _moment(event_id, as_of)))


def counts(tx: ReadTx, event_id: int, as_of: datetime | None = None) -> dict[str, int]:
    statement = text(_status(tx.dialect, "coalesce(r.status, 'pending') AS status, count(*) AS people", "GROUP BY 1"))
    found = {row.status: row.people for row in tx.execute(statement, _moment(event_id, as_of))}
    return {name: found.get(name, 0) for name in ("attend", "absent", PENDING)}


def unanswered(tx: ReadTx, event_id: int) -> set[int]:
    statement = text(_status(tx.dialect, "m.id", "AND r.id IS NULL"))
    return set(tx.execute(statement, _moment(event_id, None)).scalars())


_HISTORY = """SELECT r.id, r.responded_at, r.member_id, m.name, r.status, r.extra_text, r.via
    FROM event_responses r JOIN members m ON m.id = r.member_id
    WHERE r.event_id = :event_id"""
# Of the answers up to the id `until`: whether it is the one of its member that counts.
_IS_NEWEST = """r.id = (SELECT x.id FROM event_responses x
    WHERE x.event_id = r.event_id AND x.member_id = r.member_id AND x.id <= :until
    ORDER BY x.responded_at DESC, x.id DESC LIMIT 1)"""


class HistoryPlace(NamedTuple):
    """How far somebody has read the history: the newest answers of all members first, then the earlier ones.

    `until` is the id of the last answer when the reading began, so that new answers do not shift the pages.
    """

    until: int
    earlier: bool = False
    before_id: int = 2**63 - 1


def history_start(tx: ReadTx, event_id: int) -> HistoryPlace:
    last = text("SELECT max(id) FROM event_responses WHERE event_id = :event_id")
    return HistoryPlace(tx.execute(last, {"event_id": event_id}).scalar() or 0)


def history_rows(
    tx: ReadTx, event_id: int, place: HistoryPlace, limit: int, *, member_id: int | None = None
) -> Sequence[Any]:
    """(id, responded_at, member_id, name, status, extra_text, via) of one half of the history, the last recorded first.

    The half is that of `place`: the newest answers of all members, or the earlier ones.
    """
    sql = f"""{_HISTORY} AND r.id <= :until AND r.id < :before_id AND {"NOT" if place.earlier else ""} {_IS_NEWEST}
        {"AND r.member_id = :member_id" if member_id is not None else ""}
        ORDER BY r.id DESC LIMIT :limit"""
    given = {"event_id": event_id, "until": place.until, "before_id": place.before_id, "limit": limit}
    return tx.execute(text(sql), given if member_id is None else {**given, "member_id": member_id}).fetchall()


def recent_history(tx: ReadTx, event_id: int, limit: int) -> list[Any]:
    """The same rows, at most so many, the last recorded first. Nobody's newest answer makes room for an earlier one."""
    start = history_start(tx, event_id)
    newest = history_rows(tx, event_id, start, limit)
    earlier = history_rows(tx, event_id, start._replace(earlier=True), limit - len(newest))
    return sorted((*newest, *earlier), key=lambda row: row[0], reverse=True)


def history_stream(tx: ReadTx, event_id: int, as_of: datetime | None = None) -> Iterator[Any]:
    """The whole history in the order of time, or what there was of it by then, a thousand rows at a time."""
    statement = text(f"{_HISTORY} AND r.responded_at <= :as_of ORDER BY r.responded_at ASC, r.id ASC")
    return iter(_streaming(tx, statement, _moment(event_id, as_of)))


def _streaming(tx: ReadTx, statement: TextClause, given: dict[str, Any]) -> Any:
    options = {"stream_results": True, "yield_per": _ROWS_AT_A_TIME}
    return tx.connection.execute(statement, given, execution_options=options)


def _moment(event_id: int, as_of: datetime | None) -> dict[str, Any]:
    return {"event_id": event_id, "as_of": _END_OF_TIME if as_of is None else jst_moment_text(as_of)}


_INVITATION = RawSql(
    """SELECT t.member_id, e.held_at, e.cancelled_at, e.deadline_at, e.extra_text_enabled, e.extra_text_attend_only,
           (SELECT x.responded_at FROM event_responses x WHERE x.event_id = e.id AND x.member_id = t.member_id
            ORDER BY x.responded_at DESC LIMIT 1),
           (SELECT count(*) FROM (SELECT 1 FROM event_responses x WHERE x.event_id = e.id AND x.member_id = t.member_id
            AND x.responded_at > :recently LIMIT :most_recent) AS found)
    FROM events e LEFT JOIN event_targets t ON t.event_id = e.id AND t.member_id = :member_id
    WHERE e.id = :event_id"""
)


class Invitation(NamedTuple):
    """What decides whether and how a member may answer. The times are text as stored."""

    member_id: int | None
    held_at: str
    cancelled_at: str | None
    deadline_at: str | None
    extra_text_enabled: int
    extra_text_attend_only: int
    answered_at: str | None
    # How often the member has answered within the last minute, up to the number that was asked for.
    recent: int


def invitation(tx: ReadTx, member_id: int, event_id: int, most_recent: int) -> Invitation:
    """Event, invitation, newest answer and number of recent ones in one query, because every answer needs them."""
    recently = jst_moment_text(tx.now - _RECENT)
    given = {"member_id": member_id, "event_id": event_id, "recently": recently, "most_recent": most_recent}
    row = _INVITATION.first(tx, given)
    if row is None:
        raise NoSuchEvent
    found = Invitation._make(row)
    if found.member_id is None:
        raise NotInvited
    return found


def member_of(tx: ReadTx, user_id: str) -> Row[Any]:
    """The member who is linked to this LINE user. Withdrawn members keep the link but are treated as not registered."""
    present = (Member.line_user_id == user_id, Member.withdrawn_at.is_(None))
    found = tx.execute(select(Member.id, Member.name).where(*present)).first()
    if found is None:
        raise NotRegistered
    return found


def invited_event(tx: ReadTx, event_id: int, member_id: int) -> Row[Any]:
    """The event, if this member is invited. Raises 403 if not, and 404 if there is no such event."""
    event = event_of(tx, event_id)
    if not is_invited(tx, event_id, member_id):
        raise NotInvited
    return event


def is_invited(tx: ReadTx, event_id: int, member_id: int) -> bool:
    asked = select(EventTarget.member_id).where(EventTarget.event_id == event_id, EventTarget.member_id == member_id)
    return tx.scalar(asked) is not None


def my_latest(tx: ReadTx, event_id: int, member_id: int) -> Row[Any] | None:
    """(status, extra_text, responded_at) of the member's newest answer."""
    statement = text(
        """SELECT status, extra_text, responded_at FROM event_responses
        WHERE event_id = :event_id AND member_id = :member_id ORDER BY responded_at DESC, id DESC LIMIT 1"""
    )
    return tx.execute(statement, {"event_id": event_id, "member_id": member_id}).first()


def my_events(tx: ReadTx, member_id: int) -> list[MyEvent]:
    """All events to come, and the latest past ones."""
    sql = """SELECT e.id, e.title, e.held_at, e.cancelled_at, r.status, r.responded_at
        FROM event_targets t JOIN events e ON e.id = t.event_id {latest}
        WHERE t.member_id = :member_id AND e.held_at {side} :today ORDER BY e.held_at {order}, e.id LIMIT :most"""
    given = {"member_id": member_id, "today": jst_text(first_not_over(tx.now)), "as_of": _END_OF_TIME}
    latest = _LATEST[tx.dialect]
    coming = tx.execute(text(sql.format(latest=latest, side=">=", order="ASC")), {**given, "most": 10 * _PAST_SHOWN})
    over = tx.execute(text(sql.format(latest=latest, side="<", order="DESC")), {**given, "most": _PAST_SHOWN})
    return [_my_event(row) for row in (*coming, *over)]


def _my_event(row: Row[Any]) -> MyEvent:
    return MyEvent(
        id=row.id,
        title=row.title,
        held_at=parse_text(row.held_at),
        my_status=row.status or PENDING,
        my_responded_at=row.responded_at,
        cancelled=row.cancelled_at is not None,
    )
