from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from tsudoi.booking.payments.schemas import PaymentItem
from tsudoi.booking.wire import JstTime, WireIn, WireOut
from tsudoi.core.clock import in_known_years
from tsudoi.core.csv_text import CsvEncoding

RowId = Annotated[int, Field(ge=1, le=2**53)]
Reason = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=r"^[^\x00-\x08]*$")
]
StaffUid = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[^\x00]*$")]
SearchText = Annotated[str, StringConstraints(max_length=100, pattern=r"^[^\x00]*$")]
Cursor = Annotated[str, StringConstraints(max_length=500)]
Attendance = Literal["came", "absent"]
_EXAMPLE: dict[str, Any] = {
    "id": 501,
    "staffUid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "staffId": "446752",
    "reservationTypeId": 1,
    "reservationTypeName": "インフルエンザワクチン",
    "typeDescription": "問診票をお持ちください。",
    "slotId": 12,
    "serviceDateLocal": "2025-11-10",
    "startMinuteOfDay": 540,
    "durationMinutes": 15,
    "periodKey": "FY2025",
    "createdAt": "2025-10-01T09:00:00+09:00",
    "updatedAt": "2025-10-01T09:00:00+09:00",
    "canceledAt": None,
    "attendance": None,
    "freesYear": False,
    "cancelableUntil": "2025-11-09T09:00:00+09:00",
    "notes": "2階の処置室",
    "place": "本館2階",
    "revision": 0,
    "confirmedAt": "2025-10-01T09:00:00+09:00",
    "holdExpiresAt": None,
    "holdExpired": False,
    "refundUntil": None,
    "payment": None,
}
_OFFICE_EXAMPLE: dict[str, Any] = {
    **_EXAMPLE,
    "fullName": "山田太郎",
    "fullNameKana": "ヤマダタロウ",
    "departmentId": "3A",
    "departmentName": "3階A病棟",
    "jobTitle": "看護師",
    "attendanceAt": None,
    "canceledBy": None,
    "cancelReason": None,
}
_WAITING_EXAMPLE: dict[str, Any] = {
    "id": 31,
    "slotId": 12,
    "reservationTypeId": 1,
    "reservationTypeName": "インフルエンザワクチン",
    "serviceDateLocal": "2025-11-10",
    "startMinuteOfDay": 540,
    "durationMinutes": 15,
    "position": 1,
    "promotionUntil": "2025-11-09T09:00:00+09:00",
    "createdAt": "2025-10-01T09:00:00+09:00",
    "endedAt": None,
    "outcome": None,
    "reservationId": None,
    "skippedBecause": None,
    "skippedAt": None,
}
_OFFICE_WAITING_EXAMPLE: dict[str, Any] = {
    **_WAITING_EXAMPLE,
    "staffUid": _EXAMPLE["staffUid"],
    "staffId": "446752",
    "fullName": "山田太郎",
    "departmentId": "3A",
}


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


def _real_day(text: str) -> str:
    in_known_years(date.fromisoformat(text))
    return text


Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_real_day)]


class ReservationFilters(BaseModel):
    """Which reservations the office wants to see; what is absent does not limit them."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    first_day: Day | None = Field(None, alias="from", description="On this day (JST) or later.")
    last_day: Day | None = Field(None, alias="to", description="On this day (JST) or earlier.")
    slot_id: RowId | None = Field(None, description="Only this slot.")
    staff_uid: SearchText | None = Field(None, description="Only this person.")
    reservation_type_id: RowId | None = Field(None, description="Only this type.")
    department_id: SearchText | None = Field(None, description="Only this department.")
    state: Literal["live", "held", "canceled", "came", "absent"] | None = Field(
        None, description="Only in this state; `held`: waits for the payment."
    )
    q: SearchText = Field("", description="A part of the name, its reading, or the number.")


class ReservationListing(ReservationFilters):
    """The filters, and which page."""

    limit: int = Field(50, ge=1, le=200, description="Items per page.")
    cursor: Cursor | None = Field(None, description="`nextCursor` of the page before.")


class FileOptions(BaseModel):
    """How an exported file is written."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    format: Literal["csv", "xlsx"] = Field("csv", description="CSV or a workbook.")
    encoding: CsvEncoding = Field("utf8", description="Of a CSV: UTF-8 with a mark for Excel, or CP932.")


