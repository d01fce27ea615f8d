from typing import Annotated, Literal

from pydantic import Field

from tsudoi.booking.accounts.rules import Reason, Role, Status
from tsudoi.booking.departments.rules import DepartmentCode
from tsudoi.booking.staffs.rules import BirthDate, EmrPatientId, JobTitle, KanaName, PersonName, SexCode, StaffId
from tsudoi.booking.wire import JstTime, WireIn, WireOut

_EMR = "The person's id in the patient records. Unique."


class NewStaff(WireIn):
    """A person whom the office registers. The PIN is 0000 until the person changes it."""

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
    role: Role = Field("STAFF", description="Information only: it opens nothing.")


class StaffChange(WireIn):
    """The fields of a person to change; one that is left out stays as it is."""

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


class ReasonGiven(WireIn):
    """Why the office does this. It is kept in the audit trail."""

    reason: Reason


class UnlockRequest(ReasonGiven):
    """The people to unlock."""

    staff_uids: list[Annotated[str, Field(max_length=64)]] = Field(min_length=1, max_length=1000)


class UnlockResult(WireOut):
    """How many of them were locked."""

    unlocked: int


class StaffItem(WireOut):
    """A staff person, for the office. The hash of the PIN never leaves the database."""

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

    sessions: list[SessionItem]


class StaffPage(WireOut):
    """A page of staff, by staff id."""

    items: list[StaffItem]
    next_cursor: str | None


class RegistrationCodeItem(WireOut):
    """The code that the office shows in-house; null before the first one is made."""

    self_registration: Literal["open", "code", "off"] = Field(description="Whether registration needs the code.")
    code: str | None
    created_at: JstTime | None
    created_by: str | None
