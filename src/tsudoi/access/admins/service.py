from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import insert

from tsudoi.access.admins import queries
from tsudoi.access.admins.errors import UsernameTaken
from tsudoi.access.admins.models import AdminUser, TrustedDevice
from tsudoi.core import audit, lockout, rate_limit, sessions
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.tokens import new_token, token_hash

SESSION_LIFETIME = timedelta(hours=12)
TOKEN_LIFETIME = timedelta(days=365)
# Against one password tried on many names. Wide enough for an office behind one address.
LOGINS_PER_CLIENT = rate_limit.Limit("login", 60, timedelta(minutes=1))


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to log in that has been counted, and what is needed to judge it."""

    key: str
    admitted: bool
    locked_until: datetime | None
    credentials: queries.Credentials | None
    hit: rate_limit.Hit


@dataclass(frozen=True, slots=True)
class LoggedIn:
    session_token: str
    device_token: str | None


def begin_login(tx: Tx, username: str, device_token: str | None, client: str) -> Attempt:
    """Count first, look second: the slow hash comes after this, outside the transaction."""
    hit = rate_limit.hit(tx, LOGINS_PER_CLIENT, client)
    if not hit.allowed:
        return Attempt("", admitted=False, locked_until=None, credentials=None, hit=hit)
    found = queries.credentials(tx, username)
    trusted = found is not None and device_token and queries.is_trusted_device(tx, found.admin_id, device_token)
    # The name by its hash: what is typed here may be a password in the wrong field, and this row stays for days.
    key = f"admin:{token_hash(username)}" + (f":device:{token_hash(device_token)}" if trusted and device_token else "")
    admission = lockout.admit(tx, key)
    return Attempt(key, admission.admitted, admission.locked_until, found, hit)


def fail_login(tx: Tx, attempt: Attempt) -> None:
    """An unknown name is not written down: it may well be a password typed into the wrong field."""
    subject = f"admin:{attempt.credentials.username}" if attempt.credentials else "admin:?"
    audit.record(tx, "nobody", "LOGIN_FAIL", subject, new={"locked": attempt.locked_until is not None})


def finish_login(tx: Tx, attempt: Attempt, admin: queries.Credentials, *, remember_device: bool) -> LoggedIn:
    lockout.clear(tx, attempt.key)
    session_token = sessions.open_session(
        tx, "admin", str(admin.admin_id), {"username": admin.username}, SESSION_LIFETIME
    )
    device_token = _trust_new_device(tx, admin.admin_id) if remember_device else None
    audit.record(tx, f"admin:{admin.username}", "LOGIN_SUCCESS", f"admin:{admin.username}")
    return LoggedIn(session_token, device_token)


def logout(tx: Tx, session_token: str, username: str) -> None:
    sessions.revoke_session(tx, session_token)
    audit.record(tx, f"admin:{username}", "LOGOUT", f"admin:{username}")


def create_admin(tx: Tx, username: str, password_hash: str, actor: str = "cli") -> int:
    made = tx.scalar(
        upsert(tx, AdminUser)
        .values(username=username, password_hash=password_hash, created_at=tx.now, updated_at=tx.now)
        .on_conflict_do_nothing()
        .returning(AdminUser.id)
    )
    if made is None:
        raise UsernameTaken(username)
    audit.record(tx, actor, "ADMIN_CREATE", f"admin:{username}")
    return int(made)


def create_token(tx: Tx, username: str) -> str | None:
    """A bearer token for programs. None when there is no such administrator."""
    found = queries.credentials(tx, username)
    if found is None:
        return None
    token = sessions.open_session(tx, "token", str(found.admin_id), {"username": found.username}, TOKEN_LIFETIME)
    audit.record(tx, "cli", "ADMIN_TOKEN_CREATE", f"admin:{username}")
    return token


def _trust_new_device(tx: Tx, admin_id: int) -> str:
    token = new_token()
    tx.execute(insert(TrustedDevice).values(token_hash=token_hash(token), admin_id=admin_id, created_at=tx.now))
    return token
