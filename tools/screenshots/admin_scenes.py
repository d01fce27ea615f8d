import re
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import FilePayload, Page

from tests.browser.member_desk import flyer
from tools.screenshots.scene import (
    Scene,
    Step,
    World,
    admin,
    alert,
    breaks,
    changes,
    holds,
    pause,
    press,
    says,
    see,
    unreachable,
)

_NO_LINES: dict[str, Any] = {"items": [], "next_cursor": None}
_NEW_HOUSE = {
    "next_events": [],
    "troubles": [],
    "unlinked_friends": 0,
    "waiting_registrations": 0,
    "members": 0,
    "linked_members": 0,
    "alarms": [],
    "tickets_open": 0,
}
_TROUBLED = {
    "unlinked_friends": 3,
    "waiting_registrations": 0,
    "troubles": [{"event_id": 1, "title": "秋の定例総会", "fail": 2, "unknown": 1, "pending": 0}],
}
_SHORT_QUOTA = {"known": True, "limit": 200, "used": 198, "left": 2, "cost": 5, "enough": False, "why_not": None}
_THIS_MORNING = {"last_at": (datetime.now(UTC) - timedelta(hours=5)).isoformat(), "overdue": False}
_STANDS_STILL = {"work": {"silent_loops": ["clockwork", "event_broadcasts", "mails", "line_inbox"], "late_since": None}}
_SENT = {"success": 3, "fail": 0, "unknown": 0, "pending": 2}
_MAKING = "admin/events?*"


def fill_form(step: int) -> Step:
    """The form that makes an event, filled up to a step."""

    def fill(page: Page) -> None:
        page.get_by_label("タイトル").fill("秋の定例総会")
        page.get_by_label("開催日", exact=True).fill(f"{datetime.now(UTC).year + 1}-09-10")
        page.get_by_label("開始時刻").fill("19:00")
        after = (
            lambda: choose_picture(page),
            lambda: page.get_by_role("checkbox", name=re.compile("^全員")).check(),
            lambda: page.get_by_role("list", name="受信者").wait_for(),
        )
        for number in range(step - 1):
            press("^次へ")(page)
            if number < len(after) and number < step - 1:
                after[number]()
        page.wait_for_timeout(800)

    return fill


def choose_picture(page: Page) -> None:
    picture: FilePayload = {"name": "案内.jpg", "mimeType": "image/jpeg", "buffer": flyer()}
    page.locator("input[type=file]").set_input_files(picture)
    page.get_by_alt_text("選んだ画像").wait_for()


def send(page: Page) -> None:
    press("人に送信する$")(page)
    page.get_by_role("dialog").get_by_role("button", name="送信する", exact=True).click()


def at_the_wizards_request(status: int, body: Any) -> Step:
    """Only the request that makes the event: the list has the same address."""
    return lambda page: page.route(
        re.compile(r"/api/admin/events\?"),
        lambda route: route.fulfill(status=status, json=body) if route.request.method == "POST" else route.fallback(),
    )


def session_ends(page: Page) -> None:
    page.context.clear_cookies()
    press("最新の状態にする")(page)
    page.get_by_role("dialog").wait_for()


def log_in_page(page: Page, world: World) -> None:
    page.goto(f"{world.product}/admin/")
    page.get_by_label("ユーザー名").wait_for()


def log_in_refused(page: Page, world: World) -> None:
    log_in_page(page, world)
    page.get_by_label("ユーザー名").fill("jimukyoku-2")
    page.get_by_label("パスワード", exact=True).fill("wrong")
    page.keyboard.press("Enter")
    alert(page)


_SCREENS = (
    Scene("admin-login", log_in_page),
    Scene("admin-login-refused", log_in_refused),
    admin("home", ""),
    admin("events", "events"),
    *(admin(f"event-new-{step}", "events/new", fill_form(step)) for step in range(1, 6)),
    admin("event-detail", "events/{w.coming}", see("自動更新中"), pause(600)),
    admin("event-cancelled", "events/{w.cancelled}", pause(600)),
    admin("event-unanswered", "events/{w.unanswered}", pause(600)),
    admin("event-missing", "events/999999"),
    admin("event-print", "events/{w.coming}/print", pause(600)),
    admin("audiences", "audiences"),
    admin("audience", "audiences/{w.audience}"),
    admin("members", "members"),
    admin("friends", "friends"),
    admin("people", "people?q=山田"),
    admin("person", "people?q=山田太郎&kind=member", press("山田 太郎", role="link"), pause(600)),
    admin(
        "person-erase",
        "people?q=山田太郎&kind=member",
        press("山田 太郎", role="link"),
        press("消去する"),
        see("出欠の回答"),
        whole=False,
    ),
    admin("people-drift", "people/drift"),
    admin("audit", "audit"),
    admin("audit-detail", "audit?subject=audience:1", press("詳細")),
    admin("not-found", "nowhere"),
    admin("session-expired", "", session_ends, whole=False),
)

_DIALOGS = (
    admin("event-remind", "events/{w.coming}", press("督促"), see("通を使います|送る相手がいません"), whole=False),
    admin(
        "event-remind-over-quota",
        "events/{w.coming}",
        press("督促"),
        see("上限を超えることを確かめました"),
        given=(changes("admin/events/*/preview", quota=_SHORT_QUOTA),),
        whole=False,
    ),
    admin("event-edit", "events/{w.coming}", press("^編集"), pause(600), whole=False),
    admin("event-cancel", "events/{w.coming}", press("^中止$"), pause(600), whole=False),
    admin("event-add-people", "events/{w.coming}", press("対象者を追加"), pause(900), whole=False),
    admin("event-person", "events/{w.coming}", press("^山田 太郎"), pause(900), whole=False),
    admin("audience-new", "audiences", press("グループを作る"), pause(500), whole=False),
    admin("audience-delete", "audiences", press("理事会を削除"), pause(500), whole=False),
    admin("audience-unsaved", "audiences/{w.audience}", lambda page: page.get_by_role("checkbox").nth(3).click()),
    admin("members-unlink", "members", press("山田 太郎の連携を解除"), pause(500), whole=False),
    admin("friends-link", "friends", press("会員を選ぶ"), pause(700), whole=False),
)

