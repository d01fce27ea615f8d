from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update

from tsudoi.access.admins import queries
from tsudoi.access.admins.errors import (
    BadUsername,
    LastAdmin,
    NoSuchAdmin,
    NoSuchSession,
    OneTimePasswordTooOld,
    SecondFactorMissing,
    UsernameTaken,
    WrongCredentials,
    WrongSecondFactor,
)
from tsudoi.access.admins.models import AdminUser, TrustedDevice
from tsudoi.access.admins.rules import look_alike, username_fault
from tsudoi.access.second_factor import service as second_factor
from tsudoi.access.second_factor.queries import codes_left, is_on
from tsudoi.core import audit, lockout, rate_limit, sessions
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.errors import Unauthenticated
from tsudoi.core.forgetting import delete_some
from tsudoi.core.models import Session
from tsudoi.core.names import name_key
from tsudoi.core.settings import Settings, lifetime
from tsudoi.core.tokens import new_token, token_hash

ONE_TIME_LIFETIME = timedelta(days=3)
TOKEN_LIFETIME = timedelta(days=365)
DEVICE_LIFETIME = timedelta(days=400)
# Limits attacks that try one password with many names. A whole office may share one address, so the limit is wide.
LOGINS_PER_CLIENT = rate_limit.Limit("login", 60, timedelta(minutes=1))


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """A log-in attempt that has been counted, with what is needed to decide about it."""

    key: str
    admitted: bool
    locked_until: datetime | None
    account: queries.AdminAccount | None
    request_count: rate_limit.RateLimitResult
    # The hash of the device's token, if the administrator has logged in there before.
    known_device: str | None = None


@dataclass(frozen=True, slots=True)
class LoginBrowser:
    """The browser of a log-in: what is shown of it in the list of sessions, and the session that is in it already."""

    address: str
    device: str
    former_session: str | None = None


@dataclass(frozen=True, slots=True)
class SessionTimes:
    """How long a session lives without use, and at most."""

    idle: timedelta
    longest: timedelta

    @classmethod
    def of(cls, settings: Settings) -> "SessionTimes":
        return cls(lifetime(settings.admin_session_idle), lifetime(settings.admin_session_longest))


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """A log-in that succeeded: its session, and a token for the browser if it is new."""

    session_token: str
    device_token: str | None


def begin_login(tx: Tx, username: str, device_token: str | None, client: str) -> LoginAttempt:
    """Count the attempt before the password is checked; the slow hash runs outside the transaction."""
    counted = rate_limit.count_request(tx, LOGINS_PER_CLIENT, client)
    if not counted.allowed:
        return LoginAttempt("", admitted=False, locked_until=None, account=None, request_count=counted)
    found = queries.typed_account(tx, username)
    trusted = found is not None and device_token and queries.is_trusted_device(tx, found.admin_id, device_token)
    known = token_hash(device_token) if trusted and device_token else None
    # The hash of the name, because somebody may type a password into the name field, and this row stays for days.
    # Ways to write one name count together: each would have tries of its own otherwise.
    key = _failures_key(found.username if found else name_key(username, nfkc=True)) + (
        f":device:{known}" if known else ""
    )
    check = lockout.count_attempt(tx, key)
    return LoginAttempt(key, check.admitted, check.locked_until, found, counted, known)


def _failures_key(username: str) -> str:
    return f"admin:{token_hash(username)}"


def proof_key(admin_id: int) -> str:
    """Counts who typed a wrong password while being logged in, before something that needs it."""
    return f"admin:proof:{admin_id}"


def unlock(tx: Tx, username: str, actor: str = "cli") -> int:
    """End the lock after too many wrong passwords, in every browser. Returns how many locks there were."""
    locked = _forget_failures(tx, id_of(tx, username), username)
    audit.record(tx, actor, "ADMIN_UNLOCK", f"admin:{username}", new={"ended": locked})
    return locked


def _forget_failures(tx: Tx, admin_id: int, username: str) -> int:
    return lockout.clear_all(tx, _failures_key(username)) + lockout.clear_all(tx, proof_key(admin_id))


def fail_login(tx: Tx, attempt: LoginAttempt) -> None:
    """Record the failure. An unknown name is not recorded, because it may be a password in the wrong field."""
    subject = f"admin:{attempt.account.username}" if attempt.account else "admin:?"
    audit.record(tx, "nobody", "LOGIN_FAIL", subject, new={"locked": attempt.locked_until is not None})


