"""Notices that LINE does not deliver go by mail, once, if the type allows it and the address is known."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from pydantic import TypeAdapter, ValidationError

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import DAY, Hospital, Person
from tests.concurrency.threads import at_once
from tests.factories.product import Box
from tests.product_fixtures import ProductMaker, postgresql_only, sqlite_only
from tests.servers import eventually
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.slots.schemas import Notes
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import JST, ManualClock
from tsudoi.notifications.fallback.jobs import write_due_mails
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.notices.models import NotificationSkip

ADDRESS, MASKED = "hanako@example.jp", "h***@example.jp"
FROM = "予約係 <office@example.jp>"
# The slot of these tests is on 2025-09-10 at 9:00, so that the reminder is due at this time.
REMINDED_AT = datetime(2025, 9, 8, 9, 0, tzinfo=JST)


class Post:
    """A type that allows mails, and what its people get."""

    def __init__(self, screen: Screen, clock: ManualClock, **of_type: Any) -> None:
        self.screen, self.clock, self.hospital = screen, clock, screen.hospital
        allowed = {"mail_fallback": 1, "place": "本館2階", **of_type}
        self.type_id = self.hospital.type("健診", limit_per_year=None, **allowed)

    def slot(self, day: str = DAY, start: int = 540) -> int:
        return self.hospital.slot(self.type_id, day, start, capacity=9)

    def booked(self, *, linked: bool = False, email: str | None = ADDRESS, **more: Any) -> tuple[Person, int]:
        person = self.screen.somebody(linked=linked, email=email)
        return person, person.booked(self.slot(**more))

    def work(self) -> list[str]:
        """The worker does what is due. Gives the subjects of all mails that have arrived."""
        self.screen.product.drain()
        return [mail["subject"] for mail in self.screen.box.mails()]

    def wait_for(self, mails: int) -> None:
        """Two mails about one reservation do not go out in the same moment, because each locks it."""

        def have_arrived() -> bool:
            self.clock.advance(timedelta(seconds=10))
            return len(self.work()) == mails

        eventually(have_arrived)

    def at(self, moment: datetime) -> list[str]:
        self.clock.advance(moment - self.clock.now())
        return self.work()

    def rows(self) -> list[tuple[str, int, str]]:
        return [(row.purpose, row.revision, row.status) for row in self.hospital.rows(MailMessage)]


@pytest.fixture
def screen(make_product: ProductMaker, hospital: Hospital, box: Box) -> Iterator[Screen]:
    with closing(Screen(make_product(smtp_url=box.smtp_url, mail_from=FROM), hospital, box)) as found:
        yield found


@pytest.fixture
def post(screen: Screen, clock: ManualClock) -> Post:
    return Post(screen, clock)


class TestWithoutALink:
    def test_the_confirmation_goes_at_once_and_the_reminder_at_its_time(self, post: Post) -> None:
        _, made = post.booked()
        assert post.work() == ["予約確定：健診（2025/09/10 09:00）"]
        (mail,) = post.screen.box.mails(ADDRESS)
        page = f"{post.screen.product.settings.public_base_url}/staff/reservations/{made}"
        for part in ("【予約確定】", "2025/09/10 09:00", "会場：本館2階", f"\n{page}\n", f"{page}/calendar"):
            assert part in mail["text"].replace("\r\n", "\n"), part
        cells = post.screen.row(made)["cells"]
        assert (cells["CONFIRMATION"]["status"], cells["CONFIRMATION"]["reason"]) == ("DASH", "NO_LINE_LINK")
        sent = {"status": "SENT", "to_masked": MASKED, "sent_at": "2025/08/16 12:00"}
        assert cells["CONFIRMATION"]["mail"] == {
            **sent,
            "message": f"2025/08/16 12:00 にメール（{MASKED}）で送りました。",
        }
        waits = {"status": "PENDING", "to_masked": MASKED, "sent_at": None}
        words = f"2025/09/08 09:00 にメール（{MASKED}）で送る予定です。"
        assert cells["REMINDER"]["mail"] == {**waits, "message": words}
        assert cells["CANCEL_COMPLETED"]["mail"] is None
        assert len(post.at(REMINDED_AT - timedelta(seconds=1))) == 1
        assert post.at(REMINDED_AT)[1:] == ["リマインド：健診（2025/09/10 09:00）"]
        assert post.work()[2:] == []
        told = [(one["kind"], one["text"]) for one in post.screen.timeline(made) if "メール" in one["text"]]
        assert told == [
            ("told", "予約確定の通知をメールで送りました。"),
            ("reminded", "リマインドをメールで送りました。"),
        ]
        assert post.screen.pushes() == []

    def test_a_cancellation_is_told_and_ends_the_reminder(self, post: Post) -> None:
        person, made = post.booked()
        post.work()
        assert person.cancel(made).status_code == 204
        assert post.work()[1:] == ["キャンセル完了：健診（2025/09/10 09:00）"]
        text = post.screen.box.mails()[1]["text"]
        assert "キャンセルが完了しました" in text
        assert "/staff/reservations/" not in text
        assert len(post.at(REMINDED_AT)) == 2
        assert post.rows() == [
            ("CONFIRMATION", 0, "DONE"),
            ("REMINDER", 0, "CALLED_OFF"),
            ("CANCEL_COMPLETED", 0, "DONE"),
        ]

    def test_a_move_is_told_and_the_reminder_follows_it(self, post: Post) -> None:
        person, made = post.booked()
        post.work()
        assert person.move(made, post.slot("2025-09-20", 600)).status_code == 200
        assert post.work()[1:] == ["予約の変更：健診（2025/09/20 10:00）"]
        assert len(post.at(REMINDED_AT)) == 2
        assert post.at(datetime(2025, 9, 18, 10, 0, tzinfo=JST))[2:] == ["リマインド：健診（2025/09/20 10:00）"]
        assert ("REMINDER", 0, "CALLED_OFF") in post.rows()

    def test_a_move_before_the_first_mail_tells_the_new_time_only(self, post: Post) -> None:
        person, made = post.booked()
        person.move(made, post.slot("2025-09-20", 600))
        assert post.work() == ["予約の変更：健診（2025/09/20 10:00）"]

    @pytest.mark.parametrize("case", ["no address", "not allowed"])
    def test_nobody_else_gets_one(self, screen: Screen, clock: ManualClock, case: str) -> None:
        post = Post(screen, clock, mail_fallback=int(case != "not allowed"))
        _, made = post.booked(email=None if case == "no address" else ADDRESS)
        assert post.work() == []
        assert post.screen.cell(made, "CONFIRMATION")["mail"] is None
        post.hospital.sql("UPDATE reservation_types SET mail_fallback = 1")
        post.hospital.sql(f"UPDATE staffs SET email = '{ADDRESS}'")
        assert post.work() == [], "it was decided once"

    @sqlite_only
    def test_no_reminder_within_48_hours(self, post: Post) -> None:
        post.booked(day="2025-08-18", start=600)
        assert post.work() == ["予約確定：健診（2025/08/18 10:00）"]
        assert post.rows() == [("CONFIRMATION", 0, "DONE")]

    def test_who_links_line_later_is_reminded_there(self, post: Post) -> None:
        person, made = post.booked()
        post.work()
        assert post.screen.link(person, post.screen.box.friend()).status_code == 200
        assert len(post.at(REMINDED_AT)) == 1
        post.screen.cron()
        assert [text.splitlines()[0] for text in post.screen.texts(person)] == ["【リマインド】"]
        cell = post.screen.cell(made, "REMINDER")
        assert (cell["status"], cell["mail"]["status"]) == ("SENT", "DASH")

    def test_another_address_meanwhile(self, post: Post) -> None:
        person, _ = post.booked()
        post.work()
        changed = person.http.patch("/api/staffs/me", json={"version": 1, "email": "new@example.jp"})
        assert changed.status_code == 200
        assert len(post.at(REMINDED_AT)) == 1
        assert len(post.at(REMINDED_AT + timedelta(seconds=2))) == 2
        assert [mail["subject"][:5] for mail in post.screen.box.mails("new@example.jp")] == ["リマインド"]

    @postgresql_only
    def test_a_cancellation_under_way_comes_first(self, post: Post, database_url: str) -> None:
        _, made = post.booked()
        post.work()
        with psycopg.connect(database_url) as other:
            other.execute("UPDATE reservations SET canceled_at = created_at WHERE id = %s", (made,))
            # The reservation is locked now, so that nobody can say whether the reminder is still true.
            assert len(post.at(REMINDED_AT)) == 1
            assert post.rows()[1] == ("REMINDER", 0, "PENDING")
        assert len(post.at(REMINDED_AT + timedelta(seconds=2))) == 1
        assert post.rows()[1] == ("REMINDER", 0, "CALLED_OFF")

    @sqlite_only
    def test_an_address_that_was_removed(self, post: Post) -> None:
        person, _ = post.booked()
        post.work()
        post.hospital.change(StaffAccount, person.uid, email=None)
        assert len(post.at(REMINDED_AT)) == 1

    @pytest.mark.row("3.7.21")
    def test_masking_removes_addresses_and_texts(self, post: Post) -> None:
        person, _ = post.booked()
        post.work()
        post.hospital.change(StaffAccount, person.uid, status="left")
        answer = post.screen.office.post(f"/api/admin/staffs/{person.uid}/mask", json={"reason": "退職"})
        assert answer.status_code == 200
        kept = [(row.status, row.to_address, row.subject, row.text) for row in post.hospital.rows(MailMessage)]
        assert kept == [("DONE", "", "", ""), ("CALLED_OFF", "", "", "")]


class TestRefusedByLine:
    def test_a_refusal_goes_by_mail_once(self, post: Post) -> None:
        post.screen.box.http.put("/_sandbox/quota", json={"type": "limited", "value": 0}).raise_for_status()
        _, made = post.booked(linked=True)
        assert post.screen.job(made, "CONFIRMATION").status == "FAILED"
        assert post.work() == ["予約確定：健診（2025/09/10 09:00）"]
        assert post.work()[1:] == []
        cell = post.screen.cell(made, "CONFIRMATION")
        assert (cell["status"], cell["reason"], cell["mail"]["status"]) == ("FAILED", "QUOTA", "SENT")
        # A person has it sent again, and LINE refuses it again: the mail is not repeated.
        assert post.screen.resend(cell["job_id"]).status_code == 202
        post.screen.cron()
        assert post.screen.job(made, "CONFIRMATION").attempt_count == 2
        assert post.work()[1:] == []

    def test_a_reminder_that_fails_goes_at_once(self, post: Post) -> None:
        person, made = post.booked(linked=True)
        post.hospital.change(StaffAccount, person.uid, line_user_id=None)
        assert post.at(REMINDED_AT) == []
        post.screen.cron()
        assert post.screen.job(made, "REMINDER").last_error == "NO_LINE_LINK"
        assert post.work() == ["リマインド：健診（2025/09/10 09:00）"]

    @pytest.mark.parametrize("fault", ["timeout_after_accept", "error_500_after"])
    def test_what_line_may_have_taken_goes_not_by_mail(self, post: Post, fault: str) -> None:
        post.screen.box.breaks(fault, "push", seconds=5)
        _, made = post.booked(linked=True)
        assert post.work() == []
        assert post.screen.cell(made, "CONFIRMATION")["status"] in ("PENDING", "FAILED")
        post.clock.advance(timedelta(hours=24))
        post.screen.box.mends()
        post.screen.cron()
        assert post.work() == []

    def test_what_is_sent_by_line_after_all_goes_not_by_mail(self, post: Post) -> None:
        """The mail server was away; meanwhile somebody had the notice sent again."""
        post.screen.box.http.put("/_sandbox/quota", json={"type": "limited", "value": 0}).raise_for_status()
        post.screen.box.breaks("smtp_450", "smtp")
        _, made = post.booked(linked=True)
        post.work()
        post.screen.box.http.put("/_sandbox/quota", json={"type": "none"}).raise_for_status()
        post.screen.resend(post.screen.job(made, "CONFIRMATION").job_id)
        post.screen.cron()
        post.screen.box.mends()
        post.clock.advance(timedelta(hours=1))
        assert post.work() == []
        assert post.rows() == [("CONFIRMATION", 0, "CALLED_OFF")]

    @sqlite_only
    def test_a_mail_that_is_refused_too_says_so(self, post: Post) -> None:
        post.screen.box.breaks("smtp_550", "smtp")
        _, made = post.booked()
        post.work()
        mail = post.screen.cell(made, "CONFIRMATION")["mail"]
        assert (mail["status"], mail["message"]) == (
            "FAILED",
            f"メール（{MASKED}）でも送れませんでした。電話などで知らせ、アドレスを確かめてください。",
        )
        assert ADDRESS not in post.screen.office.get("/api/admin/notifications").text


class TestSwitches:
    @sqlite_only
    def test_nothing_is_decided_in_a_dry_run(self, make_product: ProductMaker, hospital: Hospital, box: Box) -> None:
        product = make_product(smtp_url=box.smtp_url, mail_from=FROM, notification_cron_dry_run=True)
        with closing(Screen(product, hospital, box)) as screen:
            post = Post(screen, ManualClock(hospital.now))
            post.booked()
            assert post.work() == []
            assert post.rows() == []

    @sqlite_only
    def test_without_a_mail_server_there_are_no_mails(
        self, make_product: ProductMaker, hospital: Hospital, box: Box, clock: ManualClock
    ) -> None:
        with closing(Screen(make_product(), hospital, box)) as screen:
            post = Post(screen, clock)
            post.booked()
            post.work()
            assert post.rows() == []
            assert write_due_mails(screen.product.runtime) == 0

    def test_mails_wait_while_notices_are_paused(self, post: Post) -> None:
        post.booked()
        post.work()
        pause = "/api/admin/notifications"
        assert post.screen.office.post(f"{pause}/pause", json={"reason": "文面の誤り"}).status_code < 300
        post.booked(email="other@example.jp")
        assert len(post.at(REMINDED_AT)) == 1
        assert post.screen.office.post(f"{pause}/resume", json={"reason": "直した"}).status_code < 300
        post.wait_for(4)

    @sqlite_only
    def test_a_text_that_cannot_be_filled_in_stops_nothing(self, post: Post) -> None:
        post.hospital.sql(
            "INSERT INTO notification_templates (key, body, created_by, created_at)"
            " VALUES ('CONFIRMATION', '{nonsense}', 'x', '2025-08-16T00:00:00.000000+00:00')"
        )
        person, made = post.booked()
        person.cancel(made)
        assert post.work() == ["キャンセル完了：健診（2025/09/10 09:00）"]


def test_several_workers_write_each_mail_once(post: Post) -> None:
    for number in range(8):
        post.booked(email=f"staff{number}@example.jp")
    runtime = post.screen.product.runtime
    for _ in range(3):
        at_once(4, lambda _: write_due_mails(runtime))
    assert len(post.rows()) == 16
    post.wait_for(8)
    assert {row.mail_decided for row in post.hospital.rows(NotificationSkip)} == {1}


@sqlite_only
@pytest.mark.found("24.E8")
def test_a_control_character_in_the_notes_does_not_keep_the_mail_back(post: Post) -> None:
    slot_id = post.slot()
    post.hospital.change(ReservationSlot, slot_id, notes="3階\x85の\x9b健診室")
    post.screen.somebody(email=ADDRESS, linked=False).booked(slot_id)
    assert len(post.work()) == 1


@pytest.mark.found("24.E8")
@pytest.mark.parametrize("character", ["\x80", "\x85", "\x9f", "\x7f", "\u2028", "\r", "\0"])
def test_no_new_notes_have_one(character: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Notes).validate_python(f"3階{character}の健診室")
    assert TypeAdapter(Notes).validate_python("3階の\n健診室 ①㈱") == "3階の\n健診室 ①㈱"
