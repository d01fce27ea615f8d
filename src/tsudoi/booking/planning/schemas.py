from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from tsudoi.booking.planning.rules.changes import ChangeRefusal
from tsudoi.booking.planning.rules.drafts import MOST_SLOTS, SkipReason
from tsudoi.booking.slots.schemas import (
    Capacity,
    Duration,
    LocalDay,
    MinuteOfDay,
    Notes,
    OffsetTime,
    RecordId,
    SlotStatus,
)
from tsudoi.booking.wire import JstTime, WireIn, WireOut

QuotaDepartment = Annotated[str, StringConstraints(min_length=1, max_length=50, pattern=r"^[^\x00-\x1f]*$")]
Weekday = Annotated[int, Field(ge=1, le=7)]

_TIME = {"startMinuteOfDay": 540, "durationMinutes": 30}
_QUOTAS = [{"departmentId": "3A", "seats": 2}]
_NEW_SLOT = {
    "reservationTypeId": 1,
    "serviceDateLocal": "2026-10-20",
    **_TIME,
    "capacity": 10,
    "status": "draft",
    "bookingStart": "2026-10-01T09:00:00+09:00",
    "bookingEnd": "2026-10-19T17:00:00+09:00",
    "notes": "3階の健診室",
    "quotas": _QUOTAS,
}
_SLOT = {
    "id": 12,
    "reservationTypeName": "インフルエンザ予防接種",
    **_NEW_SLOT,
    "bookedCount": 7,
    "heldCount": 0,
    "seatsLeft": 3,
    "waitingCount": 0,
    "createdAt": "2026-09-01T10:00:00+09:00",
    "updatedAt": "2026-09-01T10:00:00+09:00",
}
_PLANNED = {"id": 12, "serviceDateLocal": "2026-10-20", **_TIME, "capacity": 10}
_SKIPPED = {"serviceDateLocal": "2026-11-03", "startMinuteOfDay": None, "reason": "HOLIDAY", "name": "文化の日"}


def _example(example: dict[str, Any]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [example]})


def _absent() -> Any:
    """The value of a field that was left out of a change. As a factory it does not make null an allowed value."""
    return None


class DepartmentSeats(WireIn):
    """How many seats of a slot people of one department may have."""

    department_id: QuotaDepartment
    seats: int = Field(ge=0, le=10_000)


Quotas = Annotated[list[DepartmentSeats], Field(max_length=500)]


class SlotNew(WireIn):
    """The slot to create."""

    model_config = _example(_NEW_SLOT)

    reservation_type_id: RecordId
    service_date_local: LocalDay = Field(description="The Japanese calendar day.")
    start_minute_of_day: MinuteOfDay = Field(description="Minutes since midnight.")
    duration_minutes: Duration = Field(description="The slot ends at midnight at the latest.")
    capacity: Capacity
    status: SlotStatus = "draft"
    booking_start: OffsetTime | None = Field(None, description="Null: open since it is published.")
    booking_end: OffsetTime | None = Field(None, description="Null: open until it begins.")
    notes: Notes | None = None
    quotas: Quotas = Field(default_factory=list, description="Departments that may have only so many seats.")


class SlotChange(WireIn):
    """The fields of a slot to change; a field that is left out stays as it is."""

    model_config = _example({"capacity": 12, "status": "published"})

    reservation_type_id: RecordId = Field(default_factory=_absent)
    service_date_local: LocalDay = Field(default_factory=_absent)
    start_minute_of_day: MinuteOfDay = Field(default_factory=_absent)
    duration_minutes: Duration = Field(default_factory=_absent)
    capacity: Capacity = Field(default_factory=_absent)
    status: SlotStatus = Field(default_factory=_absent)
    booking_start: OffsetTime | None = Field(None, description="Null: open since it is published.")
    booking_end: OffsetTime | None = Field(None, description="Null: open until it begins.")
    notes: Notes | None = None
    quotas: Quotas = Field(default_factory=list, description="Replaces all quotas of the slot.")


class SlotQuotaItem(WireOut):
    """A quota of a slot."""

    department_id: str
    seats: int


class SlotItem(WireOut):
    """A slot as the office sees it."""

    model_config = _example(_SLOT)

    id: int
    reservation_type_id: int
    reservation_type_name: str
    service_date_local: str
    start_minute_of_day: int
    duration_minutes: int
    capacity: int
    booked_count: int = Field(description="Live reservations, with the seats that wait for their payment.")
    held_count: int = Field(description="Those of them that wait for their payment.")
    seats_left: int
    waiting_count: int = Field(description="People who wait for a seat.")
    status: SlotStatus
    booking_start: JstTime | None
    booking_end: JstTime | None
    notes: str = Field(description="Staff read it; empty where there is none.")
    quotas: list[SlotQuotaItem]
    created_at: JstTime
    updated_at: JstTime


