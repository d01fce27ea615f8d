"""The five rules over HTTP: stored as they were sent, and deciding as the engine does."""

from typing import Any

import pytest

from tests.scheduling.organizing.desk import Desk
from tsudoi.core.addresses import mail_key
from tsudoi.scheduling.invitations.endpoints.answering import AnswerRoute
from tsudoi.scheduling.organizing.endpoints.admitting import CountedRoute
from tsudoi.scheduling.thread.models import AttendanceRule, ThreadFinalize

PEOPLE = [{"name": name, "email": f"{name}@example.com"} for name in ("anna", "ben", "cleo", "dan")]
ANNA, BEN, CLEO, DAN = (mail_key(person["email"]) for person in PEOPLE)
SHARED: dict[str, Any] = {
    "version": "1.0",
    "slot_policy": {"multiple_slots_allowed": True},
    "invitee_scope": {"allow_unregistered": True},
    "rule": {},
    "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
}
ANY: dict[str, Any] = {**SHARED, "type": "ANY"}
ALL: dict[str, Any] = {**SHARED, "type": "ALL", "participants": [ANNA, BEN]}
ALL["slot_policy"] = {"multiple_slots_allowed": False}
K_OF_N: dict[str, Any] = {**SHARED, "type": "K_OF_N", "participants": [ANNA, BEN, CLEO], "k": 2}
K_OF_N["rule"] = {"k": 2, "n": 3}
REQUIRED: dict[str, Any] = {**SHARED, "type": "REQUIRED_PLUS_K", "required": [ANNA], "optional": [BEN, CLEO, DAN]}
REQUIRED |= {"quorum": 2, "rule": {"required_count": 1, "optional_quorum": 2}}
GROUP: dict[str, Any] = {**SHARED, "type": "GROUP_ANY", "rule": {"groups": 2}}
GROUP["groups"] = [
    {"name": "理事会", "any_of_invitee_keys": [ANNA], "min": 1},
    {"name": "営業部", "any_of_invitee_keys": [BEN, CLEO], "min": 2},
]
# Who says yes, one after the other, and when it is decided.
DECIDES = [
    (ANY, "d", 1),
    (ALL, "dab", 3),
    (K_OF_N, "dac", 3),
    (REQUIRED, "bcda", 4),
    (GROUP, "dbc", 3),
    (GROUP, "da", 2),
]


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CountedRoute, "limit", None)
    monkeypatch.setattr(AnswerRoute, "limits_per_principal", ())


def created(desk: Desk, rule: dict[str, Any], **more: Any) -> dict[str, Any]:
    return desk.create(invitees=PEOPLE, rule=rule, **more)


