"""Settling: what LINE said is written to the job. This is the one place that writes SENT."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.forgetting import update_some
from tsudoi.notifications.notices.models import NotificationJob
from tsudoi.notifications.notices.rules.judging import NoticeVerdict
from tsudoi.notifications.notices.service.attempts import AttemptRecord, Caller, record_attempts
from tsudoi.notifications.notices.service.beginning import NoticeCall


@dataclass(frozen=True, slots=True)
class NoticeAttempt:
    """A begun call and its verdict. None: LINE was not called after all, and the job is given back."""

    call: NoticeCall
    verdict: NoticeVerdict | None


@dataclass(frozen=True, slots=True)
class SettledNotice:
    """What was written about an attempt. `kept`: False if the lease was lost; then nothing was written."""

    attempt: NoticeAttempt
    kept: bool
    at: datetime


# `settled`: 1 if the job has its result. Otherwise it stays PENDING, with the result of the attempt before.
_SETTLE = RawSql(
    """UPDATE notification_jobs SET status = :status, attempt_count = attempt_count + :failed,
        last_error = CASE WHEN :settled = 1 THEN :error ELSE last_error END,
        outcome_unknown = CASE WHEN :settled = 1 THEN 0 ELSE outcome_unknown END,
        unseen = CASE WHEN EXISTS (SELECT 1 FROM line_friends f WHERE f.user_id = notification_jobs.line_user_id
            AND f.following) THEN 0 ELSE 1 END,
        maybe_sent = :maybe_sent, lease_token = NULL, lease_until = NULL, updated_at = :now
    WHERE job_id = :job_id AND lease_token = :token AND status = 'PENDING'"""
)


def settle(tx: Tx, attempts: Sequence[NoticeAttempt], caller: Caller) -> list[SettledNotice]:
    """In the order of their ids, so that two senders do not wait for each other."""
    in_order = sorted(attempts, key=lambda one: one.call.claimed.job_id)
    changed = _SETTLE.changed_by_each(tx, [_values(one, utc_text(tx.now)) for one in in_order])
    # Also when the lease was lost: the call was made, and the history says what LINE answered.
    record_attempts(
        tx,
        caller,
        (
            AttemptRecord(
                one.call.claimed.job_id,
                one.call.begun_at,
                one.verdict.result,
                request_id=one.verdict.request_id,
                error=one.verdict.error,
            )
            for one in in_order
            if one.verdict is not None
        ),
    )
    return [SettledNotice(one, rows == 1, tx.now) for one, rows in zip(in_order, changed, strict=True)]


def _values(attempt: NoticeAttempt, now: str) -> dict[str, Any]:
    claimed, verdict = attempt.call.claimed, attempt.verdict
    result = "NO_ANSWER" if verdict is None else verdict.result
    # An earlier attempt that may have gone through stays so: a failure of this one says nothing about it.
    maybe_sent = result != "SENT" and (claimed.due.maybe_sent or (verdict is not None and verdict.maybe_sent))
    return {
        "job_id": claimed.job_id,
        "token": claimed.lease_token,
        "status": "PENDING" if result == "NO_ANSWER" else result,
        "settled": int(result != "NO_ANSWER"),
        "failed": int(result == "FAILED"),
        "error": verdict.error if verdict is not None and result == "FAILED" else None,
        "maybe_sent": int(maybe_sent),
        "now": now,
    }


def forget_notice_texts(tx: Tx, kept_for: timedelta) -> int:
    """Remove recipient and content of some old notices. The jobs stay: they say what was sent when."""
    old = (NotificationJob.status != "PENDING", NotificationJob.updated_at < tx.now - kept_for)
    empty = {"line_user_id": None, "messages": None}
    return update_some(tx, NotificationJob, empty, *old, NotificationJob.messages.is_not(None))
