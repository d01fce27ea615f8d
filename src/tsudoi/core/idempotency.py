"""`Idempotency-Key`: the same request twice has one effect and gets the same bytes back.

A key belongs to one principal and one route, so that nobody sees the reply to somebody else. There are two ways:
- `once`: the effect and its reply are one transaction. A parallel copy of the request waits for it and replays.
- `begin`, `perform`, `finish`: the work calls other systems between transactions. `perform` keeps the result of the one
  transaction that decides. After a crash, a copy of the request goes on from that result. A parallel copy gets 409.
"""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

import orjson
from sqlalchemy import ColumnElement, and_, delete, select, update

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import Conflict, Detail, InvalidInput, Problem
from tsudoi.core.forgetting import delete_some
from tsudoi.core.models import IdempotencyKey

KEPT_FOR = timedelta(hours=48)
# The reply that takes the place of one about a person who has been erased.
_GONE = 410
_ERASED = orjson.dumps(
    {
        "error": "ERASED",
        "code": "ERASED",
        "message": "この操作は済んでいます。結果は、個人情報の消去に伴い残っていません。",
        "details": [],
    }
)
LONGEST_KEY = 255
_SAME_KEY = "principal = :principal AND route = :route AND key = :key"
# A key that has expired but has not been swept yet is taken over by the same statement.
_CLAIM = RawSql(
    """INSERT INTO idempotency_keys AS k (principal, route, key, request_hash, lease_until, created_at, expires_at)
    VALUES (:principal, :route, :key, :request_hash, :lease_until, :now, :expires_at)
    ON CONFLICT (principal, route, key) DO UPDATE
    SET request_hash = excluded.request_hash, status = NULL, body = NULL, result = NULL,
        lease_until = excluded.lease_until, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE k.expires_at <= :now
    RETURNING 1"""
)
# The first reply is kept: a process that lost its lease and finishes later must not change it.
_KEEP_NEW = RawSql(
    """INSERT INTO idempotency_keys
        (principal, route, key, request_hash, status, body, lease_until, created_at, expires_at)
    VALUES (:principal, :route, :key, :request_hash, :status, :body, :now, :now, :expires_at)
    ON CONFLICT DO NOTHING RETURNING 1"""
)
_FINISH = RawSql(
    f"UPDATE idempotency_keys SET status = :status, body = :body WHERE {_SAME_KEY} AND status IS NULL"  # noqa: S608
)


class KeyReused(Problem):
    """The key was used before, for a request with another content."""

    status = 422
    code = "IDEMPOTENCY_KEY_REUSED"
    default_message = "同じ Idempotency-Key が、違う内容の要求にすでに使われています。"


class KeyTaken(Exception):
    """The key is known already, so that the transaction must not commit."""


class InFlight(Conflict):
    """Another copy of this request is being worked on."""

    code = "IN_FLIGHT"
    default_message = "同じ要求を処理しています。少し待ってから結果を確認してください。"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "1"})


class KeyScope(NamedTuple):
    """Which request this is: whose, to which route, under which key, with which content."""

    principal: str
    route: str
    key: str
    request_hash: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Status and body of a response. `replayed`: it was given before, to a copy of this request."""

    status: int
    body: bytes
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an earlier copy of the request came: to its reply, past its transaction (`result`), or neither."""

    reply: Reply | None = None
    result: str | None = None


