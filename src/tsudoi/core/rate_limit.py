"""Limits on requests per time window. They are counted in SQL, so that all processes share the count."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import select

from tsudoi.core.clock import TOLERATED, parse_text, utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import RateLimited
from tsudoi.core.forgetting import delete_some
from tsudoi.core.models import RateLimit
from tsudoi.core.tokens import token_hash

_LINE_USER = re.compile(r"U[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` requests of one caller within a window."""

    name: str
    count: int
    window: timedelta


# What a person without office rights may write by any route that has no limit of its own. Nobody who uses the pages by
# hand comes near it, and a program that repeats a write cannot fill a table with it.
WRITES = (Limit("writes", 60, timedelta(minutes=1)), Limit("writes-day", 1_000, timedelta(days=1)))


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
    return count_requests(tx, [(limit, who)])[0]


def count_requests(tx: Tx, counted: Sequence[tuple[Limit, str]]) -> list[RateLimitResult]:
    """Count one request against several limits, in one statement. The results have the same order."""
    buckets = [_bucket(limit, who) for limit, who in counted]
    given = {"now": utc_text(tx.now)}
    for number, (limit, _) in enumerate(counted):
        given[f"bucket_{number}"] = buckets[number]
        given[f"ends_{number}"] = utc_text(tx.now + limit.window)
        given[f"latest_{number}"] = utc_text(_latest_end(tx, limit))
    rows = {bucket: (hits, parse_text(ends)) for bucket, hits, ends in _count(len(counted)).all(tx, given)}
    found = [rows[bucket] for bucket in buckets]
    return [
        _result(tx, ends, allowed=hits <= limit.count) for (hits, ends), (limit, _) in zip(found, counted, strict=True)
    ]


def _bucket(limit: Limit, who: str) -> str:
    """A LINE user is counted under a hash: who may be erased on request stands in no row that only counts."""
    return f"{limit.name}:{_LINE_USER.sub(lambda found: token_hash(found[0]), who)}"


@cache
def _count(number: int) -> RawSql:
    """Raw SQL, because every booking counts. A window that is over begins again.

    One that is longer than its limit allows is over too: a clock that was wrong has made it.
    """
    latest = "".join(f" WHEN r.bucket = :bucket_{n} THEN :latest_{n}" for n in range(number))
    over = f"(r.window_ends_at <= :now OR r.window_ends_at > CASE{latest} END)"
    values = ", ".join(f"(:bucket_{n}, 1, :ends_{n})" for n in range(number))
    return RawSql(
        f"""INSERT INTO rate_limits AS r (bucket, hits, window_ends_at) VALUES {values}
        ON CONFLICT (bucket) DO UPDATE
        SET hits = CASE WHEN {over} THEN 1 ELSE r.hits + 1 END,
            window_ends_at = CASE WHEN {over} THEN excluded.window_ends_at ELSE r.window_ends_at END
        RETURNING bucket, hits, window_ends_at"""  # noqa: S608 (only the names of parameters are put in)
    )


def _latest_end(tx: ReadTx, limit: Limit) -> datetime:
    """A window that ends later was not begun by a right clock. Requests that waited for each other differ a little."""
    return tx.now + limit.window + TOLERATED


def look(tx: ReadTx, limit: Limit, who: str) -> RateLimitResult:
    """Whether one more request would be allowed, without counting it: for limits that count failures only."""
    bucket = select(RateLimit.hits, RateLimit.window_ends_at).where(RateLimit.bucket == _bucket(limit, who))
    within = (RateLimit.window_ends_at > tx.now, RateLimit.window_ends_at <= _latest_end(tx, limit))
    row = tx.execute(bucket.where(*within)).one_or_none()
    return RateLimitResult(True, 0) if row is None else _result(tx, row.window_ends_at, allowed=row.hits < limit.count)


def _result(tx: ReadTx, window_ends_at: datetime, *, allowed: bool) -> RateLimitResult:
    return RateLimitResult(allowed, max(1, math.ceil((window_ends_at - tx.now).total_seconds())))


def forget_old(tx: Tx) -> int:
    """Delete some of the counts whose window is over."""
    return delete_some(tx, RateLimit, RateLimit.window_ends_at < tx.now)
