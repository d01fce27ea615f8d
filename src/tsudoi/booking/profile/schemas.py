from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from tsudoi.booking.login.schemas import Pin
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
from tsudoi.booking.wire import JstTime, WireIn, WireOut
from tsudoi.line.delivery.rules import LineState

DepartmentId = Annotated[str, Field(min_length=1, max_length=50)]
# The field can be left out, but null is refused, because nobody may empty what is required.
_MAY_BE_ABSENT: Any = None
# For these the person has to prove that it is not somebody else at an open screen.
NEED_PIN = frozenset({"family_name", "given_name", "emr_patient_id"})


class Registration(WireIn):
    """Somebody registers as staff. The PIN has to be changed after the first log-in."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "staffId": "446752",
                    "familyName": "山田",
                    "givenName": "花子",
                    "familyNameKana": "ヤマダ",
                    "givenNameKana": "ハナコ",
                    "jobTitle": "看護師",
                    "departmentId": "3A",
                    "dateOfBirth": "1990-04-01",
                    "sexCode": "2",
                    "pin": "…",
                }
            ]
        }
    )

    staff_id: StaffId
    family_name: PersonName
    given_name: PersonName
    family_name_kana: KanaName | None = None
    given_name_kana: KanaName | None = None
    job_title: JobTitle
    department_id: DepartmentId
    date_of_birth: BirthDate
    sex_code: SexCode
    pin: Pin
    emr_patient_id: EmrPatientId | None = None
    registration_code: Annotated[
        str | None, Field(max_length=100, description="The code that the office shows, where one is needed.")
    ] = None


class Registered(WireOut):
    """A new account. It gets no tokens: the next step is the log-in."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"staffUid": "7f3c2a51-0d0e-4f7e-9a55-2b7c9d1e4f60", "staffId": "446752", "pinMustChange": True}
            ]
        }
    )

    staff_uid: str
    staff_id: str
    pin_must_change: Literal[True] = True


class PinChange(WireIn):
    """The old PIN and the new one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"currentPin": "…", "newPin": "…"}]})

    current_pin: Pin
    new_pin: Pin


class PinChanged(WireOut):
    """The PIN was changed; `endedSessions` of other devices have to log in again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pinMustChange": False, "endedSessions": 1}]})

    pin_must_change: Literal[False] = False
    ended_sessions: int


class ProfileChange(WireIn):
    """The fields to change. Only the readings and the mail address can be emptied, with null."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 1,
                    "emrPatientId": "0012345",
                    "dateOfBirth": "1990-04-01",
                    "sexCode": "2",
                    "currentPin": "…",
                }
            ]
        }
    )

    version: Annotated[int, Field(ge=1, description="The version that the screen shows.")]
    family_name: PersonName = _MAY_BE_ABSENT
    given_name: PersonName = _MAY_BE_ABSENT
    family_name_kana: KanaName | None = None
    given_name_kana: KanaName | None = None
    job_title: JobTitle = _MAY_BE_ABSENT
    department_id: DepartmentId = _MAY_BE_ABSENT
    date_of_birth: BirthDate = _MAY_BE_ABSENT
    sex_code: SexCode = _MAY_BE_ABSENT
    emr_patient_id: Annotated[EmrPatientId, Field(description="Can be set once, while it is empty.")] = _MAY_BE_ABSENT
    email: Annotated[
        MailAddress | None, Field(description="Where notices go that LINE cannot deliver, if the type allows it.")
    ] = None
    current_pin: Annotated[Pin | None, Field(description="Needed for the names and `emrPatientId`.")] = None

    @property
    def changes(self) -> dict[str, Any]:
        """The given fields by their columns."""
        names = self.model_fields_set - {"version", "current_pin"}
        return {name: getattr(self, name) for name in sorted(names)}

    @property
    def needs_pin(self) -> bool:
        return not NEED_PIN.isdisjoint(self.changes)


class StaffProfile(WireOut):
    """The person's own data."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "staffUid": "7f3c2a51-0d0e-4f7e-9a55-2b7c9d1e4f60",
                    "staffId": "446752",
                    "emrPatientId": None,
                    "familyName": "山田",
                    "givenName": "花子",
                    "fullName": "山田花子",
                    "familyNameKana": "ヤマダ",
                    "givenNameKana": "ハナコ",
                    "fullNameKana": "ヤマダハナコ",
                    "jobTitle": "看護師",
                    "departmentId": "3A",
                    "departmentName": "3階A病棟",
                    "dateOfBirth": "1990-04-01",
                    "sexCode": "2",
                    "email": None,
                    "status": "active",
                    "role": "STAFF",
                    "version": 1,
                    "pinMustChange": False,
                    "missing": ["emrPatientId"],
                    "lineLinked": False,
                    "lineState": "unlinked",
                    "addFriendUrl": None,
                    "lastLoginAt": "2025-11-03T09:00:00+09:00",
                    "createdAt": "2025-11-01T09:00:00+09:00",
                    "updatedAt": "2025-11-03T09:00:00+09:00",
                }
            ]
        }
    )

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
    email: str | None
    status: str
    role: str
    version: int
    pin_must_change: bool
    missing: Annotated[list[str], Field(description="The fields that a reservation needs and that are empty.")]
    line_linked: bool
    line_state: LineState = Field(
        description="`notAdded`: linked, and never added the account. Only `reachable` people see what LINE sends."
    )
    add_friend_url: str | None = Field(
        None, description="Where the person can add the account, while it is linked and LINE does not reach them."
    )
    last_login_at: JstTime | None
    created_at: JstTime
    updated_at: JstTime


class LineLink(WireOut):
    """Whether the person is linked with a LINE account."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"lineLinked": True, "lineReachable": False, "addFriendUrl": "https://line.me/R/ti/p/%40tsudoi"}
            ]
        }
    )

    line_linked: bool
    line_reachable: bool = Field(description="False: the person has not added the account, or has blocked it.")
    add_friend_url: str | None = Field(
        description="Where the person can add the account; null: not needed, or LINE did not say."
    )
