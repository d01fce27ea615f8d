"""Reminders by hand: to those whom it helps to remind, each to the own link, at most once a day."""

import json
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from tests.factories.product import Box
from tests.factories.threads import ALL, BY_HAND
from tests.product_fixtures import sqlite_only
from tests.scheduling.delivery.rows import COMMON, DAY, asked_at
from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tsudoi.core.clock import ManualClock, utc_text
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.organizing.schemas.requests import RemindOrder
from tsudoi.scheduling.reminders.service import remind
from tsudoi.scheduling.thread.models import ThreadInvite

SAN = {"name": "三郎", "email": "three@example.jp"}


def url_of(made: dict[str, Any]) -> str:
    return f"/{made['thread']['id']}/remind"


def keys_of(made: dict[str, Any]) -> list[str]:
    return [one["invitee_key"] for one in made["candidates"]]


def forget_mails(desk: Desk, box: Box) -> None:
    desk.product.drain()
    box.http.delete("/_sandbox/mails")


class TestRemind:
    @pytest.mark.row("1.6.18")
    def test_those_who_are_open_get_their_own_link_once_a_day(self, desk: Desk, box: Box, clock: ManualClock) -> None:
        made = desk.create(invitees=[RAJ, MEI, SAN], rule=ALL, deadline_at=utc_text(clock.now() + 9 * DAY))
        raj, mei, san = made["candidates"]
        desk.respond(raj, made["slots"][2]["slot_id"])
        forget_mails(desk, box)
        answer = desk.post(url_of(made), {"message": "金曜までにお願いします。"})
        assert answer.json() == {
            "reminded": [mei["invitee_key"], san["invitee_key"]],
            "skipped": [{"invitee_key": raj["invitee_key"], "reason": "ANSWERED"}],
        }
        desk.product.drain()
        for person in (mei, san):
            (mail,) = box.mails(person["email"])
            assert mail["subject"] == "【回答のお願い】役員会"
            assert person["invite_url"] in mail["text"]
            assert "金曜までにお願いします。" in mail["text"]
        assert len(box.mails()) == 2
        again = desk.post(url_of(made)).json()
        assert again["reminded"] == []
        assert {one["reason"] for one in again["skipped"]} == {"ANSWERED", "REMINDED_TODAY"}
        clock.advance(DAY)
        assert desk.post(url_of(made)).json()["reminded"] == [mei["invitee_key"], san["invitee_key"]]
        assert desk.actions(made["thread"]["id"]).count("THREAD_REMIND") == 2

    def test_the_index_has_the_last_word_on_one_a_day(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ], rule=ALL)
        desk.post(url_of(made))
        rows = desk.rows(ThreadMessage, type="reminder")
        assert [row["reminder_day"] for row in rows] == ["2025-08-16"]
        assert rows[0]["job_id"] == f"reminder-{rows[0]['invite_id']}-2025-08-16"

    @sqlite_only
    def test_only_those_who_can_change_the_outcome_unless_named(self, desk: Desk, box: Box) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=BY_HAND)
        raj, mei = made["candidates"]
        desk.respond(raj, made["slots"][0]["slot_id"])
        answer = desk.post(url_of(made)).json()
        assert (answer["reminded"], answer["skipped"][1]["reason"]) == ([], "CANNOT_CHANGE")
        named = {"invitee_keys": [mei["invitee_key"], "e:0000000000000000"]}
        answer = desk.post(url_of(made), named).json()
        assert answer == {
            "reminded": [mei["invitee_key"]],
            "skipped": [{"invitee_key": "e:0000000000000000", "reason": "UNKNOWN"}],
        }
        forget_mails(desk, box)

    @sqlite_only
    def test_who_declined_is_asked_again_only_by_force_and_stays_declined(self, desk: Desk, box: Box) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=ALL)
        raj, _ = made["candidates"]
        desk.respond(raj)
        forget_mails(desk, box)
        wish = {"invitee_keys": [raj["invitee_key"]]}
        assert desk.post(url_of(made), wish).json()["skipped"][0]["reason"] == "DECLINED"
        assert desk.post(url_of(made), {**wish, "force": True}).json()["reminded"] == [raj["invitee_key"]]
        desk.product.drain()
        assert "ご都合が変わっていましたら" in box.mails(RAJ["email"])[0]["text"]
        assert desk.rows(ThreadInvite, invitee_key=raj["invitee_key"])[0]["status"] == "declined"

    def test_who_is_too_late_is_renewed_when_named(self, desk: Desk, box: Box, clock: ManualClock) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=ALL, slots=[desk.slot(days=9)])
        raj, mei = made["candidates"]
        clock.advance(timedelta(hours=72, minutes=1))
        assert {one["reason"] for one in desk.post(url_of(made)).json()["skipped"]} == {"EXPIRED"}
        assert desk.respond(raj, made["slots"][0]["slot_id"]).status_code == 410
        wish = {"invitee_keys": [raj["invitee_key"]], "extend_hours": 10}
        assert desk.post(url_of(made), wish).json()["reminded"] == [raj["invitee_key"]]
        invites = {row["invitee_key"]: row for row in desk.rows(ThreadInvite)}
        assert invites[raj["invitee_key"]]["expires_at"] == clock.now() + timedelta(hours=10)
        assert invites[raj["invitee_key"]]["token"] == raj["invite_token"]
        assert desk.respond(raj, made["slots"][0]["slot_id"]).status_code == 200
        assert desk.respond(mei, made["slots"][0]["slot_id"]).status_code == 410
        assert desk.post(url_of(made), {"invitee_keys": [mei["invitee_key"]]}).json()["reminded"] == keys_of(made)[1:]
        renewed = desk.rows(ThreadInvite, invitee_key=mei["invitee_key"])[0]
        assert (renewed["status"], renewed["expires_at"]) == ("pending", clock.now() + timedelta(hours=72))
        forget_mails(desk, box)

    @sqlite_only
    def test_extending_never_shortens(self, desk: Desk, clock: ManualClock) -> None:
        made = desk.create(invitees=[RAJ], rule=ALL)
        before = desk.rows(ThreadInvite)[0]["expires_at"]
        desk.post(url_of(made), {"extend_hours": 1})
        assert desk.rows(ThreadInvite)[0]["expires_at"] == before
        clock.advance(DAY)
        desk.post(url_of(made), {"extend_hours": 100})
        assert desk.rows(ThreadInvite)[0]["expires_at"] == clock.now() + timedelta(hours=100)

    @sqlite_only
    def test_a_reminder_that_certainly_did_not_arrive_may_be_repeated_the_same_day(self, desk: Desk, box: Box) -> None:
        made = desk.create(invitees=[RAJ], rule=ALL)
        forget_mails(desk, box)
        desk.post(url_of(made))
        # The mail server refused it for a reason that has nothing to do with the address.
        desk.run("UPDATE mail_messages SET status = 'FAILED', last_error = '554 5.7.1' WHERE purpose = 'reminder'")
        answer = desk.post(url_of(made)).json()
        assert answer["reminded"] == keys_of(made)
        desk.product.drain()
        assert len(box.mails()) == 1
        assert desk.post(url_of(made)).json()["reminded"] == []

    @sqlite_only
    def test_finished_threads_and_drafts_answer_409_and_strangers_404_and_401(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        draft = desk.create(invitees=[MEI], send=False)
        cancelled = desk.create(invitees=[MEI])
        desk.post(f"/{cancelled['thread']['id']}/cancel")
        before = len(desk.rows(ThreadMessage))
        codes = {
            (answer.status_code, answer.json()["code"])
            for answer in (desk.post(url_of(one)) for one in (made, draft, cancelled))
        }
        assert codes == {(409, "THREAD_FINALIZED"), (409, "NOT_SENT_YET"), (409, "THREAD_CANCELLED")}
        assert desk.post("/nothing/remind").status_code == 404
        assert desk.product.http.post(f"/api/threads{url_of(made)}", json={"x": 1}).status_code == 401
        assert desk.post(url_of(draft), {"x": 1}).status_code == 400
        assert len(desk.rows(ThreadMessage)) == before

    @sqlite_only
    def test_the_same_key_reminds_once(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ], rule=ALL)
        first = desk.post(url_of(made), {}, idempotency_key="a" * 20)
        second = desk.post(url_of(made), {}, idempotency_key="a" * 20)
        assert first.content == second.content
        assert second.headers["Idempotent-Replayed"] == "true"
        assert desk.post(url_of(made), {"force": True}, idempotency_key="a" * 20).status_code == 422


