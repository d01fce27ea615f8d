"""Nobody sees or changes what belongs to somebody else by changing an id, a key or a token."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.factories.events import liff_client, make_members
from tests.factories.product import Product
from tests.factories.threads import ALL, MadeThread, change, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.organizing.desk import Desk, desk_at
from tsudoi.core.clock import ManualClock
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadAnswer, ThreadSelection

pytestmark = [sqlite_only, pytest.mark.row("1.I.8")]


@pytest.fixture
def thread(product: Product) -> MadeThread:
    """Two members and two addresses of other people."""
    make_members(product.db, 101, 102, 103)
    return make_thread(product.db, 101, 102, "canary-a@example.com", "canary-b@example.com", rule=ALL)


@pytest.fixture
def phone(product: Product) -> Iterator[httpx2.Client]:
    with liff_client(product, 103) as found:
        yield found


def stored(product: Product) -> list[object]:
    return [product.rows(ThreadSelection), product.rows(ThreadAnswer)]


class TestALink:
    def test_shows_nobody_else(self, product: Product, thread: MadeThread) -> None:
        _, _, anna, ben = thread.invites
        body = {"status": "selected", "selected_slot_ids": thread.slots, "comment": "CANARY-COMMENT"}
        product.http.post(ben.respond, json=body).raise_for_status()
        said = product.http.get(anna.path).text
        answer = product.http.post(anna.respond, json={"status": "declined"}).text
        secrets = (ben.key, ben.name, ben.token, "canary-b@", "CANARY-COMMENT", "会員101", "lm:101")
        assert [one for one in secrets if one in said + answer] == []
        assert (anna.name in said, anna.key in answer) == (True, True)

    def test_cannot_name_another_person(self, product: Product, thread: MadeThread) -> None:
        before = stored(product)
        anna, ben = thread.invites[2:]
        for more in ({"invitee_key": ben.key}, {"token": ben.token}, {"thread_id": thread.id}, {"via": "office"}):
            answer = product.http.post(anna.respond, json={"status": "declined", **more})
            assert (answer.status_code, answer.json()["details"][0]["reason"]) == (400, "UNKNOWN_FIELD"), more
        assert stored(product) == before

    def test_cannot_name_a_slot_of_another_thread(self, product: Product, thread: MadeThread) -> None:
        other = make_thread(product.db, "canary-c@example.com")
        anna, before = thread.invites[2], stored(product)
        for field, value in (
            ("selected_slot_id", other.slots[0]),
            ("selected_slot_ids", [thread.slots[0], other.slots[0]]),
            ("maybe_slot_ids", [other.slots[0]]),
        ):
            answer = product.http.post(anna.respond, json={"status": "selected", field: value})
            assert (answer.status_code, answer.json()["code"]) == (400, "UNKNOWN_SLOT"), field
        assert stored(product) == before

    def test_is_worth_nothing_once_the_person_is_taken_off_the_list(
        self, product: Product, thread: MadeThread, clock: ManualClock
    ) -> None:
        anna = thread.invites[2]
        assert desk_at(product, clock).delete(f"/{thread.id}/invitees/{anna.key}").status_code == 204
        assert product.http.get(anna.path).status_code == 404
        assert product.http.post(anna.respond, json={"status": "declined"}).status_code == 404
        assert product.http.post(f"{anna.path}/unsubscribe").status_code == 404
        assert product.http.post(f"{anna.path}/resubscribe").status_code == 404

    def test_is_not_guessed_from_ids_keys_or_parts(self, product: Product, thread: MadeThread) -> None:
        anna = thread.invites[2]
        guesses = (anna.id, anna.key, thread.id, anna.token[:-1], f"{anna.token}x", anna.token.swapcase(), "%25", "_")
        for guess in guesses:
            assert product.http.get(f"/i/{guess}").status_code == 404, guess
            assert product.http.post(f"/i/{guess}/respond", json={"status": "declined"}).status_code == 404, guess

    def test_of_a_draft_does_not_work_yet(self, product: Product, thread: MadeThread) -> None:
        change(product.db, SchedulingThread, SchedulingThread.id == thread.id, status="draft")
        anna = thread.invites[2]
        assert product.http.get(anna.path).status_code == 404
        assert product.http.post(anna.respond, json={"status": "declined"}).status_code == 404
        with liff_client(product, 101) as member:
            assert member.get("/api/liff/threads").json() == {"threads": []}
            assert member.get(f"/api/liff/threads/{thread.id}").status_code == 404

    def test_opens_nothing_of_the_office(self, product: Product, thread: MadeThread) -> None:
        token = thread.invites[2].token
        for headers in ({"authorization": f"Bearer {token}"}, {"cookie": f"tsudoi_admin={token}"}):
            assert product.http.get(f"/api/threads/{thread.id}", headers=headers).status_code == 401
            assert product.http.get(f"/api/threads/{thread.id}/status", headers=headers).status_code == 401


class TestAMember:
    def test_who_is_not_asked_finds_no_thread(self, product: Product, thread: MadeThread, phone: httpx2.Client) -> None:
        before = stored(product)
        assert phone.get("/api/liff/threads").json() == {"threads": []}
        heard = [
            phone.get(f"/api/liff/threads/{thread.id}"),
            phone.post(f"/api/liff/threads/{thread.id}/respond", json={"status": "declined"}),
            phone.get("/api/liff/threads/5b7fd5d4-3f0f-4be8-8a36-6a8d4bb7ab15"),
        ]
        assert [(answer.status_code, answer.json()["code"]) for answer in heard] == [(404, "THREAD_NOT_FOUND")] * 3
        assert stored(product) == before

    def test_who_is_asked_answers_for_nobody_else(self, product: Product, thread: MadeThread) -> None:
        with liff_client(product, 101) as member:
            seen = member.get(f"/api/liff/threads/{thread.id}").text
            path = f"/api/liff/threads/{thread.id}/respond"
            refused = member.post(path, json={"status": "declined", "invitee_key": "lm:102"})
            answer = member.post(path, json={"status": "declined"})
        assert (refused.status_code, answer.status_code) == (400, 200)
        assert [one for one in ("会員102", "lm:102", "canary-a") if one in seen + answer.text] == []
        answered = {row["invitee_key"] for row in product.rows(ThreadSelection) if row["status"] != "pending"}
        assert answered == {"lm:101"}


class TestTheOffice:
    def test_sees_the_links_on_the_board_of_one_thread_and_nowhere_else(
        self, product: Product, thread: MadeThread, clock: ManualClock
    ) -> None:
        """A link is copied from the board for somebody who has lost it."""
        desk: Desk = desk_at(product, clock)
        said = "".join(desk.get(path).text for path in ("", f"/{thread.id}/status", f"/{thread.id}/history"))
        assert thread.id in said
        assert [invite.token for invite in thread.invites if invite.token in said] == []

    def test_of_one_thread_cannot_reach_into_another(
        self, product: Product, thread: MadeThread, clock: ManualClock
    ) -> None:
        desk, other = desk_at(product, clock), make_thread(product.db, "canary-c@example.com")
        anna = thread.invites[2]
        heard = {
            "slot": desk.delete(f"/{other.id}/slots/{thread.slots[0]}"),
            "person": desk.delete(f"/{other.id}/invitees/{anna.key}"),
            "answer": desk.post(f"/{other.id}/answers", {"invitee_key": anna.key, "status": "declined"}),
            "decision": desk.post(f"/{other.id}/finalize", {"selected_slot_id": thread.slots[0], "reason": "x"}),
            "rule": desk.put(f"/{other.id}/rule", {"version": 1, "rule": {"type": "ALL", "participants": [anna.key]}}),
        }
        expected = {"slot": 404, "person": 404, "answer": 400, "decision": 400, "rule": 400}
        assert {name: answer.status_code for name, answer in heard.items()} == expected
        reminded = desk.post(f"/{other.id}/remind", {"invitee_keys": [anna.key]})
        assert reminded.status_code in (200, 400)
        assert anna.key not in reminded.json().get("reminded", [])
