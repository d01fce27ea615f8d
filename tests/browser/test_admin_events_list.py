"""The list of events: which are shown, how they stand, and how one gets to them."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.test_screens import check_every_size
from tests.browser.wizard import NEXT_YEAR
from tsudoi.commands.demo import ADMIN, PASSWORD
from tsudoi.commands.demo_people import FRIENDS

OpenPage = Callable[..., Page]
MakeEvent = Callable[..., int]
LONG_TITLE = (
    "一般社団法人みらいと地域をむすぶ会 創立五十周年記念式典ならびに懇親会と写真撮影のご案内（第二部は希望者のみ）"
)


@pytest.fixture(scope="module")
def make(demo: Demo) -> Iterator[MakeEvent]:
    """An event made over the API; one in the past is moved there, because nobody may plan one."""
    picture = BytesIO()
    Image.new("RGB", (60, 80), "#1f5f57").save(picture, "JPEG")
    with httpx2.Client(base_url=demo.product, trust_env=False) as api:
        token = api.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).json()["csrf_token"]
        members = api.get("/api/admin/members?has_line=1").json()["items"]
        asked = [one["id"] for one in members if one["name"] in (FRIENDS[0].name, FRIENDS[1].name)]

        def made(title: str, held_at: str = f"{NEXT_YEAR}-03-03T10:00:00+09:00", past: str | None = None) -> int:
            form = {"title": title, "held_at": held_at, "target_member_ids": str(asked)}
            files = {"image": ("a.jpg", picture.getvalue(), "image/jpeg")}
            answer = api.post("/api/admin/events", data=form, files=files, headers={"x-csrf-token": token})
            assert answer.status_code == 201, answer.text
            event_id: int = answer.json()["event_id"]
            if past is not None:
                with sqlite3.connect(demo.data_dir / "tsudoi.sqlite3", timeout=10) as db:
                    db.execute("UPDATE events SET held_at = ? WHERE id = ?", (past, event_id))
            return event_id

        made.api, made.token = api, token  # type: ignore[attr-defined]
        yield made


def row(page: Page, title: str) -> Locator:
    return page.get_by_role("list", name="イベント").get_by_role("listitem").filter(has_text=title)


class TestWhatIsShown:
    def test_what_comes_and_what_is_past_stand_apart(self, office: OpenPage, make: MakeEvent) -> None:
        make("これからの総会")
        make("終わった総会", past="2025-04-01T18:30:00+09:00")
        page = office("events")
        expect(row(page, "これからの総会")).to_contain_text(re.compile(f"{NEXT_YEAR}年3月3日（.）10:00"))
        expect(row(page, "終わった総会")).to_have_count(0)
        page.get_by_role("button", name="過去").click()
        expect(row(page, "終わった総会")).to_contain_text("2025年4月1日（火）18:30")
        expect(row(page, "これからの総会")).to_have_count(0)
        page.reload()
        expect(row(page, "終わった総会")).to_be_visible()

    def test_a_row_says_how_it_stands(self, office: OpenPage, make: MakeEvent) -> None:
        make("様子を見る会")
        page = office("events")
        one = row(page, "様子を見る会")
        expect(one).to_contain_text("出席 0")
        expect(one).to_contain_text("未回答 2")
        expect(one).to_contain_text("配信 2/2")

    def test_a_cancelled_one_is_marked(self, office: OpenPage, make: MakeEvent) -> None:
        event_id = make("中止になる会")
        headers = {"x-csrf-token": make.token}  # type: ignore[attr-defined]
        make.api.post(f"/api/admin/events/{event_id}/cancellation", json={}, headers=headers)  # type: ignore[attr-defined]
        page = office("events")
        expect(row(page, "中止になる会").get_by_text("中止", exact=True)).to_be_visible()

    def test_long_titles_fit_and_it_is_for_everybody(self, office: OpenPage, make: MakeEvent) -> None:
        make(LONG_TITLE)
        page = office("events", "phone")
        expect(row(page, "創立五十周年").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        check_every_size(page)


class TestFinding:
    def test_by_title_and_by_period(self, office: OpenPage, make: MakeEvent) -> None:
        make("探される茶会", f"{NEXT_YEAR}-05-05T10:00:00+09:00")
        make("別の茶会", f"{NEXT_YEAR}-06-06T10:00:00+09:00")
        page = office("events")
        page.get_by_label("タイトルで探す").fill("茶会")
        expect(row(page, "茶会")).to_have_count(2)
        # Typing is followed after a moment of rest.
        expect(page).to_have_url(re.compile("query="))
        expect(page.get_by_label("タイトルで探す")).to_be_focused()
        page.get_by_label("いつまで").fill(f"{NEXT_YEAR}-05-31")
        expect(row(page, "別の茶会")).to_have_count(0)
        expect(row(page, "探される茶会")).to_be_visible()
        page.reload()
        expect(page.get_by_label("タイトルで探す")).to_have_value("茶会")
        expect(row(page, "茶会")).to_have_count(1)
        page.get_by_role("button", name="条件を消す").click()
        expect(page.get_by_label("タイトルで探す")).to_have_value("")
        expect(row(page, "別の茶会")).to_be_visible()

    def test_a_period_the_wrong_way_round_is_said(self, office: OpenPage) -> None:
        page = office(f"events?from={NEXT_YEAR}-06-01&to={NEXT_YEAR}-05-01")
        expect(page.get_by_text("「いつまで」が「いつから」より前です")).to_be_visible()

    def test_nothing_found_leads_on(self, office: OpenPage, make: MakeEvent) -> None:
        make("去年の花見", past="2025-04-05T11:00:00+09:00")
        page = office("events")
        page.get_by_label("タイトルで探す").fill("去年の花見")
        expect(page.get_by_text("条件に合うこれからのイベントはありません")).to_be_visible()
        page.get_by_role("button", name="過去のイベントで探す").click()
        expect(row(page, "去年の花見")).to_be_visible()


class TestGettingThere:
    def test_by_a_click_anywhere_in_the_row_or_by_keyboard(self, office: OpenPage, make: MakeEvent) -> None:
        event_id = make("押される会")
        page = office("events?query=押される会")
        row(page, "押される会").click()
        page.wait_for_url(re.compile(f"/events/{event_id}$"))
        page.go_back()
        row(page, "押される会").get_by_role("link").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(f"/events/{event_id}$"))

    def test_a_new_one_is_one_click_away(self, office: OpenPage) -> None:
        page = office("events")
        page.get_by_role("link", name="新しいイベント").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("新しいイベント")


class TestStates:
    @staticmethod
    def answered(page: Page, items: list[Any]) -> None:
        page.route("**/api/admin/events?*", lambda route: route.fulfill(json={"items": items, "next_cursor": None}))

    def test_an_empty_console_says_what_to_do_first(self, office: OpenPage) -> None:
        page = office()
        self.answered(page, [])
        page.get_by_role("link", name="イベント").first.click()
        expect(page.get_by_role("link", name="最初のイベントを作る")).to_be_visible()

    def test_a_failure_says_so_and_can_be_tried_again(self, office: OpenPage, complaints: Complaints) -> None:
        page = office()
        page.route("**/api/admin/events?*", lambda route: route.fulfill(status=500, json={}))
        page.get_by_role("link", name="イベント").first.click()
        expect(page.get_by_text("表示できませんでした")).to_be_visible(timeout=20_000)
        page.unroute("**/api/admin/events?*")
        page.get_by_role("button", name="もう一度読み込む").click()
        expect(
            page.get_by_role("list", name="イベント").or_(page.get_by_text("これからのイベントはありません"))
        ).to_be_visible()
        complaints.expect("status of 500")

    def test_a_long_list_is_read_page_by_page(self, office: OpenPage) -> None:
        def line(number: int) -> dict[str, Any]:
            return {
                "id": number, "title": f"例会 {number}", "held_at": f"{NEXT_YEAR}-09-10T19:00:00+09:00",
                "image_preview_url": None,
                "push_stats": {
                    "success": 48,
                    "fail": 2,
                    "last_sent_at": f"{NEXT_YEAR}-08-01T10:00:00+09:00",
                    "unknown": 0,
                    "pending": 0,
                },
                "cancelled": False, "targets_total": 50, "attend": 30, "absent": 5, "pending": 15,
            }  # fmt: skip

        page = office()
        pages = {False: ([line(n) for n in range(1, 21)], "more"), True: ([line(n) for n in range(21, 31)], None)}
        page.route(
            "**/api/admin/events?*",
            lambda route: route.fulfill(
                json=dict(zip(("items", "next_cursor"), pages["cursor=" in route.request.url], strict=True))
            ),
        )
        page.get_by_role("link", name="イベント").first.click()
        expect(row(page, "例会")).to_have_count(20)
        expect(row(page, "例会 1").first).to_contain_text("配信 48/50・失敗2")
        page.get_by_role("button", name="もっと見る").click()
        expect(row(page, "例会")).to_have_count(30)
        expect(page.get_by_role("button", name="もっと見る")).to_have_count(0)
