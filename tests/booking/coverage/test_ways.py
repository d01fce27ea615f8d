"""A reminder reaches people by LINE, else by mail, else somebody calls them. The announced number is reached."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.booking.coverage.test_reminders import URL, counts, nobody
from tests.booking.reservations.hospital import Hospital
from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.coverage_reminders.models import CoverageReminderRecipient
from tsudoi.booking.coverage_reminders.rules import MissingPerson, share_out
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.notifications.mails.models import MailMessage

MAIL = "hanako@example.jp"
# A mail that could not go out just then is tried again after this time.
MOMENT = timedelta(seconds=10)


def missing(
    number: int, line_state: Any = "reachable", mail: str | None = None, *, today: bool = False
) -> MissingPerson:
    return MissingPerson("uid", str(number), "山田", "3A", "病棟", "U1", line_state, mail, reminded_today=today)


def numbers(people: list[MissingPerson]) -> list[str]:
    return [person.staff_id for person in people]


@pytest.mark.found("24.A5")
@pytest.mark.row("6.5.6", "6.5.7", "6.2.8")
def test_line_where_it_reaches_else_mail_else_the_telephone() -> None:
    people = [
        missing(1),
        missing(2, "notAdded"),
        missing(3, "blocked", MAIL),
        missing(4, "unlinked", MAIL),
        missing(5, "unlinked"),
        missing(6, mail=MAIL),
        missing(7, today=True),
    ]
    both = share_out(people, ["line", "mail"], None)
    assert (numbers(both.line), numbers(both.mail)) == (["1", "6"], ["3", "4"])
    assert [(one.staff_id, one.why_not) for one in both.unreachable] == [
        ("2", "NOT_A_FRIEND"),
        ("5", "NO_LINE_LINK"),
        ("7", "REMINDED_TODAY"),
    ]
    assert both.phone == 2
    line = share_out(people, ["line"], None)
    assert (numbers(line.line), line.mail, line.phone) == (["1", "6"], [], 4)
    mail = share_out(people, ["mail"], None)
    assert (mail.line, numbers(mail.mail)) == ([], ["3", "4", "6"])
    assert mail.unreachable[0].why_not == "NO_MAIL"


@pytest.mark.found("24.A5")
@pytest.mark.found("24.A6")
@pytest.mark.parametrize(("room", "line", "mail", "kept"), [(0, [], ["2"], ["1", "3"]), (1, ["1"], ["2"], ["3"])])
def test_nothing_is_promised_that_the_quota_does_not_leave(
    room: int, line: list[str], mail: list[str], kept: list[str]
) -> None:
    found = share_out([missing(1), missing(2, mail=MAIL), missing(3)], ["line", "mail"], room)
    assert (numbers(found.line), numbers(found.mail), numbers(found.kept_back)) == (line, mail, kept)
    assert found.phone == len(kept)


class Clinic:
    """Five who have not booked: a friend; linked and no friend, without and with a mail address; a mail address alone;
    and nothing at all.
    """

    def __init__(self, product: Product, hospital: Hospital, box: Box, office: httpx2.Client) -> None:
        self.product, self.hospital, self.box, self.office = product, hospital, box, office
        self.type_id = hospital.type(mail_fallback=1)
        hospital.slot(self.type_id, capacity=9)
        self.friend = box.friend()
        hospital.staff(101, line_user_id=self.friend)
        hospital.staff(102, line_user_id="U" + "2" * 32, follows=False)
        hospital.staff(103, line_user_id="U" + "3" * 32, follows=False, email="mitsu@example.jp")
        hospital.staff(104, email="yotsu@example.jp")
        hospital.staff(105)

    def post(self, path: str = "", **more: Any) -> dict[str, Any]:
        answer = self.office.post(URL + path, json={"reservationTypeId": self.type_id, **more})
        assert answer.status_code in (200, 202), answer.text
        found: dict[str, Any] = answer.json()
        return found

    def mails(self) -> list[str]:
        return sorted(mail["to"][0] if isinstance(mail["to"], list) else mail["to"] for mail in self.box.mails())

    def item(self) -> dict[str, Any]:
        found: dict[str, Any] = self.office.get(URL).json()["items"][0]
        return found


@pytest.fixture
def clinic(make_product: ProductMaker, hospital: Hospital, box: Box) -> Clinic:
    product = make_product(smtp_url=box.smtp_url, mail_from="予約係 <office@example.jp>")
    product.make_admin()
    product.http.headers["x-csrf-token"] = product.log_in().json()["csrf_token"]
    return Clinic(product, hospital, box, product.http)


@pytest.mark.found("24.A5")
@pytest.mark.row("6.5.6", "6.5.7", "6.5.8")
def test_the_number_that_is_announced_is_the_number_that_is_reached(clinic: Clinic) -> None:
    ways = {"line": 1, "mail": 2, "phone": 2}
    preview = clinic.post("/preview")
    assert (preview["recipientsTotal"], preview["unreachableTotal"], preview["byChannel"]) == (3, 2, ways)
    assert [(one["staffId"], one["channel"]) for one in preview["recipients"]] == [
        ("101", "line"),
        ("103", "mail"),
        ("104", "mail"),
    ]
    assert [(one["staffId"], one["reason"]) for one in preview["unreachable"]] == [
        ("102", "NOT_A_FRIEND"),
        ("105", "NO_LINE_LINK"),
    ]
    assert preview["quota"]["cost"] == 1
    sent = clinic.post()
    assert (sent["recipients"], sent["byChannel"]) == (3, ways)
    assert clinic.item()["pending"] == 3
    clinic.product.drain()
    assert len(clinic.box.chat(clinic.friend)) == 1
    assert len(clinic.box.mails()) == 2
    assert counts(clinic.item()) == nobody(sent=3)
    assert clinic.post("/preview")["byChannel"] == {"line": 0, "mail": 0, "phone": 2}
    only_line = clinic.post("/preview", channels=["line"])
    assert only_line["byChannel"] == {"line": 0, "mail": 0, "phone": 2}


@sqlite_only
@pytest.mark.found("24.A5")
@pytest.mark.row("6.5.6")
def test_the_channels_are_the_office_s_choice(clinic: Clinic) -> None:
    assert clinic.post("/preview", channels=["line"])["byChannel"] == {"line": 1, "mail": 0, "phone": 4}
    assert clinic.post("/preview", channels=["mail"])["byChannel"] == {"line": 0, "mail": 2, "phone": 3}
    clinic.hospital.sql("UPDATE reservation_types SET mail_fallback = 0")
    assert clinic.post("/preview")["byChannel"] == {"line": 1, "mail": 0, "phone": 4}
    assert clinic.post("/preview", channels=["line", "mail"])["byChannel"] == {"line": 1, "mail": 2, "phone": 2}
    for wrong in ([], ["fax"], ["line", "line", "mail"]):
        answer = clinic.office.post(URL, json={"reservationTypeId": clinic.type_id, "channels": wrong})
        assert answer.status_code == 400, wrong


@sqlite_only
@pytest.mark.found("24.A5")
@pytest.mark.row("6.5.8")
def test_a_mail_is_looked_at_again_before_it_goes_out(clinic: Clinic, clock: ManualClock) -> None:
    clinic.post()
    clinic.hospital.change(StaffAccount, "uid-103", status="left")
    clinic.hospital.change(StaffAccount, "uid-104", email="neu@example.jp")
    clinic.product.drain()
    clock.advance(MOMENT)
    clinic.product.drain()
    assert counts(clinic.item()) == nobody(sent=2, skipped=1)
    assert {row.to_address: row.status for row in clinic.hospital.rows(MailMessage)} == {
        "mitsu@example.jp": "CALLED_OFF",
        "neu@example.jp": "DONE",
    }
    skipped = next(row for row in clinic.hospital.rows(CoverageReminderRecipient) if row.staff_uid == "uid-103")
    assert (skipped.last_error, skipped.reminder_day) == ("NOT_ACTIVE", None)


@sqlite_only
@pytest.mark.found("24.A6")
def test_what_the_quota_does_not_leave_goes_by_mail_or_is_named(clinic: Clinic) -> None:
    clinic.hospital.change(StaffAccount, "uid-101", email="ichi@example.jp")
    clinic.hospital.staff(106, line_user_id=clinic.box.friend())
    clinic.box.http.put("/_sandbox/quota", json={"type": "limited", "value": 0}).raise_for_status()
    preview = clinic.post("/preview")
    assert (preview["recipientsTotal"], preview["byChannel"]) == (3, {"line": 0, "mail": 3, "phone": 3})
    assert ("106", "QUOTA") in [(one["staffId"], one["reason"]) for one in preview["unreachable"]]
    sent = clinic.post(confirmOverQuota=True)
    assert (sent["byChannel"], sent["keptBack"]) == ({"line": 0, "mail": 3, "phone": 3}, 1)
    clinic.product.drain()
    assert counts(clinic.item()) == nobody(sent=3, failed=1)
