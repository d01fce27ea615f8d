"""A person decides that failed notices are sent again. The request only queues them; the command sends.

The row stays the same, so that there is one notice of a kind. Within 23 hours of the first attempt its retry key stays
too: a message that LINE had taken all the same is then answered with 409, and nobody gets it twice. If the person has
linked another LINE account meanwhile, the notice goes there, under a new key.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, select, update

from tsudoi.core import audit
from tsudoi.core.audit import AuditEntryDraft
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.notices.errors import RESEND_REFUSALS, NoSuchNotice
from tsudoi.notifications.notices.models import NotificationJob
from tsudoi.notifications.notices.rules.facts import NoticeFacts
from tsudoi.notifications.notices.rules.resending import ResendFacts, ResendRefusal, needs_new_key, refusal
from tsudoi.notifications.notices.service.reading import NoticeReader

_QUEUE = (
    update(NotificationJob)
    .where(NotificationJob.job_id == bindparam("id"))
    .values(
        status="PENDING",
        scheduled_at=bindparam("now"),
        updated_at=bindparam("now"),
        retry_key=bindparam("key"),
        first_attempt_at=bindparam("tried_at"),
        maybe_sent=bindparam("maybe"),
        outcome_unknown=0,
        unseen=0,
        lease_token=None,
        lease_until=None,
    )
)


@dataclass(frozen=True, slots=True)
class ResendDecision:
    """Who wants it, why, and whether a duplicate is better than nothing."""

    reason: str
    actor: str
    accept_duplicate: bool = False


def resend(tx: Tx, reader: NoticeReader, job_id: int, decision: ResendDecision) -> datetime:
    """Queue one notice, and return from when on it is due. Raises the reason against it."""
    refused = resend_all(tx, reader, [job_id], decision)
    if refused:
        raise RESEND_REFUSALS[refused[job_id]]
    return tx.now


def resend_all(
    tx: Tx, reader: NoticeReader, job_ids: Sequence[int], decision: ResendDecision
) -> dict[int, ResendRefusal]:
    """Queue those that may be sent again; returns the others with the reason against each."""
    known = set(tx.execute(select(NotificationJob.job_id).where(NotificationJob.job_id.in_(job_ids))).scalars())
    if not known.issuperset(job_ids):
        raise NoSuchNotice
    # A row that somebody else holds at this moment is being sent, or queued by another request.
    refused: dict[int, ResendRefusal] = dict.fromkeys(sorted(known), "ALREADY_PENDING")
    locked = select(*NotificationJob.__table__.c).where(NotificationJob.job_id.in_(known))
    rows = tx.execute(locked.order_by(NotificationJob.job_id).with_for_update(skip_locked=True)).all()
    facts = reader.facts(tx, sorted({row.reservation_id for row in rows}))
    queued: list[tuple[Row[Any], ResendFacts]] = []
    for row in rows:
        about = _facts(row, facts[row.reservation_id])
        code = refusal(about, tx.now, accept_duplicate=decision.accept_duplicate)
        if code is None:
            del refused[row.job_id]
            queued.append((row, about))
        else:
            refused[row.job_id] = code
    if queued:
        tx.execute(_QUEUE, [_values(row, about, tx.now) for row, about in queued])
        audit.record_all(tx, decision.actor, [_audited(row) for row, _ in queued], reason=decision.reason)
    return refused


def _facts(row: Row[Any], facts: NoticeFacts) -> ResendFacts:
    return ResendFacts(
        kind=row.kind,
        status=row.status,
        is_current=row.revision == facts.revision,
        maybe_sent=bool(row.maybe_sent or row.outcome_unknown),
        first_attempt_at=row.first_attempt_at,
        confirmed=facts.state != "hold",
        canceled=facts.state == "canceled",
        begins_at=facts.begins_at,
        linked=facts.line_user_id is not None,
        link_moved=row.line_user_id is not None and row.line_user_id != facts.line_user_id,
    )


def _values(row: Row[Any], facts: ResendFacts, now: datetime) -> dict[str, Any]:
    """After a new key the next attempt is a first one again, with the text and the recipient of that moment."""
    new = facts.link_moved or needs_new_key(row.first_attempt_at, now)
    return {
        "id": row.job_id,
        "now": now,
        "key": str(uuid.uuid4()) if new else row.retry_key,
        "tried_at": None if new else row.first_attempt_at,
        "maybe": int(not new and bool(row.maybe_sent or row.outcome_unknown)),
    }


def _audited(row: Row[Any]) -> AuditEntryDraft:
    notice = {"job_id": row.job_id, "kind": row.kind}
    return AuditEntryDraft(
        "notification.resend",
        f"reservation:{row.reservation_id}",
        old={**notice, "status": row.status},
        new={**notice, "status": "PENDING"},
    )
