"""Books a seat: for the person who asks, or by the office on behalf of somebody."""

from tsudoi.booking.identity.errors import NotActive
from tsudoi.booking.payments.errors import PaymentUnavailable
from tsudoi.booking.payments.rules.terms import PaymentOrder, hold_times, offers_konbini, refund_until
from tsudoi.booking.payments.service.opening import create_payment
from tsudoi.booking.reservations.errors import REFUSALS, AlreadyBookedThisYear, NotActiveStaff
from tsudoi.booking.reservations.queries.reservations import staff_exists
from tsudoi.booking.reservations.rules.deciding import cancelable_until, office_refusal, refusal
from tsudoi.booking.reservations.schemas import ReservationItem
from tsudoi.booking.reservations.service import seats
from tsudoi.booking.reservations.service.locking import LockedSlot, lock
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.booking.staffs.errors import NoSuchStaff
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx


def book(tx: Tx, staff_uid: str, slot_id: int, actor: str, pay_at: str | None = None) -> ReservationItem:
    """Every refusal comes before the first write, so that it can be kept with the key of the request.

    A seat with a price is only held. `pay_at`: this server's address, to which the payment page leads back; None means
    that no payments are taken.
    """
    locked = lock(tx, slot_id, staff_uid)
    if locked is None:
        raise NoSuchSlot
    require_active(locked)
    refuse(refusal(locked.facts))
    if locked.price_jpy is None:
        return _take(tx, locked, actor, reason=None)
    if pay_at is None:
        raise PaymentUnavailable
    return _hold(tx, locked, actor, locked.price_jpy, pay_at)


def book_on_behalf(tx: Tx, staff_uid: str, slot_id: int, reason: str, actor: str) -> ReservationItem:
    """The office may book outside the window and for an incomplete profile, but never over capacity.

    The seat is certain at once, also if it has a price: the person pays at the desk.
    """
    if not staff_exists(tx, staff_uid):
        raise NoSuchStaff
    locked = lock(tx, slot_id, staff_uid)
    if locked is None:
        raise NoSuchSlot
    if locked.staff_status != "active":
        raise NotActiveStaff
    refuse(office_refusal(locked.facts))
    return _take(tx, locked, actor, reason)


def require_active(locked: LockedSlot) -> None:
    """The office may have suspended the person while the request waited for the lock."""
    if locked.staff_status != "active":
        raise NotActive


def refuse(code: str | None) -> None:
    if code is not None:
        raise REFUSALS[code]


def audited_slot(locked: LockedSlot) -> dict[str, str | int]:
    slot = locked.facts.slot
    return {
        "slot_id": locked.facts.slot_id,
        "service_date_local": slot.service_date_local,
        "start_minute_of_day": slot.start_minute_of_day,
    }


def _take(tx: Tx, locked: LockedSlot, actor: str, reason: str | None) -> ReservationItem:
    reservation_id = seats.take(tx, locked)
    if reservation_id is None:
        raise AlreadyBookedThisYear
    new = audited_slot(locked) if reason is None else {"staff_uid": locked.staff_uid, **audited_slot(locked)}
    audit.record(tx, actor, "RESERVE_CREATE", f"reservation:{reservation_id}", reason=reason, new=new)
    return _created(tx, locked, reservation_id)


def _hold(tx: Tx, locked: LockedSlot, actor: str, price_jpy: int, pay_at: str) -> ReservationItem:
    """The seat, the year and the decision to open a payment page, in one transaction. Stripe is asked afterwards."""
    begins_at = locked.facts.slot.begins_at
    times = hold_times(tx.now, locked.hold_minutes, begins_at)
    reservation_id = seats.take(tx, locked, held_until=times.hold_expires_at)
    if reservation_id is None:
        raise AlreadyBookedThisYear
    order = PaymentOrder(
        reservation_id=reservation_id,
        sequence=1,
        amount_jpy=price_jpy,
        product_name=locked.type_name,
        page_expires_at=times.page_expires_at,
        konbini=offers_konbini(konbini=locked.konbini, price_jpy=price_jpy, begins_at=begins_at, now=tx.now),
        public_base_url=pay_at,
    )
    payment = create_payment(tx, order)
    new = {**audited_slot(locked), "price_jpy": price_jpy}
    audit.record(tx, actor, "RESERVE_CREATE", f"reservation:{reservation_id}", new=new)
    item = _created(tx, locked, reservation_id)
    item.confirmed_at, item.hold_expires_at, item.payment = None, times.hold_expires_at, payment
    item.refund_until = refund_until(locked.refund_until_hours, begins_at)
    return item


def _created(tx: Tx, locked: LockedSlot, reservation_id: int) -> ReservationItem:
    """Built without reading it again and without validation, because this is the endpoint under the most load."""
    facts, slot = locked.facts, locked.facts.slot
    day, start = slot.service_date_local, slot.start_minute_of_day
    return ReservationItem.model_construct(
        id=reservation_id,
        staff_uid=locked.staff_uid,
        staff_id=locked.staff_id,
        reservation_type_id=facts.type_id,
        reservation_type_name=locked.type_name,
        type_description=locked.type_description,
        slot_id=facts.slot_id,
        service_date_local=day,
        start_minute_of_day=start,
        duration_minutes=facts.duration_minutes,
        period_key=facts.period_key,
        created_at=tx.now,
        updated_at=tx.now,
        canceled_at=None,
        attendance=None,
        frees_year=False,
        cancelable_until=cancelable_until(day, start, locked.cancel_until_hours),
        notes=locked.notes or "",
        place=locked.place,
        revision=0,
        confirmed_at=tx.now,
        hold_expires_at=None,
        hold_expired=False,
        refund_until=None,
        payment=None,
    )
