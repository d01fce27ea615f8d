"""The sender: LINE first, mail where LINE certainly does not deliver, nobody twice, and nothing that is out of date."""

from datetime import timedelta
from typing import Any

import orjson
import pytest
from sqlalchemy import delete

from tests.factories.product import Box, Product
from tests.scheduling.delivery.rows import Asked
from tsudoi.core.clock import ManualClock, jst_date
from tsudoi.line.delivery.rules import CalledOff
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery import jobs
from tsudoi.scheduling.delivery.queries.board import deliveries_of
from tsudoi.scheduling.delivery.queries.sending import unsent_messages
from tsudoi.scheduling.delivery.service import sending
from tsudoi.scheduling.thread.models import ThreadInvite


def shown(asked: Asked) -> dict[str, tuple[str, str]]:
    found = asked.db.read_now(deliveries_of, asked.thread_id)
    return {key: (one.channel, one.state) for key, one in found.items()}


def push_lines(product: Product) -> list[dict[str, Any]]:
    path = product.settings.log_dir / "push" / f"{jst_date(product.db.clock.now())}.ndjson"
    return [orjson.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def pushes(box: Box) -> list[dict[str, Any]]:
    return box.calls("/message/push")


class TestByLine:
    @pytest.mark.row("1.I.14")
    def test_a_linked_member_gets_line_and_the_others_mail_or_a_call(
        self, product: Product, box: Box, asked: Asked
    ) -> None:
        friend, blocked = box.friend("山田"), box.friend("佐藤")
        asked.follows(friend, following=True)
        asked.follows(blocked, following=False)
        asked.member(101, "山田太郎", friend, "yamada@example.jp")
        asked.member(102, "佐藤花子", blocked, "sato@example.jp")
        asked.member(103, "鈴木次郎", None)
        asked.invite("e:1", "田中", "tanaka@example.jp")
        told = asked.tell("invite")
        ways = {"lm:101": "line", "lm:102": "mail", "lm:103": "call", "e:1": "mail"}
        assert {one.invitee_key: one.channel for one in told} == ways
        assert product.db.read_now(unsent_messages) == 1
        product.drain()
        chat = box.chat(friend)[-1]["message"]["text"]
        assert "「役員会」の日程を決めるため" in chat
        assert chat.endswith(f"/threads/{asked.thread_id}")
        assert sorted(mail["to"][0] for mail in box.mails()) == ["sato@example.jp", "tanaka@example.jp"]
        assert shown(asked) == {
            "lm:101": ("line", "sent"),
            "lm:102": ("mail", "sent"),
            "lm:103": ("call", "call"),
            "e:1": ("mail", "sent"),
        }
        texts = {key: one.text for key, one in asked.db.read_now(deliveries_of, asked.thread_id).items()}
        assert "ブロック" in texts["lm:102"]
        assert texts["lm:103"].endswith("LINEと連携していません。メールアドレスが登録されていません。")
        assert len({row["retry_key"] for row in asked.messages()}) == 4
        assert [line["status"] for line in push_lines(product)] == ["success"]

    def test_what_line_refuses_goes_on_by_mail_in_the_same_transaction(
        self, product: Product, box: Box, asked: Asked
    ) -> None:
        asked.member(101, "山田太郎", "U" + "0" * 32, "yamada@example.jp")
        asked.member(102, "佐藤花子", "U" + "1" * 32)
        asked.tell("invite")
        product.drain()
        rows = {row["invitee_key"]: row for row in asked.messages()}
        assert rows["lm:101"]["status"] == "MAILED"
        assert rows["lm:101"]["mail_id"] == asked.mails()[0]["id"]
        assert rows["lm:102"]["status"] == "CALL"
        assert [mail["to"] for mail in box.mails()] == [["yamada@example.jp"]]
        assert shown(asked) == {"lm:101": ("mail", "sent"), "lm:102": ("call", "call")}
        assert [line["status"] for line in push_lines(product)] == ["fail", "fail"]
        jobs.finish_log(product.runtime)
        assert len(push_lines(product)) == 2

    def test_the_monthly_limit_sends_people_mails_instead(self, product: Product, box: Box, asked: Asked) -> None:
        friend = box.friend()
        asked.member(101, "山田太郎", friend, "yamada@example.jp")
        box.breaks("quota_exhausted", "push")
        asked.tell("invite")
        product.drain()
        assert len(box.mails("yamada@example.jp")) == 1
        assert "上限" in asked.db.read_now(deliveries_of, asked.thread_id)["lm:101"].text

    def test_unknown_stays_unknown_and_is_not_mailed(
        self, product: Product, box: Box, asked: Asked, clock: ManualClock
    ) -> None:
        friend = box.friend()
        asked.member(101, "山田太郎", friend, "yamada@example.jp")
        box.breaks("timeout_after_accept", "push", seconds=3)
        asked.tell("invite")
        product.drain()
        assert shown(asked) == {"lm:101": ("line", "waiting")}
        clock.advance(timedelta(hours=23))
        product.drain()
        assert shown(asked) == {"lm:101": ("line", "unknown")}
        assert box.mails() == []
        assert len(box.chat(friend)) == 1
        assert len(pushes(box)) == 1

    def test_a_repeated_call_has_the_same_key_and_arrives_once(
        self, product: Product, box: Box, asked: Asked, clock: ManualClock
    ) -> None:
        friend = box.friend()
        asked.member(101, "山田太郎", friend, "yamada@example.jp")
        box.breaks("timeout_after_accept", "push", seconds=3)
        asked.tell("invite")
        product.drain()
        box.mends()
        clock.advance(timedelta(minutes=1))
        product.drain()
        assert shown(asked) == {"lm:101": ("line", "sent")}
        assert len(box.chat(friend)) == 1

    def test_after_an_hour_without_line_mail_is_the_better_way(
        self, product: Product, box: Box, asked: Asked, clock: ManualClock
    ) -> None:
        asked.member(101, "山田太郎", box.friend(), "yamada@example.jp")
        box.breaks("rate_limited", "push")
        asked.tell("invite")
        for _ in range(12):
            product.drain()
            clock.advance(timedelta(minutes=7))
        assert shown(asked) == {"lm:101": ("mail", "sent")}
        assert len(box.mails()) == 1


class TestLookingAgain:
    def test_nothing_goes_out_that_is_no_longer_true(self, product: Product, box: Box, asked: Asked) -> None:
        """The same for LINE and for mail."""
        for number, way in enumerate(("line", "mail")):
            start = 100 * (number + 1)
            keys = []
            for one in range(5):
                line = box.friend() if way == "line" else None
                keys.append(asked.member(start + one, f"会員{one}", line, f"m{start + one}@example.jp"))
            answered, removed, expired, stopped, kept = keys
            asked.tell("invite", keys)
            asked.answers(answered, "declined")
            gone = ThreadInvite.invitee_key == removed
            asked.db.write_now(lambda tx, gone=gone: tx.execute(delete(ThreadInvite).where(gone)))  # type: ignore[misc]
            now = asked.db.clock.now()
            asked.change(ThreadInvite, ThreadInvite.invitee_key == expired, expires_at=now)
            asked.change(ThreadInvite, ThreadInvite.invitee_key == stopped, mail_stopped_at=now)
            product.drain()
            states = {key: state for key, (_, state) in shown(asked).items() if key in keys}
            by_line = way == "line"
            assert states == {
                **dict.fromkeys((answered, removed, expired), "called_off"),
                # Who wants no mails may get a message of LINE.
                stopped: "sent" if by_line else "called_off",
                kept: "sent",
            }, way
        assert [mail["to"] for mail in box.mails()] == [["m204@example.jp"]]

    def test_a_decision_calls_the_questions_off_and_a_cancellation_calls_off_the_decision(
        self, product: Product, box: Box, asked: Asked
    ) -> None:
        friend = box.friend()
        asked.member(101, "山田太郎", friend)
        asked.invite("e:1", "田中", "tanaka@example.jp")
        asked.tell("invite")
        asked.tell("reminder")
        asked.decide(asked.slots[0], "lm:101", "e:1")
        asked.tell("decision")
        asked.undo("cancelled")
        asked.tell("cancelled", reason="会場が取れないため")
        product.drain()
        states = [row["status"] for row in asked.messages() if row["channel"] == "line"]
        assert states == ["CALLED_OFF", "CALLED_OFF", "CALLED_OFF", "DONE"]
        assert [mail["status"] for mail in asked.mails()] == ["CALLED_OFF", "CALLED_OFF", "CALLED_OFF", "DONE"]
        assert len(box.chat(friend)) == 1
        assert "会場が取れないため" in box.chat(friend)[0]["message"]["text"]

    def test_who_unlinked_blocked_or_changed_line_meanwhile_gets_a_mail(
        self, product: Product, box: Box, asked: Asked
    ) -> None:
        friends = [box.friend(str(number)) for number in range(4)]
        for number, friend in enumerate(friends):
            asked.member(101 + number, f"会員{number}", friend, f"m{number}@example.jp")
        asked.tell("invite")
        asked.change(Member, Member.id == 101, line_user_id=None)
        asked.change(Member, Member.id == 102, line_user_id=box.friend("another account"))
        asked.follows(friends[2], following=False)
        product.drain()
        ways = {key: channel for key, (channel, state) in shown(asked).items() if state == "sent"}
        assert ways == {"lm:101": "mail", "lm:102": "mail", "lm:103": "mail", "lm:104": "line"}
        assert [len(box.chat(friend)) for friend in friends] == [0, 0, 0, 1]
        assert "連携が変わりました" in asked.db.read_now(deliveries_of, asked.thread_id)["lm:101"].text

    def test_of_a_draft_nobody_is_told(self, asked: Asked) -> None:
        asked.invite("e:1", "田中", "tanaka@example.jp")
        asked.thread(status="draft")
        assert asked.tell("invite") == []
        assert asked.messages() == []


class TestSettle:
    def test_without_the_lease_nothing_is_written(self, product: Product, box: Box, asked: Asked) -> None:
        asked.member(101, "山田太郎", box.friend(), "yamada@example.jp")
        asked.tell("invite")
        (row,) = product.db.write_now(sending.claim, asked.common)
        product.db.clock.advance(sending.LEASE)  # type: ignore[attr-defined]
        product.db.write_now(sending.claim, asked.common)
        assert product.db.write_now(sending.settle, asked.common, row, CalledOff("DECIDED")) is None
        assert asked.messages()[0]["status"] == "PENDING"

    def test_missing_lines_of_the_push_log_are_written_later(
        self, product: Product, asked: Asked, clock: ManualClock
    ) -> None:
        asked.member(101, "山田太郎", "U" + "0" * 32, "yamada@example.jp")
        asked.tell("invite")
        (row,) = product.db.write_now(sending.claim, asked.common)
        product.db.write_now(sending.settle, asked.common, row, CalledOff("DECIDED"))
        assert push_lines(product) == []
        clock.advance(timedelta(minutes=2))
        assert jobs.finish_log(product.runtime) == 1
        assert jobs.finish_log(product.runtime) == 0
        (line,) = push_lines(product)
        assert (line["kind"], line["status"], line["thread_id"]) == ("thread_message", "fail", asked.thread_id)
