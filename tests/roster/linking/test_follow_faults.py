"""LINE that does not answer and workers that die: the greeting comes once or not at all, and the log says which."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.exc import DataError

from tests.factories.product import Box, Product
from tests.factories.webhooks import event
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.linking.test_follow import ASK_THE_OFFICE, CONFIRMED, follow, last_line, texts
from tests.roster.members.people import enrol, links
from tsudoi.core.clock import ManualClock
from tsudoi.line.inbox.jobs import LEASE
from tsudoi.line.inbox.models import LineEvent
from tsudoi.roster.linking import service


class Killed(BaseException):
    """The process is gone: nothing after this line happens."""


@pytest.fixture
def talking(make_product: ProductMaker) -> Product:
    product = make_product(onboarding_mode="interactive")
    enrol(product.db, (101, "山田太郎"))
    return product


def row(product: Product) -> dict[str, Any]:
    return product.rows(LineEvent)[0]


def set_row(product: Product, **values: Any) -> None:
    product.db.write_now(lambda tx: tx.execute(update(LineEvent).values(**values)))


def expire_reply_token(box: Box) -> None:
    box.http.post("/_sandbox/clock", json={"advance_seconds": 61}).raise_for_status()


def calls(box: Box, kind: str) -> int:
    return len(box.calls(f"/message/{kind}"))


class TestProfile:
    @pytest.mark.parametrize(("kind", "more"), [("error_500_before", {}), ("timeout_before_accept", {"seconds": 1})])
    @sqlite_only
    def test_that_comes_late_links_late_and_greets_once(
        self, talking: Product, box: Box, clock: ManualClock, kind: str, more: dict[str, Any]
    ) -> None:
        box.breaks(kind, "profile", times=3, **more)
        who = follow(talking, box, "山田太郎")
        assert (last_line(talking)["result"], last_line(talking)["mode"]) == ("ERROR", "interactive")
        assert last_line(talking)["reason"].startswith("profile: ")
        assert (links(talking.db), box.chat(who), row(talking)["status"]) == ({}, [], "PENDING")
        clock.advance(timedelta(seconds=2))
        talking.drain()
        assert (links(talking.db), texts(box, who), row(talking)["status"]) == ({101: who}, [CONFIRMED], "DONE")

    def test_that_never_comes_is_an_error_that_the_person_hears_of(
        self, talking: Product, box: Box, clock: ManualClock
    ) -> None:
        box.breaks("error_500_before", "profile")
        who = follow(talking, box, "山田太郎")
        set_row(talking, attempt_count=7)
        clock.advance(timedelta(seconds=2))
        talking.drain()
        assert texts(box, who) == [ASK_THE_OFFICE]
        line = last_line(talking)
        assert (line["result"], line["reply"], row(talking)["status"]) == ("ERROR", "sent", "FAILED")
        assert links(talking.db) == {}

    @sqlite_only
    def test_that_never_comes_stays_silent_in_silent_mode(self, product: Product, box: Box, clock: ManualClock) -> None:
        box.breaks("error_500_before", "profile")
        who = follow(product, box, "山田太郎")
        set_row(product, attempt_count=7)
        clock.advance(timedelta(seconds=2))
        product.drain()
        assert (box.chat(who), last_line(product)["result"], row(product)["status"]) == ([], "ERROR", "FAILED")


class TestDatabase:
    @sqlite_only
    def test_that_fails_is_an_error_tried_again(
        self, talking: Product, box: Box, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_args: Any, **_options: Any) -> None:
            raise DataError("UPDATE members", {}, Exception("broken"))

        with monkeypatch.context() as patch:
            patch.setattr(service, "link_by_display_name", fail)
            who = follow(talking, box, "山田太郎")
        assert (last_line(talking)["result"], last_line(talking)["reason"]) == ("ERROR", "database: DataError")
        assert box.chat(who) == []
        clock.advance(timedelta(seconds=2))
        talking.drain()
        assert (links(talking.db), texts(box, who)) == ({101: who}, [CONFIRMED])


class TestWorkerThatDies:
    def test_between_the_reply_and_its_note_says_nothing_twice(
        self, talking: Product, box: Box, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reply = talking.line.reply

        def reply_and_die(*args: Any) -> None:
            reply(*args)
            raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(talking.line, "reply", reply_and_die)
            with pytest.raises(Killed):
                follow(talking, box, "山田太郎")
        [who] = links(talking.db).values()
        assert (row(talking)["reply"], row(talking)["status"]) == ("trying", "PENDING")
        clock.advance(LEASE)
        talking.drain()
        assert texts(box, who) == [CONFIRMED]
        assert (row(talking)["reply"], row(talking)["status"]) == ("unknown", "DONE")
        assert (last_line(talking)["result"], last_line(talking)["reply"]) == ("ALREADY_LINKED_SAME", "unknown")
        assert calls(box, "push") == 0

    @sqlite_only
    def test_before_the_reply_was_sent_says_nothing_at_all(self, talking: Product, box: Box) -> None:
        """Nobody can tell the two apart, and a missing greeting is better than two."""
        who = box.person("山田太郎")
        box.does(who, "follow")
        set_row(talking, reply="trying")
        talking.drain()
        assert (box.chat(who), last_line(talking)["reply"]) == ([], "unknown")

    @sqlite_only
    def test_after_the_note_says_nothing_twice(self, talking: Product, box: Box) -> None:
        who = box.person("山田太郎")
        box.does(who, "follow")
        set_row(talking, reply="sent")
        talking.drain()
        assert (box.chat(who), last_line(talking)["reply"], row(talking)["status"]) == ([], "sent", "DONE")

    @pytest.mark.parametrize("dies", ["before", "after"])
    def test_around_the_push_pushes_once(
        self, talking: Product, box: Box, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, dies: str
    ) -> None:
        push = talking.line.push

        def push_and_die(*args: Any) -> None:
            if dies == "after":
                push(*args)
            raise Killed

        who = box.person("山田太郎")
        box.does(who, "follow")
        expire_reply_token(box)
        with monkeypatch.context() as patch:
            patch.setattr(talking.line, "push", push_and_die)
            with pytest.raises(Killed):
                talking.drain()
        clock.advance(LEASE)
        talking.drain()
        assert texts(box, who) == [CONFIRMED]
        assert (last_line(talking)["reply"], row(talking)["status"]) == ("sent", "DONE")


class TestReply:
    @pytest.mark.parametrize(("kind", "heard"), [("timeout_after_accept", [CONFIRMED]), ("error_500_before", [])])
    @sqlite_only
    def test_whose_fate_is_unknown_is_not_repeated(
        self, talking: Product, box: Box, kind: str, heard: list[str]
    ) -> None:
        box.breaks(kind, "reply", seconds=1)
        who = follow(talking, box, "山田太郎")
        assert texts(box, who) == heard
        assert (last_line(talking)["result"], last_line(talking)["reply"]) == ("LINKED", "unknown")
        assert (row(talking)["status"], calls(box, "reply"), calls(box, "push")) == ("DONE", 1, 0)

    @sqlite_only
    def test_that_line_has_no_time_for_is_sent_later(self, talking: Product, box: Box, clock: ManualClock) -> None:
        box.breaks("rate_limited", "reply", times=1)
        who = follow(talking, box, "山田太郎")
        assert (last_line(talking)["result"], last_line(talking)["reply"]) == ("LINKED", "later")
        assert (box.chat(who), row(talking)["reply"]) == ([], None)
        clock.advance(timedelta(seconds=2))
        talking.drain()
        assert (texts(box, who), last_line(talking)["reply"]) == ([CONFIRMED], "sent")


class TestPush:
    @pytest.mark.parametrize("kind", ["timeout_after_accept", "timeout_before_accept", "error_500_after"])
    @sqlite_only
    def test_whose_fate_is_unknown_is_repeated_with_the_same_key(
        self, talking: Product, box: Box, clock: ManualClock, kind: str
    ) -> None:
        who = box.person("山田太郎")
        box.does(who, "follow")
        expire_reply_token(box)
        box.breaks(kind, "push", times=1, seconds=1)
        talking.drain()
        assert (row(talking)["status"], last_line(talking)["reply"]) == ("PENDING", "later")
        clock.advance(timedelta(seconds=2))
        talking.drain()
        assert (texts(box, who), last_line(talking)["reply"], row(talking)["status"]) == ([CONFIRMED], "sent", "DONE")
        assert (calls(box, "push"), len(box.http.get("/_sandbox/state").json()["retry_keys"])) == (2, 1)

    @sqlite_only
    def test_that_stays_unknown_to_the_last_is_called_so(self, talking: Product, box: Box, clock: ManualClock) -> None:
        who = box.friend("山田太郎")
        box.breaks("error_500_before", "push")
        talking.post_webhook(event(who=who))
        talking.drain()
        set_row(talking, attempt_count=7)
        clock.advance(timedelta(seconds=2))
        talking.drain()
        assert (last_line(talking)["reply"], row(talking)["reply"], row(talking)["status"]) == (
            "unknown",
            "unknown",
            "DONE",
        )

    def test_beyond_the_quota_fails_and_the_link_stands(self, talking: Product, box: Box) -> None:
        box.http.put("/_sandbox/quota", json={"type": "limited", "value": 0}).raise_for_status()
        who = box.person("山田太郎")
        box.does(who, "follow")
        expire_reply_token(box)
        talking.drain()
        assert (box.chat(who), links(talking.db)) == ([], {101: who})
        assert (last_line(talking)["result"], last_line(talking)["reply"]) == ("LINKED", "failed")
        assert (row(talking)["reply"], row(talking)["status"]) == ("failed", "DONE")

    @sqlite_only
    def test_within_no_quota_a_reply_is_free(self, talking: Product, box: Box) -> None:
        box.http.put("/_sandbox/quota", json={"type": "limited", "value": 0}).raise_for_status()
        assert texts(box, follow(talking, box, "山田太郎")) == [CONFIRMED]
