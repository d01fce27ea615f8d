"""Notices and their texts."""

from typing import Any

from playwright.sync_api import Page

from tools.screenshots.notice_answers import DRY_RUN, LIST, PAUSED, STALLED, SUMMARY, TIMELINE, TROUBLED
from tools.screenshots.scene import Scene, Step, admin, breaks, holds, pause, press, says, see

_NOTHING: dict[str, Any] = {"items": [], "next_cursor": None}


def _given(summary: Any = SUMMARY, rows: Any = LIST) -> tuple[Step, ...]:
    return (
        says("admin/notifications?*", rows),
        says("admin/notifications/summary", summary),
        says("admin/reservations/*/timeline", TIMELINE),
    )


def _write(words: str) -> Step:
    return lambda page: page.get_by_label("文面", exact=True).fill(words)


def _leave(page: Page) -> None:
    press("^送信の状況$", "link")(page)
    page.get_by_role("dialog").wait_for()


def _notices(name: str, *steps: Step, summary: Any = SUMMARY, dialog: bool = False) -> Scene:
    return admin(f"notices{name}", "notifications", *steps, given=_given(summary), whole=not dialog)


def _dialog(name: str, button: str, summary: Any = SUMMARY) -> Scene:
    return _notices(name, press(button), pause(300), summary=summary, dialog=True)


_LATE = {"last_run": STALLED["last_run"], "oldest_due": STALLED["oldest_due"]}
NOTICE_SCENES = (
    _notices(""),
    _notices("-troubled", summary=TROUBLED),
    _notices("-paused", summary=PAUSED),
    _notices("-dry-run", summary=DRY_RUN),
    _notices("-stalled", summary=STALLED),
    admin("notices-none", "notifications", given=_given(rows=_NOTHING)),
    admin("notices-none-found", "notifications?status=NONE", given=_given(rows=_NOTHING)),
    admin("notices-failed", "notifications", given=(*_given(), breaks("admin/notifications?*"))),
    admin(
        "notices-loading", "notifications", pause(600), given=(*_given(), holds("admin/notifications?*")), loading=True
    ),
    _dialog("-panel", "^勅使河原.*詳しく"),
    _dialog("-resend", "^勅使河原.*再送"),
    _dialog("-resend-twice", "^佐藤.*再送"),
    _dialog("-resend-many", "^まとめて再送", TROUBLED),
    _dialog("-pause", "^通知を停止する$"),
    _dialog("-resume", "^通知を再開する$", PAUSED),
    admin("home-notices", "", see("予約の通知："), given=(says("admin/notifications/summary", {**TROUBLED, **_LATE}),)),
    admin("texts", "notifications/templates", see("名前や日時は見本です")),
    admin("texts-flaw", "notifications/templates?key=REMINDER", _write("{氏名}様\n{日付}に{会場"), see("組になって")),
    admin("texts-unsaved", "notifications/templates", _write("{氏名}様\nお待ちしています。"), _leave, whole=False),
)
