from dataclasses import dataclass

import orjson

from tsudoi.core import audit, idempotency
from tsudoi.core.clock import jst_text, utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import Problem
from tsudoi.core.idempotency import Reply, RowWithKey
from tsudoi.core.sessions import LIVE_LIFF_SESSION
from tsudoi.core.tokens import token_hash
from tsudoi.events.answers.errors import NotATarget, NotInvited, NotRegistered
from tsudoi.events.answers.queries import is_invited, my_latest
from tsudoi.events.answers.rules import kept_memo, moment, shown
from tsudoi.events.answers.schemas import Answer, AnswerOnBehalf
from tsudoi.events.event.errors import DeadlinePassed, EventCancelled, NoSuchEvent
from tsudoi.events.event.queries import event_of
from tsudoi.events.event.rules import ExtraText
from tsudoi.line.guard import IdentityMismatch, NoLiffSession

_CREATED = 201
_WHO_AND_WHAT = RawSql(
    f"""SELECT s.subject, m.id, e.id, t.member_id, e.cancelled_at, e.deadline_at, e.extra_text_enabled,
               e.extra_text_attend_only,
               (SELECT x.responded_at FROM event_responses x WHERE x.event_id = e.id AND x.member_id = m.id
                ORDER BY x.responded_at DESC LIMIT 1)
    FROM sessions s
    LEFT JOIN members m ON m.line_user_id = s.subject AND m.withdrawn_at IS NULL
    LEFT JOIN events e ON e.id = :event_id
    LEFT JOIN event_targets t ON t.event_id = e.id AND t.member_id = m.id
    WHERE {LIVE_LIFF_SESSION}"""  # noqa: S608 (our own text)
)
_ROW = RowWithKey("event_responses", ("event_id", "member_id", "status", "extra_text", "via", "responded_at"))


@dataclass(frozen=True, slots=True)
class Asked:
    """One request to answer, as it came: who claims to send it is settled within the same transaction."""

    session_token: str
    claimed_user_id: str | None
    event_id: int
    answer: Answer
    key: str | None
    body: bytes


def respond_at_once(tx: Tx, asked: Asked) -> Reply | None:
    """Find out who is asking and whether they may, then write their answer and its key by one statement.

    None: the key has been used before, or the answer is refused. Whether it was granted once, `respond` finds out.
    """
    answering = _Answering(tx, asked)
    if asked.key is None:
        return answering.write()
    scope = answering.scope(asked.key)
    try:
        reply = answering.reply()
    except Problem:
        return None
    return reply if _ROW.add(tx, scope, reply, answering.row()) else None


def respond(tx: Tx, asked: Asked) -> Reply:
    """The same in a transaction of several statements. A refusal is only heard by who was not granted it before."""
    answering = _Answering(tx, asked)
    if asked.key is None:
        return answering.write()
    return idempotency.once(tx, answering.scope(asked.key), lambda _tx: answering.write())


class _Answering:
    """One answer on its way into the table."""

    __slots__ = ("_asked", "_extra_text", "_member_id", "_now", "_row", "_tx", "_user_id")

    def __init__(self, tx: Tx, asked: Asked) -> None:
        given = {"id_hash": token_hash(asked.session_token), "now": utc_text(tx.now), "event_id": asked.event_id}
        row = _WHO_AND_WHAT.first(tx, given)
        if row is None:
            raise NoLiffSession
        if asked.claimed_user_id is not None and asked.claimed_user_id != row[0]:
            raise IdentityMismatch
        if row[1] is None:
            raise NotRegistered
        self._tx, self._asked, self._row = tx, asked, row
        self._user_id, self._member_id = row[0], row[1]
        self._now = moment(tx.now, row[-1])
        self._extra_text: str | None = None

    def scope(self, key: str) -> idempotency.Scope:
        route = f"POST /api/liff/events/{self._asked.event_id}/respond"
        return idempotency.scope(f"line:{self._user_id}", route, key, self._asked.body)

    def reply(self) -> Reply:
        """The answer to the answer, or the reason why it does not count."""
        _subject, _member, event, invited, cancelled_at, deadline_at, enabled, attend_only, _before = self._row
        if event is None:
            raise NoSuchEvent
        if invited is None:
            raise NotInvited
        _require_open(cancelled_at, deadline_at, jst_text(self._tx.now))
        answer, field = self._asked.answer, ExtraText(bool(enabled), "", bool(attend_only))
        self._extra_text = kept_memo(field, answer.status, answer.extra_text)
        return _recorded(answer.status, self._extra_text, self._now)

    def row(self) -> dict[str, object]:
        return {
            "event_id": self._asked.event_id,
            "member_id": self._member_id,
            "status": self._asked.answer.status,
            "extra_text": self._extra_text,
            "via": "liff",
            "responded_at": self._now,
        }

    def write(self) -> Reply:
        reply = self.reply()
        _ROW.row.first(self._tx, self.row())
        return reply


def answer_on_behalf(tx: Tx, event_id: int, answer: AnswerOnBehalf, actor: str) -> Reply:
    """The office writes down what somebody said on the telephone. A deadline binds members, not the office."""
    event = event_of(tx, event_id)
    if event.cancelled_at is not None:
        raise EventCancelled
    if not is_invited(tx, event_id, answer.member_id):
        raise NotATarget
    field = ExtraText(bool(event.extra_text_enabled), "", bool(event.extra_text_attend_only))
    extra_text, before = kept_memo(field, answer.status, answer.extra_text), my_latest(tx, event_id, answer.member_id)
    values = {"member_id": answer.member_id, "status": answer.status, "extra_text": extra_text}
    now = moment(tx.now, before.responded_at if before else None)
    _ROW.row.first(tx, {**values, "event_id": event_id, "via": "admin", "responded_at": now})
    old = None if before is None else {"status": before.status, "extra_text": before.extra_text}
    audit.record(tx, actor, "EVENT_ANSWER", f"event:{event_id}", old=old, new=values)
    return _recorded(answer.status, extra_text, now)


def _require_open(cancelled_at: str | None, deadline_at: str | None, now: str) -> None:
    if cancelled_at is not None:
        raise EventCancelled
    if deadline_at is not None and deadline_at < now:
        raise DeadlinePassed


def _recorded(status: str, extra_text: str | None, responded_at: str) -> Reply:
    body = {"ok": True, "current": status, "extra_text": extra_text, "responded_at": shown(responded_at)}
    return Reply(_CREATED, orjson.dumps(body))