def finish_login(
    tx: Tx,
    attempt: LoginAttempt,
    admin: queries.AdminAccount,
    browser: LoginBrowser,
    times: SessionTimes,
    code: str | None,
) -> LoggedIn | Unauthenticated:
    """Open the session, or say why not. The password is right, and its hash was computed outside the transaction.

    The account is read again, because it may have been disabled or changed meanwhile. An attempt without a code counts
    like one with a wrong code: otherwise somebody who knows the password could guess codes for ever.
    """
    if queries.account(tx, admin.username, lock=True) != admin:
        return WrongCredentials()
    if admin.password_too_old:
        fail_login(tx, attempt)
        return OneTimePasswordTooOld()
    if is_on(tx, admin.admin_id):
        accepted = second_factor.accept(tx, admin.admin_id, code) if code else None
        if accepted is None:
            if code:
                fail_login(tx, attempt)
            return WrongSecondFactor() if code else SecondFactorMissing()
        if accepted == "recovery":
            left = {"codes_left": codes_left(tx, admin.admin_id)}
            audit.record(tx, f"admin:{admin.username}", "ADMIN_RECOVERY_USE", f"admin:{admin.username}", new=left)
    lockout.clear(tx, attempt.key)
    if browser.former_session:
        sessions.revoke_session(tx, browser.former_session)
    device_hash, device_token = attempt.known_device, None
    if device_hash is None:
        device_token = new_token()
        device_hash = token_hash(device_token)
        device = {"token_hash": device_hash, "admin_id": admin.admin_id, "created_at": tx.now}
        tx.execute(insert(TrustedDevice).values(device))
    session_token = open_session(tx, admin.admin_id, browser, times, device_hash)
    audit.record(tx, f"admin:{admin.username}", "LOGIN_SUCCESS", f"admin:{admin.username}")
    return LoggedIn(session_token, device_token)


def open_session(
    tx: Tx, admin_id: int, browser: LoginBrowser, times: SessionTimes, device_hash: str | None = None
) -> str:
    """`device_hash`: the trusted device that is forgotten when somebody ends this session."""
    data = {"address": browser.address, "device": browser.device, "device_hash": device_hash}
    return sessions.open_session(tx, sessions.ADMIN, str(admin_id), data, min(times.idle, times.longest))


def logout(tx: Tx, session_token: str, username: str) -> None:
    sessions.revoke_session(tx, session_token)
    audit.record(tx, f"admin:{username}", "LOGOUT", f"admin:{username}")


def create_admin(tx: Tx, username: str, password_hash: str, actor: str = "cli", *, one_time: bool = False) -> int:
    """`one_time`: the password is shown to somebody else, and has to be changed at the first log-in."""
    if (why := username_fault(username)) is not None:
        raise BadUsername(why)
    # Two administrators who are made at the same time must not look the same either, so they wait for each other here.
    tx.execute(select(AdminUser.id).order_by(AdminUser.id).limit(1).with_for_update(key_share=True))
    names = list(tx.execute(select(AdminUser.username)).scalars())
    if (existing := look_alike(username, names)) is not None:
        raise UsernameTaken(username, existing)
    until = tx.now + ONE_TIME_LIFETIME if one_time else None
    made = tx.scalar(
        upsert(tx, AdminUser)
        .values(
            username=username,
            password_hash=password_hash,
            created_at=tx.now,
            updated_at=tx.now,
            one_time_until=until,
        )
        .on_conflict_do_nothing()
        .returning(AdminUser.id)
    )
    if made is None:
        raise UsernameTaken(username, username)
    audit.record(tx, actor, "ADMIN_CREATE", f"admin:{username}")
    return int(made)


def create_token(tx: Tx, username: str, label: str | None = None) -> str:
    """A bearer token for programs. `label` says which program, for the list of tokens."""
    found = queries.account(tx, username, lock=True)
    if found is None or found.password_too_old:
        raise NoSuchAdmin(username)
    token = sessions.open_session(tx, sessions.TOKEN, str(found.admin_id), {"label": label}, TOKEN_LIFETIME)
    # Nobody has used it yet.
    tx.execute(update(Session).where(Session.id_hash == token_hash(token)).values(last_used_at=None))
    audit.record(tx, "cli", "ADMIN_TOKEN_CREATE", f"admin:{username}", new={"label": label} if label else None)
    return token


