"""The person's own side of an account: registration, profile, PIN, and the link with LINE."""

import uuid
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, select, update

from tsudoi.booking.departments.queries import department_to_choose
from tsudoi.booking.login.service import revoke_all
from tsudoi.booking.pins import service as pins
from tsudoi.booking.pins.rules import PIN_VERSION
from tsudoi.booking.pins.service import During, PinAttempt
from tsudoi.booking.profile import queries
from tsudoi.booking.profile.errors import AlreadyLinked, LineUserTaken, OfficeOnly
from tsudoi.booking.profile.schemas import ProfileChange, Registration, StaffProfile
from tsudoi.booking.reservations.queries.reservations import locked_upcoming_of
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.staffs.queries import refuse_taken
from tsudoi.booking.staffs.rules import audited, refuse_future, search_text
from tsudoi.core import audit, rate_limit
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.errors import ChangedMeanwhile
from tsudoi.notifications.notices.service import making

REGISTRATIONS_PER_CLIENT = rate_limit.Limit("staff-registration", 5, timedelta(hours=1))
# Otherwise one could find out which patient ids exist.
PATIENT_IDS_PER_PERSON = rate_limit.Limit("staff-emr-patient-id", 5, timedelta(hours=1))
# Each of them is an audit row, and a new link makes reminders.
LINE_LINKS_PER_PERSON = rate_limit.Limit("staff-line-link", 10, timedelta(hours=1))
PIN_CHANGES_PER_PERSON = rate_limit.Limit("staff-pin-change", 10, timedelta(hours=1))
_SEARCHED = ("family_name", "given_name", "family_name_kana", "given_name_kana")


def check_registration(tx: ReadTx, body: Registration) -> str:
    """Refuse before the PIN is hashed, because the hash is slow. Returns the department in its stored spelling."""
    refuse_future(body.date_of_birth, jst_date(tx.now))
    department_id = department_to_choose(tx, body.department_id)
    refuse_taken(tx, body.staff_id, body.emr_patient_id)
    return department_id


def register(tx: Tx, body: Registration, pin_hash: str) -> str:
    """Create the account and return its uid. The office sees it as not confirmed."""
    department_id = check_registration(tx, body)
    uid = str(uuid.uuid4())
    given = {**body.model_dump(exclude={"pin", "registration_code"}), "department_id": department_id}
    pin = {"pin_hash": pin_hash, "pin_version": PIN_VERSION, "pin_must_change": 1, "pin_updated_at": tx.now}
    text = search_text(body.staff_id, *(given[name] for name in _SEARCHED))
    more = {"staff_uid": uid, "source": "self", "search_text": text, "created_at": tx.now, "updated_at": tx.now}
    row = {**given, **pin, **more}
    if (
        tx.scalar(upsert(tx, StaffAccount).values(row).on_conflict_do_nothing().returning(StaffAccount.staff_uid))
        is None
    ):
        # Somebody else was a moment faster; this names the field.
        check_registration(tx, body)
    audit.record(tx, f"staff:{uid}", "STAFF_REGISTER", f"staff:{uid}", new={"department_id": department_id})
    return uid


def check_change(tx: ReadTx, staff_uid: str, body: ProfileChange) -> None:
    """Refuse what can be refused before the PIN is counted and hashed."""
    _allowed_changes(tx, _own_row(tx, staff_uid), body)


def change_profile(tx: Tx, staff_uid: str, body: ProfileChange) -> StaffProfile:
    row = _own_row(tx, staff_uid, lock=True)
    before, given = row._asdict(), _allowed_changes(tx, row, body)
    refuse_taken(tx, None, given.get("emr_patient_id"), staff_uid)
    if given:
        after = {**before, **given}
        text = search_text(row.staff_id, *(after[name] for name in _SEARCHED))
        values = {**given, "search_text": text, "version": row.version + 1, "updated_at": tx.now}
        tx.execute(update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values(values))
    changed = {name: value for name, value in given.items() if value != before[name]}
    if changed:
        old, new = audited({name: before[name] for name in changed}), audited(changed)
        audit.record(tx, f"staff:{staff_uid}", "STAFF_UPDATE", f"staff:{staff_uid}", old=old, new=new)
    return queries.profile(tx, staff_uid)


def _own_row(tx: ReadTx, staff_uid: str, *, lock: bool = False) -> Row[tuple[StaffAccount]]:
    own = select(StaffAccount.__table__).where(StaffAccount.staff_uid == staff_uid)
    return tx.execute(own.with_for_update(key_share=True) if lock else own).one()


def _allowed_changes(tx: ReadTx, row: Row[tuple[StaffAccount]], body: ProfileChange) -> dict[str, Any]:
    """The given fields, with the department in its stored spelling."""
    given = body.changes
    refuse_future(given.get("date_of_birth"), jst_date(tx.now))
    if "department_id" in given:
        given["department_id"] = department_to_choose(tx, given["department_id"], row.department_id)
    if "emr_patient_id" in given and row.emr_patient_id is not None:
        raise OfficeOnly
    if body.version != row.version:
        raise ChangedMeanwhile
    return given


def fail_current_pin(tx: Tx, attempt: PinAttempt, staff_uid: str, during: During) -> None:
    """A wrong PIN inside a session. When it locks the account, the sessions end too."""
    if attempt.is_last or attempt.locked_at is not None:
        revoke_all(tx, staff_uid, "locked")
    pins.record_failure(tx, attempt, during)


def accept_current_pin(tx: Tx, attempt: PinAttempt) -> None:
    """The right PIN inside a session takes back what was counted."""
    assert attempt.account is not None  # noqa: S101 (`count_by_uid` found it)
    pins.record_success(tx, attempt, attempt.account)


def change_pin(tx: Tx, attempt: PinAttempt, staff_uid: str, pin_hash: str, family_id: str | None) -> int:
    """Store the new PIN and end the sessions of all other log-ins; returns how many ended."""
    accept_current_pin(tx, attempt)
    pins.set_pin(tx, staff_uid, pin_hash)
    ended = revoke_all(tx, staff_uid, "pin_change", keep_family=family_id)
    audit.record(tx, f"staff:{staff_uid}", "PIN_CHANGE", f"staff:{staff_uid}", new={"ended": ended})
    return ended


def link_line(tx: Tx, staff_uid: str, line_user_id: str) -> None:
    row = _own_row(tx, staff_uid, lock=True)
    if row.line_user_id == line_user_id:
        return
    if row.line_user_id is not None:
        raise AlreadyLinked
    if tx.scalar(select(StaffAccount.staff_uid).where(StaffAccount.line_user_id == line_user_id)) is not None:
        raise LineUserTaken
    _set_line_user(tx, staff_uid, line_user_id)
    # A seat that is not paid for gets its notices with the payment.
    making.linked(tx, (found.appointment for found in locked_upcoming_of(tx, staff_uid) if found.is_confirmed))
    audit.record(tx, f"staff:{staff_uid}", "STAFF_LINK", f"staff:{staff_uid}")


def unlink_line(tx: Tx, staff_uid: str) -> None:
    if _own_row(tx, staff_uid, lock=True).line_user_id is not None:
        _set_line_user(tx, staff_uid, None)
        audit.record(tx, f"staff:{staff_uid}", "STAFF_UNLINK", f"staff:{staff_uid}")


def _set_line_user(tx: Tx, staff_uid: str, line_user_id: str | None) -> None:
    own = update(StaffAccount).where(StaffAccount.staff_uid == staff_uid)
    tx.execute(own.values(line_user_id=line_user_id, updated_at=tx.now))
