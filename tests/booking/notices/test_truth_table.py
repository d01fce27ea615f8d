"""Every line of the truth table of the three cells, over HTTP."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from tests.booking.notices.screen import KINDS, Screen
from tests.booking.reservations.hospital import DAY, Person
from tsudoi.booking.payments.models import Payment
from tsudoi.booking.reservations.models import Reservation
from tsudoi.notifications.notices.models import NotificationJob

# Today is 2025-08-16, 12:00 in Japan.
SOON, LATER = "2025-08-18", "2025-09-11"


class Bookings:
    """Makes the reservations of the table's lines. Where a line speaks of a missing row, the row is deleted."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.hospital = screen, screen.hospital
        self.type_id = self.hospital.type(limit_per_year=None, overlap_allowed=1)

    def slot(self, day: str = DAY) -> int:
        return self.hospital.slot(self.type_id, day, capacity=50)

    def booked(self, *, linked: bool, day: str = DAY) -> tuple[Person, int]:
        person = self.screen.somebody(linked=linked)
        return person, person.booked(self.slot(day))

    def held(self, *, linked: bool = True) -> tuple[Person, int]:
        """A seat that waits for its payment."""
        person, reservation_id = self.booked(linked=linked)
        until = self.hospital.now + timedelta(minutes=35)
        values = {"confirmed_at": None, "hold_expires_at": until, "price_jpy": 3500}
        self.hospital.change(Reservation, reservation_id, **values)
        self.forget(reservation_id)
        self.hospital.sql(f"DELETE FROM notification_skips WHERE reservation_id = {reservation_id}")
        return person, reservation_id

    def expired(self) -> int:
        _, reservation_id = self.held()
        ended = {"canceled_at": self.hospital.now, "canceled_by": "system", "cancel_reason": "HOLD_EXPIRED"}
        self.hospital.change(Reservation, reservation_id, **ended)
        return reservation_id

    def forget(self, reservation_id: int, *kinds: str) -> int:
        """The jobs that ought to be there are not."""
        names = ", ".join(f"'{kind}'" for kind in kinds or KINDS)
        tables = ("notification_attempts WHERE job_id IN (SELECT job_id FROM notification_jobs", "notification_jobs")
        which = f"WHERE reservation_id = {reservation_id} AND kind IN ({names})"
        self.hospital.sql(f"DELETE FROM {tables[0]} {which})")
        self.hospital.sql(f"DELETE FROM {tables[1]} {which}")
        return reservation_id

    def paid(self, reservation_id: int) -> int:
        now = self.hospital.now
        self.hospital.insert(
            Payment,
            reservation_id=reservation_id,
            amount_jpy=3500,
            status="PAID",
            idempotency_key=f"payment {reservation_id}",
            request_body="",
            session_expires_at=now,
            paid_at=now,
            created_at=now,
            updated_at=now,
        )
        return reservation_id

    # The lines, from the first to the last.
    def hold_running(self) -> int:
        return self.held()[1]

    def paid_late_and_refunded(self) -> int:
        return self.paid(self.expired())

    def confirmed(self) -> int:
        return self.forget(self.booked(linked=True)[1])

    def confirmed_soon(self) -> int:
        return self.forget(self.booked(linked=True, day=SOON)[1])

    def confirmed_unlinked(self) -> int:
        return self.booked(linked=False)[1]

    def linked_later(self) -> int:
        person, reservation_id = self.booked(linked=False)
        assert self.screen.link(person, self.screen.box.friend()).status_code == 200
        return self.forget(reservation_id)

    def canceled(self) -> int:
        person, reservation_id = self.booked(linked=True)
        assert person.cancel(reservation_id).status_code == 204
        return self.forget(reservation_id)

    def canceled_unlinked(self) -> int:
        person, reservation_id = self.booked(linked=False)
        assert person.cancel(reservation_id).status_code == 204
        return reservation_id

    def canceled_unpaid(self) -> int:
        person, reservation_id = self.held()
        assert person.cancel(reservation_id).status_code == 204
        return reservation_id

    def moved(self) -> int:
        person, reservation_id = self.booked(linked=True)
        assert person.move(reservation_id, self.slot(LATER)).status_code == 200
        return self.forget(reservation_id)

    def moved_soon(self) -> int:
        person, reservation_id = self.booked(linked=True)
        assert person.move(reservation_id, self.slot(SOON)).status_code == 200
        return self.forget(reservation_id)

    def moved_unlinked(self) -> int:
        person, reservation_id = self.booked(linked=False)
        assert person.move(reservation_id, self.slot(LATER)).status_code == 200
        return reservation_id

    def moved_and_canceled(self) -> int:
        person, reservation_id = self.booked(linked=True)
        assert person.move(reservation_id, self.slot(LATER)).status_code == 200
        assert person.cancel(reservation_id).status_code == 204
        return self.forget(reservation_id)


