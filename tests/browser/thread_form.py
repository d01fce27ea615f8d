"""Threads that find a date: what the office does in the form, and what a colleague does meanwhile through the API."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.conftest import Demo
from tsudoi.core.clock import JST

OpenPage = Callable[..., Page]
_PAGE = re.compile(r"/admin/threads/[0-9a-f-]{36}")


def day(days: int) -> str:
    return (datetime.now(JST) + timedelta(days=days)).date().isoformat()


def slot(days: int, hour: int = 14) -> dict[str, str]:
    start = datetime.fromisoformat(f"{day(days)}T{hour:02}:00:00+09:00")
    return {"start_at": start.isoformat(), "end_at": (start + timedelta(hours=1)).isoformat()}


def rule(kind: str, **fields: Any) -> dict[str, Any]:
    common = {
        "version": "1.0",
        "type": kind,
        "slot_policy": {"multiple_slots_allowed": True},
        "invitee_scope": {"allow_unregistered": True},
        "rule": {},
        "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
    }
    return common | fields


def quorum(count: int) -> dict[str, Any]:
    return rule("K_OF_N", participants=[], k=count, rule={"k": count})


def by_mail(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "email": f"person{number}@example.jp"} for number, name in enumerate(names)]


@dataclass(frozen=True)
class MadeThread:
    """A thread that a colleague made: its id, its slots, and the token of each person by name."""

    id: str
    slots: list[str]
    tokens: dict[str, str]


@dataclass(frozen=True)
class ThreadDesk:
    client: httpx2.Client
    data_dir: Path

    def forget_how_many(self) -> None:
        """An organiser may make ten threads in a minute. The tests of one worker share one organiser and make more."""
        with closing(sqlite3.connect(self.data_dir / "tsudoi.sqlite3", timeout=60)) as database, database:
            database.execute("DELETE FROM rate_limits WHERE bucket LIKE 'threads:%'")

    def make(self, title: str, **fields: Any) -> MadeThread:
        self.forget_how_many()
        body = {"title": title, "slots": [slot(5), slot(6)], **fields}
        made = self.client.post("/api/threads", json=body).raise_for_status().json()
        tokens = {one["name"]: one["invite_token"] for one in made["candidates"]}
        return MadeThread(made["thread"]["id"], [one["slot_id"] for one in made["slots"]], tokens)

    def answer(self, token: str, *slot_ids: str, **fields: Any) -> None:
        """As the link in the mail does it, without any log-in."""
        body = {"status": "selected" if slot_ids else "declined", "selected_slot_ids": list(slot_ids), **fields}
        if not slot_ids:
            del body["selected_slot_ids"]
        with httpx2.Client(base_url=self.client.base_url, timeout=60, trust_env=False) as anybody:
            anybody.post(f"/i/{token}/respond", json=body).raise_for_status()

    def board(self, thread_id: str) -> Any:
        return self.client.get(f"/api/threads/{thread_id}").raise_for_status().json()

    def called(self, title: str) -> list[Any]:
        found: list[Any] = self.client.get("/api/threads", params={"query": title}).raise_for_status().json()["threads"]
        return found


@pytest.fixture
def desk(demo: Demo) -> Iterator[ThreadDesk]:
    with _desk(demo) as made:
        yield made


@contextmanager
def _desk(demo: Demo) -> Iterator[ThreadDesk]:
    headers = demo.session("colleague").headers
    with httpx2.Client(base_url=demo.product, headers=headers, timeout=60, trust_env=False) as client:
        made = ThreadDesk(client, demo.data_dir)
        made.forget_how_many()
        yield made


class ThreadForm:
    """The five steps as the office works them."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def on(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", level=2, name=heading)).to_be_visible()

    def next(self) -> None:
        self.page.get_by_role("button", name=re.compile("^次へ")).click()

    def what(self, title: str) -> None:
        self.page.get_by_label("題名").fill(title)
        self.next()
        self.on("候補日")

    def when(self, *days: int) -> None:
        for number in days:
            self.page.get_by_label("日付").fill(day(number))
            self.page.get_by_role("button", name="候補に追加").click()
        expect(self.chosen_slots()).to_have_count(len(days))
        self.next()
        self.on("声をかける人")

    def chosen_slots(self) -> Locator:
        return self.page.get_by_role("region", name="選んだ候補日").get_by_role("listitem")

    def who(self, pasted: str) -> None:
        self.page.get_by_label("名前とアドレス").fill(pasted)
        expect(self.page.get_by_text("声をかける方")).to_contain_text(re.compile(r"[1-9]\d*人"))
        self.next()
        self.on("決め方")

    def how(self, kind: str) -> None:
        self.page.get_by_role("radio", name=re.compile(f"^{kind}")).check()
        self.next()
        self.on("確認して送る")

    def ask(self) -> Locator:
        self.page.get_by_role("button", name=re.compile("人に送る$")).click()
        return self.page.get_by_role("dialog")

    def arrived(self) -> str:
        self.page.wait_for_url(_PAGE)
        found = re.search(r"threads/([0-9a-f-]{36})", self.page.url)
        assert found is not None
        return found[1]


def posts(page: Page, path: str) -> list[Request]:
    """Every request that changes something below this path, from now on."""
    requests: list[Request] = []
    page.on("request", lambda one: requests.append(one) if one.method == "POST" and one.url.endswith(path) else None)
    return requests
