"""The threads of the demo: one open, one that needs a single ○, one impossible; and nothing new at the second start."""

from datetime import datetime
from typing import Any

import httpx2
import pytest
from sqlalchemy import insert

from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.commands import demo_threads
from tsudoi.commands.demo_people import FRIENDS, GROUPS, make_groups, roster
from tsudoi.commands.demo_threads import THREADS, make_threads
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Tx
from tsudoi.core.names import name_key
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadAnswer, ThreadInvite

OPEN, NEARLY, IMPOSSIBLE = (thread.title for thread in THREADS)


def _members(tx: Tx) -> None:
    """The demo's roster, with the links that the worker makes for friends who show their full name."""
    head, *rows = roster()
    friends = {friend.name: friend.user_id for friend in FRIENDS if friend.follows}
    values = []
    for row in rows:
        one = dict(zip(head, row, strict=True))
        name = one["氏名"]
        columns = {
            "id": one["id"],
            "name": name,
            "name_key": name_key(name, nfkc=False),
            "email": one["メール"] or None,
        }
        values.append({**columns, "line_user_id": friends.get(name), "created_at": tx.now, "updated_at": tx.now})
    tx.execute(insert(Member), [{"is_target": 1, **one} for one in values])


@pytest.fixture
def demo(make_product: ProductMaker, box: Box, monkeypatch: pytest.MonkeyPatch) -> Product:
    """Nothing is sent before `drain`, so there is nothing to wait for."""
    monkeypatch.setattr(demo_threads, "SECONDS_FOR_MESSAGES", 0)
    product = make_product(smtp_url=box.smtp_url, mail_from="office@example.jp", features=("scheduling",))
    for friend in FRIENDS:
        box.person(friend.name, user_id=friend.user_id)
        box.world.users.get(friend.user_id).following = friend.follows  # type: ignore[union-attr]
    product.db.write_now(_members)
    product.make_admin()
    product.http.headers["x-csrf-token"] = product.log_in().json()["csrf_token"]
    make_groups(product.http)
    return product


@pytest.fixture
def now(clock: ManualClock) -> datetime:
    return clock.now()


@pytest.fixture
def office(demo: Product, box: Box, now: datetime) -> httpx2.Client:
    make_threads(demo.http, box.url, now)
    return demo.http


def states(office: httpx2.Client) -> dict[str, str]:
    threads = office.get("/api/threads").raise_for_status().json()["threads"]
    return {one["title"]: f"{one['status']} {one['state']}" for one in threads}


def board(office: httpx2.Client, title: str) -> dict[str, Any]:
    threads = office.get("/api/threads").raise_for_status().json()["threads"]
    thread_id = next(one["id"] for one in threads if one["title"] == title)
    return dict(office.get(f"/api/threads/{thread_id}/status").raise_for_status().json())


@sqlite_only
class TestMakeThreads:
    def test_there_is_one_of_each_kind(self, office: httpx2.Client) -> None:
        assert states(office) == {OPEN: "active open", NEARLY: "active open", IMPOSSIBLE: "active impossible"}
        assert board(office, NEARLY)["evaluation"]["deciding_set"] == ["lm:1"]
        assert len(board(office, OPEN)["evaluation"]["deciding_set"]) > 1

    def test_one_person_on_the_phone_decides_the_second_one(
        self, office: httpx2.Client, demo: Product, box: Box
    ) -> None:
        status = board(office, NEARLY)
        slot_id, thread_id = status["evaluation"]["deciding_slot_id"], status["thread"]["id"]
        with demo.client() as phone:
            token = box.id_token(FRIENDS[0].user_id)
            phone.post("/api/liff/session", json={"id_token": token}).raise_for_status()
            answer = {"status": "selected", "selected_slot_ids": [slot_id]}
            said = phone.post(f"/api/liff/threads/{thread_id}/respond", json=answer).raise_for_status().json()
        assert said["evaluation"]["finalized"]
        assert states(office)[NEARLY] == "finalized finalized"

    def test_phones_and_mailbox_have_something_to_show(self, demo: Product, box: Box, now: datetime) -> None:
        make_threads(demo.http, box.url, now)
        demo.drain()
        assert len(box.chat(FRIENDS[0].user_id)) == 1
        subjects = {mail["subject"] for mail in box.mails()}
        assert subjects == {f"【日程のご相談】{title}" for title in (OPEN, IMPOSSIBLE)}
        ways = {row["via"] for row in demo.rows(ThreadAnswer)}
        assert ways == {"line", "link", "office"}

    def test_a_second_start_changes_nothing(
        self, office: httpx2.Client, demo: Product, box: Box, now: datetime
    ) -> None:
        tables = (SchedulingThread, ThreadInvite, ThreadAnswer, ThreadMessage)
        before = [demo.rows(table) for table in tables]
        make_threads(office, box.url, now)
        assert [demo.rows(table) for table in tables] == before


def test_everybody_who_answers_belongs_to_the_group() -> None:
    for thread in THREADS:
        assert {answer.name for answer in thread.answers} <= set(GROUPS[thread.group]), thread.title
        assert all(len(answer.marks) in (1, len(thread.days)) for answer in thread.answers), thread.title