class SlotPage(WireOut):
    """One page of slots, by day and time."""

    model_config = _example({"items": [_SLOT], "nextCursor": None})

    items: list[SlotItem]
    next_cursor: str | None = Field(description="Pass it as `cursor` to get the next page; null at the end.")


class SlotTime(WireIn):
    """A time of the day at which bulk creation makes a slot."""

    start_minute_of_day: MinuteOfDay
    duration_minutes: Duration


class SlotBulkIn(WireIn):
    """Slots to create: each of the times on each of the weekdays of a period."""

    model_config = _example(
        {
            "reservationTypeId": 1,
            "from": "2026-10-19",
            "to": "2026-10-30",
            "weekdays": [1, 2, 3, 4, 5],
            "times": [_TIME],
            "capacity": 10,
            "skipHolidays": True,
            "excludeDates": ["2026-10-23"],
            "dryRun": True,
        }
    )

    reservation_type_id: RecordId
    first_day: LocalDay = Field(alias="from")
    last_day: LocalDay = Field(alias="to", description="At most 366 days from the first.")
    weekdays: list[Weekday] = Field(min_length=1, max_length=7, description="Monday is 1, Sunday is 7.")
    times: list[SlotTime] = Field(min_length=1, max_length=200)
    capacity: Capacity
    status: SlotStatus = "draft"
    booking_start: OffsetTime | None = None
    booking_end: OffsetTime | None = None
    notes: Notes | None = None
    quotas: Quotas = Field(default_factory=list)
    skip_holidays: bool = Field(True, description="Leave out the public holidays of Japan.")
    exclude_dates: list[LocalDay] = Field(
        default_factory=list, max_length=400, description="Further days to leave out."
    )
    dry_run: bool = Field(False, description="Only show what would be created.")


class SlotCopyIn(WireIn):
    """A day or a week of slots to copy to another day or week."""

    model_config = _example({"from": "2026-10-19", "to": "2026-10-23", "target": "2026-10-26", "dryRun": True})

    first_day: LocalDay = Field(alias="from")
    last_day: LocalDay = Field(alias="to", description="At most seven days from the first.")
    target: LocalDay = Field(description="The day that the first day is copied to.")
    reservation_type_id: RecordId | None = Field(None, description="Only slots of this type.")
    skip_holidays: bool = Field(True, description="Leave out the public holidays of Japan.")
    dry_run: bool = Field(False, description="Only show what would be created.")


class PlannedSlot(WireOut):
    """A slot that was created, or in a dry run would be."""

    id: int | None = Field(description="Null in a dry run.")
    reservation_type_id: int
    service_date_local: str
    start_minute_of_day: int
    duration_minutes: int
    capacity: int


class SkippedSlot(WireOut):
    """A slot, or all slots of a day, that was left out."""

    service_date_local: str
    start_minute_of_day: int | None = Field(description="Null: the whole day is left out.")
    reason: SkipReason
    name: str | None = Field(description="The name of the holiday.")


class SlotBulkResult(WireOut):
    """What was created and what was left out."""

    model_config = _example({"dryRun": False, "created": 1, "drafts": 1, "slots": [_PLANNED], "skipped": [_SKIPPED]})

    dry_run: bool
    created: int = Field(description="How many slots were created; in a dry run: would be.")
    drafts: int = Field(description="How many of them are drafts, which staff do not see before they are published.")
    slots: list[PlannedSlot]
    skipped: list[SkippedSlot]


class SlotStatusIn(WireIn):
    """Slots that get the same status."""

    model_config = _example({"slotIds": [12, 13], "status": "published"})

    slot_ids: list[RecordId] = Field(min_length=1, max_length=MOST_SLOTS)
    status: SlotStatus


class SlotStatusResult(WireOut):
    """How many slots changed."""

    model_config = _example({"changed": 2})

    changed: int = Field(description="Slots that had another status before.")


class SlotChoice(WireIn):
    """Slots of one type in a period, as the office filters them."""

    reservation_type_id: RecordId
    first_day: LocalDay = Field(alias="from")
    last_day: LocalDay = Field(alias="to", description="At most 366 days from the first.")
    weekdays: Annotated[list[Weekday], Field(min_length=1, max_length=7)] | None = Field(
        None, description="Monday is 1, Sunday is 7."
    )
    status: SlotStatus | None = Field(None, description="Only slots with this status.")
    from_minute: MinuteOfDay | None = Field(
        None, description="Only slots that begin at this minute of the day or later."
    )
    to_minute: MinuteOfDay | None = Field(None, description="Only slots that begin at this minute or earlier.")