class ReservationExport(ReservationFilters, FileOptions):
    """The filters, and how the file is written."""

    sex_code: Literal["iso5218"] | None = Field(None, description="Numbers of ISO 5218 instead of 男 and 女.")


class ChosenSlot(WireIn):
    """The slot that a person wants a seat in. Everything else comes from the token and from the slot."""

    model_config = _example(slotId=12)

    slot_id: RowId = Field(description="The slot.")


class BookingOnBehalf(ChosenSlot):
    """A seat that the office takes for a person."""

    model_config = _example(staffUid=_EXAMPLE["staffUid"], slotId=12, reason="電話での依頼")

    staff_uid: StaffUid = Field(description="The person who gets the seat.")
    reason: Reason = Field(description="Why the office books; kept in the audit trail.")


class MoveOnBehalf(ChosenSlot):
    """Another slot that the office chooses for a reservation."""

    model_config = _example(slotId=13, reason="本人の勤務変更のため")

    reason: Reason = Field(description="Why the office moves it; kept in the audit trail.")


class CancelOnBehalf(WireIn):
    """The reason for which the office cancels a reservation."""

    model_config = _example(reason="本人から電話")

    reason: Reason = Field(description="Why the office cancels; kept in the audit trail.")


class ReservationItem(WireOut):
    """A reservation as its owner sees it."""

    model_config = _example(**_EXAMPLE)

    id: int = Field(description="The reservation.")
    staff_uid: str = Field(description="The person, by an id that never changes.")
    staff_id: str = Field(description="The person's number.")
    reservation_type_id: int = Field(description="The type of the slot.")
    reservation_type_name: str = Field(description="Its name.")
    type_description: str | None = Field(description="What the office says about the type; null: nothing.")
    slot_id: int = Field(description="The slot.")
    service_date_local: str = Field(description="The day in Japan.")
    start_minute_of_day: int = Field(description="When it begins, in minutes since midnight.")
    duration_minutes: int = Field(description="How long it takes.")
    period_key: str = Field(description="The fiscal year of the day.")
    created_at: JstTime = Field(description="When it was booked.")
    updated_at: JstTime = Field(description="When it changed last.")
    canceled_at: JstTime | None = Field(description="When it was cancelled; null while it is live.")
    attendance: Attendance | None = Field(description="What the reception noted; null: nothing yet.")
    frees_year: bool = Field(
        description="Whether an absence does not count for the year: the person may book again, and the record stays."
    )
    cancelable_until: JstTime = Field(description="The person may cancel and move it before this time.")
    notes: str = Field(description="The notes of the slot; empty where it has none.")
    place: str | None = Field(description="Where people go.")
    revision: int = Field(description="How often it was moved. A link in a notice names the revision of its time.")
    confirmed_at: JstTime | None = Field(description="When the seat became certain; null while it is not paid for.")
    hold_expires_at: JstTime | None = Field(description="Until when an unpaid seat is held; null: nothing to pay.")
    hold_expired: bool = Field(description="Whether the seat was given back because nobody paid in time.")
    refund_until: JstTime | None = Field(
        description="A cancellation until then pays the price back; null: always, or there is no price."
    )
    payment: PaymentItem | None = Field(description="Null: nothing has to be paid online.")


class ReservationPage(WireOut):
    """The caller's own reservations, the latest day first, with the cancelled ones."""

    model_config = _example(items=[_EXAMPLE], nextCursor=None)

    items: list[ReservationItem]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")


