from datetime import datetime, timedelta
from typing import Any

import orjson
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


def calendar(content: bytes | str) -> dict[str, str]:
    """The properties of the one entry of a calendar file, unfolded."""
    text = content.decode() if isinstance(content, bytes) else content
    lines = text.replace("\r\n ", "").replace("\r\n", "\n").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


class TestEverybody:
    def decided(self, desk: Desk) -> tuple[dict[str, Any], dict[str, Any]]:
        """Five members and Raj are asked: ○, ×, △, no answer, declined; the office decides for the second date."""
        desk.enrol(101, 102, 103, 104, 105)
        desk.group(7, 101, 102, 103, 104, 105)
        made = desk.create(
            title="臨時理事会", description="議題は予算", place="本部", audience_ids=[7], invitees=[RAJ], rule=ALL
        )
        first, slot = made["slots"][0], made["slots"][1]
        one, two, three, _, five, raj = made["candidates"]
        assert desk.respond(one, slot["slot_id"]).status_code == 200
        assert desk.respond(two, first["slot_id"]).status_code == 200
        assert desk.respond(three, first["slot_id"], maybe_slot_ids=[slot["slot_id"]]).status_code == 200
        assert desk.respond(five).status_code == 200
        assert desk.respond(raj, slot["slot_id"]).status_code == 200
        body = {"selected_slot_id": slot["slot_id"], "reason": "決めました"}
        assert desk.post(path(made, "/finalize"), body).status_code == 200
        return made, slot

    @pytest.mark.found("24.B3")
    @pytest.mark.row("5.F.8")
    def test_what_was_said_after_the_decision_counts(self, desk: Desk) -> None:
        made, _ = self.decided(desk)
        for member_id, coming in ((104, True), (101, False)):
            body = {"invitee_key": f"lm:{member_id}", "coming": coming}
            assert desk.post(path(made, "/late-answers"), body).status_code == 201
        desk.post(path(made, "/event"), {"take": "everybody"}).raise_for_status()
        answers = {row["member_id"]: row["status"] for row in desk.rows(EventResponse)}
        assert answers == {101: "absent", 102: "absent", 104: "attend", 105: "absent"}

    @pytest.mark.found("24.B3")
    @pytest.mark.row("5.F.7", "5.F.8")
    def test_is_taken_with_what_they_said_about_the_date(self, desk: Desk) -> None:
        made, _ = self.decided(desk)
        take = desk.get(path(made)).json()["event_take"]
        assert (take["attend"], take["absent"], take["pending"]) == (1, 2, 2)
        answer = desk.post(path(made, "/event"), {"take": "everybody"})
        assert answer.status_code == 201, answer.text
        assert [(one["name"], one["reason"]) for one in answer.json()["left_out"]] == [(RAJ["name"], "NOT_A_MEMBER")]
        assert answer.json()["left_out"] == take["left_out"]
        assert [row["member_id"] for row in desk.rows(EventTarget)] == [101, 102, 103, 104, 105]
        answers = {row["member_id"]: row["status"] for row in desk.rows(EventResponse)}
        assert answers == {101: "attend", 102: "absent", 105: "absent"}
        shown = desk.product.http.get(f"/api/admin/events/{answer.json()['event_id']}", headers=desk.bearer).json()
        assert shown["counts"] == {"attend": 1, "absent": 2, "pending": 2}
        assert desk.get(path(made)).json()["event_take"] is None

    @pytest.mark.found("24.B3")
    @pytest.mark.row("5.F.9")
    def test_goes_on_with_the_calendar_entry_of_the_thread(self, desk: Desk) -> None:
        made, slot = self.decided(desk)
        event_id = desk.post(path(made, "/event"), {"take": "everybody"}).json()["event_id"]
        url = f"/api/admin/events/{event_id}"
        shown = desk.product.http.get(url, headers=desk.bearer).json()
        assert (shown["title"], shown["body"], shown["place"]) == ("臨時理事会", "議題は予算", "本部")
        assert (shown["held_at"], shown["end_at"]) == (slot["start_at"], slot["end_at"])
        token = made["candidates"][0]["invite_token"]
        before = calendar(desk.product.http.get(f"/i/{token}/calendar.ics").content)
        after = calendar(desk.product.http.get(f"{url}/event.ics", headers=desk.bearer).content)
        assert after["UID"] == before["UID"]
        assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
        assert (after["DTSTART"], after["DTEND"], after["LOCATION"]) == (before["DTSTART"], before["DTEND"], "本部")
        cancelled = desk.product.http.post(f"{url}/cancellation", json={"notify": False}, headers=desk.bearer)
        assert cancelled.status_code == 200, cancelled.text
        last = calendar(desk.product.http.get(f"{url}/event.ics", headers=desk.bearer).content)
        assert (last["UID"], last["METHOD"]) == (before["UID"], "CANCEL")
        assert int(last["SEQUENCE"]) > int(after["SEQUENCE"])

    @pytest.mark.found("24.B3")
    @pytest.mark.row("5.F.9")
    def test_may_have_another_place_and_end_and_an_end_moves_with_the_start(self, desk: Desk) -> None:
        made, slot = self.decided(desk)
        start = datetime.fromisoformat(slot["start_at"])
        for hours, reason in ((0, "BEFORE_START"), (7 * 24 + 1, "TOO_LATE")):
            body = {"take": "everybody", "end_at": jst_text(start + timedelta(hours=hours))}
            refused = desk.post(path(made, "/event"), body)
            assert refused.status_code == 400
            assert refused.json()["details"] == [{"field": "end_at", "reason": reason}]
        assert desk.rows(Event) == []
        end_at = jst_text(start + timedelta(hours=3))
        body = {"take": "everybody", "place": "別館", "end_at": end_at}
        url = f"/api/admin/events/{desk.post(path(made, '/event'), body).json()['event_id']}"
        shown = desk.product.http.get(url, headers=desk.bearer).json()
        assert (shown["place"], shown["end_at"]) == ("別館", end_at)
        moved = {"held_at": jst_text(start + timedelta(days=1)), "notify": False}
        assert desk.product.http.patch(url, json=moved, headers=desk.bearer).status_code == 200
        shown = desk.product.http.get(url, headers=desk.bearer).json()
        assert shown["end_at"] == jst_text(start + timedelta(days=1, hours=3))

    @pytest.mark.found("24.B3")
    @pytest.mark.row("5.F.10")
    def test_who_is_added_later_reads_what_when_and_where(self, desk: Desk) -> None:
        made, _ = self.decided(desk)
        event_id = desk.post(path(made, "/event"), {"take": "everybody"}).json()["event_id"]
        desk.enrol(106, line_user_id="U" + "6" * 32)
        url = f"/api/admin/events/{event_id}"
        seen = desk.product.http.post(f"{url}/preview", json={"kind": "late", "member_ids": [106]}, headers=desk.bearer)
        added = desk.product.http.post(f"{url}/targets", json={"member_ids": [106]}, headers=desk.bearer)
        assert added.status_code in (200, 201, 202), added.text
        [sent] = desk.rows(EventBroadcast)
        [message] = orjson.loads(sent["messages"]) if isinstance(sent["messages"], str) else sent["messages"]
        at = next(slot for slot in made["slots"] if slot == made["slots"][1])["start_at"]
        day = f"{int(at[:4])}年{int(at[5:7])}月{int(at[8:10])}日"
        assert message["text"].startswith(f"「臨時理事会」\n{day}（")
        for part in ("場所：本部", "議題は予算", "出欠のご回答をお願いします"):
            assert part in message["text"]
        assert message["text"] in str(seen.json()["messages"]) or message["text"].splitlines()[0] in seen.text

    @pytest.mark.found("24.B3")
    @pytest.mark.row("5.E.8")
    def test_nothing_is_said_to_wait_that_is_never_sent(self, desk: Desk) -> None:
        made, _ = self.decided(desk)
        desk.post(path(made, "/event"), {"take": "everybody"})
        home = desk.product.http.get("/api/admin/home", headers=desk.bearer).json()
        [event] = home["next_events"]
        assert (event["push_stats"], event["waits_to_be_sent"]) == (None, False)

    @pytest.mark.found("24.B3")
    @pytest.mark.row("5.F.7")
    def test_an_empty_body_takes_the_participants_as_before(self, desk: Desk) -> None:
        made, _ = self.decided(desk)
        url = f"/api/threads{path(made, '/event')}"
        answer = desk.product.http.post(url, headers=desk.bearer)
        assert answer.status_code == 201, answer.text
        assert [row["member_id"] for row in desk.rows(EventTarget)] == [101]
        [event] = desk.rows(Event)
        assert event["body"] == "議題は予算\n\n場所：本部"
        wrong = desk.product.http.post(url, content=b"{", headers={**desk.bearer, "content-type": "application/json"})
        assert wrong.status_code == 400
        for body in ({"take": "all"}, {"x": 1}):
            assert desk.post(path(made, "/event"), body).status_code == 400