class TestMoreTimeToAnswer:
    @pytest.mark.found("24.A9")
    def test_is_on_record_and_told_to_the_caller_also_where_nobody_can_be_told(
        self, db: Database, clock: ManualClock
    ) -> None:
        """Nobody here has LINE or an address that a mail could go to."""
        thread = asked_at(db, COMMON)
        thread.invite("e:1", "一郎")
        order = RemindOrder(extend_hours=100)
        before = thread.revision()
        answer = db.write_now(remind, COMMON, thread.thread_id, order, "admin:jimukyoku")
        until = clock.now() + timedelta(hours=100)
        assert answer.model_dump() == {
            "reminded": [],
            "skipped": [{"invitee_key": "e:1", "reason": "UNREACHABLE"}],
            "extended": [{"invitee_key": "e:1", "expires_at": utc_text(until)}],
        }
        assert thread.revision() == before + 1
        (entry,) = db.read_now(lambda tx: tx.execute(select(AuditLog.action, AuditLog.new)).all())
        assert entry.action == "THREAD_REMIND"
        assert json.loads(entry.new)["extended"] == {"e:1": utc_text(until)}
        again = db.write_now(remind, COMMON, thread.thread_id, RemindOrder(), "admin:jimukyoku")
        assert (again.extended, thread.revision()) == ([], before + 1), "nothing has changed, and nothing is written"

    @sqlite_only
    @pytest.mark.found("24.A9")
    def test_over_the_limit_of_line_too(self, desk: Desk, box: Box, clock: ManualClock) -> None:
        desk.enrol(101)
        row = {"line_user_id": box.friend("101")}
        desk.product.db.write_now(
            lambda tx: tx.execute(Member.__table__.update().where(Member.id == 101).values(**row))  # type: ignore[attr-defined]
        )
        made = desk.create(audience_ids=[desk.group(1, 101)], invitees=None, rule=ALL)
        desk.product.drain()
        box.http.put("/_sandbox/quota", json={"type": "limited", "value": 1, "total_usage": 1}).raise_for_status()
        answer = desk.post(url_of(made), {"confirm_over_quota": True, "extend_hours": 100}).json()
        assert (answer["reminded"], answer["skipped"]) == ([], [{"invitee_key": "lm:101", "reason": "QUOTA"}])
        assert answer["extended"] == [
            {"invitee_key": "lm:101", "expires_at": utc_text(clock.now() + timedelta(hours=100))}
        ]
        assert desk.actions(made["thread"]["id"]).count("THREAD_REMIND") == 1


