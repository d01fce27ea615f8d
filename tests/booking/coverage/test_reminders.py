"""Reminders to those who have not booked: preview, one decision, and only to those who are still missing."""

from datetime import timedelta
from functools import partial
from typing import Any

import httpx2
import orjson
import pytest
from sqlalchemy.exc import IntegrityError

from tests.booking.reservations.hospital import DAY, Hospital, code
from tests.factories.product import Box, Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.coverage_reminders.jobs import finish_log
from tsudoi.booking.coverage_reminders.models import CoverageReminder, CoverageReminderRecipient
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock

URL = "/api/admin/coverage/reminders"
TEXT = (
    "「インフルエンザ」のご予約がまだのようです。\nお手数ですが、以下のリンクから、ご都合のよい日時をご予約ください。"
)


class Ward:
    """A flu type with seats; in 3A 101 to 103 are linked, 104 is not, 105 has booked; in REHA 201 is linked."""

    def __init__(self, product: Product, hospital: Hospital, box: Box, office: httpx2.Client) -> None:
        self.product, self.hospital, self.box, self.office = product, hospital, box, office
        hospital.department("REHA", "リハビリテーション科")
        self.flu = hospital.type()
        self.slot = hospital.slot(self.flu, capacity=9)
        self.users = {number: box.friend(f"職員{number}") for number in (101, 102, 103, 105, 201)}
        for number in (101, 102, 103, 104, 105):
            hospital.staff(number, line_user_id=self.users.get(number))
        hospital.staff(201, line_user_id=self.users[201], department_id="REHA")
        self.book(105)

    def book(self, number: int) -> None:
        """Straight in the tables, because a booking sends a notice, and these tests count what LINE gets."""
        times = {"created_at": self.hospital.now, "updated_at": self.hospital.now, "confirmed_at": self.hospital.now}
        slot = {"service_date_local": DAY, "start_minute_of_day": 540, "duration_minutes": 15, "period_key": "FY2025"}
        ids = {"slot_id": self.slot, "reservation_type_id": self.flu, "staff_uid": f"uid-{number}"}
        self.hospital.insert(Reservation, staff_id=str(number), **ids, **slot, **times)
        self.hospital.sql("UPDATE reservation_slots SET booked_count = booked_count + 1")

    def body(self, **more: Any) -> dict[str, Any]:
        return {"reservationTypeId": self.flu, **more}

    def preview(self, **more: Any) -> dict[str, Any]:
        answer = self.office.post(f"{URL}/preview", json=self.body(**more))
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def send(self, key: str | None = None, **more: Any) -> httpx2.Response:
        headers = {} if key is None else {"idempotency-key": key}
        return self.office.post(URL, json=self.body(**more), headers=headers)

    def sent(self, **more: Any) -> int:
        answer = self.send(**more)
        assert answer.status_code == 202, answer.text
        return int(answer.json()["id"])

    def quota(self, limit: int) -> None:
        self.box.http.put("/_sandbox/quota", json={"type": "limited", "value": limit}).raise_for_status()

    def texts(self, number: int) -> list[str]:
        return [message["message"]["text"] for message in self.box.chat(self.users[number])]

    def told(self) -> dict[int, int]:
        return {number: len(self.texts(number)) for number in self.users}

    def detail(self, reminder_id: int) -> dict[str, Any]:
        answer = self.office.get(f"{URL}/{reminder_id}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def recipients(self) -> dict[str, Any]:
        return {row.staff_uid: row for row in self.hospital.rows(CoverageReminderRecipient)}


@pytest.fixture
def ward(product: Product, hospital: Hospital, box: Box, office: httpx2.Client) -> Ward:
    return Ward(product, hospital, box, office)


def counts(item: dict[str, Any]) -> dict[str, int]:
    return {name: item[name] for name in ("sent", "failed", "unknown", "pending", "skipped")}


def nobody(**more: int) -> dict[str, int]:
    return {"sent": 0, "failed": 0, "unknown": 0, "pending": 0, "skipped": 0, **more}


class TestPreview:
    def test_shows_who_gets_what(self, ward: Ward) -> None:
        ward.quota(200)
        found = ward.preview()
        assert [(one["staffId"], one["blocked"]) for one in found["recipients"]] == [
            ("101", False),
            ("102", False),
            ("103", False),
            ("201", False),
        ]
        assert [(one["staffId"], one["reason"], one["reasonText"]) for one in found["unreachable"]] == [
            ("104", "NO_LINE_LINK", "LINEと連携していません")
        ]
        link = f"{ward.product.settings.public_base_url}/staff/?type={ward.flu}"
        assert (found["periodKey"], found["text"], found["link"]) == ("FY2025", TEXT, link)
        assert found["messages"] == [{"type": "text", "text": f"{TEXT}\n{link}"}]
        assert (found["recipientsTotal"], found["unreachableTotal"], found["freeSeats"]) == (4, 1, 8)
        quota = {"known": True, "limit": 200, "used": 0, "promised": 0, "left": 200, "cost": 4, "enough": True}
        assert found["quota"] == quota
        assert ward.hospital.rows(CoverageReminder) == []
        assert ward.told() == dict.fromkeys(ward.users, 0)

    @sqlite_only
    def test_of_a_department_and_a_text(self, ward: Ward) -> None:
        found = ward.preview(departmentId="REHA", text=" 明日で締め切ります。\nご予約ください。 ")
        assert [one["staffId"] for one in found["recipients"]] == ["201"]
        assert found["text"] == "明日で締め切ります。\nご予約ください。"
        assert found["messages"][0]["text"] == f"{found['text']}\n{found['link']}"
        assert ward.preview(departmentId="NONE")["recipientsTotal"] == 0
        assert ward.preview(periodKey="FY2026")["freeSeats"] == 0

    @sqlite_only
    def test_leaves_out_who_is_about_to_pay(self, ward: Ward, clock: ManualClock) -> None:
        until = {"confirmed_at": None, "hold_expires_at": ward.hospital.now + timedelta(minutes=35)}
        ward.hospital.change(Reservation, 1, **until)
        assert ward.preview()["recipientsTotal"] == 4
        clock.advance(timedelta(minutes=36))
        assert [one["staffId"] for one in ward.preview()["recipients"]] == ["101", "102", "103", "105", "201"]

    @sqlite_only
    @pytest.mark.row("6.5.7", "6.2.8")
    def test_says_who_has_blocked_the_account(self, ward: Ward) -> None:
        ward.box.does(ward.users[101], "block")
        ward.product.drain()
        found = ward.preview()
        assert [one["staffId"] for one in found["recipients"]] == ["102", "103", "201"]
        assert [(one["staffId"], one["reason"]) for one in found["unreachable"]] == [
            ("101", "BLOCKED"),
            ("104", "NO_LINE_LINK"),
        ]

    @sqlite_only
    def test_refuses_what_cannot_be(self, ward: Ward) -> None:
        closed = ward.hospital.type("健診", active=0)
        for path in ("", "/preview"):
            post = partial(ward.office.post, f"{URL}{path}")
            assert code(post(json={"reservationTypeId": 999})) == (404, "NOT_FOUND")
            assert code(post(json={"reservationTypeId": closed})) == (409, "TYPE_INACTIVE")
            past = post(json=ward.body(periodKey="FY2024"))
            assert (past.status_code, past.json()["details"]) == (400, [{"field": "periodKey", "reason": "IN_PAST"}])
            for wrong in ({"text": " "}, {"text": "あ" * 1001}, {"text": "a\0b"}, {"reservationTypeId": "1"}, {"x": 1}):
                assert post(json=ward.body(**wrong)).status_code == 400, wrong
        assert ward.office.post(f"{URL}/preview", content=b"x").status_code == 415
        assert code(ward.office.get(f"{URL}/999")) == (404, "NOT_FOUND")


class TestSending:
    def test_reaches_everybody_who_is_missing(self, ward: Ward) -> None:
        answer = ward.send()
        counted = {"recipients": 4, "keptBack": 0, "unreachable": 1, "byChannel": {"line": 4, "mail": 0, "phone": 1}}
        assert (answer.status_code, answer.json()) == (202, {"id": 1, **counted})
        assert ward.told() == dict.fromkeys(ward.users, 0)
        ward.product.drain()
        assert ward.told() == {101: 1, 102: 1, 103: 1, 105: 0, 201: 1}
        assert ward.texts(101) == [ward.preview()["messages"][0]["text"]]
        item = ward.office.get(URL, params={"reservationTypeId": ward.flu}).json()["items"][0]
        assert counts(item) == nobody(sent=4)
        expected = ("インフルエンザ", "FY2025", None, TEXT, 4, 1, "admin:jimukyoku")
        names = (
            *("reservationTypeName", "periodKey", "departmentId", "text"),
            *("recipients", "unreachable", "createdBy"),
        )
        assert tuple(item[name] for name in names) == expected
        (audited,) = ward.hospital.audit("COVERAGE_REMIND")
        assert (audited.actor, audited.subject) == ("admin:jimukyoku", f"reservation_type:{ward.flu}")
        assert orjson.loads(audited.new)["people"] == 4

    def test_leaves_out_who_booked_left_or_unlinked_meanwhile(self, ward: Ward) -> None:
        sent = ward.sent(departmentId="3A")
        ward.book(101)
        ward.hospital.change(StaffAccount, "uid-102", status="left")
        ward.hospital.change(StaffAccount, "uid-103", line_user_id=None)
        ward.product.drain()
        assert ward.told() == dict.fromkeys(ward.users, 0)
        found = ward.detail(sent)
        assert counts(found) == nobody(skipped=3)
        assert [(one["staffId"], one["status"], one["reason"], one["reasonText"]) for one in found["problems"]] == [
            ("101", "skipped", "BOOKED", "送る前に予約されたため、送っていません。"),
            ("102", "skipped", "NOT_ACTIVE", "送る前に休止または退職になったため、送っていません。"),
            ("103", "skipped", "LINK_CHANGED", "送る前にLINEの連携が変わったため、送っていません。"),
        ]
        assert (found["departmentId"], found["departmentName"]) == ("3A", "3階A病棟")
        lines = (ward.product.settings.log_dir / "push" / "2025-08-16.ndjson").read_text().splitlines()
        said = {(line["recipient_id"], line["status"], line["reason"]) for line in map(orjson.loads, lines)}
        assert said == {(1, "fail", "BOOKED"), (2, "fail", "NOT_ACTIVE"), (3, "fail", "LINK_CHANGED")}

    def test_once_a_day_for_each_person_and_type(self, ward: Ward, clock: ManualClock) -> None:
        ward.sent(departmentId="REHA")
        found = ward.preview()
        assert [one["staffId"] for one in found["recipients"]] == ["101", "102", "103"]
        assert [(one["staffId"], one["reason"]) for one in found["unreachable"]] == [
            ("104", "NO_LINE_LINK"),
            ("201", "REMINDED_TODAY"),
        ]
        assert code(ward.send(departmentId="REHA")) == (409, "NOBODY_TO_REMIND")
        assert ward.send().json()["recipients"] == 3
        other = ward.hospital.type("健診")
        assert ward.send(reservationTypeId=other, departmentId="REHA").json()["recipients"] == 1
        clock.advance(timedelta(hours=12))  # It was noon in Japan, so this is the next day there.
        ward.office.headers["x-csrf-token"] = ward.product.log_in().json()["csrf_token"]
        assert ward.send().json()["recipients"] == 4
        ward.product.drain()
        assert ward.told() == {101: 2, 102: 2, 103: 2, 105: 0, 201: 3}

    def test_the_database_allows_one_a_day_too(self, ward: Ward) -> None:
        ward.sent(departmentId="REHA")
        (reminder,), (recipient,) = (ward.hospital.rows(one) for one in (CoverageReminder, CoverageReminderRecipient))
        other = ward.hospital.insert(CoverageReminder, **{**reminder._asdict(), "id": 2})
        copy = {**recipient._asdict(), "id": 2, "reminder_id": other, "retry_key": "another"}
        with pytest.raises(IntegrityError):
            ward.hospital.insert(CoverageReminderRecipient, **copy)
        ward.hospital.insert(CoverageReminderRecipient, **{**copy, "reminder_day": "2025-08-17"})

    @sqlite_only
    def test_the_same_key_again_is_the_same_reminder(self, ward: Ward) -> None:
        first, second = ward.send("a-key"), ward.send("a-key")
        assert (second.status_code, second.content) == (202, first.content)
        assert second.headers["idempotent-replayed"] == "true"
        assert len(ward.hospital.rows(CoverageReminder)) == 1
        assert ward.send("a-key", departmentId="3A").status_code == 422

    @sqlite_only
    def test_history_in_pages(self, ward: Ward) -> None:
        ids = [ward.sent(departmentId=department) for department in ("3A", "REHA")]
        first = ward.office.get(URL, params={"limit": 1}).json()
        assert [item["id"] for item in first["items"]] == ids[1:]
        second = ward.office.get(URL, params={"limit": 1, "cursor": first["nextCursor"]}).json()
        assert ([item["id"] for item in second["items"]], second["nextCursor"]) == (ids[:1], None)
        assert ward.office.get(URL, params={"reservationTypeId": 999}).json()["items"] == []


class TestQuota:
    def test_what_is_promised_counts(self, ward: Ward) -> None:
        ward.quota(5)
        ward.sent(departmentId="3A")
        found = ward.preview()["quota"]
        assert (found["promised"], found["left"], found["cost"], found["enough"]) == (3, 2, 1, True)
        ward.product.drain()
        found = ward.preview()["quota"]
        assert (found["promised"], found["used"], found["left"]) == (0, 3, 2)

    def test_over_the_limit_needs_a_confirmation(self, ward: Ward) -> None:
        ward.quota(3)
        answer = ward.send()
        assert code(answer) == (409, "QUOTA_EXCEEDED")
        assert ward.hospital.rows(CoverageReminder) == []
        answer = ward.send(confirmOverQuota=True)
        counted = {"recipients": 4, "keptBack": 1, "unreachable": 1, "byChannel": {"line": 3, "mail": 0, "phone": 2}}
        assert answer.json() == {"id": 1, **counted}
        ward.product.drain()
        assert ward.told() == {101: 1, 102: 1, 103: 1, 105: 0, 201: 0}
        (problem,) = ward.detail(1)["problems"]
        assert (problem["staffId"], problem["status"], problem["reason"]) == ("201", "failed", "QUOTA")
        ward.quota(10)
        assert ward.send().json()["recipients"] == 1  # It was certainly not sent, so it may be sent today.
        ward.product.drain()
        assert ward.told()[201] == 1

    def test_the_end_of_the_quota_ends_the_rest(self, ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.booking.coverage_reminders.service.sending.BATCH", 1)
        sent = ward.sent()
        ward.quota(1)
        ward.product.drain()
        assert counts(ward.detail(sent)) == nobody(sent=1, failed=3)
        assert {row.last_error for row in ward.recipients().values()} == {None, "QUOTA"}
        assert len(ward.box.calls("/message/push")) == 2


class TestOutcomes:
    def test_silence_is_asked_again_with_the_same_key(self, ward: Ward, clock: ManualClock) -> None:
        ward.box.breaks("timeout_after_accept", "push", times=1)
        sent = ward.sent(departmentId="REHA")
        ward.product.drain()
        assert counts(ward.detail(sent)) == nobody(pending=1)
        clock.advance(timedelta(minutes=1))
        ward.product.drain()
        assert counts(ward.detail(sent)) == nobody(sent=1)
        assert ward.told()[201] == 1

    def test_who_books_after_silence_stays_unknown(self, ward: Ward, clock: ManualClock) -> None:
        """Asking LINE once more could deliver a message that is wrong by now."""
        ward.box.breaks("timeout_before_accept", "push", times=1)
        sent = ward.sent(departmentId="REHA")
        ward.product.drain()
        ward.book(201)
        clock.advance(timedelta(minutes=1))
        ward.product.drain()
        found = ward.detail(sent)
        assert counts(found) == nobody(unknown=1)
        assert found["problems"][0]["reason"] == "BOOKED"
        assert ward.told()[201] == 0

    def test_a_refusal_is_final(self, ward: Ward) -> None:
        ward.hospital.change(StaffAccount, "uid-201", line_user_id="U" + "0" * 32)
        ward.hospital.friend("U" + "0" * 32)
        sent = ward.sent(departmentId="REHA")
        ward.product.drain()
        found = ward.detail(sent)
        assert counts(found) == nobody(failed=1)
        assert found["problems"][0]["reason"].startswith("400")
        assert ward.send(departmentId="REHA").status_code == 202

    def test_missing_lines_of_the_push_log_are_written(self, ward: Ward, clock: ManualClock) -> None:
        ward.sent()
        ward.product.drain()
        path = ward.product.settings.log_dir / "push" / "2025-08-16.ndjson"
        lines = path.read_text().splitlines()
        assert len(lines) == 4
        path.write_text("\n".join(lines[:1]) + "\n")
        ward.hospital.sql("UPDATE coverage_reminder_recipients SET logged = false")
        clock.advance(timedelta(minutes=2))
        assert finish_log(ward.product.runtime) == 3
        assert sorted(path.read_text().splitlines()) == sorted(lines)
        assert finish_log(ward.product.runtime) == 0
