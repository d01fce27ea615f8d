import re
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from tsudoi.booking.wire import JstTime, WireOut
from tsudoi.core.names import ONE_TEXT

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})")
# Nobody plans outside these years, and every time in them has a fiscal year and can be converted to UTC.
_YEARS = range(2000, 2100)


def _real_day(value: str) -> str:
    if not _DAY.fullmatch(value) or date.fromisoformat(value).year not in _YEARS:
        raise ValueError("not a day between 2000-01-01 and 2099-12-31")
    return value


def _time_with_offset(value: object) -> datetime:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise ValueError("not an ISO 8601 time with an offset")
    found = datetime.fromisoformat(value)
    if found.year not in _YEARS:
        raise ValueError("not a time between 2000 and 2099")
    return found


LocalDay = Annotated[str, AfterValidator(_real_day), WithJsonSchema({"type": "string", "format": "date"})]
OffsetTime = Annotated[
    datetime, BeforeValidator(_time_with_offset), WithJsonSchema({"type": "string", "format": "date-time"})
]
SlotStatus = Literal["draft", "published", "closed"]
RecordId = Annotated[int, Field(ge=1, le=2**53)]
MinuteOfDay = Annotated[int, Field(ge=0, le=1439)]
Duration = Annotated[int, Field(ge=1, le=1440)]
Capacity = Annotated[int, Field(ge=1, le=10_000)]
Notes = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500, pattern=ONE_TEXT)]

_OPEN_SLOT: dict[str, Any] = {
    "id": 12,
    "reservationTypeId": 1,
    "reservationTypeName": "インフルエンザ予防接種",
    "typeDescription": "問診票をお持ちください。",
    "serviceDateLocal": "2026-10-20",
    "startMinuteOfDay": 540,
    "durationMinutes": 30,
    "capacity": 10,
    "seatsLeft": 3,
    "bookable": True,
    "reason": None,
    "replaceable": None,
    "bookingStart": "2026-10-01T09:00:00+09:00",
    "bookingEnd": "2026-10-19T17:00:00+09:00",
    "notes": "3階の健診室",
    "priceJpy": None,
    "holdMinutes": 35,
    "refundUntilHours": None,
    "place": "本館3階",
    "waitingCount": 0,
    "waitable": False,
    "myReservationId": None,
    "myWaitingId": None,
    "mailFallback": False,
}


class OpenSlotListing(BaseModel):
    """Which published slots a staff person wants to see, and which page of them."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    first_day: LocalDay | None = Field(None, alias="from", description="First day; left out: today.")
    last_day: LocalDay | None = Field(None, alias="to", description="Last day; left out: all later days.")
    reservation_type_id: RecordId | None = Field(None, description="Only slots of this type.")
    cursor: Annotated[str, StringConstraints(max_length=500)] | None = Field(
        None, description="`nextCursor` of the page before."
    )
    limit: int = Field(50, ge=1, le=200, description="Rows per page.")


class OpenSlot(WireOut):
    """A published slot as a staff person sees it."""

    id: int
    reservation_type_id: int
    reservation_type_name: str
    type_description: str | None = Field(description="What the office says about the type; null: nothing.")
    service_date_local: str = Field(description="The Japanese calendar day.")
    start_minute_of_day: int = Field(description="Minutes since midnight, 0 to 1439.")
    duration_minutes: int
    capacity: int
    seats_left: int = Field(description="Seats that the caller's department can still take.")
    bookable: bool = Field(description="Whether the caller could book it now.")
    reason: str | None = Field(description="Why it is not bookable: the code that a booking would get; else null.")
    replaceable: int | None = Field(
        description="The caller's reservation of this type that can be moved here now, where the caller's other "
        "reservations are the reason: the latest such; else null."
    )
    booking_start: JstTime | None = Field(description="Null: open since it was published.")
    booking_end: JstTime | None = Field(description="Null: open until it begins.")
    notes: str = Field(description="What the office says about the slot; empty where it says nothing.")
    price_jpy: int | None = Field(description="What one pays online; null: free.")
    hold_minutes: int = Field(description="How long a seat with a price is held until it is paid for.")
    refund_until_hours: int | None = Field(
        description="The price is paid back for a cancellation so many hours before it begins; null: always."
    )
    place: str | None = Field(description="Where people go.")
    waiting_count: int = Field(description="How many people wait for a seat.")
    waitable: bool = Field(description="Whether the slot is full and the caller could wait for a seat in it now.")
    my_reservation_id: int | None = Field(description="The caller's reservation in this slot.")
    my_waiting_id: int | None = Field(description="The caller's place in the waiting list of this slot.")
    mail_fallback: bool = Field(description="Whether notices go by mail to people whom LINE does not reach.")


class OpenSlotPage(WireOut):
    """One page of published slots, by day and time."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"items": [_OPEN_SLOT], "nextCursor": None}]})

    items: list[OpenSlot]
    next_cursor: str | None = Field(description="Pass it as `cursor` to get the next page; null at the end.")
