"""Gives back seats that nobody paid for in time."""

from tsudoi.booking.payments.service.tasks import close_pages
from tsudoi.booking.reservations.models import HOLD_EXPIRED
from tsudoi.booking.reservations.queries.holds import ran_out
from tsudoi.booking.reservations.queries.reservations import StoredReservation, reservation_of
from tsudoi.booking.reservations.service import seats
from tsudoi.booking.reservations.service.locking import lock_slots
from tsudoi.booking.reservations.service.waiting import fill, record_promotions
from tsudoi.core.db.interface import Tx

# One transaction gives back so many; what is left is next.
_AT_ONCE = 200


def give_back_expired(tx: Tx) -> int:
    """Give back the holds that ran out, and their seats to the waiting lists. A clockwork job calls this."""
    found = ran_out(tx, _AT_ONCE)
    slot_ids = sorted({slot_id for _, slot_id in found})
    lock_slots(tx, slot_ids)
    for reservation_id, _ in found:
        stored = reservation_of(tx, reservation_id)
        # It may have been paid for, moved or extended while this transaction waited for the locks.
        if stored is not None and stored.slot_id in slot_ids and stored.canceled_at is None and stored.ran_out(tx.now):
            _give_back(tx, stored)
    promotions = [one for slot_id in slot_ids for one in fill(tx, slot_id)]
    record_promotions(tx, promotions, "system")
    return len(found)


def give_back(tx: Tx, held: StoredReservation) -> None:
    """Give back one hold before its time, because its payment page is closed. The slot is locked."""
    _give_back(tx, held)
    record_promotions(tx, fill(tx, held.slot_id), "system")


def _give_back(tx: Tx, held: StoredReservation) -> None:
    if seats.free(tx, held, "system", HOLD_EXPIRED):
        close_pages(tx, held.id, "system", HOLD_EXPIRED)
