"""The form that makes an event, as the office works it in the browser."""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.conftest import Demo
from tsudoi.commands.demo_people import FRIENDS
from tsudoi.core.clock import JST

OpenPage = Callable[..., Page]
MAKING = re.compile(r"/api/admin/events\?")
# A group says that it is contained in 「全員」, and so has the word in its name too.
EVERYBODY = re.compile("^全員")
# An event may be planned for the next five years.
NEXT_YEAR = datetime.now(JST).year + 1
YAMADA, SATO = FRIENDS[0], FRIENDS[1]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures") / "案内.jpg"
    Image.new("RGB", (600, 800), "#1f5f57").save(path, quality=80)
    return path


@pytest.fixture
def box(demo: Demo) -> Any:
    with httpx2.Client(base_url=demo.phones, trust_env=False) as client:
        yield client


class Form:
    """The wizard as the office works it."""

    def __init__(self, page: Page, picture: Path) -> None:
        self.page, self.picture = page, picture

    def on(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", level=2, name=heading)).to_be_visible()

    def next(self) -> None:
        self.page.get_by_role("button", name=re.compile("^次へ")).click()

    def basics(self, title: str, date: str = f"{NEXT_YEAR}-09-10", time: str = "19:00") -> None:
        # The list of events, from which a person may come, has a field whose label begins with the same word.
        self.on("基本情報")
        self.page.get_by_label("タイトル").fill(title)
        self.page.get_by_label("開催日", exact=True).fill(date)
        self.page.get_by_label("開始時刻").fill(time)

    def choose_file(self, *files: Any) -> None:
        self.page.locator("input[type=file]").set_input_files(*files)

    def fill_to(self, step: int, title: str = "理事会9月") -> None:
        self.basics(title)
        self.next()
        self.on("画像")
        if step > 2:
            self.choose_file(self.picture)
            expect(self.page.get_by_alt_text("選んだ画像")).to_be_visible()
            self.next()
            self.on("配信先")
        if step > 3:
            self.page.get_by_role("checkbox", name=EVERYBODY).check()
            self.next()
            self.on("受信者の確認")
            expect(self.page.get_by_role("list", name="受信者")).to_be_visible()
        if step > 4:
            self.next()
            self.on("確認して送信")
            expect(self.page.get_by_role("img", name="LINEに届くメッセージの見本")).to_be_visible()

    def person(self, name: str) -> Locator:
        return self.page.get_by_role("list", name="受信者").get_by_role("listitem").filter(has_text=name)

    def ask(self) -> Locator:
        self.page.get_by_role("button", name=re.compile("人に送信する$")).click()
        return self.page.get_by_role("dialog")

    def send(self) -> None:
        self.ask().get_by_role("button", name="送信する", exact=True).click()

    def arrived(self) -> int:
        self.page.wait_for_url(re.compile(r"/admin/events/\d+$"), timeout=30_000)
        return int(self.page.url.rsplit("/", 1)[1])


@pytest.fixture
def form(office: OpenPage, picture: Path) -> Callable[..., Form]:
    def opened(size: str = "desktop", path: str = "events/new") -> Form:
        return Form(office(path, size), picture)

    return opened


def answer_of(page: Page, path: str) -> list[Any]:
    """What the product answers to the one who is logged in on this page."""
    items: list[Any] = page.request.get(page.url.split("/admin/")[0] + path).json()["items"]
    return items


def events_called(page: Page, title: str) -> list[Any]:
    return answer_of(page, f"/api/admin/events?query={title}")


def chat(box: httpx2.Client, user_id: str) -> list[Any]:
    messages: list[Any] = box.get(f"/_sandbox/users/{user_id}/chat").json()["messages"]
    return messages


def made(page: Page) -> list[Request]:
    """Every request that would make an event, from now on."""
    requests: list[Request] = []
    page.on("request", lambda one: requests.append(one) if one.method == "POST" and MAKING.search(one.url) else None)
    return requests
