"""Previews: who would be told which way and what it says, with nothing stored."""

from typing import Any

from tests.factories.product import Box
from tests.factories.threads import ALL
from tests.product_fixtures import sqlite_only
from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tsudoi.roster.members.models import Member

pytestmark = sqlite_only


class TestOfTheCreation:
    def test_shows_people_ways_cost_and_texts_and_stores_nothing(self, desk: Desk, box: Box) -> None:
        desk.enrol(101, 102)
        friend = box.friend()
        desk.follows(friend)
        desk.product.db.write_now(
            lambda tx: tx.execute(Member.__table__.update().where(Member.id == 101).values(line_user_id=friend))  # type: ignore[attr-defined]
        )
        body = {
            "title": "役員会",
            "rule": ALL,
            "invitees": [RAJ, {**RAJ, "name": "Raj again"}],
            "audience_ids": [desk.group(1, 101, 102)],
            "slots": [desk.slot(days=2), desk.slot(days=1)],
        }
        before = desk.traces()
        found = desk.post("/preview", body)
        assert found.status_code == 200, found.text
        shown = found.json()
        ways = {one["invitee_key"]: one["channel"] for one in shown["people"]}
        assert ways == {"lm:101": "line", "lm:102": "call", "e:a8e45af9f16f6fdc": "mail"}
        assert (shown["line"], shown["mail"], shown["call"]) == (1, 1, 1)
        assert (shown["cost"]["known"], shown["cost"]["cost"], shown["cost"]["enough"]) == (True, 1, True)
        assert shown["subject"] == "役員会 - You're invited to join a conversation"
        assert "ご都合をお聞かせください" in shown["mail_text"]
        assert "参加できない場合も1回押すだけ" in shown["line_text"]
        assert [slot["start_at"] for slot in shown["slots"]] == sorted(slot["start_at"] for slot in shown["slots"])
        assert "全員" in shown["rule_sentence"]
        assert [one["code"] for one in shown["warnings"]] == ["DUPLICATE_PERSON"]
        assert desk.traces() == before
        assert len(box.mails()) == 0

    def test_refuses_what_the_creation_would_refuse(self, desk: Desk) -> None:
        cases: list[dict[str, Any]] = [
            {"title": ""},
            {"title": "a", "invitees": [{"name": "a", "email": "no address"}]},
            {"title": "a", "slots": [desk.slot(days=-1)]},
            {"title": "a", "rule": {**ALL, "type": "EXPRESSION"}},
            {"title": "a", "audience_ids": [9]},
            {"title": "a", "timezone": "Asia/Tokio"},
        ]
        for case in cases:
            preview, creation = desk.post("/preview", case), desk.post("", case)
            assert preview.status_code == creation.status_code == 400, case
            assert preview.json() == creation.json(), case
        assert desk.product.http.post("/api/threads/preview", json={}).status_code == 401


class TestOfAnAction:
    def test_shows_what_each_action_would_send(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=ALL, send=False)
        url = f"/{made['thread']['id']}/preview"
        slot = made["slots"][0]["slot_id"]
        sent = desk.post(url, {"action": "send"}).json()
        assert [one["channel"] for one in sent["people"]] == ["mail", "mail"]
        assert sent["subject"] == "役員会 - You're invited to join a conversation"
        assert desk.post(url, {"action": "remind"}).json()["code"] == "NOT_SENT_YET"
        desk.post(f"/{made['thread']['id']}/send")
        desk.respond(made["candidates"][0], slot)
        before = desk.traces()
        expected = {
            "remind": ("【回答のお願い】役員会", "まだご回答をいただいていません"),
            "finalize": ("【日程決定】役員会（8/17（日）14:00）", "ご参加をお待ちしています"),
            "cancel": ("【中止】役員会", "中止になりました"),
            "reopen": ("【日程の再調整】役員会", "もう一度調整します"),
            "add_slots": ("【候補日の追加】役員会", "候補日が増えました"),
        }
        for action, (subject, words) in expected.items():
            answer = desk.post(url, {"action": action, "slot_id": slot, "reason": "台風のため"})
            assert answer.status_code == 200, answer.text
            shown = answer.json()
            assert shown["subject"] == subject
            assert words in shown["mail_text"], action
            assert words in shown["line_text"], action
            assert ("台風のため" in shown["mail_text"]) == (action != "remind"), action
        reminded = desk.post(url, {"action": "remind"}).json()
        assert [one["name"] for one in reminded["people"]] == [MEI["name"]]
        assert [one["reason"] for one in reminded["skipped"]] == ["ANSWERED"]
        assert desk.traces() == before

    def test_answers_for_strangers_and_wrong_slots(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        url = f"/{made['thread']['id']}/preview"
        assert desk.post("/nothing/preview", {"action": "send"}).status_code == 404
        assert desk.post(url, {"action": "finalize"}).json()["details"] == [{"field": "slot_id", "reason": "REQUIRED"}]
        assert desk.post(url, {"action": "finalize", "slot_id": "x"}).json()["code"] == "UNKNOWN_SLOT"
        assert desk.post(url, {"action": "dance"}).status_code == 400
        assert desk.product.http.post(f"/api/threads{url}", json={"action": "send"}).status_code == 401
