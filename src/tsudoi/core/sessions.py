"""Server-side sessions. Each log-in creates a new id, and only its hash is stored. A session can be revoked."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson
from sqlalchemy import insert, select, update

from tsudoi.core.clock import parse_text, utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.forgetting import delete_some
from tsudoi.core.models import Session
from tsudoi.core.tokens import derived, new_token, token_hash

# The kinds that exist now. A new principal adds its own; the table accepts any.
ADMIN, LIFF, TOKEN, HELP = "admin", "liff", "token", "help"

# Raw SQL, because every request of the member pages runs it.
_FIND = RawSql(
    """SELECT subject, data, expires_at FROM sessions
    WHERE id_hash = :id_hash AND kind = :kind AND revoked_at IS NULL AND expires_at > :now"""
)


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session that has neither expired nor been revoked. The principal checks the account behind it."""

    kind: str
    subject: str
    data: dict[str, str | None]
    expires_at: datetime


def open_session(tx: Tx, kind: str, subject: str, data: dict[str, str | None], lifetime: timedelta) -> str:
    """Create a session and return its id, of which only the hash is stored."""
    token = new_token()
    tx.execute(
        insert(Session).values(
            id_hash=token_hash(token),
            kind=kind,
            subject=subject,
            data=data,
            created_at=tx.now,
            expires_at=tx.now + lifetime,
            last_used_at=tx.now,
        )
    )
    return token


def find_session(tx: ReadTx, kind: str, token: str) -> FoundSession | None:
    row = _FIND.first(tx, {"id_hash": token_hash(token), "kind": kind, "now": utc_text(tx.now)})
    return None if row is None else FoundSession(kind, row[0], orjson.loads(row[1]), parse_text(row[2]))


def extend_session(tx: Tx, token: str, lifetime: timedelta, longest: timedelta) -> None:
    """For sessions that end when nobody uses them: it lives on from now, but not longer than `longest` in all."""
    row = tx.execute(select(Session.created_at).where(Session.id_hash == token_hash(token))).one_or_none()
    if row is not None:
        until = min(tx.now + lifetime, row.created_at + longest)
        alive = (Session.id_hash == token_hash(token), Session.revoked_at.is_(None), Session.expires_at > tx.now)
        tx.execute(update(Session).where(*alive).values(expires_at=until))


def note_use(tx: Tx, token: str, seen: dict[str, str | None]) -> None:
    """Write down that the session is used now, and `seen`: from where and with what."""
    mine = Session.id_hash == token_hash(token)
    row = tx.execute(select(Session.data).where(mine, Session.revoked_at.is_(None))).one_or_none()
    if row is not None:
        tx.execute(update(Session).where(mine).values(last_used_at=tx.now, data={**row.data, **seen}))


def revoke_session(tx: Tx, token: str) -> None:
    tx.execute(
        update(Session)
        .where(Session.id_hash == token_hash(token), Session.revoked_at.is_(None))
        .values(revoked_at=tx.now)
    )


def revoke_all(tx: Tx, kind: str, subject: str, but: str | None = None) -> int:
    """Revoke all sessions of a subject, for example after a changed password; `but`: the token of one that stays."""
    live = [Session.kind == kind, Session.subject == subject, Session.revoked_at.is_(None), Session.expires_at > tx.now]
    if but is not None:
        live.append(Session.id_hash != token_hash(but))
    return tx.execute(update(Session).where(*live).values(revoked_at=tx.now)).rowcount


def revoke_everything(tx: Tx) -> int:
    """End the sessions and tokens of everybody: those of a restored database may have been ended since the backup."""
    live = (Session.revoked_at.is_(None), Session.expires_at > tx.now)
    return tx.execute(update(Session).where(*live).values(revoked_at=tx.now)).rowcount


def revoke_one(tx: Tx, kinds: Collection[str], subject: str, id_hash: str) -> str | None:
    """Revoke the session with this hash, if it is the subject's and still valid. Returns its kind."""
    mine = (Session.id_hash == id_hash, Session.subject == subject, Session.kind.in_(kinds))
    live = (Session.revoked_at.is_(None), Session.expires_at > tx.now)
    kind: str | None = tx.scalar(update(Session).where(*mine, *live).values(revoked_at=tx.now).returning(Session.kind))
    return kind


def forget_expired(tx: Tx, kept_for: timedelta = timedelta(days=30)) -> int:
    """Delete some of the sessions that ended so long ago."""
    return delete_some(tx, Session, Session.expires_at < tx.now - kept_for)


def csrf_token(session_token: str) -> str:
    """Derive the CSRF token from the session's id, so that it needs no storage and only the cookie's owner knows it."""
    return derived(session_token, "csrf")
