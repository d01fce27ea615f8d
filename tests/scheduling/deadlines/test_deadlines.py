"""By the clock: a reminder a day before the end, and a decision at the deadline, each once."""

from datetime import timedelta
from typing import Any

import pytest

from tests.factories.product import Box
from tests.factories.threads import ALL, ANY, BY_HAND
from tests.product_fixtures import sqlite_only
from tests.scheduling.delivery.rows import COMMON, DAY, asked_at, slot_of
from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tsudoi.core.clock import ManualClock, utc_text
from tsudoi.core.db.interface import Database
from tsudoi.scheduling.deadlines import queries
from tsudoi.scheduling.deadlines.jobs import watch_deadlines
from tsudoi.scheduling.deadlines.service import remind_before_the_end
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import ThreadFinalize

SAN = {"name": "三郎", "email": "three@example.jp"}
K2: dict[str, Any] = {**ANY, "type": "K_OF_N", "participants": [], "k": 2, "rule": {"k": 2}}


def minute(desk: Desk) -> int:
    return watch_deadlines(desk.product.runtime)


def asked(desk: Desk, **more: Any) -> dict[str, Any]:
    """Three people, four days to answer, slots in a week."""
    given = {"deadline_at": utc_text(desk.clock.now() + 4 * DAY), "slots": [desk.slot(days=7), desk.slot(days=8)]}
    return desk.create(**{"invitees": [RAJ, MEI, SAN], "rule": ALL, **given, **more})


class TestRemindingBeforeTheEnd:
    def test_a_day_before_the_deadline_and_once(self, desk: Desk, box: Box, clock: ManualClock) -> None:
        made = asked(desk, remind_before_deadline=True)
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        desk.product.drain()
        box.http.delete("/_sandbox/mails")
        clock.advance(3 * DAY - timedelta(minutes=1))
        assert minute(desk) == 0
        clock.advance(timedelta(minutes=1))
        assert minute(desk) == 1
        for _ in range(4):
            clock.advance(timedelta(hours=5))
            assert minute(desk) == 0
        desk.product.drain()
        assert sorted(mail["to"][0] for mail in box.mails()) == [MEI["email"], SAN["email"]]
        entries = [row for row in desk.audit(made["thread"]["id"]) if row["action"] == "THREAD_REMIND"]
        assert [row["actor"] for row in entries] == ["system"]
        later = desk.patch(f"/{made['thread']['id']}", {"deadline_at": utc_text(clock.now() + 3 * DAY)})
        assert later.status_code == 200, later.text
        assert minute(desk) == 0
        clock.advance(2 * DAY)
        assert minute(desk) == 1

    @sqlite_only
    def test_nobody_who_cannot_change_the_outcome_or_was_asked_today(
        self, desk: Desk, box: Box, clock: ManualClock
    ) -> None:
        """Unwanted, decided, satisfied, a deadline that is less than a day away, and a draft."""
        soon = utc_text(clock.now() + timedelta(hours=20))
        asked(desk)
        asked(desk, remind_before_deadline=True, deadline_at=soon)
        asked(desk, remind_before_deadline=True, send=False)
        satisfied = asked(desk, remind_before_deadline=True, rule=BY_HAND)
        decided = asked(desk, remind_before_deadline=True, rule=ANY)
        for one in (satisfied, decided):
            assert desk.respond(one["candidates"][0], one["slots"][0]["slot_id"]).status_code == 200
        minute(desk)
        clock.advance(3 * DAY)
        minute(desk)
        assert desk.rows(ThreadMessage, type="reminder") == []
        assert box.mails() == []

    @sqlite_only
    def test_without_a_deadline_the_end_of_each_invitation_counts(self, desk: Desk, clock: ManualClock) -> None:
        made = desk.create(invitees=[RAJ], remind_before_deadline=True, slots=[desk.slot(days=7)])
        clock.advance(DAY)
        desk.post(f"/{made['thread']['id']}/invitees", {"invitees": [MEI]})
        assert minute(desk) == 0
        for expected in (RAJ, MEI):
            clock.advance(DAY)
            assert minute(desk) == 1
            assert desk.rows(ThreadMessage, type="reminder")[-1]["to"] == expected["email"]
        assert len(desk.rows(ThreadMessage, type="reminder")) == 2

    @sqlite_only
    @pytest.mark.found("24.A8")
    def test_each_invitation_is_reminded_of_its_own_end_however_close_they_are(
        self, desk: Desk, clock: ManualClock
    ) -> None:
        """Two people are invited an hour apart, and a third one gets more time than the deadline of all leaves."""
        made = desk.create(invitees=[RAJ], rule=ANY, remind_before_deadline=True, slots=[desk.slot(days=9)])
        clock.advance(timedelta(hours=1))
        added = desk.post(f"/{made['thread']['id']}/invitees", {"invitees": [MEI, SAN]}).json()["candidates"]
        wish = {"invitee_keys": [added[1]["invitee_key"]], "extend_hours": 100}
        assert desk.post(f"/{made['thread']['id']}/remind", wish).status_code == 200
        reminded: list[tuple[int, str]] = []
        for hour in range(2, 110):
            clock.advance(timedelta(hours=1))
            minute(desk)
            by_clock = desk.rows(ThreadMessage, type="reminder")[1:]
            reminded += [(hour, row["to"]) for row in by_clock[len(reminded) :]]
        assert reminded == [(48, RAJ["email"]), (49, MEI["email"]), (77, SAN["email"])]


