"""Changing, publishing, closing and deleting slots: one, or many at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, update

from tsudoi.booking.planning import queries
from tsudoi.booking.planning.errors import (
    CapacityBelowBooked,
    SelectionChanged,
    SlotHasReservations,
    SlotInUse,
    SomeRefused,
    UnknownReservationType,
    UnknownSlots,
)
from tsudoi.booking.planning.queries import SlotFilter
from tsudoi.booking.planning.rules.changes import (
    MOST_SHOWN,
    ChangeRefusal,
    change_refused_because,
    differences,
)
from tsudoi.booking.planning.rules.drafts import (
    LONGEST_PERIOD_DAYS,
    MOST_SLOTS,
    check_quota_count,
    days_between,
    time_faults,
    window_faults,
)
from tsudoi.booking.planning.schemas import (
    ChangedSlot,
    ManySlotsChange,
    ManySlotsChangeIn,
    ManySlotsChangeResult,
    RefusedSlot,
    SlotChange,
    SlotSelection,
)
from tsudoi.booking.planning.service.creating import audit_values, checked_quotas, insert_quotas
from tsudoi.booking.reservations.service import waiting
from tsudoi.booking.reservations.service.waiting import Promotion
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.core import audit
from tsudoi.core.audit import AuditEntryDraft
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Detail, InvalidInput

# What people were told when they booked: it stays while somebody has a seat or waits for one.
_ANNOUNCED = {
    "reservation_type_id": "reservationTypeId",
    "service_date_local": "serviceDateLocal",
    "start_minute_of_day": "startMinuteOfDay",
    "duration_minutes": "durationMinutes",
}
_STATUS_ACTIONS = {"draft": "SLOT_CHANGE", "published": "SLOT_PUBLISH", "closed": "SLOT_CLOSE"}


@dataclass(frozen=True, slots=True)
class _SlotEdit:
    """A locked slot, and the values that it gets, with those that it had."""

    row: Row[Any]
    old: dict[str, Any]
    new: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Sorted:
    """What becomes of each slot of a selection; the rest of it is like this already."""

    edits: list[_SlotEdit]
    refused: list[tuple[Row[Any], ChangeRefusal]]


def change_slot(tx: Tx, slot_id: int, change: SlotChange, actor: str) -> None:
    before = _locked(tx, slot_id)
    given = _given(change)
    present = {**before._mapping, "quotas": queries.quotas_of(tx, [slot_id]).get(slot_id, {})}  # noqa: SLF001 (public)
    after = {**present, **given}
    faults = [
        *time_faults(after["start_minute_of_day"], after["duration_minutes"]),
        *window_faults(after["booking_start"], after["booking_end"]),
    ]
    quotas = checked_quotas(tx, change.quotas, faults)
    if "quotas" in given:
        given["quotas"] = dict(quotas)
    new = differences(present, given)
    if not new:
        return
    _check(tx, before, new)
    _write(tx, [_SlotEdit(before, {name: present[name] for name in new}, new)], actor)


def change_status(tx: Tx, slot_ids: Sequence[int], status: str, actor: str) -> int:
    """Give all slots this status; returns how many had another one."""
    rows = _chosen(tx, SlotFilter(slot_ids=set(slot_ids)), lock=True)
    _require_all(rows, slot_ids)
    edits = [_SlotEdit(row, {"status": row.status}, {"status": status}) for row in rows if row.status != status]
    _write(tx, edits, actor)
    return len(edits)


def change_many(tx: Tx, wanted: ManySlotsChangeIn, actor: str) -> ManySlotsChangeResult:
    """The same change for many slots: all of them, or with `skip_refused` all that can be changed.

    A dry run does the same up to the writing, and takes no locks.
    """
    if wanted.expect is None and not wanted.dry_run:
        raise InvalidInput(details=[Detail("expect", "REQUIRED")])
    rows = _chosen(tx, _filter_of(tx, wanted.select), lock=not wanted.dry_run)
    if not wanted.dry_run and wanted.expect != len(rows):
        raise SelectionChanged(wanted.expect or 0, len(rows))
    _require_all(rows, wanted.select.slot_ids or ())
    deletes = "delete" in wanted.change.model_fields_set
    found = _sorted_for_deletion(tx, rows) if deletes else _sorted_for_change(tx, rows, wanted.change)
    if not wanted.dry_run:
        if found.refused and not wanted.skip_refused:
            raise SomeRefused([(row.id, code) for row, code in found.refused])
        (_delete if deletes else _write)(tx, found.edits, actor)
    return _result(len(rows), found, dry_run=wanted.dry_run)


def delete_slot(tx: Tx, slot_id: int, actor: str) -> None:
    """Only a slot that nobody ever booked or waited for, because reservations are kept for ever."""
    before = _locked(tx, slot_id)
    if queries.ever_used(tx, [slot_id]):
        raise SlotInUse
    _delete(tx, [_SlotEdit(before, {}, {})], actor)


def _locked(tx: Tx, slot_id: int) -> Row[Any]:
    rows = _chosen(tx, SlotFilter(slot_ids=[slot_id]), lock=True)
    if not rows:
        raise NoSuchSlot
    return rows[0]


def _chosen(tx: Tx, wanted: SlotFilter, *, lock: bool) -> list[Row[Any]]:
    rows = queries.slot_rows(tx, wanted, lock=lock, limit=MOST_SLOTS + 1)
    if len(rows) > MOST_SLOTS:
        message = f"一度に変えられる予約枠は{MOST_SLOTS:,}枠までです。期間を分けてください。"
        raise InvalidInput(message, [Detail("select.filter.to", "TOO_MANY_SLOTS")])
    return rows


def _require_all(rows: Sequence[Row[Any]], slot_ids: Sequence[int]) -> None:
    if unknown := set(slot_ids) - {row.id for row in rows}:
        raise UnknownSlots(unknown)


def _filter_of(tx: Tx, select: SlotSelection) -> SlotFilter:
    if select.filter is None:
        return SlotFilter(slot_ids=set(select.slot_ids or ()))
    choice, faults = select.filter, []
    if choice.last_day < choice.first_day:
        faults.append(Detail("select.filter.to", "BEFORE_FROM"))
    elif days_between(choice.first_day, choice.last_day) > LONGEST_PERIOD_DAYS:
        faults.append(Detail("select.filter.to", "PERIOD_TOO_LONG"))
    if choice.from_minute is not None and choice.to_minute is not None and choice.to_minute < choice.from_minute:
        faults.append(Detail("select.filter.toMinute", "BEFORE_START"))
    if faults:
        raise InvalidInput(details=faults)
    if not queries.type_exists(tx, choice.reservation_type_id):
        raise UnknownReservationType
    return SlotFilter(
        choice.first_day,
        choice.last_day,
        choice.reservation_type_id,
        choice.status,
        choice.weekdays,
        choice.from_minute,
        choice.to_minute,
    )


def _given(change: SlotChange | ManySlotsChange) -> dict[str, Any]:
    """The fields that were sent. No notes are stored as null."""
    given = {name: getattr(change, name) for name in change.model_fields_set}
    return {**given, "notes": given["notes"] or None} if "notes" in given else given


def _sorted_for_change(tx: Tx, rows: Sequence[Row[Any]], change: ManySlotsChange) -> _Sorted:
    given = _given(change)
    faults = [
        Detail(f"change.{one.field}", one.reason) for one in window_faults(change.booking_start, change.booking_end)
    ]
    quotas = checked_quotas(tx, change.quotas or (), faults)
    present_quotas: dict[int, dict[str, int]] = {}
    if "quotas" in given:
        given["quotas"] = dict(quotas)
        present_quotas = queries.quotas_of(tx, [row.id for row in rows])
    found = _Sorted([], [])
    for row in rows:
        present = {**row._mapping, "quotas": present_quotas.get(row.id, {})}  # noqa: SLF001 (public)
        new = differences(present, given)
        if not new:
            continue
        code = change_refused_because(present, new)
        if code is None:
            found.edits.append(_SlotEdit(row, {name: present[name] for name in new}, new))
        else:
            found.refused.append((row, code))
    check_quota_count(len(quotas) * sum("quotas" in edit.new for edit in found.edits))
    return found


def _sorted_for_deletion(tx: Tx, rows: Sequence[Row[Any]]) -> _Sorted:
    used = queries.ever_used(tx, [row.id for row in rows])
    return _Sorted(
        [_SlotEdit(row, {}, {}) for row in rows if row.id not in used],
        [(row, "IN_USE") for row in rows if row.id in used],
    )


def _check(tx: Tx, before: Row[Any], new: dict[str, Any]) -> None:
    if "reservation_type_id" in new and not queries.type_exists(tx, new["reservation_type_id"]):
        raise UnknownReservationType
    announced = [field for name, field in _ANNOUNCED.items() if name in new]
    # Cancelled reservations refer to the slot's type as well, so it stays even after all seats are free again.
    ever = "reservation_type_id" in new
    if announced and (queries.ever_used(tx, [before.id]) if ever else queries.has_live_reservations(tx, before.id)):
        raise SlotHasReservations(announced)
    if new.get("capacity", before.capacity) < before.booked_count:
        raise CapacityBelowBooked(before.booked_count)


def _write(tx: Tx, edits: Sequence[_SlotEdit], actor: str) -> None:
    """Write the edits, which give every slot the same values: a slot that an edit does not give one has it already.

    More seats, a later end or a new publication may give people who wait a seat.
    """
    if not edits:
        return
    ids = [edit.row.id for edit in edits]
    columns = {name: value for edit in edits for name, value in edit.new.items() if name != "quotas"}
    tx.execute(update(ReservationSlot).where(ReservationSlot.id.in_(ids)).values(**columns, updated_at=tx.now))
    if with_quotas := [edit for edit in edits if "quotas" in edit.new]:
        tx.execute(delete(SlotQuota).where(SlotQuota.slot_id.in_([edit.row.id for edit in with_quotas])))
        insert_quotas(tx, [(edit.row.id, *quota) for edit in with_quotas for quota in edit.new["quotas"].items()])
    promotions = _fill_free_seats(tx, ids)
    audit.record_all(tx, actor, [entry for edit in edits for entry in _entries(edit)])
    waiting.record_promotions(tx, promotions, actor)


def _delete(tx: Tx, edits: Sequence[_SlotEdit], actor: str) -> None:
    if not edits:
        return
    tx.execute(delete(ReservationSlot).where(ReservationSlot.id.in_([edit.row.id for edit in edits])))
    names = (*_ANNOUNCED, "capacity", "status")
    audit.record_all(
        tx,
        actor,
        [
            AuditEntryDraft("SLOT_DELETE", f"slot:{edit.row.id}", old={name: getattr(edit.row, name) for name in names})
            for edit in edits
        ],
    )


def _fill_free_seats(tx: Tx, slot_ids: Sequence[int]) -> list[Promotion]:
    return [one for slot_id in queries.slots_waited_for(tx, slot_ids) for one in waiting.fill(tx, slot_id)]


def _entries(edit: _SlotEdit) -> list[AuditEntryDraft]:
    """A change of the status has its own action, so that the trail can be searched for it."""
    old, new = edit.old, edit.new
    subject, entries = f"slot:{edit.row.id}", []
    if others := [name for name in new if name != "status"]:
        before, after = ({name: values[name] for name in others} for values in (old, new))
        entries.append(AuditEntryDraft("SLOT_CHANGE", subject, old=audit_values(before), new=audit_values(after)))
    if "status" in new:
        action = _STATUS_ACTIONS[new["status"]]
        entries.append(AuditEntryDraft(action, subject, old={"status": old["status"]}, new={"status": new["status"]}))
    return entries


def _result(matched: int, found: _Sorted, *, dry_run: bool) -> ManySlotsChangeResult:
    changed = sorted((edit.row for edit in found.edits), key=_place)
    refused = sorted(found.refused, key=lambda one: _place(one[0]))
    return ManySlotsChangeResult(
        dry_run=dry_run,
        matched=matched,
        changed=len(changed),
        unchanged=matched - len(changed) - len(refused),
        refused=[
            RefusedSlot(
                slot_id=row.id,
                service_date_local=row.service_date_local,
                start_minute_of_day=row.start_minute_of_day,
                code=code,
            )
            for row, code in refused
        ],
        slots=[
            ChangedSlot(
                slot_id=row.id,
                reservation_type_id=row.reservation_type_id,
                service_date_local=row.service_date_local,
                start_minute_of_day=row.start_minute_of_day,
                duration_minutes=row.duration_minutes,
                capacity=row.capacity,
                booked_count=row.booked_count,
                status=row.status,
            )
            for row in changed[:MOST_SHOWN]
        ],
    )


def _place(row: Row[Any]) -> tuple[str, int, int]:
    return row.service_date_local, row.start_minute_of_day, row.id
