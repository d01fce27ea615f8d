"""Beginning an attempt: right before the call, the reservation is read again under its lock.

The cancellation and the move of a reservation take the same lock. So either they come first, and the notice is not sent
any more; or the attempt comes first, and they see a job that may have been sent.
"""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import orjson
import structlog

from tsudoi.core.clock import jst_day_begin, utc_text
from tsudoi.core.db.failures import as_problem, asks_for_retry
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.notices.rules.deciding import Dash, Fail, Send, decide, is_bounded
from tsudoi.notifications.notices.rules.facts import NoticeFacts
from tsudoi.notifications.notices.rules.making import MOST_A_DAY
from tsudoi.notifications.notices.rules.texts import Messages, is_night, notice_messages, template_key
from tsudoi.notifications.notices.service.attempts import AttemptRecord, Caller, record_attempts
from tsudoi.notifications.notices.service.claiming import LEASE, ClaimedNotice
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.templates.queries import current_bodies
from tsudoi.notifications.templates.rules import BrokenTemplate, TemplateKey

R = TypeVar("R")

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class NoticeCall:
    """A call to LINE that has to be made now: the database says already that it may have been made."""

    claimed: ClaimedNotice
    line_user_id: str
    messages: Messages
    retry_key: str
    silent: bool
    first_attempt_at: datetime
    begun_at: datetime
    lease_until: datetime


@dataclass(frozen=True, slots=True)
class Begun:
    """What became of claimed jobs: to be called, ended without a call, or to be begun again a moment later."""

    calls: list[NoticeCall]
    dashed: int = 0
    failed: int = 0
    unknown: int = 0
    busy: tuple[ClaimedNotice, ...] = ()


_UNREADABLE = Fail("INTERNAL", "INTERNAL: the reservation cannot be read")

_HELD = "WHERE job_id = :job_id AND lease_token = :token AND status = 'PENDING'"
_FREE = "lease_token = NULL, lease_until = NULL, updated_at = :now"
_BEGIN = RawSql(
    f"""UPDATE notification_jobs SET line_user_id = :line_user_id, messages = :messages, retry_key = :retry_key,
        first_attempt_at = :first_attempt_at, maybe_sent = 1, lease_until = :until, updated_at = :now {_HELD}"""  # noqa: S608
)
_DASH = RawSql(f"UPDATE notification_jobs SET status = 'DASH', dash_reason = :reason, {_FREE} {_HELD}")  # noqa: S608
_FAIL = RawSql(
    f"""UPDATE notification_jobs SET status = 'FAILED', attempt_count = attempt_count + 1, last_error = :error,
        outcome_unknown = :outcome_unknown, {_FREE} {_HELD}"""  # noqa: S608
)
# A failed attempt has cost nothing, unless LINE may have taken it.
_TOLD = """SELECT line_user_id, kind, count(*) FROM notification_jobs
    WHERE line_user_id {these} AND first_attempt_at >= :since AND (status IN ('PENDING', 'SENT') OR maybe_sent = 1)
    GROUP BY line_user_id, kind"""
_TOLD_TODAY = {
    "sqlite": RawSql(_TOLD.format(these="IN (SELECT value FROM json_each(:people))")),
    "postgresql": RawSql(_TOLD.format(these="= ANY(:people)")),
}
# A move makes another confirmation. If the reservation was moved before it was confirmed, there is no older one.
_TOLD_BEFORE = RawSql(
    """SELECT 1 FROM notification_jobs WHERE reservation_id = :id AND kind = 'CONFIRMATION' AND revision < :revision
    UNION ALL
    SELECT 1 FROM notification_skips WHERE reservation_id = :id AND kind = 'CONFIRMATION' AND revision < :revision"""
)


def begin(tx: Tx, reader: NoticeReader, claimed: Sequence[ClaimedNotice], caller: Caller) -> Begun:
    if not claimed:
        return Begun([])
    locked = set(reader.lock(tx, sorted({one.reservation_id for one in claimed})))
    ready = [one for one in claimed if one.reservation_id in locked]
    busy = tuple(one for one in claimed if one.reservation_id not in locked)
    facts = _facts(tx, reader, locked)
    bodies = current_bodies(tx)
    told = _told_today(tx, facts.values())
    decided = [(one, _decided(tx, one, facts[one.reservation_id], bodies, told)) for one in ready]
    calls = _written(tx, _BEGIN, [(one, each) for one, each in decided if isinstance(each, NoticeCall)], _of_call)
    dashes = _written(tx, _DASH, [(one, each) for one, each in decided if isinstance(each, Dash)], _of_dash)
    failures = _written(tx, _FAIL, [(one, each) for one, each in decided if isinstance(each, Fail)], _of_failure)
    record_attempts(
        tx, caller, (AttemptRecord(one.job_id, tx.now, fail.outcome, error=fail.error) for one, fail in failures)
    )
    unknown = sum(fail.outcome_unknown for _, fail in failures)
    return Begun([call for _, call in calls], len(dashes), len(failures) - unknown, unknown, busy)


