"""Server-side sessions: a new id at every log-in, revocable at once, found by the hash of the id."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson
from sqlalchemy import delete, insert, update

from tsudoi.core.clock import parse_text, utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.models import Session
from tsudoi.core.tokens import derived, new_token, token_hash

# The kinds of today. A principal that comes later names its own: the table takes any.
ADMIN, LIFF, TOKEN = "admin", "liff", "token"

# As text, because every request of the member pages asks this.
_FIND = RawSql(
    """SELECT subject, data, expires_at FROM sessions
    WHERE id_hash = :id_hash AND kind = :kind AND revoked_at IS NULL AND expires_at > :now"""
)


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session that is neither over nor revoked. The account behind it is for the principal to judge."""

    kind: str
    subject: str
    data: dict[str, str | None]
    expires_at: datetime


def open_session(tx: Tx, kind: str, subject: str, data: dict[str, str | None], lifetime: timedelta) -> str:
    """The new session's id, which the caller hands out and we forget."""
    token = new_token()
    tx.execute(
        insert(Session).values(
            id_hash=token_hash(token),
            kind=kind,
            subject=subject,
            data=data,
            created_at=tx.now,
            expires_at=tx.now + lifetime,
        )
    )
    return token


def find_session(tx: ReadTx, kind: str, token: str) -> FoundSession | None:
    row = _FIND.first(tx, {"id_hash": token_hash(token), "kind": kind, "now": utc_text(tx.now)})
    return None if row is None else FoundSession(kind, row[0], orjson.loads(row[1]), parse_text(row[2]))


def revoke_session(tx: Tx, token: str) -> None:
    tx.execute(
        update(Session)
        .where(Session.id_hash == token_hash(token), Session.revoked_at.is_(None))
        .values(revoked_at=tx.now)
    )


def revoke_all(tx: Tx, kind: str, subject: str) -> int:
    """For a changed password, a disabled account, a lost phone."""
    return tx.execute(
        update(Session)
        .where(Session.kind == kind, Session.subject == subject, Session.revoked_at.is_(None))
        .values(revoked_at=tx.now)
    ).rowcount


def forget_expired(tx: Tx, kept_for: timedelta = timedelta(days=30)) -> int:
    return tx.execute(delete(Session).where(Session.expires_at < tx.now - kept_for)).rowcount


def csrf_token(session_token: str) -> str:
    """Bound to the session without being stored: only who holds the cookie can know it."""
    return derived(session_token, "csrf")
