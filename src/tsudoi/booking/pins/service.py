"""Counting PIN attempts, and the lock after five failures.

Each attempt is counted as a failure in one statement before the slow hash is computed, and a success takes that back.
So a thousand parallel guesses cost five hashes.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, case, literal, null, or_, select, update

from tsudoi.booking.pins.errors import WrongPin
from tsudoi.booking.pins.rules import FAILURES_ALLOWED, LOCKOUT_PREFIX, PIN_VERSION, lockout_key
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core import audit, lockout
from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import Tx

# Only the office unlocks an account. A number that nobody has gets a row in `lockouts`, which is kept for this long.
KEPT_FOR = timedelta(days=90)
# What the person wanted to do, as the office reads it in the audit trail.
During = Literal["ログイン", "暗証番号の変更", "プロフィールの変更"]
_COLUMNS = (
    StaffAccount.staff_uid,
    StaffAccount.staff_id,
    StaffAccount.pin_hash,
    StaffAccount.pin_version,
    StaffAccount.pin_must_change,
    StaffAccount.activate_until,
    StaffAccount.pin_retry_count,
)


@dataclass(frozen=True, slots=True)
class PinAccount:
    """What is needed to check the PIN of an account and to decide what follows."""

    staff_uid: str
    staff_id: str
    pin_hash: str
    pin_version: int
    pin_must_change: int
    activate_until: datetime | None
    pin_retry_count: int


@dataclass(frozen=True, slots=True)
class PinAttempt:
    """An attempt that has been counted as a failure. `account` is None when nobody has the number."""

    account: PinAccount | None
    # False: the PIN must not be checked, because of the lock.
    admitted: bool
    # Whether a failure of this attempt is the last one that is admitted: then it is answered with 423.
    is_last: bool
    # When this attempt set the lock of the account; None: it did not.
    locked_at: datetime | None = None
    # Where the attempts of a known device or of a live session are counted besides the account.
    own_key: str | None = None

    @property
    def actor(self) -> str:
        return f"staff:{self.account.staff_uid if self.account else '?'}"

    @property
    def stored_hash(self) -> str | None:
        return self.account.pin_hash if self.account else None


def count_by_number(tx: Tx, staff_id: str, own_key: str | None = None) -> PinAttempt:
    attempt = _count(tx, StaffAccount.staff_id == staff_id, own_key)
    if attempt is not None:
        return attempt
    check = lockout.count_attempt(tx, lockout_key(staff_id), KEPT_FOR, KEPT_FOR)
    return PinAttempt(None, check.admitted, is_last=check.locked_until is not None)


def count_by_uid(tx: Tx, staff_uid: str, own_key: str) -> PinAttempt:
    attempt = _count(tx, StaffAccount.staff_uid == staff_uid, own_key)
    if attempt is None:
        raise WrongPin
    return attempt


def _count(tx: Tx, staff: ColumnElement[bool], own_key: str | None) -> PinAttempt | None:
    """Count for an account; None when there is none. A locked account only counts the attempts of known devices."""
    failures = StaffAccount.pin_retry_count + 1
    locks = case((failures >= FAILURES_ALLOWED, literal(tx.now, UtcText())), else_=null())
    counting = update(StaffAccount).where(staff, StaffAccount.pin_locked_until.is_(None))
    row = tx.execute(counting.values(pin_retry_count=failures, pin_locked_until=locks).returning(*_COLUMNS)).first()
    was_open = row is not None
    row = row or tx.execute(select(*_COLUMNS).where(staff)).first()
    if row is None:
        return None
    account = PinAccount(*tuple(row))
    locked_at = tx.now if was_open and account.pin_retry_count >= FAILURES_ALLOWED else None
    if own_key is None:
        return PinAttempt(account, was_open, locked_at is not None, locked_at)
    own = _count_own(tx, own_key, was_open=was_open)
    if own.locked_until is not None and was_open and locked_at is None:
        tx.execute(update(StaffAccount).where(staff).values(pin_locked_until=tx.now, pin_retry_count=FAILURES_ALLOWED))
        locked_at = tx.now
    return PinAttempt(account, own.admitted, own.locked_until is not None, locked_at, own_key)


def _count_own(tx: Tx, own_key: str, *, was_open: bool) -> lockout.AttemptCheck:
    check = lockout.count_attempt(tx, own_key, KEPT_FOR, KEPT_FOR)
    if check.admitted or not was_open:
        return check
    # Its fifth failure locked the account too. The account is open, so the office has unlocked it since.
    lockout.clear(tx, own_key)
    return lockout.count_attempt(tx, own_key, KEPT_FOR, KEPT_FOR)


def record_failure(tx: Tx, attempt: PinAttempt, during: During) -> None:
    """Write the audit rows of a wrong or refused PIN."""
    locked = attempt.is_last or not attempt.admitted
    audit.record(tx, attempt.actor, "LOGIN_FAIL", attempt.actor, reason=during, new={"locked": locked})
    if attempt.locked_at is not None:
        audit.record(tx, attempt.actor, "PIN_LOCKED", attempt.actor, reason=during)


def record_success(tx: Tx, attempt: PinAttempt, account: PinAccount, new_hash: str | None = None) -> None:
    """Take back what was counted. A lock that others set meanwhile stays, because only the office may undo it.

    Raises `WrongPin` when the PIN or the number was changed while the hash was computed. `new_hash`: with today's
    parameters.
    """
    own = StaffAccount.staff_uid == account.staff_uid
    current = select(StaffAccount.pin_hash, StaffAccount.staff_id).where(own).with_for_update(key_share=True)
    if tuple(tx.execute(current).one()) != (account.pin_hash, account.staff_id):
        raise WrongPin
    counted = or_(StaffAccount.pin_locked_until.is_(None), StaffAccount.pin_locked_until == attempt.locked_at)
    tx.execute(update(StaffAccount).where(own, counted).values(pin_retry_count=0, pin_locked_until=None))
    if new_hash is not None:
        tx.execute(
            update(StaffAccount).where(own).values(pin_hash=new_hash, pin_version=PIN_VERSION, updated_at=tx.now)
        )
    if attempt.own_key is not None:
        lockout.clear(tx, attempt.own_key)


def set_pin(tx: Tx, staff_uid: str, pin_hash: str) -> None:
    """Store the PIN that the person has chosen."""
    values = {"pin_hash": pin_hash, "pin_version": PIN_VERSION, "pin_must_change": 0}
    times = {"pin_updated_at": tx.now, "updated_at": tx.now, "activate_until": None}
    tx.execute(update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values({**values, **times}))


def forget_old_attempts(tx: Tx) -> int:
    return lockout.forget_old(tx, LOCKOUT_PREFIX, KEPT_FOR)