def _facts(tx: Tx, reader: NoticeReader, ids: set[int]) -> dict[int, NoticeFacts | Fail]:
    """One reservation that cannot be read must not stop the others, so then each is read alone."""
    try:
        with tx.part():
            return dict.fromkeys(ids, _UNREADABLE) | reader.facts(tx, sorted(ids))
    except Exception as error:
        if _is_about_the_database(error):
            raise
        return {one: _facts_of_one(tx, reader, one) for one in sorted(ids)}


def _facts_of_one(tx: Tx, reader: NoticeReader, reservation_id: int) -> NoticeFacts | Fail:
    try:
        with tx.part():
            return reader.facts(tx, [reservation_id])[reservation_id]
    except Exception as error:
        if _is_about_the_database(error):
            raise
        _log.exception("notice_facts_failed", reservation_id=reservation_id)
        return _UNREADABLE


def _is_about_the_database(error: Exception) -> bool:
    """Then the transaction as a whole has failed, and is tried again."""
    return as_problem(error) is not error or asks_for_retry(error)


def _told_today(tx: Tx, facts: Iterable[NoticeFacts | Fail]) -> Counter[tuple[str, str]]:
    """How many notices of each kind LINE has got today for these people, or may have got."""
    people = sorted({one.line_user_id for one in facts if isinstance(one, NoticeFacts) and one.line_user_id})
    if not people:
        return Counter()
    given = {"people": orjson.dumps(people).decode() if tx.dialect == "sqlite" else people}
    rows = _TOLD_TODAY[tx.dialect].all(tx, {**given, "since": utc_text(jst_day_begin(tx.now))})
    return Counter({(line_user_id, kind): number for line_user_id, kind, number in rows})


def _decided(
    tx: Tx,
    one: ClaimedNotice,
    facts: NoticeFacts | Fail,
    bodies: Mapping[TemplateKey, str],
    told: Counter[tuple[str, str]],
) -> NoticeCall | Dash | Fail:
    if isinstance(facts, Fail):
        return facts
    decision = decide(one.due, facts, tx.now)
    if not isinstance(decision, Send):
        return decision
    if not decision.again:
        person = (decision.line_user_id, one.due.kind)
        if told[person] >= MOST_A_DAY and is_bounded(one.due.kind, facts):
            return Dash("TOO_MANY_TODAY")
        told[person] += 1
    try:
        messages = _messages(tx, one, facts, bodies, again=decision.again)
    except BrokenTemplate as broken:
        return Fail("TEMPLATE", f"TEMPLATE: {broken}")
    # What a sound depends on is fixed with the rest, because a repeated call must be the same call.
    first_at = one.due.first_attempt_at if decision.again and one.due.first_attempt_at else tx.now
    return NoticeCall(
        one,
        decision.line_user_id,
        messages,
        retry_key=one.retry_key or str(uuid.uuid4()),
        silent=facts.silent_at_night and is_night(first_at),
        first_attempt_at=first_at,
        begun_at=tx.now,
        lease_until=tx.now + LEASE,
    )


def _messages(
    tx: Tx, one: ClaimedNotice, facts: NoticeFacts, bodies: Mapping[TemplateKey, str], *, again: bool
) -> Messages:
    if again and one.messages is not None:
        return one.messages
    moved = one.due.revision > 0 and told_before(tx, one.reservation_id, one.due.revision)
    key = template_key(one.due.kind, facts, moved=moved)
    return notice_messages(key, bodies[key], facts)


def told_before(tx: Tx, reservation_id: int, revision: int) -> bool:
    """Whether the person was told of an earlier time of the reservation."""
    return _TOLD_BEFORE.first(tx, {"id": reservation_id, "revision": revision}) is not None


def _written(
    tx: Tx, statement: RawSql, decided: list[tuple[ClaimedNotice, R]], values: Callable[[R], dict[str, Any]]
) -> list[tuple[ClaimedNotice, R]]:
    """Returns those that were written. The lease of the others was lost."""
    now = utc_text(tx.now)
    held = [{"job_id": one.job_id, "token": one.lease_token, "now": now, **values(each)} for one, each in decided]
    return [each for each, rows in zip(decided, statement.changed_by_each(tx, held), strict=True) if rows]


def _of_call(call: NoticeCall) -> dict[str, Any]:
    return {
        "line_user_id": call.line_user_id,
        "messages": orjson.dumps(call.messages).decode(),
        "retry_key": call.retry_key,
        "first_attempt_at": utc_text(call.first_attempt_at),
        "until": utc_text(call.lease_until),
    }


def _of_dash(dash: Dash) -> dict[str, Any]:
    return {"reason": dash.reason}


def _of_failure(fail: Fail) -> dict[str, Any]:
    return {"error": fail.error, "outcome_unknown": int(fail.outcome_unknown)}