UNPAID, NO_LINK, CANCELLED = "DASH NOT_CONFIRMED", "DASH NO_LINE_LINK", "DASH CANCELLED"
LIVE, MISSING, LATE = "DASH NOT_CANCELLED", "NONE MISSING", "DASH LESS_THAN_48H"
LINES: list[tuple[Callable[[Bookings], int], list[str]]] = [
    (Bookings.hold_running, [UNPAID, UNPAID, LIVE]),
    (Bookings.expired, [UNPAID, UNPAID, UNPAID]),
    (Bookings.paid_late_and_refunded, [UNPAID, UNPAID, MISSING]),
    (Bookings.confirmed, [MISSING, MISSING, LIVE]),
    (Bookings.confirmed_soon, [MISSING, LATE, LIVE]),
    (Bookings.confirmed_unlinked, [NO_LINK, NO_LINK, LIVE]),
    (Bookings.linked_later, [NO_LINK, MISSING, LIVE]),
    (Bookings.canceled, [MISSING, CANCELLED, MISSING]),
    (Bookings.canceled_unlinked, [NO_LINK, CANCELLED, NO_LINK]),
    (Bookings.canceled_unpaid, [UNPAID, UNPAID, UNPAID]),
    (Bookings.moved, [MISSING, MISSING, LIVE]),
    (Bookings.moved_soon, [MISSING, LATE, LIVE]),
    (Bookings.moved_unlinked, [NO_LINK, NO_LINK, LIVE]),
    (Bookings.moved_and_canceled, [MISSING, CANCELLED, MISSING]),
]


@pytest.mark.row("2.5.4", "2.5.5", "2.5.7", "2.11.2", "2.11.3", "2.6.7", "2.6.8")
def test_every_line_and_every_filter(silent_screen: Screen) -> None:
    """The cells come from Python, the filters and the counts from SQL: both must say the same."""
    bookings = Bookings(silent_screen)
    expected = {line(bookings): cells for line, cells in LINES}
    assert {one: silent_screen.cells(one) for one in expected} == expected
    for status in ("DASH", "NONE", "PENDING", "SENT", "FAILED", "UNKNOWN"):
        for column, kind in enumerate(KINDS):
            found = {row["reservation_id"] for row in silent_screen.rows(status=status, kind=kind)}
            assert found == {one for one, cells in expected.items() if cells[column].startswith(status)}
        found = {row["reservation_id"] for row in silent_screen.rows(status=status)}
        assert found == {one for one, cells in expected.items() if any(cell.startswith(status) for cell in cells)}
    counts = silent_screen.summary()["counts"]
    cells = [cell.partition(" ")[0] for three in expected.values() for cell in three]
    assert counts == {status: cells.count(status) for status in counts}
    assert _stored(silent_screen, "NONE") == 0


@pytest.mark.row("2.11.2", "2.11.3", "2.5.4")
def test_stored_rows_are_shown_as_they_are(silent_screen: Screen) -> None:
    bookings = Bookings(silent_screen)
    states: dict[str, dict[str, Any]] = {
        "PENDING": {},
        "SENT": {"status": "SENT"},
        "FAILED QUOTA": {
            "status": "FAILED",
            "last_error": "HTTP 429 You have reached your monthly limit.",
        },
        "UNKNOWN NO_ANSWER": {"status": "FAILED", "last_error": "UNKNOWN: no answer", "outcome_unknown": 1},
        "DASH MOVED": {"status": "DASH", "dash_reason": "MOVED"},
        "DASH CALLED_OFF": {"status": "DASH"},
    }
    made = {}
    for shown, values in states.items():
        _, reservation_id = bookings.booked(linked=True)
        if values:
            silent_screen.hospital.change(
                NotificationJob, silent_screen.job(reservation_id, "CONFIRMATION").job_id, **values
            )
        made[reservation_id] = shown
    assert {one: silent_screen.cells(one)[0] for one in made} == made
    for status in ("PENDING", "SENT", "FAILED", "UNKNOWN", "DASH"):
        found = {row["reservation_id"] for row in silent_screen.rows(status=status, kind="CONFIRMATION")}
        assert found == {one for one, shown in made.items() if shown.startswith(status)}


def _stored(screen: Screen, status: str) -> int:
    statement = text("SELECT count(*) FROM notification_jobs WHERE status = :status").bindparams(status=status)
    return int(screen.product.db.read_now(lambda tx: tx.scalar(statement)))