class OfficeReservation(ReservationItem):
    """A reservation as the office sees it."""

    model_config = _example(**_OFFICE_EXAMPLE)

    full_name: str = Field(description="The person's name.")
    full_name_kana: str | None = Field(description="How the name is read.")
    department_id: str = Field(description="The person's department.")
    department_name: str = Field(description="Its name.")
    job_title: str = Field(description="The person's profession.")
    attendance_at: JstTime | None = Field(description="When the attendance was noted.")
    canceled_by: str | None = Field(description="Who cancelled it, as in the audit trail.")
    cancel_reason: str | None = Field(description="Why it was cancelled.")


class OfficeReservationPage(WireOut):
    """Reservations by day and time, with the people who have them."""

    model_config = _example(items=[_OFFICE_EXAMPLE], nextCursor=None)

    items: list[OfficeReservation]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")


class WaitingItem(WireOut):
    """A place in the waiting list of a slot, as its owner sees it."""

    model_config = _example(**_WAITING_EXAMPLE)

    id: int = Field(description="The place.")
    slot_id: int = Field(description="The slot.")
    reservation_type_id: int = Field(description="The type of the slot.")
    reservation_type_name: str = Field(description="Its name.")
    service_date_local: str = Field(description="The day in Japan.")
    start_minute_of_day: int = Field(description="When it begins, in minutes since midnight.")
    duration_minutes: int = Field(description="How long it takes.")
    position: int | None = Field(description="1 is the first in line; null once the place has ended.")
    promotion_until: JstTime = Field(description="A freed seat is given to the line until this time.")
    created_at: JstTime = Field(description="Since when the person waits.")
    ended_at: JstTime | None = Field(description="When the place ended; null while the person waits.")
    outcome: Literal["promoted", "left", "withdrawn", "expired"] | None = Field(
        description="How it ended: with a seat, given up, booked elsewhere or no longer staff, or too late."
    )
    reservation_id: int | None = Field(description="The reservation that a promoted place became.")
    skipped_because: str | None = Field(description="Why the last free seat did not fit, such as `OVERLAPS`.")
    skipped_at: JstTime | None = Field(description="When that was.")


class WaitingPage(WireOut):
    """The caller's places in waiting lists, the newest first."""

    model_config = _example(items=[_WAITING_EXAMPLE], nextCursor=None)

    items: list[WaitingItem]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")


class OfficeWaitingItem(WaitingItem):
    """A place in the line with the person who waits."""

    model_config = _example(**_OFFICE_WAITING_EXAMPLE)

    staff_uid: str = Field(description="The person.")
    staff_id: str = Field(description="The person's number.")
    full_name: str = Field(description="The person's name.")
    department_id: str = Field(description="The person's department.")


class OfficeWaitingList(WireOut):
    """Everybody who waits for a slot, the first in line first."""

    model_config = _example(items=[_OFFICE_WAITING_EXAMPLE])

    items: list[OfficeWaitingItem]


class CalendarLink(WireOut):
    """Where a calendar program finds the file of a reservation, without a log-in."""

    model_config = _example(
        url="https://tsudoi.example.jp/api/reservations/501.ics?key=0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    )

    url: str = Field(description="The address. It stays the same after a move or a cancellation.")


class CalendarLinksRenewal(WireIn):
    """The person knows what a renewal does."""

    model_config = _example(confirm=True)

    confirm: Literal[True] = Field(description="That all earlier addresses stop working.")


class CalendarLinksRenewed(WireOut):
    """The addresses of this person's calendar files are other ones from now on."""

    model_config = _example(renewedAt="2025-08-16T12:00:00+09:00")

    renewed_at: JstTime = Field(description="When.")


class ReceptionCode(WireOut):
    """The code that the reception scans, and its QR code as the path of an SVG."""

    model_config = _example(code="501-0123456789abcdef", size=41, path="M4 4h7v1h-7z")

    code: str = Field(description="The code in the QR code's address.")
    size: int = Field(description="Width and height of the picture, in modules.")
    path: str = Field(description="The `d` attribute of the path of dark modules.")
