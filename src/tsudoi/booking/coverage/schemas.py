from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from tsudoi.booking.reservations.schemas import Attendance, Cursor, FileOptions, RowId, SearchText
from tsudoi.booking.wire import WireOut

_COUNTS: dict[str, Any] = {"staff": 60, "booked": 48, "came": 30, "absent": 2, "notBooked": 12}
_DEPARTMENT: dict[str, Any] = {
    **_COUNTS,
    "departmentId": "3A",
    "name": "3階A病棟",
    "percentBooked": 80.0,
    "percentCame": 50.0,
}
_PERSON: dict[str, Any] = {
    "staffUid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "staffId": "446752",
    "fullName": "山田太郎",
    "fullNameKana": "ヤマダタロウ",
    "departmentId": "3A",
    "departmentName": "3階A病棟",
    "jobTitle": "看護師",
    "lineLinked": True,
    "lineReachable": True,
    "booked": False,
    "held": False,
    "attendance": None,
    "serviceDateLocal": None,
}
PeriodKey = Annotated[str, StringConstraints(pattern=r"^FY20[0-9]{2}$")]


class CoverageQuestion(BaseModel):
    """Which type and which fiscal year the office asks about."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    reservation_type_id: RowId = Field(description="The type.")
    period_key: PeriodKey | None = Field(None, description="The fiscal year, `FY2025`; absent: the current one.")


class CoveragePeopleFilters(CoverageQuestion):
    """Which people of the answer the office wants to see."""

    state: Literal["booked", "came", "absent", "notBooked"] | None = Field(None, description="Only in this state.")
    department_id: SearchText | None = Field(None, description="Only this department.")


class CoveragePeopleListing(CoveragePeopleFilters):
    """The filters, and which page."""

    limit: int = Field(50, ge=1, le=200, description="Items per page.")
    cursor: Cursor | None = Field(None, description="`nextCursor` of the page before.")


class CoverageExport(CoveragePeopleFilters, FileOptions):
    """The filters, and how the file is written."""


class CoverageCounts(WireOut):
    """How many active staff have booked and come. `booked` includes those who came and those who did not.

    Who did not come and may book again counts in `absent` and in `notBooked`, until they book.
    """

    staff: int = Field(description="Active staff.")
    booked: int = Field(description="Those with a live reservation. One that waits for its payment does not count.")
    came: int = Field(description="Those who came.")
    absent: int = Field(description="Those who did not come, and have not come at another time.")
    not_booked: int = Field(description="Those without a live reservation that counts for the year.")


class DepartmentCoverage(CoverageCounts):
    """The counts of one department."""

    department_id: str = Field(description="The department.")
    name: str = Field(description="Its name.")
    percent_booked: float = Field(description="Of its active staff, with one decimal.")
    percent_came: float = Field(description="Of its active staff, with one decimal.")


class CoverageReport(WireOut):
    """The counts of a type and a fiscal year, in total and by department."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"periodKey": "FY2025", "totals": _COUNTS, "departments": [_DEPARTMENT]}]}
    )

    period_key: str = Field(description="The fiscal year.")
    totals: CoverageCounts
    departments: list[DepartmentCoverage]


class CoveragePerson(WireOut):
    """An active staff person, and how far they are."""

    staff_uid: str = Field(description="The person.")
    staff_id: str = Field(description="The person's number.")
    full_name: str = Field(description="The person's name.")
    full_name_kana: str | None = Field(description="How the name is read.")
    department_id: str = Field(description="The person's department.")
    department_name: str = Field(description="Its name.")
    job_title: str = Field(description="The person's profession.")
    line_linked: bool = Field(description="Whether the person has linked LINE.")
    line_reachable: bool = Field(description="Whether LINE reaches the person: linked, and a friend of the account.")
    booked: bool = Field(description="Whether the person has a live reservation.")
    held: bool = Field(
        description="Whether the person has a seat that waits for its payment, and none that is certain."
    )
    attendance: Attendance | None = Field(description="Whether the person came; null: nothing was noted.")
    service_date_local: str | None = Field(description="The day of the latest live reservation.")


class CoveragePeople(WireOut):
    """People by department and number."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"items": [_PERSON], "nextCursor": None}]})

    items: list[CoveragePerson]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")
