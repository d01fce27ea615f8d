from datetime import timedelta

import pytest
from sqlalchemy import event as sqlalchemy_event
from sqlalchemy import insert

from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.scheduling.organizing.desk import MEI, RAJ, URL, Desk
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE
from tsudoi.scheduling.organizing.queries.listing import ThreadFilters, thread_page
from tsudoi.scheduling.organizing.service.changing import expire_invitations
from tsudoi.scheduling.thread.models import ThreadInvite

KEN, ANN = {"name": "Ken", "email": "ken@example.jp"}, {"name": "Ann", "email": "ann@example.jp"}
BY_HAND = {**DEFAULT_RULE, "finalize_policy": {"auto_finalize": False, "policy": "EARLIEST_VALID"}}


class TestStatus:
    @pytest.mark.row("1.6.1", "1.6.3", "1.6.5", "1.6.6")
    def test_a_new_thread_waits(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI])
        answer = desk.get(f"/{made['thread']['id']}/status")
        found = answer.json()
        assert set(found) == {"thread", "rule", "slots", "invites", "selections", "evaluation"}
        assert (found["thread"], found["rule"], found["slots"]) == (
            made["thread"],
            made["attendance_rule"],
            made["slots"],
        )
        assert [set(one) for one in found["invites"]] == [{"id", "email", "invitee_key", "status", "responded_at"}] * 2
        assert [one["status"] for one in found["invites"]] == ["pending", "pending"]
        assert [(one["status"], one["selected_slot_id"], one["responded_at"]) for one in found["selections"]] == [
            ("pending", None, None)
        ] * 2
        evaluation = found["evaluation"]
        assert (evaluation["finalized"], evaluation["final_slot_id"], evaluation["final_participants"]) == (
            False,
            None,
            [],
        )
        assert evaluation["reason"]
        assert "token" not in answer.text

    @pytest.mark.row("1.6.2", "1.6.4", "1.4.5")
    def test_invitations_in_each_state(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI, KEN, ANN], rule=BY_HAND)
        raj, mei, _, ann = made["candidates"]
        desk.clock.advance(timedelta(hours=1))
        assert desk.respond(raj, made["slots"][0]["slot_id"]).status_code == 200
        assert desk.respond(mei).status_code == 200
        now = utc_text(desk.clock.now())
        desk.run(f"UPDATE thread_invites SET expires_at = '{now}' WHERE email = 'ken@example.jp'")
        found = desk.get(f"/{made['thread']['id']}/status").json()
        states = {one["email"]: one["status"] for one in found["invites"]}
        assert list(states.values()) == ["accepted", "declined", "expired", "pending"]
        at = utc_text(desk.clock.now())
        assert [one["responded_at"] for one in found["invites"]] == [at, at, None, None]
        assert found["selections"][0]["selected_slot_id"] == made["slots"][0]["slot_id"]
        assert ann["invitee_key"] in found["evaluation"]["can_change"] or found["evaluation"]["state"] == "satisfied"
        # The column follows, so that the document's own SQL counts right.
        assert desk.product.db.write_now(expire_invitations) == 1
        assert sorted(row["status"] for row in desk.rows(ThreadInvite)) == [
            "accepted",
            "declined",
            "expired",
            "pending",
        ]
        assert desk.product.db.write_now(expire_invitations) == 0

    @pytest.mark.row("1.6.8", "1.6.6")
    def test_after_the_decision_it_says_what_was_decided(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        slot = made["slots"][2]["slot_id"]
        path = f"/{made['thread']['id']}"
        assert desk.post(f"{path}/finalize", {"selected_slot_id": slot, "reason": "会場の都合"}).status_code == 200
        found = desk.get(f"{path}/status").json()["evaluation"]
        assert (found["finalized"], found["final_slot_id"], found["reason"], found["final_participants"]) == (
            True,
            slot,
            "会場の都合",
            [],
        )

    @sqlite_only
    @pytest.mark.row("1.6.7", "1.1.18")
    def test_who_may_not_see_it(self, desk: Desk, product: Product) -> None:
        for path in ("/x", "/x/status", "/x/history", "/x/live"):
            assert product.http.get(URL + path).status_code == 401, path
            missing = desk.get(path)
            assert (missing.status_code, missing.json()["error"]) == (404, "THREAD_NOT_FOUND"), path
        for path in ("finalize", "cancel", "reopen", "send", "slots", "invitees", "event"):
            assert product.http.post(f"{URL}/x/{path}", json={}).status_code == 401, path

    @pytest.mark.row("1.0.4")
    def test_a_row_of_another_program_is_shown(self, desk: Desk) -> None:
        columns = "id, organizer_user_id, created_at, updated_at"
        desk.run(f"INSERT INTO scheduling_threads ({columns}) VALUES ('x', 'u', 'n', 'n')")
        [item] = desk.get().json()["threads"]
        assert (item["title"], item["status"], item["organizer_name"], item["created_at"]) == (None, "draft", None, "n")
        found = desk.get("/x/status").json()
        assert (found["thread"]["title"], found["rule"], found["slots"]) == (None, None, [])
        assert desk.get("/x").status_code == 200


class TestList:
    @pytest.mark.row("1.I.9")
    def test_newest_first_in_pages_with_filters(self, desk: Desk) -> None:
        for number in range(5):
            desk.create(title=f"会議 {number}", send=number != 2)
            desk.clock.advance(timedelta(minutes=1))
        titles, cursor = list[str](), None
        for _ in range(3):
            page = desk.get(limit=2, **({"cursor": cursor} if cursor else {})).json()
            titles += [item["title"] for item in page["threads"]]
            cursor = page["next_cursor"]
        assert titles == [f"会議 {number}" for number in (4, 3, 2, 1, 0)]
        assert cursor is None
        assert [item["title"] for item in desk.get(status="draft").json()["threads"]] == ["会議 2"]
        assert [item["title"] for item in desk.get(query="かいぎ３").json()["threads"]] == []
        assert [item["title"] for item in desk.get(query="会議３").json()["threads"]] == ["会議 3"]
        assert desk.get(status="x").status_code == desk.get(cursor="x").status_code == 400

    def test_an_item_counts_and_explains(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI, KEN])
        raj, mei, _ = made["candidates"]
        desk.respond(mei)
        desk.respond(raj, made["slots"][1]["slot_id"])
        [item] = desk.get().json()["threads"]
        assert (item["invites_total"], item["answered"], item["declined"], item["slots_total"]) == (3, 1, 1, 3)
        assert (item["status"], item["state"], item["organizer_name"]) == ("finalized", "finalized", "jimukyoku")
        assert item["final_slot"]["slot_id"] == made["slots"][1]["slot_id"]
        assert item["sentence"]

    def test_a_page_needs_as_many_statements_as_one_thread(self, desk: Desk) -> None:
        def statements() -> int:
            ran: list[str] = []

            def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
                ran.append(statement)

            def page(tx: ReadTx) -> None:
                sqlalchemy_event.listen(tx.connection, "before_cursor_execute", note)
                thread_page(tx, ThreadFilters(None, ""), 20, None)
                sqlalchemy_event.remove(tx.connection, "before_cursor_execute", note)

            desk.product.db.read_now(page)
            return len(ran)

        desk.create(invitees=[RAJ])
        one = statements()
        for _ in range(5):
            desk.create(invitees=[RAJ, MEI])
        assert statements() == one == 5


