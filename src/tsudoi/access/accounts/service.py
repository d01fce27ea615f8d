"""What an administrator does with the own account, and with those of the others."""

from dataclasses import dataclass
from datetime import datetime

from tsudoi.access.accounts.errors import OwnAccountElsewhere, WeakPassword, WrongPassword
from tsudoi.access.accounts.schemas import OneTimePassword
from tsudoi.access.admins import queries, service
from tsudoi.access.admins.service import LoginBrowser, SessionTimes, proof_key
from tsudoi.access.principals import AccountManager, AccountOwner
from tsudoi.access.second_factor import service as second_factor
from tsudoi.access.second_factor.errors import TotpIsRequired
from tsudoi.access.second_factor.rules import READABLE
from tsudoi.core import audit, lockout
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Unauthenticated
from tsudoi.core.passwords import weakness
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import random_groups, token_hash


@dataclass(frozen=True, slots=True)
class PasswordAttempt:
    """An attempt to prove with the present password that the owner sits in front of the screen."""

    admitted: bool
    locked_until: datetime | None
    password_hash: str


def begin_proof(tx: Tx, who: AccountOwner) -> PasswordAttempt:
    """Count the attempt before the password is checked, as at a log-in, but apart from the count of log-ins."""
    account = queries.account(tx, who.username)
    if account is None or account.password_too_old:
        raise Unauthenticated  # A one-time password has become too old meanwhile.
    check = lockout.count_attempt(tx, proof_key(who.admin_id))
    return PasswordAttempt(check.admitted, check.locked_until, account.password_hash)


def end_proof(tx: Tx, who: AccountOwner, *, right: bool) -> None:
    if right:
        lockout.clear(tx, proof_key(who.admin_id))
    else:
        audit.record(tx, who.actor, "ADMIN_PROOF_FAIL", who.actor)


def require_strong(password: str, username: str, settings: Settings) -> None:
    if (why := weakness(password, (username, settings.organisation_name))) is not None:
        raise WeakPassword(why)


def change_own_password(
    tx: Tx, who: AccountOwner, proven: str, password_hash: str, browser: LoginBrowser, times: SessionTimes
) -> tuple[str, int]:
    """Returns the token of a new session, which takes the place of this one, and how many others have ended.

    `proven`: the hash that the present password was checked against; somebody may have changed it meanwhile.
    """
    account = queries.account(tx, who.username, lock=True)
    if account is None or account.password_too_old or account.password_hash != proven:
        raise WrongPassword
    device = queries.device_hash_of(tx, token_hash(who.credentials.token))
    ended = service.change_password(tx, who.username, password_hash, who.actor, kept_device=device)
    return service.open_session(tx, who.admin_id, browser, times, device), ended - 1


def remove_own_totp(tx: Tx, who: AccountOwner, settings: Settings) -> None:
    if settings.admin_totp == "required":
        raise TotpIsRequired
    second_factor.remove(tx, who.admin_id, who.username, who.actor)


def new_one_time_password() -> str:
    return random_groups(READABLE, 4, 4)


def create(tx: Tx, who: AccountManager, username: str, password: str, password_hash: str) -> OneTimePassword:
    admin_id = service.create_admin(tx, username, password_hash, who.actor, one_time=True)
    return _shown_once(tx, admin_id, username, password)


def reset_password(tx: Tx, who: AccountManager, admin_id: int, password: str, password_hash: str) -> OneTimePassword:
    username = other(tx, who, admin_id)
    service.change_password(tx, username, password_hash, who.actor, one_time=True)
    return _shown_once(tx, admin_id, username, password)


def remove_totp(tx: Tx, who: AccountManager, admin_id: int) -> None:
    second_factor.remove(tx, admin_id, other(tx, who, admin_id), who.actor)


def other(tx: Tx, who: AccountManager, admin_id: int) -> str:
    """The name of another administrator. The own account is changed with its password, on its own page."""
    if admin_id == who.admin_id:
        raise OwnAccountElsewhere
    return queries.username_of(tx, admin_id)


def _shown_once(tx: Tx, admin_id: int, username: str, password: str) -> OneTimePassword:
    until = jst_text(tx.now + service.ONE_TIME_LIFETIME)
    return OneTimePassword(id=admin_id, username=username, password=password, until=until)
