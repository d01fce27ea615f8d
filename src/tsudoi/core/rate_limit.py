"""Limits on requests per time window. They are counted in SQL, so that all processes share the count."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import case, delete, literal, select

from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.errors import RateLimited
from tsudoi.core.models import RateLimit


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` requests of one caller within a window."""

    name: str
    count: int
    window: timedelta


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    """Whether a counted request is allowed, and when the window ends."""

    allowed: bool
    retry_after_seconds: int

    def raise_if_refused(self) -> None:
        """Call this outside the counting transaction, because an error inside it would roll the count back."""
        if not self.allowed:
            raise RateLimited(self.retry_after_seconds)


def count_request(tx: Tx, limit: Limit, who: str) -> RateLimitResult:
    over = RateLimit.window_ends_at <= tx.now
    ends = tx.now + limit.window
    row = tx.execute(
        upsert(tx, RateLimit)
        .values(bucket=f"{limit.name}:{who}", hits=1, window_ends_at=ends)
        .on_conflict_do_update(
            index_elements=["bucket"],
            set_={
                "hits": case((over, 1), else_=RateLimit.hits + 1),
                "window_ends_at": case((over, literal(ends, UtcText())), else_=RateLimit.window_ends_at),
            },
        )
        .returning(RateLimit.hits, RateLimit.window_ends_at)
    ).one()
    return _result(tx, row.window_ends_at, allowed=row.hits <= limit.count)


def look(tx: ReadTx, limit: Limit, who: str) -> RateLimitResult:
    """Whether one more request would be allowed, without counting it: for limits that count failures only."""
    bucket = select(RateLimit.hits, RateLimit.window_ends_at).where(RateLimit.bucket == f"{limit.name}:{who}")
    row = tx.execute(bucket.where(RateLimit.window_ends_at > tx.now)).one_or_none()
    return RateLimitResult(True, 0) if row is None else _result(tx, row.window_ends_at, allowed=row.hits < limit.count)


def _result(tx: ReadTx, window_ends_at: datetime, *, allowed: bool) -> RateLimitResult:
    return RateLimitResult(allowed, max(1, math.ceil((window_ends_at - tx.now).total_seconds())))


def forget_old(tx: Tx) -> int:
    return tx.execute(delete(RateLimit).where(RateLimit.window_ends_at < tx.now)).rowcount
