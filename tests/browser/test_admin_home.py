"""The home screen: what needs attention, and calm when nothing does."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.complaints import Complaints
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]

LONG_TITLE = "特定非営利活動法人みらいと地域をむすぶ会 設立二十周年記念式典および懇親会のご案内（ご家族もどうぞ）"
_EVENT = {
    "id": 1,
    "title": LONG_TITLE,
    "held_at": "2030-12-01T19:00:00+09:00",
    "image_preview_url": None,
    "push_stats": {
        "success": 44,
        "fail": 1,
        "last_sent_at": "2030-11-01T12:00:00+09:00",
        "unknown": 0,
        "pending": 0,
    },
    "cancelled": False,
    "targets_total": 45,
    "attend": 30,
    "absent": 5,
    "pending": 10,
}
CALM = {
    "next_events": [_EVENT],
    "troubles": [],
    "unlinked_friends": 0,
    "waiting_registrations": 0,
    "members": 40,
    "linked_members": 30,
    "alarms": [],
    "tickets_open": 0,
}
TROUBLED = CALM | {
    "unlinked_friends": 3,
    "waiting_registrations": 0,
    "troubles": [{"event_id": 1, "title": "理事会", "fail": 2, "unknown": 1, "pending": 0}],
}
_IMPOSSIBLE = {
    "id": "5b7f",
    "title": "防災訓練",
    "status": "active",
    "organizer_user_id": "admin:1",
    "organizer_name": "jimukyoku",
    "created_at": "2030-11-01T00:00:00.000000+00:00",
    "deadline_at": None,
    "slots_total": 2,
    "invites_total": 6,
    "answered": 2,
    "declined": 1,
    "state": "impossible",
    "sentence": "いまの回答のままでは決まりません。",
    "final_slot": None,
}
NEW = {
    "next_events": [],
    "troubles": [],
    "unlinked_friends": 0,
    "waiting_registrations": 0,
    "members": 0,
    "linked_members": 0,
    "alarms": [],
    "tickets_open": 0,
}
OVERVIEW = {
    "friends": {"following": 30, "blocked": 0},
    "last_webhook_at": "2030-11-15T09:00:01+09:00",
    "inbox": {"waiting": 0, "unknown": 0, "failed": 0},
    "line": {"configured": True},
    "work": {"silent_loops": [], "late_since": None},
    "backup": {"last_at": None, "overdue": False},
    "disk": {"free_bytes": 50 * 1024**3, "low": False},
}
QUOTA = {"known": True, "limit": 200, "used": 30, "left": 170, "why_not": None}
UNKNOWN_QUOTA = {"known": False, "limit": None, "used": None, "left": None, "why_not": "timeout"}


def answer(page: Page, path: str, body: Any, status: int = 200) -> None:
    """What the server would say, for states that a running demo cannot be brought into."""

    def say(route: Route) -> None:
        route.fulfill(status=status, json=body)

    page.route(f"**/api/admin/{path}", say)


def home(office: Office, size: str = "desktop", quota: Any = QUOTA, threads: Any = (), **answers: Any) -> Page:
    page = office("audit", size)
    for path, body in {"home": CALM, "overview": OVERVIEW, "line/quota": quota, **answers}.items():
        answer(page, path, body)
    # The demo has a thread that cannot be decided, which the home page would name.
    page.route("**/api/threads?*", lambda route: route.fulfill(json={"threads": list(threads), "next_cursor": None}))
    page.goto(page.url.replace("/audit", "/"))
    page.get_by_role("heading", name="ホーム").wait_for()
    return page


def test_the_demo_shows_its_events_its_friends_and_the_way_to_a_new_event(office: Office) -> None:
    page = office()
    expect(page.get_by_role("list", name="イベント").get_by_role("link").first).to_be_visible()
    expect(page.get_by_text("未回答").first).to_be_visible()
    expect(page.get_by_role("region", name="LINEと連携している会員")).to_contain_text("人／")
    expect(page.get_by_role("region", name="気をつけること")).to_contain_text("このままでは決まりません")
    page.get_by_role("link", name="連携する").click()
    expect(page.get_by_role("heading", name="会員名簿")).to_be_focused()
    expect(page.get_by_role("table", name="未連携の友だち")).to_be_visible()
    page.get_by_role("link", name="ホーム").click()
    expect(page.get_by_role("link", name="新しいイベント")).to_have_attribute("href", "/admin/events/new")


def test_trouble_is_named_and_leads_to_where_it_is_mended(office: Office) -> None:
    page = home(office, "phone", home=TROUBLED, quota=QUOTA | {"left": 12})
    found = page.get_by_role("region", name="気をつけること").get_by_role("listitem")
    expect(found).to_have_count(3)
    expect(found.nth(0)).to_contain_text("「理事会」：2人に届きませんでした。1人は、届いたかどうか確かめられていません")
    expect(found.nth(0).get_by_role("link")).to_have_attribute("href", "/admin/events/1")
    expect(found.nth(1)).to_contain_text("あと12通")
    expect(found.nth(2).get_by_role("link")).to_have_attribute("href", "/admin/members?tab=friends")
    check_every_size(page)


@pytest.mark.found("24.D4")
@pytest.mark.row("8.D.9")
def test_an_open_alarm_is_named_and_leads_to_its_ticket(office: Office) -> None:
    alarm = {
        "cause": "OUTAGE_MAIL",
        "title": "メールを送れません",
        "since": "2026-11-20T03:20:00+09:00",
        "ticket_id": 7,
    }
    alarm |= {"since": "2026-11-20T03:20:00+09:00"}
    page = home(office, home=TROUBLED | {"alarms": [alarm], "tickets_open": 4})
    first = page.get_by_role("region", name="気をつけること").get_by_role("listitem").first
    expect(first).to_contain_text("メールを送れません")
    expect(first).to_contain_text("2026/11/20 03:20 から続いています")
    expect(first.get_by_role("link")).to_have_attribute("href", "/admin/tickets/7")
    expect(page.get_by_role("link", name="チケット （未対応 4件）")).to_be_visible()
    check_every_size(page)


def test_a_worker_that_stands_still_is_the_first_thing_to_see(office: Office) -> None:
    silent = {"silent_loops": ["clockwork", "mails"], "late_since": None}
    page = home(office, "phone", home=TROUBLED, overview=OVERVIEW | {"work": silent})
    found = page.get_by_role("region", name="気をつけること").get_by_role("listitem")
    expect(found.nth(0)).to_contain_text("送信などの処理が止まっています")
    expect(found.nth(0)).to_contain_text("clockwork、mails")
    check_every_size(page)


def test_a_thread_that_waits_for_the_office_is_named(office: Office) -> None:
    page = home(office, "phone", threads=[_IMPOSSIBLE])
    found = page.get_by_role("region", name="気をつけること").get_by_role("listitem")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("日程調整「防災訓練」：このままでは決まりません")
    expect(found.get_by_role("link")).to_have_attribute("href", "/admin/threads/5b7f")
    check_every_size(page)


def test_nothing_to_do_is_said_calmly(office: Office) -> None:
    page = home(office)
    expect(page.get_by_text("いま、気をつけることはありません。")).to_be_visible()
    expect(page.get_by_role("region", name="今月送れるLINE")).to_contain_text("170通／200通")
    expect(page.get_by_role("link", name=LONG_TITLE)).to_have_attribute("href", "/admin/events/1")
    expect(page.get_by_text("バックアップは、まだありません")).to_be_visible()


def test_the_last_backup_stands_below_with_its_age(office: Office) -> None:
    made = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=5, minutes=1)
    page = home(office, "phone", overview=OVERVIEW | {"backup": {"last_at": made.isoformat(), "overdue": False}})
    there = made.astimezone(timezone(timedelta(hours=9)))
    expect(page.get_by_text(f"最後のバックアップ {there:%Y/%m/%d %H:%M}（5時間前）")).to_be_visible()
    check_every_size(page)


def test_a_new_installation_says_what_to_do_first(office: Office) -> None:
    page = home(office, "phone", home=NEW, quota=UNKNOWN_QUOTA, **{"events?*": {"items": [], "next_cursor": None}})
    steps = page.get_by_role("region", name="はじめに").get_by_role("listitem")
    expect(steps).to_have_count(3)
    expect(steps.first).to_contain_text("名簿を同期する")
    expect(page.get_by_text("いま、気をつけることはありません。")).to_have_count(0)
    expect(page.get_by_role("region", name="今月送れるLINE")).to_contain_text("わかりません")
    check_every_size(page)


def test_line_that_does_not_answer_holds_nothing_up(office: Office) -> None:
    page = office("audit")
    page.route("**/api/admin/line/quota", lambda _route: None)
    page.goto(page.url.replace("/audit", "/"))
    expect(page.get_by_role("list", name="イベント")).to_be_visible()
    expect(page.get_by_role("status", name="LINEに問い合わせています")).to_be_visible()


def test_a_failure_says_so_and_is_tried_again(office: Office, complaints: Complaints) -> None:
    page = office("audit")
    answer(page, "home", {"code": "INTERNAL", "message": "サーバーで問題が起きました。", "details": []}, 500)
    page.goto(page.url.replace("/audit", "/"))
    expect(page.get_by_role("alert")).to_contain_text("サーバーで問題が起きました。")
    page.unroute_all()
    page.get_by_role("button", name="もう一度読み込む").click()
    expect(page.get_by_role("list", name="イベント")).to_be_visible()
    complaints.expect("status of 500")