def disable(tx: Tx, username: str, actor: str = "cli") -> int:
    """Disable an administrator, end the sessions and tokens, and return their number."""
    # All rows are locked, so that two commands at the same time cannot disable the last two administrators.
    statement = select(AdminUser.username, AdminUser.id).where(AdminUser.disabled_at.is_(None)).order_by(AdminUser.id)
    rows = tx.execute(statement.with_for_update(key_share=True))
    enabled: dict[str, int] = {row.username: row.id for row in rows}
    if username not in enabled:
        raise NoSuchAdmin(username)
    if len(enabled) == 1:
        raise LastAdmin
    tx.execute(update(AdminUser).where(AdminUser.username == username).values(disabled_at=tx.now, updated_at=tx.now))
    return _end_all(tx, enabled[username], username, "ADMIN_DISABLE", actor)


def enable(tx: Tx, username: str, actor: str = "cli") -> None:
    """Enable an administrator again, with the old password and without the old sessions and tokens."""
    disabled = update(AdminUser).where(AdminUser.username == username, AdminUser.disabled_at.is_not(None))
    if not tx.execute(disabled.values(disabled_at=None, updated_at=tx.now)).rowcount:
        raise NoSuchAdmin(username)
    audit.record(tx, actor, "ADMIN_ENABLE", f"admin:{username}")


def revoke(tx: Tx, username: str, actor: str = "cli", but: str | None = None) -> int:
    """End the sessions and tokens of an administrator, who may log in again; `but`: the token of one that stays."""
    here = None if but is None else queries.device_hash_of(tx, token_hash(but))
    return _end_all(tx, id_of(tx, username), username, "ADMIN_REVOKE", actor, but, here)


def revoke_one(tx: Tx, username: str, session_id: str, actor: str = "cli") -> None:
    """End one session or token of an administrator. The device of the session is not known any more."""
    admin_id = id_of(tx, username)
    kind = sessions.revoke_one(tx, (sessions.ADMIN, sessions.TOKEN), str(admin_id), session_id)
    if kind is None:
        raise NoSuchSession
    gone = TrustedDevice.token_hash == queries.device_hash_of(tx, session_id)
    tx.execute(delete(TrustedDevice).where(TrustedDevice.admin_id == admin_id, gone))
    audit.record(tx, actor, "ADMIN_SESSION_END", f"admin:{username}", new={"session_kind": kind})


def change_password(
    tx: Tx,
    username: str,
    password_hash: str,
    actor: str = "cli",
    *,
    one_time: bool = False,
    kept_device: str | None = None,
) -> int:
    """Change the password and end all sessions and tokens, because the old password may be known to others.

    `one_time`: somebody else is shown the new one, so that it has to be changed at the next log-in. `kept_device`: the
    hash of the device on which the administrator changes it, which stays known.
    """
    admin_id = id_of(tx, username)
    until = tx.now + ONE_TIME_LIFETIME if one_time else None
    values = {"password_hash": password_hash, "one_time_until": until, "updated_at": tx.now}
    tx.execute(update(AdminUser).where(AdminUser.id == admin_id).values(values))
    # A person who gets a new password would otherwise wait for the end of the lock that the old one caused.
    _forget_failures(tx, admin_id, username)
    action = "ADMIN_PASSWORD_RESET" if one_time else "ADMIN_PASSWORD"
    return _end_all(tx, admin_id, username, action, actor, kept_device=kept_device)


def id_of(tx: Tx, username: str) -> int:
    """The id of an enabled or disabled administrator."""
    found = tx.scalar(select(AdminUser.id).where(AdminUser.username == username).with_for_update(key_share=True))
    if found is None:
        raise NoSuchAdmin(username)
    return int(found)


def _end_all(
    tx: Tx,
    admin_id: int,
    username: str,
    action: str,
    actor: str,
    but: str | None = None,
    kept_device: str | None = None,
) -> int:
    """The devices are forgotten too: a stolen one has advantages at the log-in as long as it is known."""
    ended = sum(sessions.revoke_all(tx, kind, str(admin_id), but) for kind in (sessions.ADMIN, sessions.TOKEN))
    others = (TrustedDevice.admin_id == admin_id, TrustedDevice.token_hash != (kept_device or ""))
    tx.execute(delete(TrustedDevice).where(*others))
    audit.record(tx, actor, action, f"admin:{username}", new={"ended": ended})
    return ended


def forget_all_devices(tx: Tx) -> None:
    """A restored database knows devices that were forgotten since the backup."""
    tx.execute(delete(TrustedDevice))


def forget_old_devices(tx: Tx) -> int:
    """Delete some of the devices whose cookie has expired."""
    return delete_some(tx, TrustedDevice, TrustedDevice.created_at < tx.now - DEVICE_LIFETIME)
