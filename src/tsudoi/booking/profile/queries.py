from sqlalchemy import select

from tsudoi.booking.departments.models import Department
from tsudoi.booking.identity.rules import missing_fields
from tsudoi.booking.profile.schemas import StaffProfile
from tsudoi.booking.staffs.models import RegistrationCode, StaffAccount
from tsudoi.booking.staffs.rules import full_name, full_name_kana
from tsudoi.core.db.interface import ReadTx
from tsudoi.line.delivery.rules import line_state
from tsudoi.line.friends.models import LineFriend

_HIDDEN = frozenset({"line_user_id", "pin_must_change", "following"})


def profile(tx: ReadTx, staff_uid: str) -> StaffProfile:
    columns = [
        StaffAccount.__table__.c[name]
        for name in (*StaffProfile.model_fields, *_HIDDEN)
        if name in StaffAccount.__table__.c
    ]
    found = select(*columns, Department.name.label("department_name"), LineFriend.following).join(Department)
    found = found.outerjoin(LineFriend, LineFriend.user_id == StaffAccount.line_user_id)
    row = dict(tx.execute(found.where(StaffAccount.staff_uid == staff_uid)).mappings().one())
    return StaffProfile(
        **{name: value for name, value in row.items() if name not in _HIDDEN},
        full_name=full_name(row["family_name"], row["given_name"]),
        full_name_kana=full_name_kana(row["family_name_kana"], row["given_name_kana"]),
        pin_must_change=bool(row["pin_must_change"]),
        missing=missing_fields(row["emr_patient_id"], row["date_of_birth"], row["sex_code"]),
        line_linked=row["line_user_id"] is not None,
        line_state=line_state(row["line_user_id"], row["following"]),
    )


def registration_code(tx: ReadTx) -> str | None:
    """The newest code counts."""
    code: str | None = tx.scalar(select(RegistrationCode.code).order_by(RegistrationCode.id.desc()).limit(1))
    return code
