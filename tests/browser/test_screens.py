"""Every screen at every width: nothing serious for assistive technology, nothing sticks out, the right words."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SIZES, Demo
from tests.browser.test_friends import overflows

OpenPage = Callable[..., Page]
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
OFFICE_SCREENS = {
    "": "ホーム",
    "audiences": "グループ",
    "members": "会員名簿",
    "friends": "会員名簿",
    "people": "人を調べる",
    "people/drift": "ずれの点検",
    "admins": "管理者",
    "account": "自分のアカウント",
    "audit": "操作履歴",
    "no/such/page": "ページが見つかりません",
}


def serious(page: Page) -> list[Any]:
    """Evaluated in the page's isolated tools, so that its content security policy stays as it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    return [
        (violation["id"], [node["html"][:120] for node in violation["nodes"]])
        for violation in found
        if violation["impact"] in ("serious", "critical")
    ]


def check_size(page: Page) -> None:
    """As wide as the page is: for a test that goes the whole way once at each width."""
    assert serious(page) == []
    assert not overflows(page)


def check_every_size(page: Page) -> None:
    """One page, made wider: to load it again for each width would take longer than to look at it.

    A tablet shows the elements of one of the others, so it is only asked whether they fit.
    """
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert size == "tablet" or serious(page) == [], size
        assert not overflows(page), size


@pytest.mark.parametrize("path", OFFICE_SCREENS)
def test_the_office(office: OpenPage, path: str) -> None:
    page = office(path, "phone")
    expect(page.get_by_role("heading", level=1)).to_have_text(OFFICE_SCREENS[path])
    page.wait_for_load_state("networkidle")
    check_every_size(page)


def test_the_log_in_screen(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(f"{demo.product}/admin/", "phone")
    expect(page.get_by_label("ユーザー名")).to_be_focused()
    check_every_size(page)


def test_the_member_page(demo: Demo, open_page: OpenPage, new_friend: Callable[[str], str]) -> None:
    user_id = new_friend("中村 翔")
    page = open_page(f"{demo.phones}/liff/1650000000-tsudoiDM/?as={user_id}", "phone")
    expect(page.get_by_role("heading", level=1)).to_contain_text("中村 翔さん")
    assert page.url.startswith(f"{demo.product}/liff")
    assert "id_token" not in page.url
    assert "access_token" not in page.url
    check_every_size(page)


def test_the_member_page_outside_line_says_where_to_open_it(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(f"{demo.product}/liff/", "phone")
    expect(page.get_by_text("LINE").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert serious(page) == []


def test_the_phones(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.phones, "phone")
    expect(page.get_by_text("集い 公式").first).to_be_visible()
    check_every_size(page)


def test_the_api_docs_load_nothing_from_elsewhere(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(f"{demo.product}/api/docs")
    # Swagger UI draws the rest of a list as long as ours when somebody scrolls to it.
    expect(page.get_by_text("/api/liff/events", exact=True)).to_be_visible()
    loaded: list[str] = page.evaluate("performance.getEntriesByType('resource').map(r => r.name)")
    assert [url for url in loaded if not url.startswith(demo.product)] == []