@sqlite_only
class TestTheMonthlyLimit:
    def test_over_the_limit_people_get_mails_or_are_named(self, desk: Desk, box: Box) -> None:
        desk.enrol(101, 102, 103)
        for number in (101, 102, 103):
            address = f"m{number}@example.jp" if number == 102 else None
            row = {"line_user_id": box.friend(str(number)), "email": address}
            desk.product.db.write_now(
                lambda tx, number=number, row=row: tx.execute(  # type: ignore[misc]
                    Member.__table__.update().where(Member.id == number).values(**row)  # type: ignore[attr-defined]
                )
            )
        made = desk.create(audience_ids=[desk.group(1, 101, 102, 103)], invitees=None, rule=ALL)
        desk.product.drain()
        box.http.put("/_sandbox/quota", json={"type": "limited", "value": 4, "total_usage": 3}).raise_for_status()
        refused = desk.post(url_of(made))
        assert (refused.status_code, refused.json()["code"]) == (409, "QUOTA_EXCEEDED")
        answer = desk.post(url_of(made), {"confirm_over_quota": True}).json()
        assert answer == {"reminded": ["lm:101", "lm:102"], "skipped": [{"invitee_key": "lm:103", "reason": "QUOTA"}]}
        ways = {row["invitee_key"]: row["channel"] for row in desk.rows(ThreadMessage, type="reminder")}
        assert ways == {"lm:101": "line", "lm:102": "mail"}

    def test_who_can_only_be_called_is_named(self, desk: Desk) -> None:
        desk.enrol(101)
        made = desk.create(audience_ids=[desk.group(1, 101)], invitees=None, rule=ALL)
        answer = desk.post(url_of(made)).json()
        assert answer == {"reminded": [], "skipped": [{"invitee_key": "lm:101", "reason": "UNREACHABLE"}]}
        board = desk.get(f"/{made['thread']['id']}").json()["people"][0]["delivery"]
        assert (board["channel"], board["state"], board["type"]) == ("call", "call", "invite")
