"""Who did what: filters, paging, and old → new in words."""

import re
import uuid
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import Colleague, colleague
from tests.browser.conftest import Demo
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]


@pytest.fixture
def other(demo: Demo) -> Iterator[Colleague]:
    with colleague(demo) as somebody:
        yield somebody


def test_a_change_is_read_in_words(office: Office, other: Colleague) -> None:
    audience_id, name = other.group(1, 2)
    other.send("PATCH", f"audiences/{audience_id}", {"name": f"{name} 改"})
    other.send("PUT", f"audiences/{audience_id}/members", {"member_ids": [2, 3]})
    page = office("audit")
    page.get_by_label("何を").select_option(label="グループの所属を変更")
    rows = page.get_by_role("table", name="操作履歴").locator("tbody tr")
    row = rows.filter(has_text=f"グループ「{name} 改」").first
    row.get_by_role("button", name="詳細").click()
    detail = page.locator("dl")
    expect(detail).to_contain_text("加えた会員鈴木 一郎")
    expect(detail).to_contain_text("外した会員山田 太郎")
    page.get_by_label("何を").select_option(label="グループを変更")
    row = rows.filter(has_text=f"グループ「{name} 改」").first
    row.get_by_role("button", name="詳細").click()
    expect(page.locator("dl").filter(has_text="名前")).to_contain_text(f"{name} 改")
    expect(page.locator("dl del")).to_contain_text(name)


def test_filters_stand_in_the_address(office: Office, other: Colleague) -> None:
    audience_id, name = other.group()
    page = office(f"audit?subject=audience:{audience_id}")
    rows = page.get_by_role("table", name="操作履歴").locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(page.get_by_text(f"対象：グループ「{name}」だけ")).to_be_visible()
    page.get_by_label("何を").select_option("LOGOUT")
    expect(page.get_by_role("heading", name="条件に合う記録はありません")).to_be_visible()
    page.get_by_role("button", name="条件を消す").last.click()
    by_office = rows.filter(has=page.locator('td[data-label="だれが"]', has_text="jimukyoku"))
    expect(by_office.first).to_be_visible()
    page.get_by_label("だれが").select_option(label="コマンド操作")
    expect(rows.filter(has_text="名簿を同期").first).to_be_visible()
    expect(by_office).to_have_count(0)
    page.reload()
    expect(page.get_by_label("だれが")).to_have_value("cli")
    page.go_back()
    expect(page.get_by_label("だれが")).to_have_value("")


def test_a_row_narrows_the_list_to_its_person_or_its_subject(office: Office, other: Colleague) -> None:
    _, name = other.group()
    page = office("audit")
    page.get_by_role("button", name=f"グループ「{name}」").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("button", name="対象の条件を外す").click()
    page.get_by_role("button", name="jimukyoku").first.click()
    expect(page.get_by_label("だれが")).to_have_value("admin:jimukyoku")


def test_everybody_can_be_chosen_also_who_is_not_on_the_page(office: Office) -> None:
    name = f"aoki-{uuid.uuid4().hex[:8]}"
    page = office("home")
    page.route("**/api/admin/admins", lambda route: route.fulfill(json={"items": [{"id": 9, "username": name}]}))
    page.get_by_role("link", name="操作履歴").click()
    page.get_by_label("だれが").select_option(label=name)
    expect(page).to_have_url(re.compile(f"actor=admin(:|%3A){name}"))
    expect(page.get_by_role("heading", name="条件に合う記録はありません")).to_be_visible()
    page.get_by_label("だれが").select_option(label="会員本人の登録")
    expect(page).to_have_url(re.compile("actor=line(:|%3A)register"))


def test_an_event_can_be_opened_from_its_line(office: Office, other: Colleague) -> None:
    page = office("audit?action=EVENT_CREATE")
    newest = other.get("audit-logs?action=EVENT_CREATE&limit=1")["items"][0]
    link = page.get_by_role("link", name="を開く").first
    expect(link).to_have_attribute("href", f"/admin/{newest['subject'].replace('event:', 'events/')}")


def test_older_entries_come_by_the_page(office: Office, other: Colleague) -> None:
    audience_id, name = other.group()
    for number in range(60):
        other.send("PATCH", f"audiences/{audience_id}", {"name": f"{name} {number}"})
    page = office(f"audit?subject=audience:{audience_id}")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="もっと見る").click()
    expect(rows).to_have_count(61)
    expect(page.get_by_role("button", name="もっと見る")).to_have_count(0)


def test_it_fits_and_can_be_used_by_everybody(office: Office, other: Colleague) -> None:
    audience_id, _ = other.group(1, 2, 3)
    page = office(f"audit?subject=audience:{audience_id}", "phone")
    page.get_by_role("button", name="詳細").first.click()
    expect(page.locator("dl")).to_be_visible()
    check_every_size(page)
