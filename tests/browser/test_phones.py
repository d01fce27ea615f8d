"""The phones for a show: everybody answers, things go wrong on purpose, the log tells it, anybody is quickly found."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Demo, eventually
from tests.browser.member_desk import Desk, open_desk
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious

OpenPage = Callable[..., Page]
TARO, HANAKO = "山田 太郎", "佐藤 花子"
WIDTHS = ("phone", "desktop")
# LINE breaks down on purpose, and hundreds of phones are added.
OWN_DEMO = True


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[Desk]:
    with open_desk(demo.product, demo.phones, demo.data_dir) as opened:
        yield opened


@pytest.fixture
def box(demo: Demo) -> Iterator[httpx2.Client]:
    """The demo is shared: whatever a test broke is mended after it."""
    with httpx2.Client(base_url=demo.phones, timeout=30, trust_env=False) as client:
        yield client
        client.delete("/_sandbox/answers")
        client.delete("/_sandbox/faults")
        client.put("/_sandbox/quota", json={"type": "none"})


@pytest.fixture
def phones(demo: Demo, open_page: OpenPage) -> Callable[..., Page]:
    def opened(size: str = "desktop") -> Page:
        page = open_page(demo.phones, size)
        expect(page.get_by_text("集い 公式").first).to_be_visible()
        return page

    return opened


def event_of(desk: Desk, event_id: int) -> dict[str, Any]:
    found: dict[str, Any] = desk.client.get(f"/api/admin/events/{event_id}").raise_for_status().json()
    return found


def open_answers(page: Page) -> Locator:
    page.get_by_role("button", name="みんなで回答").click()
    return page.get_by_role("dialog", name="みんなで回答（でたらめに）")


def open_faults(page: Page) -> Locator:
    page.get_by_role("button", name="こまった状況").click()
    return page.get_by_role("dialog", name="こまった状況をためす")


class TestEverybodyAnswers:
    @pytest.mark.parametrize("size", WIDTHS)
    def test_until_the_office_sees_it(
        self, desk: Desk, box: httpx2.Client, phones: Callable[..., Page], size: str
    ) -> None:
        event = desk.invite("みんなの会")
        eventually(lambda: event_of(desk, event)["push"]["pending"] == 0)
        page = phones(size)
        dialog = open_answers(page)
        expect(dialog.get_by_label("回答する人の割合")).to_have_value("90")
        dialog.get_by_label("回答する人の割合").fill("100")
        dialog.get_by_label("3秒").check()
        assert serious(page) == []
        assert not overflows(page)
        dialog.get_by_role("button", name="回答を始める").click()
        expect(dialog.get_by_role("progressbar", name="回答の進み具合")).to_be_visible()
        expect(dialog.get_by_role("button", name="閉じて見守る")).to_be_focused()
        assert box.post("/_sandbox/answers", json={}).status_code == 409
        dialog.get_by_role("button", name="閉じて見守る").click()
        expect(page.get_by_text("みんなが回答しています…")).to_be_visible()
        eventually(lambda: event_of(desk, event)["counts"]["pending"] == 0)
        expect(page.locator(".strip")).to_contain_text(re.compile(r"\d+人が回答しました（出席\d+人・欠席\d+人）。"))
        assert serious(page) == []
        assert not overflows(page)
        page.get_by_role("button", name="回答の結果を閉じる").click()
        expect(page.locator(".strip")).to_have_count(0)

    def test_a_share_of_nobody_says_so(self, desk: Desk, box: httpx2.Client, phones: Callable[..., Page]) -> None:
        desk.invite("ひとりの会", (TARO,))
        dialog = open_answers(phones())
        dialog.get_by_label("回答する人の割合").fill("0")
        dialog.get_by_role("button", name="回答を始める").click()
        expect(dialog.get_by_role("alert")).to_contain_text("割合を上げてください")
        assert not box.get("/_sandbox/answers").json()["running"]


class TestFaultSwitches:
    @pytest.mark.parametrize("size", WIDTHS)
    def test_on_and_off_and_nobody_can_forget_them(
        self, box: httpx2.Client, phones: Callable[..., Page], size: str
    ) -> None:
        page, other = phones(size), phones(size)
        drawer = open_faults(page)
        for name in ("ネットワークが遅い", "返事だけが届かない", "混雑している", "今月の上限に達した"):
            drawer.get_by_role("switch", name=name).click()
            expect(drawer.get_by_role("switch", name=name)).to_be_checked()
        assert serious(page) == []
        assert not overflows(page)
        kinds = [rule["kind"] for rule in box.get("/_sandbox/faults").json()["rules"]]
        assert sorted(set(kinds)) == ["rate_limited", "slow", "timeout_after_accept"]
        quota = box.get("/_sandbox/quota").json()
        assert (quota["type"], quota["value"]) == ("limited", quota["total_usage"])
        expect(other.get_by_role("region", name="ためしている状況")).to_contain_text("遅い・返事なし・混雑・通数の上限")
        drawer.get_by_role("switch", name="混雑している").click()
        expect(other.get_by_role("region", name="ためしている状況")).to_contain_text("遅い・返事なし・通数の上限")
        drawer.get_by_role("button", name="すべて元に戻す").click()
        expect(drawer.get_by_role("switch", checked=True)).to_have_count(0)
        expect(other.get_by_role("region", name="ためしている状況")).to_have_count(0)
        assert box.get("/_sandbox/faults").json()["rules"] == []
        assert box.get("/_sandbox/quota").json()["type"] == "none"

    @pytest.mark.usefixtures("box")
    def test_line_is_down_and_comes_back(self, desk: Desk, phones: Callable[..., Page]) -> None:
        page = phones()
        drawer = open_faults(page)
        drawer.get_by_role("switch", name="LINE が止まっている").click()
        expect(drawer.get_by_role("switch", name="LINE が止まっている")).to_be_checked()
        page.keyboard.press("Escape")
        event = desk.invite("嵐の会", (TARO, HANAKO))
        assert event_of(desk, event)["push"]["success"] == 0
        page.get_by_role("button", name="通信の記録").click()
        page.get_by_role("button", name="失敗だけ").click()
        failed = page.get_by_role("row").filter(has_text="/v2/bot/message/").first
        expect(failed).to_contain_text("本体 → LINE役")
        expect(failed).to_contain_text("わざと：LINE停止")
        page.get_by_role("button", name="元に戻す").click()
        expect(page.get_by_role("region", name="ためしている状況")).to_have_count(0)
        eventually(lambda: event_of(desk, event)["push"]["success"] == 2, seconds=40)

    def test_somebody_blocks_and_comes_back(self, box: httpx2.Client, phones: Callable[..., Page]) -> None:
        page = phones()
        switch = open_faults(page).get_by_role("switch", name=f"{HANAKO}さん")
        switch.click()
        expect(switch).to_be_checked()
        people = box.get("/_sandbox/users").json()["users"]
        assert [person["display_name"] for person in people if person["blocked"]].count(HANAKO) == 1
        # The second half of a double click must not take the first one back, so the switch rests for a moment.
        # The page itself waits here: its timers end in the order of their times, however busy the machine is.
        page.evaluate("new Promise(done => setTimeout(done, 600))")
        switch.click()
        expect(switch).not_to_be_checked()


class TestTheLog:
    @pytest.mark.parametrize("size", WIDTHS)
    def test_shows_both_directions_live_and_no_tokens(
        self, demo: Demo, new_friend: Callable[[str], str], phones: Callable[..., Page], size: str
    ) -> None:
        page = phones(size)
        page.get_by_role("button", name="通信の記録").click()
        rows = page.get_by_role("region", name="通信の一覧").get_by_role("row")
        page.get_by_role("button", name="本体へ").click()
        user_id = new_friend("記録 花子")
        expect(rows.nth(1)).to_contain_text("LINE役 → 本体")
        expect(rows.nth(1)).to_contain_text("友だち追加")
        expect(rows.nth(1)).to_contain_text("ms")
        page.get_by_role("button", name="LINE役へ").click()
        httpx2.get(f"{demo.phones}/liff/1650000000-tsudoiDM/events/1?as={user_id}", trust_env=False)
        # The worker asks for the new friend's profile at the same time, before or after.
        expect(rows.filter(has_text="電話 → LINE役").first).to_be_visible()
        page.get_by_role("button", name="すべて").click()
        words = page.get_by_role("region", name="通信の一覧").inner_text()
        assert "eyJ" not in words
        assert "access_token" not in words
        assert serious(page) == []
        assert not overflows(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="通信の記録")).to_be_focused()


@pytest.mark.parametrize("size", WIDTHS)
def test_anybody_among_hundreds_is_found_with_a_few_keys(
    box: httpx2.Client, phones: Callable[..., Page], size: str
) -> None:
    page = phones(size)
    box.post("/_sandbox/users/crowd", json={"count": 300, "prefix": f"{size}会員"}).raise_for_status()
    page.get_by_role("button", name="友だち一覧").click()
    drawer = page.get_by_role("dialog", name="友だち一覧")
    expect(drawer.get_by_role("searchbox")).to_be_focused()
    expect(drawer.get_by_role("status")).to_contain_text(re.compile(r"3\d\d人|[6-9]\d\d人"))
    assert drawer.get_by_role("listitem").count() < 40
    page.keyboard.type(f"{size.upper()} 会員287")
    expect(drawer.get_by_role("listitem")).to_have_count(1)
    assert serious(page) == []
    assert not overflows(page)
    page.keyboard.press("Enter")
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("region", name=f"{size}会員287さんの電話")).to_be_in_viewport()
