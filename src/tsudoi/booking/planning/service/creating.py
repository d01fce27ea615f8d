"""Creating slots: one, many by a pattern, or copies of others."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import insert

from tsudoi.booking.planning import queries
from tsudoi.booking.planning.errors import UnknownQuotaDepartments, UnknownReservationType
from tsudoi.booking.planning.queries import SlotFilter
from tsudoi.booking.planning.rules.drafts import (
    LONGEST_PERIOD_DAYS,
    MOST_COPIED_DAYS,
    MOST_SLOTS,
    DraftFilter,
    SkippedDraft,
    SlotDraft,
    check_quota_count,
    days_between,
    moved,
    quota_faults,
    repeated,
    sorted_out,
    time_faults,
    window_faults,
)
from tsudoi.booking.planning.schemas import (
    DepartmentSeats,
    PlannedSlot,
    SkippedSlot,
    SlotBulkIn,
    SlotBulkResult,
    SlotCopyIn,
    SlotNew,
)
from tsudoi.booking.slots.errors import BackwardPeriod
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.core import audit
from tsudoi.core.audit import AuditEntryDraft
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput

_COLUMNS = [field.name for field in fields(SlotDraft) if field.name != "quotas"]


def create_slot(tx: Tx, new: SlotNew, actor: str) -> int:
    faults = [
        *time_faults(new.start_minute_of_day, new.duration_minutes),
        *window_faults(new.booking_start, new.booking_end),
    ]
    if not queries.type_exists(tx, new.reservation_type_id):
        raise UnknownReservationType
    values = {**vars(new), "notes": new.notes or None, "quotas": checked_quotas(tx, new.quotas, faults)}
    draft = SlotDraft(**values)
    slot_id = _insert(tx, [draft])[0]
    entries = [AuditEntryDraft("SLOT_CREATE", f"slot:{slot_id}", new=audit_values(values))]
    audit.record_all(tx, actor, [*entries, *_status_entries([draft], [slot_id])])
    return slot_id


def create_many(tx: Tx, wanted: SlotBulkIn, actor: str) -> SlotBulkResult:
    """Each of the times on each of the weekdays of the period, without what exists, has begun or is left out."""
    faults = [
        *(
            fault
            for number, time in enumerate(wanted.times)
            for fault in time_faults(time.start_minute_of_day, time.duration_minutes, f"times.{number}.durationMinutes")
        ),
        *window_faults(wanted.booking_start, wanted.booking_end),
        *_period_faults(wanted.first_day, wanted.last_day, LONGEST_PERIOD_DAYS),
    ]
    times = [(time.start_minute_of_day, time.duration_minutes) for time in wanted.times]
    if len({start for start, _duration in times}) < len(times):
        faults.append(Detail("times", "DUPLICATE"))
    quotas = checked_quotas(tx, wanted.quotas, faults)
    if not queries.type_exists(tx, wanted.reservation_type_id, lock=not wanted.dry_run):
        raise UnknownReservationType
    pattern = SlotDraft(
        wanted.reservation_type_id,
        wanted.first_day,
        *times[0],
        wanted.capacity,
        wanted.status,
        wanted.booking_start,
        wanted.booking_end,
        wanted.notes or None,
        quotas,
    )
    existing = queries.existing_keys(tx, SlotFilter(wanted.first_day, wanted.last_day, wanted.reservation_type_id))
    leave_out = DraftFilter(wanted.skip_holidays, set(wanted.exclude_dates), existing, tx.now)
    kept, skipped = sorted_out(repeated(pattern, wanted.last_day, set(wanted.weekdays), times), leave_out)
    return _created(tx, kept, skipped, actor, dry_run=wanted.dry_run)


def copy_slots(tx: Tx, wanted: SlotCopyIn, actor: str) -> SlotBulkResult:
    """Copies become drafts. Seats, times, notes and quotas stay; the booking window moves by the same days."""
    if faults := _period_faults(wanted.first_day, wanted.last_day, MOST_COPIED_DAYS):
        raise InvalidInput(details=faults)
    type_id = wanted.reservation_type_id
    if type_id is not None and not queries.type_exists(tx, type_id):
        raise UnknownReservationType
    source = queries.drafts_of(tx, SlotFilter(wanted.first_day, wanted.last_day, type_id), MOST_SLOTS + 1)
    if not wanted.dry_run:
        for one in sorted({draft.reservation_type_id for draft in source}):
            queries.type_exists(tx, one, lock=True)
    shift = days_between(wanted.first_day, wanted.target) - 1
    copies = [moved(draft, shift) for draft in source]
    days = [draft.service_date_local for draft in copies] or [wanted.target]
    existing = queries.existing_keys(tx, SlotFilter(days[0], days[-1], type_id))
    kept, skipped = sorted_out(copies, DraftFilter(wanted.skip_holidays, (), existing, tx.now))
    return _created(tx, kept, skipped, actor, dry_run=wanted.dry_run)


def checked_quotas(
    tx: ReadTx, quotas: Sequence[DepartmentSeats], faults: Sequence[Detail] = ()
) -> tuple[tuple[str, int], ...]:
    """The quotas as pairs. Raises the given faults too, so that the caller learns of all of them at once."""
    department_ids = [quota.department_id for quota in quotas]
    if faults := [*faults, *quota_faults(department_ids)]:
        raise InvalidInput(details=faults)
    if unknown := queries.unknown_departments(tx, department_ids):
        raise UnknownQuotaDepartments(unknown)
    return tuple((quota.department_id, quota.seats) for quota in quotas)


def insert_quotas(tx: Tx, quotas: Sequence[tuple[int, str, int]]) -> None:
    """Slot, department and seats of each."""
    if quotas:
        rows = [{"slot_id": slot, "department_id": department, "seats": seats} for slot, department, seats in quotas]
        tx.execute(insert(SlotQuota), rows)


def audit_values(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a slot as the audit trail shows them, with quotas by department."""
    return {name: dict(value) if name == "quotas" else value for name, value in values.items()}


