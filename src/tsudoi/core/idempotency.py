"""`Idempotency-Key`: the same request twice has one effect and gets the same bytes back.

Scoped by principal and route, so that nobody sees another's answer. Three ways:
- `once`: the effect and its answer are one transaction. A parallel copy waits for it and replays.
- `RowWithKey`: the same where the answer is known beforehand, for what is called most.
- `begin` … `finish`: the work spans several transactions (it sends something in between). A parallel copy hears 409.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, delete, select, update

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.db.upsert import upsert
from tsudoi.core.errors import Conflict, Detail, InvalidInput, Problem
from tsudoi.core.models import IdempotencyKey

KEPT_FOR = timedelta(hours=48)
LONGEST_KEY = 255
# Its parameters have names of their own: they travel together with those of the row.
_KEEP = """INSERT INTO idempotency_keys
        (principal, route, key, request_hash, status, body, lease_until, created_at, expires_at)
    VALUES (:k_principal, :k_route, :k_key, :k_hash, :k_status, :k_body, :k_now, :k_now, :k_expires_at)
    ON CONFLICT DO NOTHING RETURNING key"""


class KeyReused(Problem):
    status = 422
    code = "IDEMPOTENCY_KEY_REUSED"
    default_message = "同じ Idempotency-Key が、違う内容の要求にすでに使われています。"


class InFlight(Conflict):
    code = "IN_FLIGHT"
    default_message = "同じ要求を処理しています。少し待ってから結果を確認してください。"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "1"})


@dataclass(frozen=True, slots=True)
class Scope:
    principal: str
    route: str
    key: str
    request_hash: str

    @property
    def name(self) -> str:
        """One short word for this request: for a column by which what it made can be found again.

        Such a column outlives the key, so the content belongs to it: another request under an old key is another one.
        """
        words = (self.principal, self.route, self.key, self.request_hash)
        return hashlib.sha256("\n".join(words).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: bytes
    replayed: bool = False


def scope(principal: str, route: str, key: str, request_body: bytes) -> Scope:
    if not (1 <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise InvalidInput(details=[Detail("Idempotency-Key", "INVALID_FORMAT")])
    return Scope(principal, route, key, hashlib.sha256(request_body).hexdigest())


def once(tx: Tx, scope: Scope, verb: Callable[[Tx], Reply]) -> Reply:
    """Claim the key, do the work and keep the answer in one transaction. A verb that raises leaves the key unused."""
    stored = _claim(tx, scope, lease=timedelta(0))
    if stored is not None:
        return stored
    reply = verb(tx)
    finish(tx, scope, reply)
    return reply


class RowWithKey:
    """One row whose request has a key and whose answer is known beforehand: both are written, or neither.

    For what is called most. On PostgreSQL this is one statement, hence one journey and a transaction by itself.
    """

    def __init__(self, table: str, columns: tuple[str, ...]) -> None:
        names, values = ", ".join(columns), ", ".join(f":{name}" for name in columns)
        self.row = RawSql(f"INSERT INTO {table} ({names}) VALUES ({values})")  # noqa: S608 (names of ours)
        self._key = RawSql(_KEEP)
        self._both = RawSql(
            f"WITH kept AS ({_KEEP}) INSERT INTO {table} ({names}) SELECT {values} FROM kept RETURNING 1"  # noqa: S608
        )

    def add(self, tx: Tx, scope: Scope, reply: Reply, row: dict[str, object]) -> bool:
        """False: the key has been used before, and nothing was written. What it stands for, `once` knows."""
        key = _kept(tx, scope, reply)
        if tx.dialect == "postgresql":
            return self._both.first(tx, key | row) is not None
        if self._key.first(tx, key) is None:
            return False
        self.row.first(tx, row)
        return True


def _kept(tx: Tx, scope: Scope, reply: Reply) -> dict[str, object]:
    return {
        "k_principal": scope.principal,
        "k_route": scope.route,
        "k_key": scope.key,
        "k_hash": scope.request_hash,
        "k_status": reply.status,
        "k_body": reply.body,
        "k_now": utc_text(tx.now),
        "k_expires_at": utc_text(tx.now + KEPT_FOR),
    }


def begin(tx: Tx, scope: Scope, lease: timedelta) -> Reply | None:
    """None: the key is ours, go on and `finish`. A reply: it was done before. `InFlight`: somebody is at it."""
    return _claim(tx, scope, lease)


def hold(tx: ReadTx, scope: Scope) -> None:
    """For the verb between `begin` and `finish`: of two who both think the key is theirs, one waits for the other."""
    tx.execute(select(IdempotencyKey.key).where(_same(scope)).with_for_update())


def finish(tx: Tx, scope: Scope, reply: Reply) -> None:
    """The first answer stays: who was thought dead and comes back late must not change what others were told."""
    unanswered = IdempotencyKey.status.is_(None)
    tx.execute(update(IdempotencyKey).where(_same(scope), unanswered).values(status=reply.status, body=reply.body))


def abandon(tx: Tx, scope: Scope) -> None:
    """The work was refused before it had any effect: the key may be used again."""
    tx.execute(delete(IdempotencyKey).where(_same(scope), IdempotencyKey.status.is_(None)))


def release(tx: Tx, scope: Scope) -> None:
    """The work was cut off after it had an effect: the key stays taken, and the same request again finishes it."""
    mine = update(IdempotencyKey).where(_same(scope), IdempotencyKey.status.is_(None))
    tx.execute(mine.values(lease_until=tx.now))


def _claim(tx: Tx, scope: Scope, lease: timedelta) -> Reply | None:
    tx.execute(delete(IdempotencyKey).where(_same(scope), IdempotencyKey.expires_at <= tx.now))
    inserted = tx.execute(
        upsert(tx, IdempotencyKey)
        .values(
            principal=scope.principal,
            route=scope.route,
            key=scope.key,
            request_hash=scope.request_hash,
            lease_until=tx.now + lease,
            created_at=tx.now,
            expires_at=tx.now + KEPT_FOR,
        )
        .on_conflict_do_nothing()
        # Not the row count: after an INSERT on PostgreSQL SQLAlchemy does not know it and says -1.
        .returning(IdempotencyKey.key)
    ).first()
    return _stored(tx, scope, lease) if inserted is None else None


def _stored(tx: Tx, scope: Scope, lease: timedelta) -> Reply | None:
    row = tx.execute(select(IdempotencyKey).where(_same(scope)).with_for_update()).one_or_none()
    if row is None:  # Whose key it was has just abandoned it; the caller's next try will get it.
        raise InFlight
    if row.request_hash != scope.request_hash:
        raise KeyReused
    if row.status is not None:
        return Reply(row.status, row.body, replayed=True)
    if row.lease_until > tx.now:
        raise InFlight
    # Who held the key died in the middle. What it left behind is the verb's business; the key passes on.
    tx.execute(update(IdempotencyKey).where(_same(scope)).values(lease_until=tx.now + lease))
    return None


def _same(scope: Scope) -> ColumnElement[bool]:
    return and_(
        IdempotencyKey.principal == scope.principal,
        IdempotencyKey.route == scope.route,
        IdempotencyKey.key == scope.key,
    )


def forget_expired(tx: Tx) -> int:
    return tx.execute(delete(IdempotencyKey).where(IdempotencyKey.expires_at <= tx.now)).rowcount
