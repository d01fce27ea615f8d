"""Claiming: a sender leases jobs that are due. A job whose lease ran out may be claimed by anybody."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson

from tsudoi.core.clock import parse_utc, utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.notices.rules.deciding import DueNotice

LEASE = timedelta(minutes=2)
BATCH = 100


@dataclass(frozen=True, slots=True)
class ClaimedNotice:
    """A job that this sender holds. The values are those of the claim; nobody else changes them meanwhile."""

    job_id: int
    reservation_id: int
    # Text, as it is stored: the next claim continues after it.
    scheduled_at: str
    due: DueNotice
    retry_key: str | None
    messages: list[dict[str, Any]] | None
    lease_token: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run may still claim: jobs that were due when it began, after the last one that it has claimed.

    A run passes once through the list, so that it ends although jobs without an answer stay due.
    """

    due: datetime
    most: int = BATCH
    after: tuple[str, int] = ("", 0)
    # Only these jobs, for the first attempt right after a booking.
    only: Sequence[int] | None = None


_COLUMNS = (
    "job_id, reservation_id, scheduled_at, kind, revision, maybe_sent, first_attempt_at, line_user_id, retry_key,"
    " messages"
)
_DUE = "status = 'PENDING' AND scheduled_at <= :due AND (lease_until IS NULL OR lease_until <= :now)"
_LEASED = "lease_token = :token, lease_until = :until, claim_count = claim_count + 1"


def _batch(lock: str) -> RawSql:
    # Without MATERIALIZED PostgreSQL may run the inner query again for each row and claim more than the limit.
    return RawSql(
        f"""WITH free AS MATERIALIZED (SELECT job_id FROM notification_jobs
            WHERE {_DUE} AND (scheduled_at, job_id) > (:after_at, :after_id)
            ORDER BY scheduled_at, job_id LIMIT :most {lock})
        UPDATE notification_jobs SET {_LEASED} WHERE job_id IN (SELECT job_id FROM free) RETURNING {_COLUMNS}"""  # noqa: S608
    )


_CLAIM = {"sqlite": _batch(""), "postgresql": _batch("FOR UPDATE SKIP LOCKED")}
_CLAIM_ONE = RawSql(
    f"UPDATE notification_jobs SET {_LEASED} WHERE job_id = :job_id AND {_DUE} RETURNING {_COLUMNS}"  # noqa: S608
)
_RELEASE = RawSql(
    """UPDATE notification_jobs SET lease_token = NULL, lease_until = NULL
    WHERE job_id = :job_id AND lease_token = :token AND status = 'PENDING'"""
)


def claim(tx: Tx, wanted: Wanted) -> list[ClaimedNotice]:
    """The oldest first."""
    token = secrets.token_hex(16)
    values = {"due": utc_text(wanted.due), "now": utc_text(tx.now), "token": token, "until": utc_text(tx.now + LEASE)}
    if wanted.only is None:
        after_at, after_id = wanted.after
        more = {"after_at": after_at, "after_id": after_id, "most": wanted.most}
        rows = _CLAIM[tx.dialect].all(tx, {**values, **more})
    else:
        found = (_CLAIM_ONE.first(tx, {**values, "job_id": job_id}) for job_id in sorted(wanted.only))
        rows = [row for row in found if row is not None]
    return sorted((_claimed(row, token) for row in rows), key=lambda one: (one.scheduled_at, one.job_id))


def release(tx: Tx, held: Sequence[ClaimedNotice]) -> None:
    """Give back what was claimed and not begun."""
    in_order = sorted(held, key=lambda one: one.job_id)
    _RELEASE.changed_by_each(tx, [{"job_id": one.job_id, "token": one.lease_token} for one in in_order])


def _claimed(row: tuple[Any, ...], token: str) -> ClaimedNotice:
    job_id, reservation_id, scheduled_at, kind, revision, maybe_sent, first_at, line_user_id, retry_key, messages = row
    first = None if first_at is None else parse_utc(first_at)
    due = DueNotice(kind, revision, parse_utc(scheduled_at), bool(maybe_sent), first, line_user_id)
    frozen = None if messages is None else orjson.loads(messages)
    return ClaimedNotice(job_id, reservation_id, scheduled_at, due, retry_key, frozen, token)
