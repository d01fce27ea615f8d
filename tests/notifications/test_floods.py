"""Nobody can spend the month's quota of LINE: moves within seconds are one notice, and a person has a bound a day."""

import time
from datetime import timedelta

import pytest

from tests.notifications.clinic import Clinic
from tsudoi.booking.notices.queries.cells import notice_page
from tsudoi.booking.notices.schemas import NoticeFilters
from tsudoi.booking.reservations.service.booking import book
from tsudoi.booking.reservations.service.changing import cancel, move
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.notices.rules.making import MOST_A_DAY, MOVES_ARE_ONE_FOR


def enqueued(clinic: Clinic, verb: object, *arguments: object) -> list[int]:
    """The jobs that the request would try at once."""

    def run(tx: Tx) -> list[int]:
        verb(tx, *arguments)  # type: ignore[operator]
        return [job_id for _, job_id in tx.enqueued]

    return clinic.db.write_now(run)


def changed(clinic: Clinic, verb: object, *arguments: object) -> None:
    clinic.try_now(*enqueued(clinic, verb, *arguments), until=time.monotonic() + 30)


@pytest.mark.found("24.E1")
def test_moves_within_seconds_are_told_by_one_message(clinic: Clinic) -> None:
    person, slots = clinic.person(), [clinic.slot(timedelta(days=10, minutes=30 * number)) for number in range(20)]
    changed(clinic, book, person, slots[0], "test")
    [reservation] = {job.reservation_id for job in clinic.jobs()}
    for slot_id in slots[1:]:
        changed(clinic, move, reservation, person, slot_id, "test")
    # The booking and the first move were told at once; the last move waits for a moment.
    assert len(clinic.line.pushes) == 2
    assert clinic.run().candidates == 0
    clinic.hospital.db.clock.advance(MOVES_ARE_ONE_FOR)  # type: ignore[attr-defined]
    assert clinic.run().sent == 1
    shown = [job.status for job in clinic.jobs(reservation_id=reservation, kind="CONFIRMATION")]
    assert shown == ["SENT", "SENT", *["DASH"] * 17, "SENT"]
    # A later move is told at once again.
    clinic.hospital.db.clock.advance(MOVES_ARE_ONE_FOR)  # type: ignore[attr-defined]
    changed(clinic, move, reservation, person, slots[0], "test")
    assert len(clinic.line.pushes) == 4


@pytest.mark.found("24.E1")
def test_what_is_over_the_bound_of_a_day_is_shown_and_not_sent(clinic: Clinic) -> None:
    person, other = clinic.person(), clinic.person()
    slots = [clinic.slot(timedelta(days=10, minutes=30 * number), capacity=2) for number in range(MOST_A_DAY + 2)]
    for slot_id in slots:
        changed(clinic, book, person, slot_id, "test")
        last = max(job.reservation_id for job in clinic.jobs())
        changed(clinic, cancel, last, person, "staff:self")
    assert len(clinic.line.pushes) == 2 * MOST_A_DAY
    page = clinic.db.read_now(notice_page, NoticeFilters())
    cells = [row.cells.CONFIRMATION for row in page.items if row.reservation_id == last]
    assert [(cell.status, cell.reason) for cell in cells] == [("DASH", "TOO_MANY_TODAY")]
    assert "送りませんでした" in cells[0].message
    # Others are told, and the next day the person is told again. What the office cancels is always told.
    changed(clinic, book, other, slots[0], "test")
    assert len(clinic.line.pushes) == 2 * MOST_A_DAY + 1
    changed(clinic, book, person, slots[0], "test")
    clinic.cancel(max(job.reservation_id for job in clinic.jobs()))
    assert clinic.run().sent == 1
    clinic.hospital.db.clock.advance(timedelta(days=1))  # type: ignore[attr-defined]
    changed(clinic, book, person, slots[1], "test")
    assert len(clinic.line.pushes) == 2 * MOST_A_DAY + 3
