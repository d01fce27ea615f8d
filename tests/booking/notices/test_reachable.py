"""Linked is not reached: LINE takes messages to somebody who never added the account, and shows them to nobody."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import Hospital
from tests.factories.product import Box
from tests.factories.webhooks import user_id
from tests.notifications.clinic import Clinic
from tests.notifications.conftest import line, make_clinic, no_pauses
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.notices.queries.cells import notice_page
from tsudoi.booking.notices.schemas import NoticeFilters, NoticeRow
from tsudoi.booking.reservations.service.booking import book
from tsudoi.line.delivery.rules import line_state
from tsudoi.notifications.fallback.jobs import write_due_mails
from tsudoi.notifications.mails.models import MailMessage

__all__ = ["line", "make_clinic", "no_pauses"]

STRANGER = user_id(99)


def row_of(clinic: Clinic, reservation: int) -> NoticeRow:
    found = clinic.db.read_now(notice_page, NoticeFilters(query=str(reservation)))
    return found.items[0]


@pytest.mark.found("24.A4")
@pytest.mark.row("6.2.8", "6.2.10")
def test_who_never_added_the_account_is_not_reachable_and_gets_a_mail(make_clinic: Callable[..., Clinic]) -> None:
    clinic = make_clinic(smtp_url="smtp://127.0.0.1:1", mail_from="予約係 <office@example.jp>")
    clinic.hospital.sql("UPDATE reservation_types SET mail_fallback = 1")
    person = clinic.hospital.staff(line_user_id=STRANGER, follows=False, email="hanako@example.jp")
    reservation = int(clinic.db.write_now(book, person, clinic.slot(), "test").id)
    assert "友だちに追加していない" in row_of(clinic, reservation).cells.REMINDER.message
    clinic.run()
    write_due_mails(clinic.runtime)
    row = row_of(clinic, reservation)
    cell = row.cells.CONFIRMATION
    assert (cell.status, row.reachable, cell.reachable, cell.mail is not None) == ("SENT", False, False, True)
    assert "公式アカウントを友だちに追加していないため、本人には表示されません" in cell.message
    assert "電話" not in cell.message
    [mail] = clinic.hospital.rows(MailMessage)
    assert (mail.purpose, mail.to_address) == ("CONFIRMATION", "hanako@example.jp")
    assert write_due_mails(clinic.runtime) == 0


@pytest.mark.found("24.A4")
def test_who_added_it_is_reachable_and_gets_no_mail(make_clinic: Callable[..., Clinic]) -> None:
    clinic = make_clinic(smtp_url="smtp://127.0.0.1:1", mail_from="予約係 <office@example.jp>")
    clinic.hospital.sql("UPDATE reservation_types SET mail_fallback = 1")
    reservation = clinic.reserve()
    clinic.run()
    assert write_due_mails(clinic.runtime) == 0
    row = row_of(clinic, reservation)
    assert (row.cells.CONFIRMATION.status, row.reachable, row.cells.CONFIRMATION.mail) == ("SENT", True, None)


@pytest.mark.found("24.A4")
def test_without_a_mail_the_cell_says_that_somebody_has_to_call(make_clinic: Callable[..., Clinic]) -> None:
    clinic = make_clinic()
    person = clinic.hospital.staff(line_user_id=STRANGER, follows=False)
    reservation = int(clinic.db.write_now(book, person, clinic.slot(), "test").id)
    clinic.run()
    assert row_of(clinic, reservation).cells.CONFIRMATION.message.endswith("電話などで知らせてください。")


@pytest.mark.found("24.A4")
@pytest.mark.parametrize(
    ("user", "following", "state"),
    [
        (None, None, "unlinked"),
        ("U1", None, "notAdded"),
        ("U1", False, "blocked"),
        ("U1", True, "reachable"),
    ],
)
def test_the_one_rule(user: str | None, following: bool | None, state: str) -> None:
    assert line_state(user, following) == state


@pytest.mark.found("24.A4")
@pytest.mark.row("6.2.9")
def test_the_portal_asks_to_add_the_account(screen: Screen, box: Box) -> None:
    anna, who = screen.somebody(linked=False), box.person("山田 花子")

    def profile() -> tuple[Any, Any]:
        found = anna.http.get("/api/staffs/me").json()
        return found["lineState"], found["addFriendUrl"]

    address = "https://line.me/R/ti/p/%40tsudoi-sandbox"
    assert profile() == ("unlinked", None)
    linked = screen.link(anna, who)
    assert (linked.status_code, linked.json()) == (
        200,
        {"lineLinked": True, "lineReachable": False, "addFriendUrl": address},
    )
    assert profile() == ("notAdded", address)
    box.does(who, "follow")
    screen.product.drain()
    assert profile() == ("reachable", None)
    assert screen.link(anna, who).json() == {"lineLinked": True, "lineReachable": True, "addFriendUrl": None}
    box.does(who, "block")
    screen.product.drain()
    assert profile() == ("blocked", address)


@sqlite_only
@pytest.mark.found("24.A4")
@pytest.mark.row("6.2.10")
def test_the_mail_goes_out_once_beside_line(make_product: ProductMaker, hospital: Hospital, box: Box) -> None:
    product = make_product(smtp_url=box.smtp_url, mail_from="予約係 <office@example.jp>")
    screen = Screen(product, hospital, box)
    anna = screen.somebody(linked=False, line_user_id=box.person("山田 花子"), follows=False, email="h@example.jp")
    made = anna.booked(hospital.slot(hospital.type("健診", mail_fallback=1)))
    for _ in range(3):
        product.drain()
    assert len(box.mails()) == 1
    cell = screen.cell(made, "CONFIRMATION")
    assert (cell["status"], cell["reachable"], cell["mail"]["status"]) == ("SENT", False, "SENT")
    screen.close()
