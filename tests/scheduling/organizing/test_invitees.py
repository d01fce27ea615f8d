from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tests.scheduling.organizing.test_changing import ALL, RAJ_KEY, path
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import AttendanceRule, ThreadAnswer, ThreadInvite, ThreadSelection

KEN = {"name": "Ken", "email": "ken@example.jp"}


class TestAskingFurtherPeople:
    @pytest.mark.row("1.I.10", "1.I.15")
    def test_new_ones_get_an_invitation(self, desk: Desk) -> None:
        desk.enrol(101, email="ken@example.jp")
        desk.group(7, 101)
        made = desk.create(invitees=[RAJ])
        added = desk.post(path(made, "/invitees"), {"invitees": [MEI, KEN], "audience_ids": [7]})
        assert added.status_code == 201
        assert added.json()["candidates"][0]["invitee_key"] == "lm:101"
        assert [one["name"] for one in added.json()["candidates"]] == ["会員 101", "林 芽衣"]
        assert [warning["code"] for warning in added.json()["warnings"]] == ["DUPLICATE_PERSON"]
        assert len(desk.rows(ThreadSelection)) == len(desk.rows(ThreadMessage, type="invite")) == 3
        assert desk.actions(made["thread"]["id"]).count("THREAD_INVITE") == 2

    def test_members_can_be_asked_one_by_one(self, desk: Desk) -> None:
        desk.enrol(101, 102)
        desk.enrol(103, withdrawn_at=desk.clock.now())
        made = desk.create(member_ids=[102])
        added = desk.post(path(made, "/invitees"), {"member_ids": [101, 102]}).json()
        assert [one["invitee_key"] for one in added["candidates"]] == ["lm:101", "lm:102"]
        before = desk.traces()
        for refused in (
            desk.post(path(made, "/invitees"), {"member_ids": [103, 999]}),
            desk.post(body={"title": "役員会", "member_ids": [103, 999]}),
        ):
            assert refused.status_code == 400
            assert refused.json()["details"] == [
                {"field": "member_ids.103", "reason": "UNKNOWN_MEMBER"},
                {"field": "member_ids.999", "reason": "UNKNOWN_MEMBER"},
            ]
        assert desk.traces() == before

    def test_nobody_is_asked_under_two_keys(self, desk: Desk) -> None:
        desk.enrol(101, email="raj.patel@example.com")
        desk.group(7, 101)
        made = desk.create(invitees=[RAJ])
        added = desk.post(path(made, "/invitees"), {"audience_ids": [7]}).json()
        assert (added["candidates"], [one["code"] for one in added["warnings"]]) == ([], ["DUPLICATE_PERSON"])
        other = desk.create(audience_ids=[7])
        added = desk.post(path(other, "/invitees"), {"invitees": [RAJ]}).json()
        assert (added["candidates"], [one["code"] for one in added["warnings"]]) == ([], ["DUPLICATE_PERSON"])

    def test_who_is_in_the_thread_keeps_the_link(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI, KEN], rule=ALL)
        raj, mei, ken = made["candidates"]
        desk.respond(mei)
        desk.respond(ken, made["slots"][0]["slot_id"])
        desk.clock.advance(timedelta(hours=80))
        again = desk.post(path(made, "/invitees"), {"invitees": [RAJ, MEI, KEN]}).json()
        assert [one["invite_token"] for one in again["candidates"]] == [raj["invite_token"]]
        assert [warning["code"] for warning in again["warnings"]] == ["DECLINED", "ANSWERED"]
        [row] = desk.rows(ThreadInvite, invitee_key=RAJ_KEY)
        assert row["expires_at"] == desk.clock.now() + timedelta(hours=72)
        forced = desk.post(path(made, "/invitees"), {"invitees": [MEI], "force": True}).json()
        assert [one["invite_token"] for one in forced["candidates"]] == [mei["invite_token"]]
        assert [row["status"] for row in desk.rows(ThreadInvite, invitee_key=mei["invitee_key"])] == ["declined"]
        assert len(desk.rows(ThreadInvite)) == 3

    @pytest.mark.row("1.B.10")
    def test_the_rule_may_want_known_people_only(self, desk: Desk) -> None:
        made = desk.create(rule={**DEFAULT_RULE, "invitee_scope": {"allow_unregistered": False}})
        refused = desk.post(path(made, "/invitees"), {"invitees": [RAJ]})
        assert refused.json()["details"] == [{"field": "invitees.0.email", "reason": "NOT_ALLOWED"}]
        assert desk.rows(ThreadInvite) == []

    @pytest.mark.quick("refusal")
    def test_nobody_is_asked_when_it_is_over(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        assert desk.post(path(made, "/invitees"), {"invitees": [MEI]}).json()["error"] == "THREAD_FINALIZED"


class TestTakingSomebodyOff:
    @pytest.mark.row("1.I.10", "1.I.15")
    def test_the_answer_and_the_place_in_the_rule_go_too(self, desk: Desk) -> None:
        keys = [RAJ_KEY, "e:" + _key(MEI["email"])]
        made = desk.create(invitees=[RAJ, MEI, KEN], rule={**ALL, "participants": keys})
        raj, mei, _ = made["candidates"]
        assert mei["invitee_key"] == keys[1]
        desk.respond(raj, made["slots"][0]["slot_id"])
        assert desk.delete(path(made, f"/invitees/{keys[1]}")).status_code == 204
        [rule] = desk.rows(AttendanceRule)
        assert (rule["version"], rule["rule_json"]["participants"]) == (2, [RAJ_KEY])
        assert desk.rows(ThreadSelection, invitee_key=keys[1]) == desk.rows(ThreadInvite, invitee_key=keys[1]) == []
        assert desk.product.http.get(f"/i/{mei['invite_token']}").status_code == 404
        # Raj alone now fulfils the rule. An edit of the office shows that, and decides nothing.
        found = desk.get(path(made, "/status")).json()["evaluation"]
        assert (found["state"], found["finalized"]) == ("satisfied", False)
        assert len(desk.rows(ThreadAnswer)) == 1
        assert desk.delete(path(made, f"/invitees/{keys[1]}")).json()["error"] == "INVITEE_NOT_FOUND"
        assert "THREAD_UNINVITE" in desk.actions(made["thread"]["id"])

    def test_a_rule_that_needs_the_person_says_what_to_do(self, desk: Desk) -> None:
        keys = [RAJ_KEY, "e:" + _key(MEI["email"])]
        rule: dict[str, Any] = {
            **DEFAULT_RULE,
            "type": "K_OF_N",
            "participants": keys,
            "k": 2,
            "rule": {"k": 2, "n": 2},
        }
        made = desk.create(invitees=[RAJ, MEI], rule=rule)
        refused = desk.delete(path(made, f"/invitees/{RAJ_KEY}"))
        assert (refused.status_code, refused.json()["error"]) == (409, "RULE_NEEDS_PERSON")
        assert len(desk.rows(ThreadInvite)) == 2
        assert desk.put(path(made, "/rule"), {"version": 1, "rule": DEFAULT_RULE}).status_code == 200
        assert desk.delete(path(made, f"/invitees/{RAJ_KEY}")).status_code == 204
        assert [row["version"] for row in desk.rows(AttendanceRule)] == [2]


def _key(address: str) -> str:
    return sha256(address.encode()).hexdigest()[:16]
