"""Server-side sessions: a new id at every log-in, revocable at once, found by the hash of the id."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import delete, insert, select, update

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.models import Session
from tsudoi.core.tokens import derived, new_token, token_hash

Kind = Literal["admin", "liff", "token"]

# For verbs that find out who is asking within their own statement; `:id_hash` and `:now` as the columns store them.
LIVE_LIFF_SESSION = "s.id_hash = :id_hash AND s.kind = 'liff' AND s.revoked_at IS NULL AND s.expires_at > :now"


@dataclass(frozen=True, slots=True)
class FoundSession:
    kind: str
    subject: str
    data: dict[str, str | None]
    expires_at: datetime


def open_session(tx: Tx, kind: Kind, subject: str, data: dict[str, str | None], lifetime: timedelta) -> str:
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


def find_session(tx: ReadTx, kind: Kind, token: str) -> FoundSession | None:
    row = tx.execute(
        select(Session.kind, Session.subject, Session.data, Session.expires_at).where(
            Session.id_hash == token_hash(token),
            Session.kind == kind,
            Session.revoked_at.is_(None),
            Session.expires_at > tx.now,
        )
    ).first()
    return None if row is None else FoundSession(row.kind, row.subject, row.data, row.expires_at)


def revoke_session(tx: Tx, token: str) -> None:
    tx.execute(
        update(Session)
        .where(Session.id_hash == token_hash(token), Session.revoked_at.is_(None))
        .values(revoked_at=tx.now)
    )


def revoke_all(tx: Tx, kind: Kind, subject: str) -> int:
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
