from typing import Any

from sqlalchemy import select

from tsudoi.booking.departments.models import Department
from tsudoi.booking.staffs.errors import EmrPatientIdTaken, NoSuchStaff, StaffIdTaken
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.known_people import KnownPerson


def locked_staff(tx: Tx, staff_uid: str) -> dict[str, Any]:
    """The row, locked until the commit: bookings of this person wait for it too, rows that refer to it do not."""
    found = select(StaffAccount).where(StaffAccount.staff_uid == staff_uid).with_for_update(key_share=True)
    row = tx.execute(found).mappings().first()
    if row is None:
        raise NoSuchStaff
    return dict(row)


def staff_uid_of(tx: ReadTx, staff_id: str) -> str:
    found: str | None = tx.scalar(select(StaffAccount.staff_uid).where(StaffAccount.staff_id == staff_id))
    if found is None:
        raise NoSuchStaff
    return found


def refuse_taken(tx: ReadTx, staff_id: str | None, emr_patient_id: str | None, staff_uid: str = "") -> None:
    """Raise when somebody else has one of these ids. `staff_uid`: the person who may have them."""
    others = select(StaffAccount.staff_uid).where(StaffAccount.staff_uid != staff_uid)
    if staff_id is not None and tx.scalar(others.where(StaffAccount.staff_id == staff_id)) is not None:
        raise StaffIdTaken
    if (
        emr_patient_id is not None
        and tx.scalar(others.where(StaffAccount.emr_patient_id == emr_patient_id)) is not None
    ):
        raise EmrPatientIdTaken


def known_staff(tx: ReadTx, most: int) -> list[KnownPerson]:
    """Active staff with a mail address, whom the office has confirmed if they registered themselves."""
    rows = tx.execute(
        select(
            StaffAccount.staff_uid,
            StaffAccount.family_name,
            StaffAccount.given_name,
            StaffAccount.email,
            StaffAccount.job_title,
            Department.name.label("department"),
        )
        .join(Department, Department.id == StaffAccount.department_id)
        .where(StaffAccount.status == "active", StaffAccount.email.is_not(None))
        .where((StaffAccount.source != "self") | StaffAccount.confirmed_at.is_not(None))
        .order_by(StaffAccount.staff_id)
        .limit(most)
    )
    return [
        KnownPerson(
            key=f"u:staff:{row.staff_uid}",
            name=f"{row.family_name} {row.given_name}",
            email=row.email,
            role=row.job_title,
            department=row.department,
        )
        for row in rows
    ]
