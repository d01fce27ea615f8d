"""`POST /i/{token}/respond` as JSON: what is stored, what is refused, and what it decides."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.conftest import NOON
from tests.factories.product import Product
from tests.factories.threads import ALL, ANY, BY_HAND, ONE_SLOT, MadeThread, add_slot, change, make_thread
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.scheduling.thread.models import (
    SchedulingThread,
    ThreadAnswer,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
    ThreadSelectionSlot,
)

ANNA, BEN = "anna@example.com", "ben@example.com"
TABLES = (SchedulingThread, ThreadInvite, ThreadSelection, ThreadSelectionSlot, ThreadAnswer, ThreadFinalize)


def everything(product: Product) -> list[Any]:
    return [product.rows(table) for table in TABLES]


def selected(*slots: str, **more: Any) -> dict[str, Any]:
    return {"status": "selected", "selected_slot_ids": list(slots), **more}


def reason_of(answer: httpx2.Response) -> tuple[int, str, list[tuple[str, str]]]:
    body = answer.json()
    assert set(body) == {"error", "code", "message", "details"}
    return answer.status_code, body["code"], [(one["field"], one["reason"]) for one in body["details"]]


@pytest.fixture
def thread(product: Product) -> MadeThread:
    """Two people, of whom both must agree: the first answer decides nothing."""
    return make_thread(product.db, ANNA, BEN, rule=ALL)


class TestAnAnswer:
    @pytest.mark.row("1.6.9", "1.A.4")
    def test_is_stored_without_cookie_and_origin(self, product: Product, thread: MadeThread) -> None:
        anna, slot = thread.invites[0], thread.slots[1]
        with product.client() as stranger:
            answer = stranger.post(anna.respond, json={"status": "selected", "selected_slot_id": slot})
        assert {"cookie", "origin", "authorization"}.isdisjoint(answer.request.headers)
        assert answer.status_code == 200
        now = "2025-08-16T03:00:00.000000+00:00"
        assert answer.json() == {
            "ok": True,
            "thread_id": thread.id,
            "invitee_key": anna.key,
            "selection": {
                "status": "selected",
                "selected_slot_id": slot,
                "selected_slot_ids": [slot],
                "maybe_slot_ids": [],
                "comment": None,
                "responded_at": now,
            },
            "evaluation": {"finalized": False, "final_slot_id": None, "reason": "WAITING", "final_participants": []},
        }
        selection = next(row for row in product.rows(ThreadSelection) if row["invitee_key"] == anna.key)
        assert selection["status"] == "selected"
        assert selection["selected_slot_id"] == slot
        assert selection["responded_at"] == NOON
        assert (selection["via"], selection["answered_by"]) == ("link", None)
        invite = next(row for row in product.rows(ThreadInvite) if row["id"] == anna.id)
        assert (invite["status"], invite["accepted_at"]) == ("accepted", NOON)

    @pytest.mark.row("1.6.10")
    def test_that_declines_clears_slot_and_time(self, product: Product, thread: MadeThread) -> None:
        anna = thread.invites[0]
        product.http.post(anna.respond, json=selected(thread.slots[0])).raise_for_status()
        answer = product.http.post(anna.respond, json={"status": "declined", "comment": "出張のため"})
        assert answer.status_code == 200
        selection = next(row for row in product.rows(ThreadSelection) if row["invitee_key"] == anna.key)
        assert (selection["status"], selection["selected_slot_id"]) == ("declined", None)
        assert selection["comment"] == "出張のため"
        invite = next(row for row in product.rows(ThreadInvite) if row["id"] == anna.id)
        assert (invite["status"], invite["accepted_at"]) == ("declined", None)
        assert product.rows(ThreadSelectionSlot) == []

    @pytest.mark.row("1.6.12", "1.6.13")
    def test_given_again_changes_the_one_row(self, product: Product, thread: MadeThread, clock: ManualClock) -> None:
        anna, (first, second, _) = thread.invites[0], thread.slots
        product.http.post(anna.respond, json=selected(first)).raise_for_status()
        clock.advance(timedelta(minutes=5))
        product.http.post(anna.respond, json=selected(second)).raise_for_status()
        rows = [row for row in product.rows(ThreadSelection) if row["invitee_key"] == anna.key]
        assert [(row["selected_slot_id"], row["responded_at"]) for row in rows] == [(second, clock.now())]
        assert [row["slot_id"] for row in product.rows(ThreadSelectionSlot)] == [second]

        def accepted_at() -> Any:
            return next(row["accepted_at"] for row in product.rows(ThreadInvite) if row["id"] == anna.id)

        assert accepted_at() == NOON, "the first acceptance is kept"
        product.http.post(anna.respond, json={"status": "declined"}).raise_for_status()
        assert accepted_at() is None
        clock.advance(timedelta(minutes=5))
        product.http.post(anna.respond, json=selected(first)).raise_for_status()
        assert accepted_at() == clock.now(), "the first acceptance after a refusal"
        history = product.rows(ThreadAnswer)
        assert [row["status"] for row in history] == ["selected", "selected", "declined", "selected"]
        assert history[1]["slots"] == [
            {
                "slot_id": second,
                "start_at": "2025-08-18T14:00:00+09:00",
                "end_at": "2025-08-18T15:00:00+09:00",
                "answer": "yes",
            }
        ]
        assert history[0]["name"] == anna.name

    def test_can_name_several_slots_with_yes_and_maybe(self, product: Product, thread: MadeThread) -> None:
        anna, (first, second, third) = thread.invites[0], thread.slots
        cases = [
            (selected(third, second, maybe_slot_ids=[first]), second, [second, third], [first]),
            (selected(second, third, selected_slot_id=third), third, [second, third], []),
            ({"status": "selected", "selected_slot_id": third, "maybe_slot_ids": [first]}, third, [third], [first]),
            (selected(maybe_slot_ids=[third, second]), second, [], [second, third]),
            (selected(first, first), first, [first], []),
        ]
        for body, main, yes, maybe in cases:
            answer = product.http.post(anna.respond, json=body)
            assert answer.status_code == 200, (body, answer.text)
            given = answer.json()["selection"]
            assert (given["selected_slot_id"], given["selected_slot_ids"], given["maybe_slot_ids"]) == (
                main,
                yes,
                maybe,
            ), body
            stored = next(row for row in product.rows(ThreadSelection) if row["invitee_key"] == anna.key)
            marks = {row["slot_id"]: row["answer"] for row in product.rows(ThreadSelectionSlot)}
            assert stored["selected_slot_id"] == main
            assert marks == {**dict.fromkeys(yes, "yes"), **dict.fromkeys(maybe, "maybe")}, body

    def test_of_somebody_whose_pending_row_is_missing_makes_one(self, product: Product, thread: MadeThread) -> None:
        anna = thread.invites[0]
        product.db.write_now(
            lambda tx: tx.execute(
                ThreadSelection.__table__.delete().where(ThreadSelection.invitee_key == anna.key)  # type: ignore[attr-defined]
            )
        )
        product.http.post(anna.respond, json=selected(thread.slots[0])).raise_for_status()
        assert len(product.rows(ThreadSelection)) == 2

    def test_moves_the_thread_for_those_who_follow_it(self, product: Product, thread: MadeThread) -> None:
        before = product.rows(SchedulingThread)[0]["revision"]
        product.http.post(thread.invites[0].respond, json=selected(thread.slots[0])).raise_for_status()
        assert product.rows(SchedulingThread)[0]["revision"] == before + 1


class TestRepeated:
    def test_with_the_same_key_has_one_effect(self, product: Product, thread: MadeThread) -> None:
        anna, key = thread.invites[0], {"idempotency-key": "answer-0001"}
        first = product.http.post(anna.respond, json=selected(thread.slots[0]), headers=key)
        again = product.http.post(anna.respond, json=selected(thread.slots[0]), headers=key)
        assert (again.status_code, again.content) == (200, first.content)
        assert again.headers["idempotent-replayed"] == "true"
        assert len(product.rows(ThreadAnswer)) == 1
        other = product.http.post(anna.respond, json=selected(thread.slots[1]), headers=key)
        assert reason_of(other)[:2] == (422, "IDEMPOTENCY_KEY_REUSED")
        another_person = product.http.post(thread.invites[1].respond, json=selected(thread.slots[0]), headers=key)
        assert another_person.json()["invitee_key"] == thread.invites[1].key

    @sqlite_only
    def test_too_often_has_to_wait(self, product: Product, thread: MadeThread) -> None:
        anna, ben = thread.invites
        answers = [product.http.post(anna.respond, json={"status": "declined"}).status_code for _ in range(31)]
        assert answers == [200] * 30 + [429]
        assert len(product.rows(ThreadAnswer)) == 30
        assert product.http.post(ben.respond, json={"status": "declined"}).status_code == 200


class TestRefused:
    @pytest.mark.row("1.6.11")
    def test_and_nothing_is_written(self, product: Product, thread: MadeThread) -> None:
        anna, (first, second, _) = thread.invites[0], thread.slots
        strange = make_thread(product.db, BEN).slots[0]
        past = add_slot(product.db, thread.id, NOON)
        before = everything(product)
        cases: list[tuple[Any, str, list[tuple[str, str]]]] = [
            ({"status": "accepted"}, "INVALID_INPUT", [("status", "NOT_ALLOWED")]),
            ({}, "INVALID_INPUT", [("status", "REQUIRED")]),
            ({"status": "selected"}, "INVALID_INPUT", [("selected_slot_id", "REQUIRED")]),
            (selected(), "INVALID_INPUT", [("selected_slot_id", "REQUIRED")]),
            (selected(strange), "UNKNOWN_SLOT", [("selected_slot_ids.0", "UNKNOWN_SLOT")]),
            (selected(first, strange), "UNKNOWN_SLOT", [("selected_slot_ids.1", "UNKNOWN_SLOT")]),
            (
                {"status": "selected", "selected_slot_id": "nonsense"},
                "UNKNOWN_SLOT",
                [("selected_slot_id", "UNKNOWN_SLOT")],
            ),
            (selected(maybe_slot_ids=[strange]), "UNKNOWN_SLOT", [("maybe_slot_ids.0", "UNKNOWN_SLOT")]),
            (selected(past), "SLOT_PAST", [("selected_slot_ids.0", "SLOT_PAST")]),
            (selected(first, maybe_slot_ids=[first]), "INVALID_INPUT", [("maybe_slot_ids", "CONTRADICTION")]),
            (
                {"status": "declined", "selected_slot_id": second},
                "INVALID_INPUT",
                [("selected_slot_id", "NOT_ALLOWED")],
            ),
            (selected(first, invitee_key=thread.invites[1].key), "INVALID_INPUT", [("invitee_key", "UNKNOWN_FIELD")]),
            (selected(first, comment="あ" * 201), "INVALID_INPUT", [("comment", "TOO_LONG")]),
            (selected(first, comment="a\nb"), "INVALID_INPUT", [("comment", "CONTROL_CHARACTER")]),
        ]
        for body, code, details in cases:
            answer = product.http.post(anna.respond, json=body)
            assert reason_of(answer) == (400, code, details), body
        assert everything(product) == before

    def test_maybe_where_it_is_switched_off(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ALL, maybe_allowed=0)
        answer = product.http.post(thread.invites[0].respond, json=selected(maybe_slot_ids=[thread.slots[0]]))
        assert reason_of(answer) == (400, "INVALID_INPUT", [("maybe_slot_ids", "NOT_ALLOWED")])
        assert product.rows(ThreadAnswer) == []

    @pytest.mark.row("1.B.8")
    def test_two_slots_where_one_is_allowed(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ONE_SLOT)
        anna, (first, second, _) = thread.invites[0], thread.slots
        two = product.http.post(anna.respond, json=selected(first, second))
        assert reason_of(two) == (400, "ONE_SLOT_ONLY", [("selected_slot_ids", "ONE_SLOT_ONLY")])
        one_and_maybe = product.http.post(anna.respond, json=selected(first, maybe_slot_ids=[second]))
        assert reason_of(one_and_maybe) == (400, "ONE_SLOT_ONLY", [("maybe_slot_ids", "ONE_SLOT_ONLY")])
        assert product.http.post(anna.respond, json=selected(second)).status_code == 200
        several = make_thread(product.db, ANNA, BEN, rule=ALL)
        both = product.http.post(several.invites[0].respond, json=selected(*several.slots[:2]))
        assert both.json()["selection"]["selected_slot_ids"] == several.slots[:2]
        counted = product.http.post(several.invites[1].respond, json=selected(several.slots[1]))
        assert counted.json()["evaluation"]["final_slot_id"] == several.slots[1], "the second of two counts too"

    @pytest.mark.row("1.6.16")
    def test_expired_unknown_draft_and_cancelled(self, product: Product, thread: MadeThread) -> None:
        anna, body = thread.invites[0], selected(thread.slots[0])
        draft = make_thread(product.db, ANNA, status="draft")
        cancelled = make_thread(product.db, ANNA, status="cancelled", cancelled_at=NOON)
        change(product.db, ThreadInvite, ThreadInvite.id == anna.id, expires_at=NOON)
        before = everything(product)
        cases = [
            (anna.respond, 410, "INVITE_EXPIRED"),
            (draft.invites[0].respond, 404, "INVITE_NOT_FOUND"),
            ("/i/no-such-token/respond", 404, "INVITE_NOT_FOUND"),
            (f"/i/{'x' * 300}/respond", 404, "INVITE_NOT_FOUND"),
            ("/i/%E3%81%82/respond", 404, "INVITE_NOT_FOUND"),
            (cancelled.invites[0].respond, 409, "THREAD_CANCELLED"),
        ]
        for path, status, code in cases:
            assert reason_of(product.http.post(path, json=body))[:2] == (status, code), path
        assert everything(product) == before

    @sqlite_only
    def test_other_types_and_broken_json(self, product: Product, thread: MadeThread) -> None:
        url = thread.invites[0].respond
        text = product.http.post(url, content=b"{}", headers={"content-type": "text/plain"})
        assert reason_of(text)[:2] == (415, "UNSUPPORTED_MEDIA_TYPE")
        broken = product.http.post(url, content=b"{", headers={"content-type": "application/json"})
        assert reason_of(broken) == (400, "INVALID_INPUT", [("body", "INVALID_JSON")])
        stranger = product.http.post("/i/unknown/respond", content=b"{", headers={"content-type": "application/json"})
        assert reason_of(stranger)[:2] == (404, "INVITE_NOT_FOUND"), "a stranger does not learn what is wrong"


class TestTheDecision:
    @pytest.mark.row("1.6.14")
    def test_is_made_by_the_first_answer_of_an_any_thread(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ANY)
        anna, (_, second, third) = thread.invites[0], thread.slots
        answer = product.http.post(anna.respond, json=selected(third, second))
        assert answer.json()["evaluation"] == {
            "finalized": True,
            "final_slot_id": second,
            "reason": "FINALIZED",
            "final_participants": [anna.key],
        }
        (row,) = product.rows(ThreadFinalize)
        assert (row["thread_id"], row["selected_slot_id"]) == (thread.id, second)
        assert (row["auto_finalized"], row["finalized_by_user_id"], row["finalized_at"]) == (1, None, NOON)
        assert row["final_participants"] == [anna.key]
        assert row["reason"]
        assert product.rows(SchedulingThread)[0]["status"] == "finalized"
        audited = [(one["actor"], one["action"], one["subject"]) for one in product.rows(AuditLog)]
        assert ("system", "THREAD_FINALIZE", f"thread:{thread.id}") in audited

    @pytest.mark.row("1.6.15")
    def test_ends_all_answers(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ANY)
        product.http.post(thread.invites[0].respond, json=selected(thread.slots[0])).raise_for_status()
        before = everything(product)
        late = product.http.post(thread.invites[1].respond, json=selected(thread.slots[1]))
        assert reason_of(late)[:2] == (409, "THREAD_FINALIZED")
        assert everything(product) == before

    def test_shows_nobody_the_keys_of_others(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ALL)
        product.http.post(thread.invites[0].respond, json=selected(thread.slots[0])).raise_for_status()
        last = product.http.post(thread.invites[1].respond, json=selected(thread.slots[0]))
        assert last.json()["evaluation"]["final_participants"] == [thread.invites[1].key]
        assert thread.invites[0].key not in last.text
        assert product.rows(ThreadFinalize)[0]["final_participants"] == [one.key for one in thread.invites]

    def test_waits_where_the_rule_or_the_deadline_say_so(self, product: Product) -> None:
        by_hand = make_thread(product.db, ANNA, rule=BY_HAND)
        later = make_thread(product.db, ANNA, rule=ANY, decide_at_deadline=1, deadline_at=NOON + timedelta(days=1))
        for thread in (by_hand, later):
            answer = product.http.post(thread.invites[0].respond, json=selected(thread.slots[0]))
            assert answer.json()["evaluation"]["finalized"] is False
            assert answer.json()["evaluation"]["reason"] == "SATISFIED"
        assert product.rows(ThreadFinalize) == []

    def test_can_be_made_by_a_refusal(self, product: Product) -> None:
        """△ counts as soon as nothing can be decided by ○ any more: here the last ○ becomes impossible."""
        thread = make_thread(product.db, ANNA, BEN, rule=ANY)
        anna, ben = thread.invites
        first = product.http.post(anna.respond, json=selected(maybe_slot_ids=[thread.slots[0]]))
        assert first.json()["evaluation"]["finalized"] is False
        last = product.http.post(ben.respond, json={"status": "declined"})
        assert last.json()["evaluation"] == {
            "finalized": True,
            "final_slot_id": thread.slots[0],
            "reason": "FINALIZED",
            "final_participants": [],
        }
        assert product.rows(ThreadFinalize)[0]["final_participants"] == [anna.key]
