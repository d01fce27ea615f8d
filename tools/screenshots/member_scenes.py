from playwright.sync_api import Page

from tools.screenshots.scene import (
    STRANGER,
    YAMADA,
    Scene,
    World,
    alert,
    breaks,
    changes,
    holds,
    member,
    pause,
    press,
    says,
    see,
    unreachable,
)

_EVENT = "liff/events/*"


def outside_line(page: Page, world: World) -> None:
    page.goto(f"{world.product}/liff/")
    page.get_by_role("heading", level=1).wait_for()


def answer_offline(page: Page) -> None:
    page.context.set_offline(True)
    press("^出席$")(page)
    page.get_by_text("まだ送れていません").first.wait_for()


def type_a_name(page: Page) -> None:
    page.get_by_label("お名前").fill("鈴木 一郎")
    press("登録する")(page)
    alert(page)


MEMBER_SCENES = (
    member("list", YAMADA, ""),
    member("list-loading", YAMADA, "", pause(800), given=(holds("liff/events"),), loading=True),
    member("list-incomplete", YAMADA, "", alert, given=(breaks("liff/threads"),)),
    member("list-failed", YAMADA, "", alert, given=(breaks("liff/events"), breaks("liff/threads"))),
    member("list-no-network", YAMADA, "", alert, given=(unreachable("liff/events"), unreachable("liff/threads"))),
    member(
        "list-empty",
        YAMADA,
        "",
        given=(says("liff/events", {"items": []}), says("liff/threads", {"threads": []})),
    ),
    member(
        "list-waiting",
        YAMADA,
        "events/{w.unanswered}",
        press("^出席$"),
        see("まだ送れていません"),
        press("一覧へ", "link"),
        see("送信待ち"),
        given=(unreachable("liff/events/*/respond"),),
    ),
    member("answered", YAMADA, "events/{w.coming}"),
    member("calendar-renew", YAMADA, "events/{w.coming}", press("カレンダーのリンク"), see("新しくします")),
    member("unanswered", YAMADA, "events/{w.unanswered}"),
    member("loading", YAMADA, "events/{w.coming}", pause(800), given=(holds(_EVENT),), loading=True),
    member("failed", YAMADA, "events/{w.coming}", alert, given=(breaks(_EVENT),)),
    member("no-network", YAMADA, "events/{w.coming}", alert, given=(unreachable(_EVENT),)),
    member("offline-answer", YAMADA, "events/{w.unanswered}", answer_offline),
    member("cancelled", YAMADA, "events/{w.cancelled}"),
    member("past", YAMADA, "events/{w.coming}", given=(changes(_EVENT, over=True),)),
    member("late", YAMADA, "events/{w.coming}", given=(changes(_EVENT, deadline_at="2025-08-01T12:00:00+09:00"),)),
    member("status", YAMADA, "events/{w.coming}", lambda page: page.get_by_text("出欠状況").first.click(), pause(800)),
    member("picture", YAMADA, "events/{w.coming}", press("画像を大きく見る"), pause(800), whole=False),
    member("not-registered", STRANGER, "events/{w.coming}", see("はじめまして")),
    member("register", STRANGER, "register"),
    member(
        "register-no-match",
        STRANGER,
        "register",
        type_a_name,
        given=(says("liff/register", {"code": "NO_MATCH", "message": "", "details": []}, 404),),
    ),
    member("not-found", YAMADA, "nowhere"),
    member("event-missing", YAMADA, "events/999999", alert),
    Scene("member-outside-line", outside_line),
)
