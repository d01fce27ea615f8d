"""What the office does with the accounts of staff."""

import uuid
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from tsudoi.booking.accounts import rules
from tsudoi.booking.accounts.errors import AlreadyMasked, NotLeft
from tsudoi.booking.accounts.rules import StaffFilters
from tsudoi.booking.accounts.schemas import NewStaff, StaffChange
from tsudoi.booking.coverage_reminders.models import CoverageReminderRecipient
from tsudoi.booking.departments.queries import department_to_choose
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.login.service import revoke_all
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.service.changing import cancel_future, lock_future
from tsudoi.booking.staffs.errors import StaleStaff
from tsudoi.booking.staffs.models import RegistrationCode, StaffAccount, StaffDevice
from tsudoi.booking.staffs.queries import locked_staff, refuse_taken
from tsudoi.booking.staffs.rules import audited, refuse_future, search_text
from tsudoi.core import audit
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.fallback.service import forget as forget_notices

_SEARCHED = ("staff_id", "family_name", "given_name", "family_name_kana", "given_name_kana")


def create_staff(tx: Tx, new: NewStaff, pin_hash: str, actor: str) -> str:
    refuse_future(new.date_of_birth, jst_date(tx.now))
    values = {**new.model_dump(), "department_id": department_to_choose(tx, new.department_id)}
    refuse_taken(tx, new.staff_id, new.emr_patient_id)
    uid = str(uuid.uuid4())
    row = {
        **values,
        **rules.initial_pin_columns(pin_hash, tx.now),
        "staff_uid": uid,
        "source": "office",
        "created_at": tx.now,
        "search_text": search_text(*(values[name] for name in _SEARCHED)),
    }
    _write_unless_taken(tx, insert(StaffAccount).values(**row), uid, values)
    audit.record(tx, actor, "STAFF_CREATE", f"staff:{uid}", new={"staff_id": new.staff_id})
    return uid


def change_staff(tx: Tx, staff_uid: str, change: StaffChange, actor: str) -> None:
    """Change the profile. Sessions end when the account is no longer the one that the person logged in to."""
    if "status" in change.model_fields_set and change.status == "left":
        lock_future(tx, staff_uid)
    before = locked_staff(tx, staff_uid)
    if before["version"] != change.version:
        raise StaleStaff
    if before["masked_at"] is not None:
        raise AlreadyMasked
    refuse_future(change.date_of_birth, jst_date(tx.now))
    values = change.model_dump(exclude_unset=True, exclude={"version", "reason"})
    if "department_id" in values:
        values["department_id"] = department_to_choose(tx, values["department_id"], before["department_id"])
    values = {name: value for name, value in values.items() if value != before[name]}
    if not values:
        return
    refuse_taken(tx, values.get("staff_id"), values.get("emr_patient_id"), staff_uid)
    after = {**before, **values}
    row = {
        **values,
        "version": before["version"] + 1,
        "updated_at": tx.now,
        "search_text": search_text(*(after[name] for name in _SEARCHED)),
    }
    _write_unless_taken(
        tx, update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values(**row), staff_uid, values
    )
    _carry_on(tx, staff_uid, values, change.reason, actor)
    old, new = audited({name: before[name] for name in values}), audited(values)
    audit.record(tx, actor, "STAFF_UPDATE", f"staff:{staff_uid}", reason=change.reason, old=old, new=new)


def _carry_on(tx: Tx, staff_uid: str, values: dict[str, Any], reason: str, actor: str) -> None:
    """What else follows from a change: copies of the number, sessions, reservations."""
    if "staff_id" in values:
        followed = update(Reservation).where(Reservation.staff_uid == staff_uid)
        tx.execute(followed.values(staff_id=values["staff_id"]))
    if values.keys() & {"staff_id", "emr_patient_id", "status"}:
        revoke_all(tx, staff_uid, "office")
    if values.get("status") == "left":
        cancel_future(tx, staff_uid, actor, reason)


def unlock(tx: Tx, staff_uids: list[str], reason: str, actor: str) -> int:
    """Unlock accounts and forget their failures. Returns how many of them were locked."""
    chosen = update(StaffAccount).where(
        StaffAccount.staff_uid.in_(staff_uids), StaffAccount.pin_locked_until.is_not(None)
    )
    opened = chosen.values(pin_locked_until=None, pin_retry_count=0, updated_at=tx.now).returning(
        StaffAccount.staff_uid
    )
    unlocked = sorted(tx.execute(opened).scalars())
    for staff_uid in unlocked:
        audit.record(tx, actor, "STAFF_UNLOCK", f"staff:{staff_uid}", reason=reason)
    return len(unlocked)


