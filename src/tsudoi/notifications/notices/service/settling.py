"""Settling: what LINE said is written to the job. This is the one place that writes SENT."""

from dataclasses import dataclass
from datetime import datetime

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.notices.rules.judging import NoticeVerdict
from tsudoi.notifications.notices.service.attempts import Caller, record_attempt
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


_HELD = "WHERE job_id = :job_id AND lease_token = :token AND status = 'PENDING'"
_FREE = "maybe_sent = :maybe_sent, lease_token = NULL, lease_until = NULL, updated_at = :now"
_SENT = RawSql(f"UPDATE notification_jobs SET status = 'SENT', last_error = NULL, outcome_unknown = 0, {_FREE} {_HELD}")  # noqa: S608
_FAILED = RawSql(
    f"""UPDATE notification_jobs SET status = 'FAILED', attempt_count = attempt_count + 1, last_error = :error,
        outcome_unknown = 0, {_FREE} {_HELD}"""  # noqa: S608
)
_STAYS_PENDING = RawSql(f"UPDATE notification_jobs SET {_FREE} {_HELD}")  # noqa: S608


def settle(tx: Tx, attempt: NoticeAttempt, caller: Caller) -> SettledNotice:
    claimed, verdict = attempt.call.claimed, attempt.verdict
    # An earlier attempt that may have gone through stays so: this answer is not about it.
    maybe_sent = claimed.due.maybe_sent or (verdict is not None and verdict.maybe_sent)
    values = {
        "job_id": claimed.job_id,
        "token": claimed.lease_token,
        "maybe_sent": int(maybe_sent),
        "now": utc_text(tx.now),
    }
    if verdict is None or verdict.result == "NO_ANSWER":
        kept = _STAYS_PENDING.changed(tx, values) == 1
    elif verdict.result == "FAILED":
        kept = _FAILED.changed(tx, {**values, "error": verdict.error}) == 1
    else:
        kept = _SENT.changed(tx, {**values, "maybe_sent": 0}) == 1
    if verdict is not None:
        # Also when the lease was lost: the call was made, and the history says what LINE answered.
        record_attempt(
            tx,
            claimed.job_id,
            attempt.call.begun_at,
            caller,
            verdict.result,
            request_id=verdict.request_id,
            error=verdict.error,
        )
    return SettledNotice(attempt, kept, tx.now)
