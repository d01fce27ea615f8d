"""The waiting list of a slot: a freed seat is given to the first person in line for whom it fits.

`fill` runs in the transaction that frees a seat (a cancellation, a move, a larger capacity). A place that is
passed over keeps its position and says why.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select, update

from tsudoi.booking.identity.errors import NotActive
from tsudoi.booking.payments.errors import PaymentRequired
from tsudoi.booking.reservations.errors import AlreadyBookedThisYear, NoSuchPlace, NotFull
from tsudoi.booking.reservations.models import WaitingPlace
from tsudoi.booking.reservations.queries.waiting import calls_for_promoted, late_places, live_place_of, live_places
from tsudoi.booking.reservations.rules.deciding import (
    PROMOTION_ENDS,
    already_in_slot,
    person_refused_because,
    promotion_until,
    waiting_refusal,
)
from tsudoi.booking.reservations.service import seats
from tsudoi.booking.reservations.service.booking import audited_slot, refuse, require_active
from tsudoi.booking.reservations.service.locking import LockedSlot, lock, lock_slots
from tsudoi.booking.slots.errors import NoSuchSlot, SlotFull
from tsudoi.booking.slots.rules import full_because, not_open_because
from tsudoi.core import audit
from tsudoi.core.clock import jst_date, utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.roster.telephone.service import add_calls

_JOIN = RawSql(
    "INSERT INTO waiting_places (slot_id, staff_uid, created_at) VALUES (:slot_id, :staff_uid, :now) RETURNING id"
)
_SKIP = RawSql("UPDATE waiting_places SET skipped_because = :code, skipped_at = :now WHERE id = :place_id")


@dataclass(frozen=True, slots=True)
class Promotion:
    """A place in the line that became a reservation."""

    place_id: int
    reservation_id: int
    locked: LockedSlot


def join(tx: Tx, staff_uid: str, slot_id: int, actor: str) -> int:
    """Take a place in the line of a full slot, and return it. Somebody who waits already keeps their place."""
    locked = lock(tx, slot_id, staff_uid)
    if locked is None:
        raise NoSuchSlot
    require_active(locked)
    refuse(waiting_refusal(locked.facts))
    if full_because(locked.facts.slot) is None:
        raise NotFull
    if locked.price_jpy is not None:
        raise PaymentRequired
    waits = live_place_of(tx, staff_uid, slot_id) if locked.is_waiting else None
    if waits is not None:
        return waits
    made = _JOIN.first(tx, {"slot_id": slot_id, "staff_uid": staff_uid, "now": utc_text(tx.now)})
    assert made is not None  # noqa: S101 (the statement returns the id)
    audit.record(tx, actor, "WAIT_JOIN", f"slot:{slot_id}", new={"waiting_id": made[0]})
    return int(made[0])


def leave(tx: Tx, place_id: int, staff_uid: str, actor: str) -> None:
    """Give a place up. A place that has ended stays as it ended."""
    own = (WaitingPlace.id == place_id, WaitingPlace.staff_uid == staff_uid)
    slot_id = tx.scalar(select(WaitingPlace.slot_id).where(*own))
    if slot_id is None:
        raise NoSuchPlace
    # The line of a locked slot does not change, so that a promotion under way comes first or finds the place ended.
    lock_slots(tx, (slot_id,))
    ended = update(WaitingPlace).where(*own, WaitingPlace.ended_at.is_(None)).values(ended_at=tx.now, outcome="left")
    if tx.execute(ended).rowcount:
        audit.record(tx, actor, "WAIT_LEAVE", f"slot:{slot_id}", old={"waiting_id": place_id})


def fill(tx: Tx, slot_id: int) -> list[Promotion]:
    """Give the free seats of a slot to its waiting list. The verb passes the result to `record_promotions` at its end,
    because everybody who writes audit rows waits for the one who wrote the last.
    """
    lock_slots(tx, (slot_id,))
    promotions: list[Promotion] = []
    for place_id, staff_uid in live_places(tx, slot_id):
        locked = lock(tx, slot_id, staff_uid)
        if locked is None or _no_more(locked):
            break
        code = _does_not_fit(locked)
        reservation_id = seats.take(tx, locked, place_id) if code is None else None
        if reservation_id is None:
            code = code or AlreadyBookedThisYear.code
            _SKIP.changed(tx, {"code": code, "now": utc_text(tx.now), "place_id": place_id})
        else:
            promotions.append(Promotion(place_id, reservation_id, locked))
            if locked.facts.slot.booked_count + 1 >= locked.facts.slot.capacity:
                # The next in line is not even locked: they may be the first in line of another slot.
                break
    return promotions


def record_promotions(tx: Tx, promotions: Iterable[Promotion], by: str) -> None:
    """The system gives the seat; `freed_by` says whose change made it free. Whom nothing reaches is to be called."""
    promotions = list(promotions)
    add_calls(tx, calls_for_promoted(tx, [one.reservation_id for one in promotions]))
    for one in promotions:
        new = {"staff_uid": one.locked.staff_uid, **audited_slot(one.locked), "freed_by": by}
        audit.record(tx, "system", "WAIT_PROMOTE", f"reservation:{one.reservation_id}", new=new)


def _no_more(locked: LockedSlot) -> bool:
    """Whether the slot has no seat for anybody, or it is too late for it, or the seat would have to be paid for."""
    facts = locked.facts
    if locked.price_jpy is not None:
        return True
    too_late = facts.now > promotion_until(facts.slot)
    return too_late or not_open_because(facts.slot, facts.now) is not None or full_because(facts.slot) == SlotFull.code


def _does_not_fit(locked: LockedSlot) -> str | None:
    if locked.staff_status != "active":
        return NotActive.code
    facts = locked.facts
    return already_in_slot(facts) or full_because(facts.slot) or person_refused_because(facts)


def expire(tx: Tx) -> int:
    """End the places of slots to which no seat is given any more. A clockwork job calls this."""
    tomorrow = jst_date(tx.now + PROMOTION_ENDS)
    late = late_places(tx, tomorrow)
    if late:
        still_waiting = (WaitingPlace.id.in_(late), WaitingPlace.ended_at.is_(None))
        tx.execute(update(WaitingPlace).where(*still_waiting).values(ended_at=tx.now, outcome="expired"))
    return len(late)