def reset_pin(tx: Tx, staff_uid: str, pin_hash: str, reason: str, actor: str) -> str:
    """Give the person the initial PIN again. Everybody knows it, so it works for the activation period only."""
    locked_staff(tx, staff_uid)
    columns = rules.initial_pin_columns(pin_hash, tx.now)
    tx.execute(update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values(**columns))
    revoke_all(tx, staff_uid, "pin_reset")
    audit.record(tx, actor, "PIN_RESET", f"staff:{staff_uid}", reason=reason)
    return staff_uid


def confirm(tx: Tx, staff_uid: str, actor: str) -> None:
    """The office knows this self-registered person."""
    if locked_staff(tx, staff_uid)["confirmed_at"] is not None:
        return
    tx.execute(
        update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values(confirmed_at=tx.now, updated_at=tx.now)
    )
    audit.record(tx, actor, "STAFF_CONFIRM", f"staff:{staff_uid}")


def mask(tx: Tx, staff_uid: str, reason: str, actor: str) -> None:
    """Remove the personal data of a person who left. The row and the reservations stay."""
    before = locked_staff(tx, staff_uid)
    if before["status"] != "left":
        raise NotLeft
    if before["masked_at"] is not None:
        return
    empty = dict.fromkeys(
        (
            "family_name_kana",
            "given_name_kana",
            "emr_patient_id",
            "date_of_birth",
            "sex_code",
            "line_user_id",
            "email",
        )
    )
    row = {
        **empty,
        "family_name": rules.MASKED_NAME,
        "given_name": "",
        "search_text": search_text(before["staff_id"], rules.MASKED_NAME, "", None, None),
        "masked_at": tx.now,
        "version": before["version"] + 1,
        "updated_at": tx.now,
    }
    tx.execute(update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values(**row))
    devices = update(RefreshSession).where(RefreshSession.staff_uid == staff_uid)
    tx.execute(devices.values(user_agent=None, ip_address=None))
    tx.execute(delete(StaffDevice).where(StaffDevice.staff_uid == staff_uid))
    own = CoverageReminderRecipient.staff_uid == staff_uid
    tx.execute(update(CoverageReminderRecipient).where(own).values(line_user_id=None))
    reservations = select(Reservation.id).where(Reservation.staff_uid == staff_uid)
    forget_notices(tx, tx.execute(reservations).scalars().all())
    audit.record(tx, actor, "STAFF_MASK", f"staff:{staff_uid}", reason=reason)


def unlink_line(tx: Tx, staff_uid: str, actor: str) -> None:
    if locked_staff(tx, staff_uid)["line_user_id"] is None:
        return
    tx.execute(
        update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values(line_user_id=None, updated_at=tx.now)
    )
    audit.record(tx, actor, "STAFF_UNLINK", f"staff:{staff_uid}")


def rotate_registration_code(tx: Tx, actor: str) -> None:
    """Make a new code; the ones before it no longer count. The audit trail does not keep the code."""
    row = {"code": rules.new_registration_code(), "created_by": actor, "created_at": tx.now}
    tx.execute(insert(RegistrationCode).values(**row))
    audit.record(tx, actor, "REGISTRATION_CODE", "staffs:registration-code")


def note_export(tx: Tx, filters: StaffFilters, file_format: str, actor: str) -> tuple[str, str]:
    """Put the export on record, and return the names of its file: for people, and in ASCII."""
    shown = {"status": filters.status, "state": filters.state, "department_id": filters.department_id}
    audit.record(tx, actor, "STAFF_EXPORT", "staffs:export", new={"format": file_format, **shown})
    day = jst_date(tx.now)
    return f"職員一覧_{day}.{file_format}", f"staffs_{day}.{file_format}"


def _write_unless_taken(tx: Tx, statement: Any, staff_uid: str, values: dict[str, Any]) -> None:
    """Two requests may take the same id at the same time; the unique constraints decide."""
    try:
        with tx.connection.begin_nested():
            tx.execute(statement)
    except IntegrityError:
        refuse_taken(tx, values.get("staff_id"), values.get("emr_patient_id"), staff_uid)
        raise
