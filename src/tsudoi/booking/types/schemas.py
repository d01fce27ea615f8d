from pydantic import Field

from tsudoi.booking.types.rules import (
    DaysBetween,
    Description,
    HoldMinutes,
    HoursBefore,
    LimitPerYear,
    Place,
    PriceJpy,
    TypeName,
)
from tsudoi.booking.wire import JstTime, WireIn, WireOut, example

_LIMIT = "How many live reservations one person may have in a fiscal year; null: as many as they like."
_DAYS = "The next reservation is at least so many days after the one before, for a second dose."
_HOURS = "Staff may cancel and move until so many hours before the slot begins; the office always may."
_OVERLAP = "true: may be at the same time as another reservation of the same person."
_PRICE = (
    "What one pays online in yen; null: free. The seat is held until it is paid. 400 `PAYMENTS_OFF` without Stripe."
)
_HOLD = "How many minutes an unpaid seat is held."
_KONBINI = "true: may also be paid at a convenience store within three days; for 120 to 300,000 yen."
_REFUND = (
    "The price is paid back for a cancellation so many hours before it begins; null: always. The office always may."
)
_PLACE = "Where people go; notices name it."
_SILENT = "true: notices between 22 and 7 o'clock make no sound on the phone."
_MAIL = "true: a notice that cannot go by LINE goes by mail, if the address is known."
_FREES = "true: who is noted as absent may book again in the same fiscal year. The record of the absence stays."
_AT = "2025-08-16T12:00:00+09:00"
_TYPE = {
    "id": 1,
    "name": "インフルエンザ予防接種",
    "description": "問診票をお持ちください。",
    "active": True,
    "limitPerYear": 1,
    "minimumDaysBetween": None,
    "cancelUntilHours": 24,
    "overlapAllowed": False,
    "priceJpy": None,
    "holdMinutes": 35,
    "konbini": False,
    "refundUntilHours": None,
    "place": "本館2階 健診センター",
    "silentAtNight": False,
    "mailFallback": False,
    "absentFreesYear": False,
    "slotCount": 12,
    "createdAt": _AT,
    "updatedAt": _AT,
}


class NewType(WireIn):
    """The reservation type to create."""

    model_config = example(name="インフルエンザ予防接種", limitPerYear=1, cancelUntilHours=24)

    name: TypeName
    description: Description | None = None
    active: bool = True
    limit_per_year: LimitPerYear | None = Field(1, description=_LIMIT)
    minimum_days_between: DaysBetween | None = Field(None, description=_DAYS)
    cancel_until_hours: HoursBefore = Field(0, description=_HOURS)
    overlap_allowed: bool = Field(False, description=_OVERLAP)
    price_jpy: PriceJpy | None = Field(None, description=_PRICE)
    hold_minutes: HoldMinutes = Field(35, description=_HOLD)
    konbini: bool = Field(False, description=_KONBINI)
    refund_until_hours: HoursBefore | None = Field(None, description=_REFUND)
    place: Place | None = Field(None, description=_PLACE)
    silent_at_night: bool = Field(False, description=_SILENT)
    mail_fallback: bool = Field(False, description=_MAIL)
    absent_frees_year: bool = Field(False, description=_FREES)


class TypeChange(WireIn):
    """The fields of a reservation type to change; one that is left out stays as it is."""

    model_config = example(limitPerYear=2, minimumDaysBetween=28)

    # These defaults are never used. They only say that null is no value here.
    name: TypeName = Field(default_factory=str)
    active: bool = Field(default_factory=bool)
    cancel_until_hours: HoursBefore = Field(default_factory=int, description=_HOURS)
    overlap_allowed: bool = Field(default_factory=bool, description=_OVERLAP)
    hold_minutes: HoldMinutes = Field(default_factory=int, description=_HOLD)
    konbini: bool = Field(default_factory=bool, description=_KONBINI)
    silent_at_night: bool = Field(default_factory=bool, description=_SILENT)
    mail_fallback: bool = Field(default_factory=bool, description=_MAIL)
    absent_frees_year: bool = Field(default_factory=bool, description=_FREES)
    description: Description | None = None
    limit_per_year: LimitPerYear | None = Field(None, description=_LIMIT)
    minimum_days_between: DaysBetween | None = Field(None, description=_DAYS)
    price_jpy: PriceJpy | None = Field(None, description=_PRICE)
    refund_until_hours: HoursBefore | None = Field(None, description=_REFUND)
    place: Place | None = Field(None, description=_PLACE)


class TypeItem(WireOut):
    """A reservation type."""

    model_config = example(**_TYPE)

    id: int
    name: str
    description: str | None
    active: bool
    limit_per_year: int | None
    minimum_days_between: int | None
    cancel_until_hours: int
    overlap_allowed: bool
    price_jpy: int | None = Field(description=_PRICE)
    hold_minutes: int = Field(description=_HOLD)
    konbini: bool = Field(description=_KONBINI)
    refund_until_hours: int | None = Field(description=_REFUND)
    place: str | None = Field(description=_PLACE)
    silent_at_night: bool = Field(description=_SILENT)
    mail_fallback: bool = Field(description=_MAIL)
    absent_frees_year: bool = Field(description=_FREES)
    slot_count: int
    created_at: JstTime
    updated_at: JstTime


class TypePage(WireOut):
    """A page of reservation types, the oldest first."""

    model_config = example(items=[_TYPE], nextCursor=None)

    items: list[TypeItem]
    next_cursor: str | None