def _period_faults(first_day: str, last_day: str, longest: int) -> list[Detail]:
    if last_day < first_day:
        raise BackwardPeriod
    return [Detail("to", "PERIOD_TOO_LONG")] if days_between(first_day, last_day) > longest else []


def _insert(tx: Tx, drafts: Sequence[SlotDraft]) -> list[int]:
    rows = [
        {**{name: getattr(draft, name) for name in _COLUMNS}, "created_at": tx.now, "updated_at": tx.now}
        for draft in drafts
    ]
    statement = insert(ReservationSlot).returning(ReservationSlot.id, sort_by_parameter_order=True)
    ids = list(tx.execute(statement, rows).scalars())
    insert_quotas(tx, [(slot, *quota) for slot, draft in zip(ids, drafts, strict=True) for quota in draft.quotas])
    return ids


def _status_entries(drafts: Sequence[SlotDraft], ids: Sequence[int]) -> list[AuditEntryDraft]:
    """A slot that is created as published or closed has an audit row for that too, as one that is published later."""
    actions = {"published": "SLOT_PUBLISH", "closed": "SLOT_CLOSE"}
    return [
        AuditEntryDraft(actions[draft.status], f"slot:{slot_id}", new={"status": draft.status})
        for slot_id, draft in zip(ids, drafts, strict=True)
        if draft.status in actions
    ]


def _created(
    tx: Tx, drafts: Sequence[SlotDraft], skipped: Sequence[SkippedDraft], actor: str, *, dry_run: bool
) -> SlotBulkResult:
    check_quota_count(sum(len(draft.quotas) for draft in drafts))
    ids: Sequence[int | None] = [None] * len(drafts)
    if drafts and not dry_run:
        inserted = ids = _insert(tx, drafts)
        counts = {"slots": len(drafts), "from": drafts[0].service_date_local, "to": drafts[-1].service_date_local}
        entries = [AuditEntryDraft("SLOT_CREATE", f"slot:{inserted[0]}", new=counts)]
        audit.record_all(tx, actor, [*entries, *_status_entries(drafts, inserted)])
    slots = [
        PlannedSlot(
            id=slot_id,
            reservation_type_id=draft.reservation_type_id,
            service_date_local=draft.service_date_local,
            start_minute_of_day=draft.start_minute_of_day,
            duration_minutes=draft.duration_minutes,
            capacity=draft.capacity,
        )
        for slot_id, draft in zip(ids, drafts, strict=True)
    ]
    left_out = [
        SkippedSlot(
            service_date_local=skip.service_date_local,
            start_minute_of_day=skip.start_minute_of_day,
            reason=skip.reason,
            name=skip.name,
        )
        for skip in skipped
    ]
    return SlotBulkResult(
        dry_run=dry_run,
        created=len(slots),
        drafts=sum(draft.status == "draft" for draft in drafts),
        slots=slots,
        skipped=left_out,
    )
