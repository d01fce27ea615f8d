"""A hold that has run out is over for everybody at once, also before the clockwork gives the seat back."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.notifications.clinic import Clinic
from tests.notifications.conftest import line, make_clinic, no_pauses
from tsudoi.booking.notices.queries.cells import notice_page
from tsudoi.booking.notices.queries.timeline import timeline
from tsudoi.booking.notices.rules.cells import KINDS
from tsudoi.booking.notices.schemas import NoticeFilters, NoticeRow
from tsudoi.booking.reservations.service.booking import book
from tsudoi.core.clock import ManualClock, display

__all__ = ["line", "make_clinic", "no_pauses"]


def shown(clinic: Clinic, reservation: int) -> tuple[str, list[str]]:
    row: NoticeRow = clinic.db.read_now(notice_page, NoticeFilters(query=str(reservation))).items[0]
    cells = [getattr(row.cells, kind) for kind in KINDS]
    assert row.state == "hold" or all("席が戻されたため" in cell.message for cell in cells)
    return row.state, [f"{cell.status} {cell.reason}" for cell in cells]


@pytest.mark.found("24.B8")
@pytest.mark.row("2.5.4")
def test_an_expired_hold_is_not_called_running(make_clinic: Callable[..., Clinic], clock: ManualClock) -> None:
    clinic = make_clinic()
    clinic.hospital.sql("UPDATE reservation_types SET price_jpy = 3000")
    made = clinic.db.write_now(book, clinic.person(), clinic.slot(), "test", pay_at="https://tsudoi.example.jp")
    reservation, payment = int(made.id), made.payment
    assert payment is not None
    assert made.hold_expires_at is not None
    said = [entry.text for entry in clinic.db.read_now(timeline, reservation)]
    assert f"お支払いのために席をお取りしました（{display(payment.expires_at)} まで）。" in said
    not_confirmed = "DASH NOT_CONFIRMED"
    assert shown(clinic, reservation) == ("hold", [not_confirmed, not_confirmed, "DASH NOT_CANCELLED"])
    clock.advance(made.hold_expires_at - clinic.now - timedelta(seconds=1))
    assert shown(clinic, reservation)[0] == "hold"
    clock.advance(timedelta(seconds=1))
    assert shown(clinic, reservation) == ("canceled", [not_confirmed] * 3)