class TestTheEndOfEachInvitation:
    """On the verbs, so that the quick tests have it."""

    @pytest.mark.found("24.A8")
    def test_counts_alone_also_where_others_end_at_other_times(self, db: Database, clock: ManualClock) -> None:
        thread = asked_at(db, COMMON, remind_before_deadline=1)
        slot_of(thread, clock.now() + 9 * DAY)
        ends = {"a": timedelta(hours=48), "b": timedelta(hours=49), "c": timedelta(hours=50), "d": timedelta(hours=90)}
        for name, end in ends.items():
            thread.invite(f"e:{name}", name, f"{name}@example.jp", expires_at=clock.now() + end)
        reminded: list[tuple[str, int]] = []
        for hour in range(1, 100):
            clock.advance(timedelta(hours=1))
            due = {thread_id for thread_id, _ in db.read_now(queries.invitations_to_remind)}
            for thread_id in due:
                keys = db.write_now(remind_before_the_end, COMMON, thread_id)
                reminded += [(key, hour) for key in keys]
        assert reminded == [("e:a", 24), ("e:b", 25), ("e:c", 26), ("e:d", 66)]


class TestDecidingAtTheDeadline:
    def test_the_rule_decides_then_and_not_before(self, desk: Desk, box: Box, clock: ManualClock) -> None:
        made = asked(desk, rule=K2, decide_at_deadline=True)
        raj, mei, san = made["candidates"]
        first, second = (slot["slot_id"] for slot in made["slots"])
        for person in (raj, mei):
            desk.respond(person, second)
        assert desk.respond(san, first, second).json()["evaluation"]["finalized"] is False
        assert minute(desk) == 0
        clock.advance(4 * DAY)
        assert minute(desk) == 1
        assert minute(desk) == 0
        (row,) = desk.rows(ThreadFinalize)
        assert (row["selected_slot_id"], row["auto_finalized"], row["finalized_by_user_id"]) == (second, 1, None)
        assert row["final_participants"] == [raj["invitee_key"], mei["invitee_key"], san["invitee_key"]]
        desk.product.drain()
        told = [mail for mail in box.mails() if "日程決定" in mail["subject"]]
        assert len(told) == 3
        entries = [row for row in desk.audit(made["thread"]["id"]) if row["action"] == "THREAD_FINALIZE"]
        assert [row["actor"] for row in entries] == ["system"]

    @sqlite_only
    def test_a_maybe_counts_there(self, desk: Desk, clock: ManualClock) -> None:
        made = asked(desk, rule=K2, decide_at_deadline=True)
        raj, mei, _ = made["candidates"]
        slot = made["slots"][0]["slot_id"]
        desk.respond(raj, slot)
        desk.respond(mei, maybe_slot_ids=[slot], status="selected", selected_slot_ids=[])
        clock.advance(4 * DAY)
        assert minute(desk) == 1
        assert desk.rows(ThreadFinalize)[0]["final_participants"] == [raj["invitee_key"], mei["invitee_key"]]

    @sqlite_only
    def test_an_edit_after_the_deadline_does_not_decide_but_an_answer_does(
        self, desk: Desk, clock: ManualClock
    ) -> None:
        made = asked(desk, rule=K2, decide_at_deadline=True)
        raj, mei, _san = made["candidates"]
        slot = made["slots"][0]["slot_id"]
        desk.respond(raj, slot)
        clock.advance(4 * DAY)
        assert minute(desk) == 0
        url = f"/{made['thread']['id']}"
        assert desk.get(url).json()["evaluation"]["state"] == "impossible"
        assert desk.put(f"{url}/rule", {"version": 1, "rule": ANY}).status_code == 200
        assert desk.get(url).json()["evaluation"]["state"] == "satisfied"
        assert minute(desk) == 0
        by_telephone = {"invitee_key": mei["invitee_key"], "status": "selected", "selected_slot_ids": [slot]}
        assert desk.post(f"{url}/answers", by_telephone).status_code == 200
        assert minute(desk) == 1
        assert desk.rows(ThreadFinalize)[0]["final_participants"] == [raj["invitee_key"], mei["invitee_key"]]

    @sqlite_only
    def test_a_thread_that_fails_does_not_stop_the_others(self, desk: Desk, clock: ManualClock) -> None:
        broken, good = (asked(desk, rule=K2, decide_at_deadline=True) for _ in range(2))
        for made in (broken, good):
            for person in made["candidates"][:2]:
                desk.respond(person, made["slots"][0]["slot_id"])
        thread_id = broken["thread"]["id"]
        desk.run(
            "CREATE TRIGGER refuse BEFORE INSERT ON thread_finalize "
            f"WHEN NEW.thread_id = '{thread_id}' BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        clock.advance(4 * DAY)
        assert minute(desk) == 1
        assert [row["thread_id"] for row in desk.rows(ThreadFinalize)] == [good["thread"]["id"]]
        desk.run("DROP TRIGGER refuse")
        assert minute(desk) == 1
