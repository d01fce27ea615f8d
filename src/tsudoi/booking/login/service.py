"""Log-in of staff, and their sessions: opening, rotating, revoking (docs/adr/0020-staff-sessions.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, insert, select, update

from tsudoi.booking.identity.errors import NotActive
from tsudoi.booking.identity.rules import ReadToken, TokenClaims, access_token, missing_fields, refresh_token
from tsudoi.booking.login import queries
from tsudoi.booking.login.errors import ActivationExpired, BadRefreshToken
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.login.rules import GRACE, stored_hash, successor_id
from tsudoi.booking.login.schemas import Transport
from tsudoi.booking.pins import service as pins
from tsudoi.booking.pins.service import PinAccount, PinAttempt
from tsudoi.booking.staffs.models import StaffAccount, StaffDevice
from tsudoi.core import audit, rate_limit
from tsudoi.core.client_addresses import rate_key
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.errors import Problem, RateLimited
from tsudoi.core.forgetting import AT_ONCE, delete_some
from tsudoi.core.settings import Settings, lifetime
from tsudoi.core.tokens import new_token, token_hash

RevokedBecause = Literal["rotated", "logout", "reuse", "pin_change", "pin_reset", "office", "locked"]
# A whole hospital behind one address logs in at nine, so only failures are limited narrowly.
TRIES_PER_CLIENT = rate_limit.Limit("staff-login", 600, timedelta(minutes=1))
# A log-in and a refresh are rows that stay for weeks. Each page of the portal may refresh when it is opened.
LOGINS_PER_PERSON = (
    rate_limit.Limit("staff-logins", 20, timedelta(minutes=1)),
    rate_limit.Limit("staff-logins-day", 200, timedelta(days=1)),
)
REFRESHES_PER_PERSON = (
    rate_limit.Limit("staff-refreshes", 60, timedelta(minutes=1)),
    rate_limit.Limit("staff-refreshes-day", 1_000, timedelta(days=1)),
)
FAILURES_PER_CLIENT = rate_limit.Limit("staff-login-failures", 30, timedelta(minutes=1))
# A token that is used again after one of these was copied: its owner has no reason to keep it. None: somebody revoked
# the session by hand in the table.
_SIGNS_OF_THEFT = ("rotated", "logout", None)
# Somebody else may have a device of the person then, and a known device may still try while the account is locked.
_FORGETS_DEVICES = ("reuse", "pin_reset", "office")
_LONGEST_USER_AGENT = 300
DEVICE_LIFETIME = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class TokenPolicy:
    """The secrets and lifetimes of both tokens."""

    access_secret: str
    access_lifetime: timedelta
    refresh_secret: str
    refresh_lifetime: timedelta
    rotate: bool

    @staticmethod
    def of(settings: Settings) -> "TokenPolicy":
        access, refresh = settings.jwt_secret, settings.refresh_secret
        return TokenPolicy(
            access.get_secret_value() if access else "",
            lifetime(settings.jwt_expires_in),
            refresh.get_secret_value() if refresh else "",
            lifetime(settings.refresh_expires_in),
            settings.refresh_rotate,
        )


@dataclass(frozen=True, slots=True)
class Client:
    """From where a request came, as the session remembers it."""

    address: str
    user_agent: str | None
    transport: Transport = "body"


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """Both tokens of a session."""

    access_token: str
    refresh_token: str
    expires_in: int


@dataclass(frozen=True, slots=True)
class NewLogin:
    """A log-in that succeeded. `device_token` is for a browser in which nobody has logged in before."""

    tokens: IssuedTokens
    pin_must_change: bool
    profile_complete: bool
    device_token: str | None


def begin_login(
    tx: Tx, staff_id: str, device_token: str | None, address: str
) -> PinAttempt | rate_limit.RateLimitResult:
    """Count the attempt before the PIN is checked. Returns the exceeded limit instead, if there is one."""
    client = rate_key(address)
    for limit in (
        rate_limit.look(tx, FAILURES_PER_CLIENT, client),
        rate_limit.count_request(tx, TRIES_PER_CLIENT, client),
    ):
        if not limit.allowed:
            return limit
    attempt = pins.count_by_number(tx, staff_id, queries.device_key(tx, staff_id, device_token))
    if not attempt.admitted:
        fail_login(tx, attempt, address)
    return attempt


def fail_login(tx: Tx, attempt: PinAttempt, address: str) -> None:
    rate_limit.count_request(tx, FAILURES_PER_CLIENT, rate_key(address))
    pins.record_failure(tx, attempt, "ログイン")


def finish_login(
    tx: Tx,
    attempt: PinAttempt,
    account: PinAccount,
    policy: TokenPolicy,
    client: Client,
    *,
    new_hash: str | None,
    device_token: str | None,
) -> NewLogin | Problem:
    """Open a session, or return why the right PIN is not enough. The count is taken back in both cases."""
    pins.record_success(tx, attempt, account, new_hash)
    own = StaffAccount.staff_uid == account.staff_uid
    # Read while the row is locked, because the office may have changed the status while the hash was computed.
    columns = (StaffAccount.status, StaffAccount.emr_patient_id, StaffAccount.date_of_birth, StaffAccount.sex_code)
    status, *profile = tuple(tx.execute(select(*columns).where(own)).one())
    refusal = _refusal(tx, account, status)
    if refusal is not None:
        audit.record(tx, attempt.actor, "LOGIN_FAIL", attempt.actor, new={"refused": refusal.code})
        return refusal
    too_many = _over(tx, LOGINS_PER_PERSON, account.staff_uid)
    if too_many is not None:
        return too_many
    tx.execute(update(StaffAccount).where(own).values(last_login_at=tx.now))
    device = _remember_device(tx, account.staff_uid, device_token) if client.transport == "cookie" else None
    row = {"staff_uid": account.staff_uid, "staff_id_snapshot": account.staff_id, "family_id": new_token()}
    tokens = _open_session(tx, row, new_token(), policy, client)
    new = {"first": bool(account.pin_must_change), "address": client.address}
    audit.record(tx, attempt.actor, "LOGIN_SUCCESS", attempt.actor, new=new)
    return NewLogin(tokens, bool(account.pin_must_change), not missing_fields(*profile), device)


def _over(tx: Tx, limits: Sequence[rate_limit.Limit], staff_uid: str) -> RateLimited | None:
    """The refusal is returned, so that the count and what was written before stay."""
    counted = rate_limit.count_requests(tx, [(limit, f"staff:{staff_uid}") for limit in limits])
    refused = [one.retry_after_seconds for one in counted if not one.allowed]
    return RateLimited(max(refused)) if refused else None


def _refusal(tx: Tx, account: PinAccount, status: str) -> Problem | None:
    if status != "active":
        return NotActive()
    if account.pin_must_change and account.activate_until is not None and account.activate_until <= tx.now:
        return ActivationExpired()
    return None


def _remember_device(tx: Tx, staff_uid: str, device_token: str | None) -> str | None:
    """Several people may use one device. Only a token that we made is used again."""
    is_known = device_token is not None and queries.is_device(tx, device_token)
    token = device_token if device_token is not None and is_known else new_token()
    row = {"token_hash": token_hash(token), "staff_uid": staff_uid, "created_at": tx.now}
    tx.execute(upsert(tx, StaffDevice).values(row).on_conflict_do_nothing())
    return None if is_known else token


def _open_session(tx: Tx, row: dict[str, Any], token_id: str, policy: TokenPolicy, client: Client) -> IssuedTokens:
    values = {
        **row,
        "refresh_token_hash": stored_hash(policy.refresh_secret, token_id),
        "expires_at": tx.now + policy.refresh_lifetime,
        "user_agent": client.user_agent[:_LONGEST_USER_AGENT] if client.user_agent else None,
        "ip_address": client.address,
        "created_at": tx.now,
        "updated_at": tx.now,
        "transport": client.transport,
    }
    session_id = tx.execute(insert(RefreshSession).values(values).returning(RefreshSession.id)).scalar_one()
    return _issue(policy, TokenClaims(row["staff_uid"], session_id, token_id), tx.now, values["expires_at"])


def _issue(policy: TokenPolicy, claims: TokenClaims, issued_at: datetime, expires_at: datetime) -> IssuedTokens:
    access = TokenClaims(claims.staff_uid, claims.session_id)
    return IssuedTokens(
        access_token(policy.access_secret, access, issued_at, policy.access_lifetime),
        refresh_token(policy.refresh_secret, claims, issued_at, expires_at),
        int(policy.access_lifetime.total_seconds()),
    )


def refresh(tx: Tx, token: ReadToken, policy: TokenPolicy, client: Client) -> IssuedTokens | Problem:
    """Give out new tokens and revoke the old session. A refusal is returned, because what it revokes must stay."""
    claims, token_id = token.claims, token.claims.token_id
    found = queries.session_for_refresh(tx, claims.session_id, claims.staff_uid)
    if found is None or token_id is None or token.expires_at <= tx.now:
        return BadRefreshToken()
    status, session = found
    if session.refresh_token_hash != stored_hash(policy.refresh_secret, token_id) or session.expires_at <= tx.now:
        return BadRefreshToken()
    if status != "active":
        return NotActive()
    if session.revoked_at is not None:
        return _repeat(tx, session, token_id, policy)
    return _over(tx, REFRESHES_PER_PERSON, session.staff_uid) or _renew(tx, session, token_id, policy, client)


def _renew(tx: Tx, session: Any, token_id: str, policy: TokenPolicy, client: Client) -> IssuedTokens:
    this = RefreshSession.id == session.id
    if not policy.rotate:
        tx.execute(update(RefreshSession).where(this).values(last_used_at=tx.now, updated_at=tx.now))
        claims = TokenClaims(session.staff_uid, session.id, token_id)
        tokens = _issue(policy, claims, tx.now, session.expires_at)
        unchanged = refresh_token(policy.refresh_secret, claims, session.created_at, session.expires_at)
        return IssuedTokens(tokens.access_token, unchanged, tokens.expires_in)
    row = {"staff_uid": session.staff_uid, "staff_id_snapshot": session.staff_id_snapshot}
    family = {"family_id": session.family_id or new_token()}
    next_id = successor_id(policy.refresh_secret, token_id)
    tokens = _open_session(tx, {**row, **family}, next_id, policy, client)
    new_hash = stored_hash(policy.refresh_secret, next_id)
    successor = select(RefreshSession.id).where(RefreshSession.refresh_token_hash == new_hash).scalar_subquery()
    values = {"last_used_at": tx.now, "successor_id": successor, **family}
    tx.execute(update(RefreshSession).where(this).values(**values, **_revoked(tx, "rotated")))
    return tokens


def _repeat(tx: Tx, session: Any, token_id: str, policy: TokenPolicy) -> IssuedTokens | Problem:
    """Give the same successor again while it is unused; later, a token that was used before is a stolen copy."""
    successor = queries.session(tx, session.successor_id)
    is_unused = successor is not None and successor.last_used_at is None
    if session.revoked_because == "rotated" and session.revoked_at + GRACE >= tx.now and successor and is_unused:
        if successor.revoked_at is not None:
            return BadRefreshToken()
        claims = TokenClaims(session.staff_uid, successor.id, successor_id(policy.refresh_secret, token_id))
        return _issue(policy, claims, successor.created_at, successor.expires_at)
    if session.revoked_because in _SIGNS_OF_THEFT:
        ended = revoke_all(tx, session.staff_uid, "reuse")
        who = f"staff:{session.staff_uid}"
        audit.record(tx, who, "REFRESH_REUSE", who, new={"ended": ended})
    return BadRefreshToken()


def logout(tx: Tx, sessions: dict[int, str]) -> int:
    """Revoke the log-ins to which these sessions belong (session id → account), and return how many sessions ended."""
    ended = 0
    for session_id, staff_uid in sessions.items():
        found = queries.session_for_refresh(tx, session_id, staff_uid)
        if found is None:
            continue
        session = found[1]
        same = RefreshSession.id == session.id
        family = same if session.family_id is None else same | (RefreshSession.family_id == session.family_id)
        count = _revoke(tx, family, "logout")
        ended += count
        if count:
            audit.record(tx, f"staff:{staff_uid}", "LOGOUT", f"staff:{staff_uid}")
    return ended


def revoke_all(tx: Tx, staff_uid: str, because: RevokedBecause, *, keep_family: str | None = None) -> int:
    """Revoke the live sessions of a person, except those of one log-in, and return how many there were."""
    if because in _FORGETS_DEVICES:
        tx.execute(delete(StaffDevice).where(StaffDevice.staff_uid == staff_uid))
    sessions = RefreshSession.staff_uid == staff_uid
    if keep_family is not None:
        sessions &= RefreshSession.family_id.is_distinct_from(keep_family)
    return _revoke(tx, sessions, because)


def revoke_everything(tx: Tx) -> int:
    """End the log-ins of all staff, and forget their devices: a restored database knows some that were ended since."""
    tx.execute(delete(StaffDevice))
    return _revoke(tx, RefreshSession.expires_at > tx.now, "office")


def forget_expired(tx: Tx, kept_for: timedelta = timedelta(days=30)) -> int:
    """Delete some of the sessions that ended long ago; returns how many."""
    cutoff = tx.now - kept_for
    # With a shorter lifetime since then, a successor can expire before the session that names it.
    named = select(RefreshSession.successor_id).where(
        RefreshSession.expires_at >= cutoff, RefreshSession.successor_id.is_not(None)
    )
    # The oldest first. The database refuses to delete a session while an older one still names it.
    old = select(RefreshSession.id).where(RefreshSession.expires_at < cutoff, RefreshSession.id.not_in(named))
    some = tx.execute(old.order_by(RefreshSession.id).limit(AT_ONCE)).scalars().all()
    return tx.execute(delete(RefreshSession).where(RefreshSession.id.in_(some))).rowcount


def forget_old_devices(tx: Tx) -> int:
    """Delete some of the devices whose cookie has expired."""
    return delete_some(tx, StaffDevice, StaffDevice.created_at < tx.now - DEVICE_LIFETIME)


def _revoke(tx: Tx, sessions: ColumnElement[bool], because: RevokedBecause) -> int:
    live = update(RefreshSession).where(sessions, RefreshSession.revoked_at.is_(None))
    return tx.execute(live.values(_revoked(tx, because))).rowcount


def _revoked(tx: Tx, because: RevokedBecause) -> dict[str, Any]:
    return {"revoked_at": tx.now, "revoked_because": because, "updated_at": tx.now}