_LOADING = tuple(
    admin(f"{name}-loading", path, pause(1200), given=tuple(map(holds, asked)), loading=True)
    for name, path, asked in (
        ("home", "", ["admin/home"]),
        ("events", "events", [_MAKING]),
        ("event", "events/{w.coming}", ["admin/events/*"]),
        ("members", "members", ["admin/members", "admin/members/last-sync"]),
        ("friends", "friends", ["admin/links/*"]),
        ("audiences", "audiences", ["admin/audiences"]),
        ("audience", "audiences/{w.audience}", ["admin/audiences/*/members"]),
        ("audit", "audit", ["admin/audit-logs*"]),
    )
)

_FAILURES = (
    admin("home-failed", "", alert, given=(breaks("admin/home"),)),
    admin("home-no-network", "", alert, given=(unreachable("admin/home"), unreachable("admin/overview"))),
    admin("events-failed", "events", alert, given=(breaks(_MAKING),)),
    admin("event-failed", "events/{w.coming}", alert, given=(breaks("admin/events/*"),)),
    admin(
        "event-live-lost",
        "events/{w.coming}",
        lambda page: page.clock.fast_forward(11_000),
        given=(unreachable("admin/events/*/live"), lambda page: page.clock.install()),
    ),
    admin("members-failed", "members", alert, given=(breaks("admin/members"),)),
    admin("friends-failed", "friends", alert, given=(breaks("admin/links/*"),)),
    admin("audiences-failed", "audiences", alert, given=(unreachable("admin/audiences"),)),
    admin("audience-failed", "audiences/{w.audience}", alert, given=(breaks("admin/audiences/*/members"),)),
    admin("people-failed", "people?q=山田", alert, given=(breaks("admin/people?*"),)),
    admin("people-drift-failed", "people/drift", alert, given=(breaks("admin/people/drift"),)),
    admin("audit-failed", "audit", alert, given=(breaks("admin/audit-logs*"),)),
    admin("console-failed", "", alert, given=(breaks("admin/me"),)),
)

_EMPTY = (
    admin("home-new", "", given=(says("admin/home", _NEW_HOUSE), says(_MAKING, _NO_LINES))),
    admin("home-worker", "", see("処理が止まっています"), given=(changes("admin/overview", **_STANDS_STILL),)),
    admin(
        "home-troubled",
        "",
        given=(
            changes("admin/home", **_TROUBLED),
            changes("admin/line/quota", **_SHORT_QUOTA),
            changes("admin/overview", backup=_THIS_MORNING),
        ),
    ),
    admin("home-no-backup", "", given=(changes("admin/overview", backup={"last_at": None, "overdue": True}),)),
    admin("events-empty", "events", see("これからのイベントはありません"), given=(says(_MAKING, _NO_LINES),)),
    admin("events-none-found", "events?query=みつからない", see("条件に合う")),
    admin(
        "members-empty",
        "members",
        given=(says("admin/members", {"items": []}), says("admin/members/last-sync", {"last": None})),
    ),
    admin("members-none-found", "members", lambda page: page.get_by_label("名前で探す").fill("みつからない")),
    admin(
        "friends-empty",
        "friends",
        see("未連携の友だちはいません"),
        given=(
            says("admin/links/unlinked-friends*", _NO_LINES | {"total": 0}),
            changes("admin/home", unlinked_friends=0),
        ),
    ),
    admin("audiences-empty", "audiences", given=(says("admin/audiences", {"items": []}),)),
    admin("audit-none-found", "audit?action=LOGOUT&actor=cli", see("条件に合う記録はありません")),
)

_WIZARD = (
    admin("event-new-missing", "events/new", press("^次へ"), pause(400)),
    admin(
        "event-new-refused",
        "events/new",
        at_the_wizards_request(
            400,
            {
                "code": "INVALID_INPUT",
                "message": "",
                "details": [{"field": "title", "reason": "TOO_LONG"}, {"field": "held_at", "reason": "PAST_DATE"}],
            },
        ),
        fill_form(5),
        send,
        see("過去の日時です"),
    ),
    admin(
        "event-new-over-quota",
        "events/new",
        fill_form(5),
        see("今月送れる数が足りません"),
        given=(changes("admin/events/preview", quota=_SHORT_QUOTA),),
    ),
    admin("event-new-ask", "events/new", fill_form(5), press("人に送信する$"), pause(500), whole=False),
    admin(
        "event-new-sending",
        "events/new",
        fill_form(5),
        holds(_MAKING),
        send,
        see("送信を受け付けています"),
        whole=False,
    ),
    admin(
        "event-new-failed",
        "events/new",
        fill_form(5),
        at_the_wizards_request(503, {"code": "UNAVAILABLE", "message": "いま混み合っています。", "details": []}),
        send,
        alert,
        whole=False,
    ),
    admin(
        "event-new-progress",
        "events/new",
        fill_form(5),
        at_the_wizards_request(201, {"event_id": 1, "push": _SENT, "broadcast_id": 1}),
        changes("admin/events/1", push=_SENT),
        send,
        see("人のうち"),
    ),
)

ADMIN_SCENES = (*_SCREENS, *_DIALOGS, *_WIZARD, *_LOADING, *_FAILURES, *_EMPTY)