class TestTheRuleOfAThread:
    @pytest.mark.row("1.B.1", "1.B.7")
    def test_is_stored_key_by_key_as_it_was_sent(self, desk: Desk) -> None:
        for rule in (ANY, ALL, K_OF_N, REQUIRED, GROUP):
            made = created(desk, rule)
            [row] = desk.rows(AttendanceRule, thread_id=made["thread"]["id"])
            assert row["rule_json"] == made["attendance_rule"]["rule_json"] == rule
            assert made["attendance_rule"]["type"] == rule["type"]

    @pytest.mark.quick("happy_path")
    @pytest.mark.row("1.B.2")
    def test_decides_with_the_answer_that_fulfils_it(self, desk: Desk) -> None:
        for rule, order, needed in DECIDES:
            made = created(desk, rule)
            slot_id = made["slots"][1]["slot_id"]
            for number, letter in enumerate(order, 1):
                said = desk.respond(made["candidates"]["abcd".index(letter)], slot_id)
                assert (said.status_code, said.json()["evaluation"]["finalized"]) == (200, number == needed), (
                    rule,
                    order,
                )
            [decision] = desk.rows(ThreadFinalize, thread_id=made["thread"]["id"])
            keys = dict(zip("abcd", (ANNA, BEN, CLEO, DAN), strict=True))
            assert decision["selected_slot_id"] == slot_id
            assert decision["final_participants"] == [keys[letter] for letter in sorted(order)]

    @pytest.mark.row("1.B.3", "1.B.6")
    def test_shows_when_nobody_can_fulfil_it_any_more(self, desk: Desk) -> None:
        for rule, gone in ((ALL, 0), (REQUIRED, 0)):
            made = created(desk, rule)
            assert desk.respond(made["candidates"][gone]).status_code == 200
            evaluation = desk.get(f"/{made['thread']['id']}/status").json()["evaluation"]
            assert (evaluation["state"], evaluation["can_change"]) == ("impossible", [])

    @pytest.mark.row("1.B.4")
    def test_for_everybody_follows_those_who_are_invited(self, desk: Desk) -> None:
        everybody = {**ALL, "participants": []}
        made = desk.create(invitees=[], rule=everybody)
        one = f"/{made['thread']['id']}"
        assert desk.get(f"{one}/status").json()["evaluation"]["state"] == "impossible"
        added = desk.post(f"{one}/invitees", {"invitees": PEOPLE[:2]}).json()["candidates"]
        slot_id = made["slots"][0]["slot_id"]
        assert desk.respond(added[0], slot_id).json()["evaluation"]["finalized"] is False
        assert desk.respond(added[1], slot_id).json()["evaluation"]["finalized"] is True

    @pytest.mark.row("1.B.9")
    def test_by_hand_says_what_would_win_and_leaves_it_to_the_office(self, desk: Desk) -> None:
        by_hand = {**ANY, "finalize_policy": {"auto_finalize": False, "policy": "EARLIEST_VALID"}}
        made = created(desk, by_hand)
        one, slot_id = f"/{made['thread']['id']}", made["slots"][2]["slot_id"]
        assert desk.respond(made["candidates"][0], slot_id).json()["evaluation"]["finalized"] is False
        evaluation = desk.get(f"{one}/status").json()["evaluation"]
        assert (evaluation["state"], evaluation["would_finalize_slot_id"]) == ("satisfied", slot_id)
        assert desk.post(f"{one}/finalize", {"selected_slot_id": slot_id}).status_code == 200
        assert len(desk.rows(ThreadFinalize)) == 1

    @pytest.mark.row("1.B.5", "1.B.7", "1.B.11")
    def test_is_refused_with_its_field_and_leaves_nothing_behind(self, desk: Desk) -> None:
        best: dict[str, Any] = {"auto_finalize": True, "policy": "BEST_SCORE"}
        wrong: list[tuple[dict[str, Any], str, str]] = [
            ({**K_OF_N, "k": 0}, "rule.k", "TOO_SMALL"),
            ({**K_OF_N, "k": 4, "rule": {}}, "rule.k", "TOO_LARGE"),
            ({**K_OF_N, "k": 1}, "rule.rule.k", "MISMATCH"),
            ({**ANY, "type": "EXPRESSION"}, "rule.type", "NOT_ALLOWED"),
            ({**ANY, "finalize_policy": best}, "rule.finalize_policy.policy", "NOT_ALLOWED"),
            ({**ALL, "participants": ["e:0000000000000000"]}, "rule.participants.0", "NOT_INVITED"),
        ]
        before = desk.traces()
        for rule, field, reason in wrong:
            answer = desk.post(body={"title": "役員会", "invitees": PEOPLE, "rule": rule})
            assert (answer.status_code, answer.json()["code"]) == (400, "BAD_RULE"), field
            assert {"field": field, "reason": reason} in answer.json()["details"]
        assert desk.traces() == before


class TestMaybe:
    def slots(self, made: dict[str, Any]) -> list[str]:
        return [slot["slot_id"] for slot in made["slots"]]

    def test_does_not_decide_over_a_later_yes(self, desk: Desk) -> None:
        made = created(desk, {**K_OF_N, "participants": [], "rule": {}})
        first, second, _ = self.slots(made)
        people = made["candidates"]
        assert desk.respond(people[0], first).json()["evaluation"]["finalized"] is False
        unsure = desk.product.http.post(
            f"/i/{people[1]['invite_token']}/respond", json={"status": "selected", "maybe_slot_ids": [first]}
        )
        assert unsure.json()["evaluation"]["finalized"] is False
        assert desk.respond(people[2], second).json()["evaluation"]["finalized"] is False
        assert desk.respond(people[3], second).json()["evaluation"]["final_slot_id"] == second

    def test_decides_where_yes_alone_cannot_any_more(self, desk: Desk) -> None:
        made = created(desk, {**ALL, "slot_policy": {"multiple_slots_allowed": True}})
        first = self.slots(made)[0]
        anna, ben = (f"/i/{one['invite_token']}/respond" for one in made["candidates"][:2])
        unsure = desk.product.http.post(anna, json={"status": "selected", "maybe_slot_ids": [first]})
        assert unsure.json()["evaluation"]["finalized"] is False
        sure = desk.product.http.post(ben, json={"status": "selected", "selected_slot_id": first})
        assert sure.json()["evaluation"]["final_slot_id"] == first
        [decision] = desk.rows(ThreadFinalize)
        assert decision["final_participants"] == [ANNA, BEN]
        assert "△" in decision["reason"]
