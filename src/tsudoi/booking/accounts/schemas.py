from typing import Annotated, Literal

from pydantic import Field

from tsudoi.booking.accounts.rules import Reason, Role, Status
from tsudoi.booking.departments.rules import DepartmentCode
from tsudoi.booking.staffs.rules import (
    BirthDate,
    EmrPatientId,
    JobTitle,
    KanaName,
    MailAddress,
    PersonName,
    SexCode,
    StaffId,
)
from tsudoi.booking.wire import JstTime, WireIn, WireOut, example

_EMR = "The person's id in the patient records. Unique."
_EMAIL = "Where notices go that LINE cannot deliver, if the type allows it."
_AT = "2025-08-16T12:00:00+09:00"
_UID = "7f3c0e4e-6f0f-4a55-9a52-0f6d8a6f2f11"
_NAMES = {"familyName": "山田", "givenName": "太郎", "familyNameKana": "ヤマダ", "givenNameKana": "タロウ"}
_STAFF = {
    "staffUid": _UID,
    "staffId": "446752",
    "emrPatientId": None,
    **_NAMES,
    "fullName": "山田太郎",
    "fullNameKana": "ヤマダタロウ",
    "jobTitle": "看護師",
    "departmentId": "3A",
    "departmentName": "3階A病棟",
    "dateOfBirth": None,
    "sexCode": "1",
    "email": "taro@example.jp",
    "pinRetryCount": 0,
    "pinLockedUntil": None,
    "pinUpdatedAt": _AT,
    "pinVersion": 1,
    "pinMustChange": True,
    "version": 1,
    "status": "active",
    "role": "STAFF",
    "lastLoginAt": None,
    "createdAt": _AT,
    "updatedAt": _AT,
    "locked": False,
    "missing": ["emrPatientId", "dateOfBirth"],
    "source": "import",
    "confirmedAt": None,
    "activateUntil": "2025-09-15T12:00:00+09:00",
    "maskedAt": None,
    "lineLinked": False,
    "liveSessions": 0,
}
_SESSION = {
    "createdAt": _AT,
    "lastUsedAt": None,
    "expiresAt": "2025-08-23T12:00:00+09:00",
    "revokedAt": None,
    "ipAddress": "192.0.2.10",
    "userAgent": "Mozilla/5.0",
}


class NewStaff(WireIn):
    """A person whom the office registers. The PIN is 0000 until the person changes it."""

    model_config = example(staffId="446752", **_NAMES, jobTitle="看護師", departmentId="3A")

    staff_id: StaffId
    family_name: PersonName
    given_name: PersonName
    job_title: JobTitle
    department_id: DepartmentCode
    family_name_kana: KanaName | None = None
    given_name_kana: KanaName | None = None
    emr_patient_id: EmrPatientId | None = Field(None, description=_EMR)
    date_of_birth: BirthDate | None = None
    sex_code: SexCode | None = None
    email: MailAddress | None = Field(None, description=_EMAIL)
    role: Role = Field("STAFF", description="Information only: it opens nothing.")


class StaffChange(WireIn):
    """The fields of a person to change; one that is left out stays as it is."""

    model_config = example(version=1, reason="人事異動", departmentId="REHA")

    version: Annotated[int, Field(ge=1, le=2**53)] = Field(description="`version` that the caller read.")
    reason: Reason = Field(description="Why. It is kept in the audit trail.")
    # The next defaults are never used. They only say that null is no value here.
    staff_id: StaffId = Field(default_factory=str)
    family_name: PersonName = Field(default_factory=str)
    given_name: PersonName = Field(default_factory=str)
    job_title: JobTitle = Field(default_factory=str)
    department_id: DepartmentCode = Field(default_factory=str)
    status: Status = Field("active", description="`left` cancels the future reservations.")
    role: Role = Field("STAFF", description="Information only: it opens nothing.")
    family_name_kana: KanaName | None = None
    given_name_kana: KanaName | None = None
    emr_patient_id: EmrPatientId | None = Field(None, description=_EMR)
    date_of_birth: BirthDate | None = None
    sex_code: SexCode | None = None
    email: MailAddress | None = Field(None, description=_EMAIL)


class ReasonGiven(WireIn):
    """Why the office does this. It is kept in the audit trail."""

    model_config = example(reason="本人から電話")

    reason: Reason


class UnlockRequest(ReasonGiven):
    """The people to unlock."""

    model_config = example(staffUids=[_UID], reason="本人から電話")

    staff_uids: list[Annotated[str, Field(max_length=64, pattern=r"^[^\x00]*$")]] = Field(min_length=1, max_length=1000)


class UnlockResult(WireOut):
    """How many of them were locked."""

    model_config = example(unlocked=1)

    unlocked: int


class StaffItem(WireOut):
    """A staff person, for the office. The hash of the PIN never leaves the database."""

    model_config = example(**_STAFF)

    staff_uid: str
    staff_id: str
    emr_patient_id: str | None
    family_name: str
    given_name: str
    full_name: str
    family_name_kana: str | None
    given_name_kana: str | None
    full_name_kana: str | None
    job_title: str
    department_id: str
    department_name: str
    date_of_birth: str | None
    sex_code: str | None
    email: str | None = Field(description=_EMAIL)
    pin_retry_count: int
    pin_locked_until: JstTime | None = Field(description="When it was locked; null: it is not.")
    pin_updated_at: JstTime
    pin_version: int
    pin_must_change: bool
    version: int
    status: Status
    role: Role
    last_login_at: JstTime | None
    created_at: JstTime
    updated_at: JstTime
    locked: bool
    missing: list[str] = Field(description="Fields that a reservation needs and that are empty.")
    source: Literal["import", "self", "office"]
    confirmed_at: JstTime | None
    activate_until: JstTime | None = Field(description="The initial PIN works until then.")
    masked_at: JstTime | None
    line_linked: bool
    live_sessions: int


class SessionItem(WireOut):
    """A log-in of a person, so that the office can see one from a place where it should not be."""

    created_at: JstTime
    last_used_at: JstTime | None
    expires_at: JstTime
    revoked_at: JstTime | None
    ip_address: str | None
    user_agent: str | None


class StaffDetail(StaffItem):
    """A staff person with the newest sessions."""

    model_config = example(**_STAFF, sessions=[_SESSION])

    sessions: list[SessionItem]


class StaffPage(WireOut):
    """A page of staff, by staff id."""

    model_config = example(items=[_STAFF], nextCursor=None)

    items: list[StaffItem]
    next_cursor: str | None


class RegistrationCodeItem(WireOut):
    """The code that the office shows in-house; null before the first one is made."""

    model_config = example(selfRegistration="code", code="K7MF2QXD", createdAt=_AT, createdBy="admin:jimukyoku")

    self_registration: Literal["open", "code", "off"] = Field(description="Whether registration needs the code.")
    code: str | None
    created_at: JstTime | None
    created_by: str | None