class TestBoard:
    def test_people_by_slots_with_what_is_missing(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule={**DEFAULT_RULE, "type": "ALL", "participants": []}, place="本部")
        raj, mei = made["candidates"]
        first, second, third = (slot["slot_id"] for slot in made["slots"])
        desk.respond(raj, first, maybe_slot_ids=[second], comment="午後なら")
        board = desk.get(f"/{made['thread']['id']}").json()
        assert (board["thread"]["place"], board["thread"]["organizer_name"], board["as_of"]) == (
            "本部",
            "jimukyoku",
            None,
        )
        assert (board["rule"]["version"], board["rule"]["type"]) == (1, "ALL")
        assert board["rule"]["sentence"]
        one, two = board["people"]
        assert one["answers"] == {first: "yes", second: "maybe", third: "no"}
        assert (one["comment"], one["status"], one["state"], one["via"]) == ("午後なら", "accepted", "yes", "link")
        assert (two["answers"], two["status"], two["state"], two["via"]) == ({}, "pending", "open", None)
        assert (two["can_change"], two["invite_url"]) == (True, mei["invite_url"])
        slots = {slot["slot_id"]: slot for slot in board["slots"]}
        assert [(slots[one]["yes"], slots[one]["maybe"], slots[one]["no"]) for one in (first, second, third)] == [
            (1, 0, 0),
            (0, 1, 0),
            (0, 0, 1),
        ]
        assert "林 芽衣" in slots[first]["missing"]
        assert board["evaluation"]["deciding_set"] == [mei["invitee_key"]]

    def test_who_gets_no_mails_is_marked_until_the_person_starts_them_again(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=BY_HAND)
        bounced = {"address": MEI["email"], "status_code": "5.1.1", "dead_at": desk.clock.now()}
        desk.product.db.write_now(
            lambda tx: tx.execute(insert(MailBounce).values(**bounced, noted_at=desk.clock.now()))
        )
        link = f"/i/{made['candidates'][0]['invite_token']}"
        desk.product.http.post(f"{link}/unsubscribe").raise_for_status()

        def marks() -> list[tuple[bool, bool]]:
            people = desk.get(f"/{made['thread']['id']}").json()["people"]
            return [(person["mail_stopped"], person["mail_bounced"]) for person in people]

        assert marks() == [(True, False), (False, True)]
        desk.product.http.post(f"{link}/resubscribe").raise_for_status()
        assert marks() == [(False, False), (False, True)]

    def test_a_slot_that_came_later_is_not_answered_yet(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ], rule=BY_HAND)
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        desk.clock.advance(timedelta(minutes=1))
        path = f"/{made['thread']['id']}"
        [added] = desk.post(f"{path}/slots", {"slots": [desk.slot(9)]}).json()["slots"]
        board = desk.get(path).json()
        assert added["slot_id"] not in board["people"][0]["answers"]
        assert [slot["no"] for slot in board["slots"]] == [0, 1, 1, 0]

    def test_the_past_is_shown_as_it_was(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI])
        path, [raj, mei] = f"/{made['thread']['id']}", made["candidates"]
        moments = [utc_text(desk.clock.now())]
        for candidate, slots in ((mei, []), (raj, [made["slots"][0]["slot_id"]])):
            desk.clock.advance(timedelta(hours=1))
            assert desk.respond(candidate, *slots).status_code == 200
            moments.append(utc_text(desk.clock.now()))
        states = []
        for moment in moments:
            board = desk.get(path, as_of=moment).json()
            states.append((board["evaluation"]["state"], [person["status"] for person in board["people"]]))
        assert states == [
            ("open", ["pending", "pending"]),
            ("open", ["pending", "declined"]),
            ("finalized", ["accepted", "declined"]),
        ]
        history = desk.get(f"{path}/history", limit=1).json()
        assert [entry["name"] for entry in history["entries"]] == ["Raj Patel"]
        older = desk.get(f"{path}/history", limit=1, cursor=history["next_cursor"]).json()
        assert ([entry["status"] for entry in older["entries"]], older["next_cursor"]) == (["declined"], None)
        assert desk.get(path, as_of="2025-08-16T12:00:00").status_code == 400


@pytest.mark.found("24.C9")
@pytest.mark.row("5.C.31")
def test_the_calendar_of_dates_knows_the_holidays(desk: Desk) -> None:
    answer = desk.product.http.get("/api/admin/holidays", params={"year": 2026}, headers=desk.bearer)
    assert answer.status_code == 200, answer.text
    days = {one["date"]: one["name"] for one in answer.json()["items"]}
    assert days["2026-11-23"] == "勤労感謝の日"
    assert desk.product.http.get("/api/admin/holidays", params={"year": 2026}).status_code == 401
    assert desk.product.http.get("/api/admin/holidays", params={"year": 1}, headers=desk.bearer).status_code == 400
