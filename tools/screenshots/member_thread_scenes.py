"""The member's pages of threads, as the demo's threads fill them."""

from typing import Any

from playwright.sync_api import Page, Route

from tests.browser.member_desk import USER_IDS
from tools.screenshots.scene import (
    YAMADA,
    Scene,
    Step,
    alert,
    breaks,
    changes,
    holds,
    member,
    pause,
    press,
    see,
    unreachable,
)

_THREAD = "liff/threads/*"
_BOARD, _PAPER = "臨時理事会", "広報紙 冬号の編集会議"
_ICHIRO = USER_IDS["鈴木 一郎"]


def mark(number: int, name: str) -> Step:
    """Says ○, △ or × to the slot with this number, from 0."""
    return lambda page: page.get_by_role("group").nth(number).get_by_role("radio", name=name).check()


def send(page: Page) -> None:
    press("この内容で送る")(page)


def offline(page: Page) -> None:
    page.context.set_offline(True)


def decided(*, taking_part: bool) -> Step:
    """The first slot is decided: for a person who has answered, as only the answers of others bring it about."""

    def answer(route: Route) -> None:
        real = route.fetch()
        thread: dict[str, Any] = real.json()
        end = {"status": "finalized", "can_answer": False, "why_not": "FINALIZED", "taking_part": taking_part}
        end |= {"final_slot_id": thread["slots"][1]["slot_id"], "calendar_url": "https://example.jp/i/a/calendar.ics"}
        route.fulfill(response=real, json=thread | end)

    return lambda page: page.route(f"**/api/{_THREAD}", answer)


def thread(name: str, title: str, *steps: Step, given: tuple[Step, ...] = (), who: str = YAMADA) -> Scene:
    return member(f"thread-{name}", who, "", press(title, "link"), see(title), *steps, given=given)


MEMBER_THREAD_SCENES = (
    thread("unanswered", _BOARD),
    thread("chosen", _BOARD, mark(0, "参加できる"), mark(1, "調整すれば")),
    thread("nothing-chosen", _BOARD, send, alert),
    thread("one-slot", _BOARD, given=(changes(_THREAD, multiple_slots_allowed=False),)),
    thread("offline", _BOARD, mark(1, "参加できる"), offline, send, see("まだ送れていません")),
    thread("answered", _PAPER, lambda page: page.get_by_text("みなさんの回答").click(), pause(300), who=_ICHIRO),
    thread("changing", _PAPER, press("回答を変える"), who=_ICHIRO),
    thread("decided", _PAPER, given=(decided(taking_part=True),), who=_ICHIRO),
    thread("decided-without-me", _PAPER, given=(decided(taking_part=False),), who=_ICHIRO),
    thread("expired", _BOARD, given=(changes(_THREAD, can_answer=False, why_not="EXPIRED"),)),
    thread(
        "cancelled",
        _BOARD,
        given=(
            changes(_THREAD, status="cancelled", can_answer=False, why_not="CANCELLED", cancel_reason="台風のため"),
        ),
    ),
    member("thread-missing", YAMADA, "threads/0", alert),
    member("thread-failed", YAMADA, "threads/0", alert, given=(breaks(_THREAD),)),
    member("thread-no-network", YAMADA, "threads/0", alert, given=(unreachable(_THREAD),)),
    member("thread-loading", YAMADA, "threads/0", pause(800), given=(holds(_THREAD),), loading=True),
)