def scope(principal: str, route: str, key: str, content: bytes) -> KeyScope:
    if not (1 <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise InvalidInput(details=[Detail("Idempotency-Key", "INVALID_FORMAT")])
    return KeyScope(principal, route, key, hashlib.sha256(content).hexdigest())


def once(tx: Tx, scope: KeyScope, verb: Callable[[Tx], Reply]) -> Reply:
    """Claim the key, run the verb and keep its reply in one transaction. A verb that raises leaves the key unused."""
    before = begin(tx, scope, lease=timedelta(0))
    if before.reply is not None:
        return before.reply
    reply = verb(tx)
    finish(tx, scope, reply)
    return reply


def keep_new(tx: Tx, scope: KeyScope, reply: Reply) -> None:
    """Store a key together with its reply, as the last statement of a transaction. Raises `KeyTaken` for a known key.

    Most keys are new, so this saves the statement that claims the key first. The caller starts again with `once`.
    """
    now, expires_at = utc_text(tx.now), utc_text(tx.now + KEPT_FOR)
    given = {**scope._asdict(), "status": reply.status, "body": reply.body, "now": now, "expires_at": expires_at}
    if _KEEP_NEW.first(tx, given) is None:
        raise KeyTaken


def begin(tx: Tx, scope: KeyScope, lease: timedelta) -> Progress:
    """Claim the key for as long as the lease lasts. Raises `InFlight` while another copy has it."""
    times = {"now": tx.now, "lease_until": tx.now + lease, "expires_at": tx.now + KEPT_FOR}
    if _CLAIM.first(tx, {**scope._asdict(), **{name: utc_text(at) for name, at in times.items()}}) is not None:
        return Progress()
    return _progress(tx, scope, lease)


def _progress(tx: Tx, scope: KeyScope, lease: timedelta) -> Progress:
    row = tx.execute(select(IdempotencyKey).where(_same(scope)).with_for_update()).one_or_none()
    if row is None:  # Its holder has just released it, so the caller's next attempt gets it.
        raise InFlight
    if row.request_hash != scope.request_hash:
        raise KeyReused
    if row.status is not None:
        return Progress(reply=Reply(row.status, row.body, replayed=True))
    if row.lease_until > tx.now:
        raise InFlight
    # The process that held the key died before it replied. This request takes over, with the result if there is one.
    tx.execute(update(IdempotencyKey).where(_same(scope)).values(lease_until=tx.now + lease))
    return Progress(result=row.result)


def perform(tx: Tx, scope: KeyScope, verb: Callable[[Tx], str]) -> str:
    """The one transaction that decides, between `begin` and `finish`; it returns the result and keeps it.

    When the lease of one process ran out, two processes may work on one key. The second one waits here for the first
    and gets its result.
    """
    row = tx.execute(select(IdempotencyKey.result).where(_same(scope)).with_for_update()).one_or_none()
    if row is None:
        raise InFlight
    if row.result is not None:
        return str(row.result)
    result = verb(tx)
    tx.execute(update(IdempotencyKey).where(_same(scope)).values(result=result))
    return result


def close(tx: Tx, scope: KeyScope, verb: Callable[[Tx], Reply]) -> Reply:
    """A second transaction, after `perform`, that keeps its reply with the key in place of `finish`.

    Here too, a process whose lease ran out waits for the other one, and gets its reply.
    """
    known = (IdempotencyKey.status, IdempotencyKey.body)
    row = tx.execute(select(*known).where(_same(scope)).with_for_update()).one_or_none()
    if row is None:
        raise InFlight
    if row.status is not None:
        return Reply(row.status, row.body, replayed=True)
    reply = verb(tx)
    finish(tx, scope, reply)
    return reply


def finish(tx: Tx, scope: KeyScope, reply: Reply) -> None:
    """Keep the reply with its key."""
    _FINISH.changed(tx, {**scope._asdict(), "status": reply.status, "body": reply.body})


def release(tx: Tx, scope: KeyScope) -> None:
    """Release the key of work that ended without a reply. After `perform`, a copy of the request goes on at once."""
    unfinished = (_same(scope), IdempotencyKey.status.is_(None))
    tx.execute(delete(IdempotencyKey).where(*unfinished, IdempotencyKey.result.is_(None)))
    tx.execute(update(IdempotencyKey).where(*unfinished).values(lease_until=tx.now))


def _same(scope: KeyScope) -> ColumnElement[bool]:
    return and_(
        IdempotencyKey.principal == scope.principal,
        IdempotencyKey.route == scope.route,
        IdempotencyKey.key == scope.key,
    )


def forget_person(tx: Tx, principals: Collection[str], words: Collection[str]) -> int:
    """Remove what replies say about a person: those to the person, and those with one of these words in them.

    The keys stay, so that a request that comes again still has no second effect; it is told that its reply is gone.
    """
    columns = (IdempotencyKey.principal, IdempotencyKey.route, IdempotencyKey.key)
    query = select(*columns, IdempotencyKey.body, IdempotencyKey.result).where(IdempotencyKey.status.is_not(None))
    needles = [word.encode() for word in words if word]
    forgotten = 0
    for row in tx.execute(query).all():
        stored = (row.body or b"") + (row.result or "").encode()
        if row.principal in principals or any(needle in stored for needle in needles):
            same = and_(*(column == getattr(row, column.key) for column in columns))
            gone = {"status": _GONE, "body": _ERASED, "result": None}
            tx.execute(update(IdempotencyKey).where(same).values(**gone))
            forgotten += 1
    return forgotten


def forget_expired(tx: Tx) -> int:
    """Delete some of the keys that no repeated request can use any more."""
    return delete_some(tx, IdempotencyKey, IdempotencyKey.expires_at <= tx.now)
