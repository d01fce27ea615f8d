import pytest
from sqlalchemy import update

from tests.conftest import NOON
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.scheduling.organizing.desk import RAJ, Desk, desk_at
from tests.scheduling.organizing.test_changing import path
from tsudoi.core.clock import ManualClock, jst_text
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.broadcast.models import EventBroadcast
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE

ALL = {**DEFAULT_RULE, "type": "ALL", "participants": []}


class TestMakingAnEvent:
    @pytest.mark.row("1.I.13", "1.I.15")
    def test_for_the_members_who_take_part_and_once_only(self, desk: Desk) -> None:
        desk.enrol(101, 102, 103)
        desk.group(7, 101, 102, 103)
        made = desk.create(
            title="臨時理事会", description="議題は予算", place="本部", audience_ids=[7], invitees=[RAJ], rule=ALL
        )
        slot = made["slots"][1]
        early = desk.post(path(made, "/event"))
        assert (early.status_code, early.json()["error"]) == (409, "NOT_FINALIZED")
        for candidate in (made["candidates"][0], made["candidates"][1], made["candidates"][3]):
            assert desk.respond(candidate, slot["slot_id"]).status_code == 200
        body = {"selected_slot_id": slot["slot_id"], "reason": "決めました"}
        assert desk.post(path(made, "/finalize"), body).status_code == 200
        desk.product.db.write_now(
            lambda tx: tx.execute(update(Member).where(Member.id == 102).values(withdrawn_at=NOON))
        )
        assert desk.get(path(made)).json()["event_possible"] is True
        first, second = desk.post(path(made, "/event")), desk.post(path(made, "/event"))
        assert (first.status_code, first.json()["created"]) == (201, True)
        assert (second.status_code, second.json()) == (200, {"event_id": first.json()["event_id"], "created": False})
        [event] = desk.rows(Event)
        assert (event["title"], event["body"]) == ("臨時理事会", "議題は予算\n\n場所：本部")
        assert (jst_text(event["held_at"]), event["image_url"]) == (slot["start_at"], None)
        assert [row["member_id"] for row in desk.rows(EventTarget)] == [101]
        [answer] = desk.rows(EventResponse)
        assert (answer["member_id"], answer["status"], answer["via"]) == (101, "attend", "admin")
        assert desk.rows(EventBroadcast) == []
        assert desk.get(path(made)).json()["thread"]["event_id"] == event["id"]
        assert "THREAD_EVENT" in desk.actions(made["thread"]["id"])

    @pytest.mark.row("1.I.13")
    def test_the_event_is_shown_like_any_other(self, desk: Desk) -> None:
        desk.enrol(101)
        desk.group(7, 101)
        made = desk.create(title="あ" * 200, description="い" * 5000, audience_ids=[7])
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        event_id = desk.post(path(made, "/event")).json()["event_id"]
        http, bearer = desk.product.http, desk.bearer
        base = "/api/admin/events"
        for rest in ("", f"/{event_id}", f"/{event_id}/export/latest.csv", f"/{event_id}/export/latest.xlsx"):
            answer = http.get(base + rest, headers=bearer)
            assert answer.status_code == 200, (rest, answer.text)
        shown = http.get(f"{base}/{event_id}", headers=bearer).json()
        assert "あ" * 99 in str(shown)

    def test_without_members_there_is_nothing_to_make(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        assert desk.get(path(made)).json()["event_possible"] is False
        refused = desk.post(path(made, "/event"))
        assert (refused.status_code, refused.json()["error"]) == (409, "NO_MEMBERS")

    @sqlite_only
    def test_where_events_are_off(self, make_product: ProductMaker, clock: ManualClock) -> None:
        desk = desk_at(make_product(features="scheduling"), clock)
        made = desk.create(invitees=[RAJ])
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        refused = desk.post(path(made, "/event"))
        assert (refused.status_code, refused.json()["error"]) == (409, "EVENTS_OFF")