class SlotSelection(WireIn):
    """The slots to change: these, or all that a filter finds. Exactly one of both."""

    model_config = _example({"filter": {"reservationTypeId": 1, "from": "2026-10-19", "to": "2026-11-06"}})

    slot_ids: Annotated[list[RecordId], Field(min_length=1, max_length=MOST_SLOTS)] | None = None
    filter: SlotChoice | None = Field(None, description="At most 5,000 slots.")

    @model_validator(mode="after")
    def _one_of_both(self) -> "SlotSelection":
        if (self.slot_ids is None) == (self.filter is None):
            raise PydanticCustomError("REQUIRED", "give either slotIds or filter")
        return self


class ManySlotsChange(WireIn):
    """What all of the slots get; a field that is left out stays as it is in each slot. `delete` stands alone."""

    model_config = _example({"status": "published"})

    status: SlotStatus = Field(default_factory=_absent)
    capacity: Capacity = Field(default_factory=_absent)
    notes: Notes | None = Field(None, description="Null: none.")
    booking_start: OffsetTime | None = Field(None, description="Null: open since it is published.")
    booking_end: OffsetTime | None = Field(None, description="Null: open until it begins.")
    quotas: Quotas | None = Field(None, description="Replaces all quotas of each slot; null or empty: none.")
    delete: Literal[True] = Field(default_factory=_absent, description="Deletes the slots; without any other field.")

    @model_validator(mode="after")
    def _something_that_fits_together(self) -> "ManySlotsChange":
        if not self.model_fields_set:
            raise PydanticCustomError("REQUIRED", "name at least one field")
        if "delete" in self.model_fields_set and len(self.model_fields_set) > 1:
            raise PydanticCustomError("CONTRADICTION", "delete stands alone")
        return self


class ManySlotsChangeIn(WireIn):
    """The same change for many slots, first as a dry run."""

    model_config = _example(
        {
            "select": {
                "filter": {
                    "reservationTypeId": 1,
                    "from": "2026-10-19",
                    "to": "2026-11-06",
                    "weekdays": [1, 2, 3, 4, 5],
                    "status": "draft",
                }
            },
            "change": {"status": "published"},
            "expect": 60,
            "dryRun": False,
        }
    )

    select: SlotSelection
    change: ManySlotsChange
    expect: int | None = Field(None, ge=0, le=MOST_SLOTS, description="`matched` of the dry run; a write needs it.")
    skip_refused: bool = Field(False, description="Change the others where some cannot be changed.")
    dry_run: bool = Field(False, description="Only show what would change.")


class ChangedSlot(WireOut):
    """A slot that changes, as it was before."""

    slot_id: int
    reservation_type_id: int
    service_date_local: str
    start_minute_of_day: int
    duration_minutes: int
    capacity: int
    booked_count: int
    status: SlotStatus


class RefusedSlot(WireOut):
    """A slot that cannot be changed like this, and why."""

    slot_id: int
    service_date_local: str
    start_minute_of_day: int
    code: ChangeRefusal = Field(
        description="`CAPACITY_BELOW_BOOKED`: more people have a seat than the new capacity allows. `IN_USE`: somebody "
        "booked it or waited for it, so that it can be closed and not deleted. `INVALID_WINDOW`: its booking would end "
        "before it begins."
    )


class ManySlotsChangeResult(WireOut):
    """What became of a change of many slots, or in a dry run would become of it."""

    model_config = _example(
        {
            "dryRun": True,
            "matched": 60,
            "changed": 58,
            "unchanged": 1,
            "refused": [
                {"slotId": 13, "serviceDateLocal": "2026-10-20", "startMinuteOfDay": 570, "code": "IN_USE"},
            ],
            "slots": [
                {
                    "slotId": 12,
                    "reservationTypeId": 1,
                    "serviceDateLocal": "2026-10-20",
                    **_TIME,
                    "capacity": 10,
                    "bookedCount": 0,
                    "status": "draft",
                }
            ],
        }
    )

    dry_run: bool
    matched: int = Field(description="How many slots were selected: the sum of the three below.")
    changed: int
    unchanged: int = Field(description="Slots that were like this before.")
    refused: list[RefusedSlot]
    slots: list[ChangedSlot] = Field(description="The first 500 that change, by day and time.")


class SlotDay(WireOut):
    """The slots of a day in numbers."""

    date: str
    holiday: str | None = Field(description="The name of the public holiday.")
    slots: int
    capacity: int = Field(description="All seats of the day.")
    booked: int = Field(description="Seats that are taken.")
    draft: int = Field(description="How many of the slots are drafts.")
    published: int
    closed: int


class SlotCalendar(WireOut):
    """Every day of a month."""

    model_config = _example(
        {
            "days": [
                {
                    "date": "2026-11-03",
                    "holiday": "文化の日",
                    "slots": 6,
                    "capacity": 60,
                    "booked": 41,
                    "draft": 0,
                    "published": 6,
                    "closed": 0,
                }
            ]
        }
    )

    days: list[SlotDay]
