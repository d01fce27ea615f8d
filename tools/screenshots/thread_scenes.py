"""The office's screens of scheduling.

The demo has three threads: an open one, one that a single ○ decides, and an impossible one.
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from playwright.sync_api import Page

from tools.screenshots.scene import (
    Scene,
    Step,
    admin,
    alert,
    breaks,
    holds,
    pause,
    press,
    says,
    see,
)
from tsudoi.core.clock import JST

_OPEN, _NEARLY, _IMPOSSIBLE = "広報紙 冬号の編集会議", "臨時理事会", "防災訓練の下見"
_NO_THREADS: dict[str, Any] = {"threads": [], "next_cursor": None}
_NO_MODEL: dict[str, Any] = {"candidates": [], "unavailable": "AIの設定がされていないため、候補を挙げられません。"}


def board(name: str, title: str, *steps: Step, given: tuple[Step, ...] = (), whole: bool = True) -> Scene:
    """The board of the thread with this title, which is found in the list."""
    return admin(f"thread-{name}", "threads", _opened(title), *steps, given=given, whole=whole)


def _opened(title: str) -> Step:
    def go(page: Page) -> None:
        page.get_by_role("link", name=title, exact=True).click()
        page.get_by_role("heading", level=1, name=title).wait_for()
        page.get_by_text("自動更新中").wait_for()

    return go


def fill_thread(step: int) -> Step:
    """The form that makes a thread, filled up to a step."""

    def fill(page: Page) -> None:
        steps: tuple[Callable[[], object], ...] = (
            lambda: page.get_by_label("題名").fill("臨時総会の準備会"),
            lambda: _choose_days(page, 5, 6, 8),
            lambda: _choose_people(page),
            page.get_by_text("事務局が表を見て決める").first.wait_for,
            page.get_by_text("LINEの文面").first.wait_for,
        )
        for number in range(step):
            if number > 0:
                press("^次へ")(page)
            steps[number]()
        page.wait_for_timeout(600)

    return fill


def _choose_days(page: Page, *days: int) -> None:
    for number in days:
        page.get_by_label("日付").fill((datetime.now(JST) + timedelta(days=number)).date().isoformat())
        page.get_by_role("button", name="候補に追加").click()


def _choose_people(page: Page) -> None:
    page.get_by_role("checkbox", name=re.compile("理事会")).check()
    page.get_by_label("名前とアドレス").fill("佐藤 花子（監事） <kanji@example.jp>")
    page.get_by_text(re.compile(r"LINE \d")).first.wait_for()


def _mistyped(page: Page) -> None:
    page.get_by_label("名前とアドレス").fill("山田 <yamada@example.jp>\nだれか\na@example.jp b@example.jp")
    press("^次へ")(page)


def _on_paper(page: Page) -> None:
    press("^印刷$", "link")(page)
    page.get_by_role("article").wait_for()


def _kind(words: str) -> Step:
    return lambda page: page.get_by_role("radio", name=re.compile(f"^{words}")).check()


THREAD_SCENES: tuple[Scene, ...] = (
    admin("threads", "threads"),
    admin("threads-none", "threads", given=(says("threads?*", _NO_THREADS),)),
    admin("threads-not-found", "threads?query=ありません", see("条件に合う")),
    admin("threads-loading", "threads", pause(1200), given=(holds("threads?*"),), loading=True),
    admin("threads-failed", "threads", alert, given=(breaks("threads?*"),)),
    *(admin(f"thread-new-{step}", "threads/new", fill_thread(step)) for step in range(1, 6)),
    admin("thread-new-refused", "threads/new", press("^次へ"), see("題名を入力してください")),
    admin("thread-new-mistyped", "threads/new", fill_thread(3), _mistyped, see("読み取れないものが")),
    admin(
        "thread-new-no-model",
        "threads/new",
        fill_thread(3),
        press("AIに候補を聞く"),
        see("AIの設定"),
        given=(says("threads/suggestions", _NO_MODEL),),
    ),
    admin("thread-new-required", "threads/new", fill_thread(4), _kind("必ず来てほしい人"), pause(900)),
    admin("thread-new-groups", "threads/new", fill_thread(4), _kind("グループのどれか"), pause(900)),
    admin("thread-new-ask", "threads/new", fill_thread(5), press("人に送る$"), pause(400), whole=False),
    board("open", _OPEN),
    board("nearly", _NEARLY),
    board("impossible", _IMPOSSIBLE),
    board("print", _NEARLY, _on_paper, pause(300)),
    board("history", _OPEN, press("履歴を見る"), pause(600)),
    board("person", _OPEN, press("^青木 玲奈$"), pause(700), whole=False),
    board("remind", _OPEN, press("^督促する$"), press("確認へ進む"), see("知らせます|いません"), whole=False),
    board("finalize", _NEARLY, press("^決定する$"), pause(500), whole=False),
    board("add-slots", _OPEN, press("^候補日を追加$"), pause(700), whole=False),
    board("add-people", _OPEN, press("^人を追加$"), pause(900), whole=False),
    board("rule", _NEARLY, press("^決め方を変える$"), pause(1200), whole=False),
    board("edit", _OPEN, press("^内容・期限を変える$"), pause(500), whole=False),
    board("cancel", _IMPOSSIBLE, press("^中止$"), pause(500), whole=False),
    board("remove-slot", _OPEN, press("候補から外す$"), pause(400), whole=False),
    admin("thread-missing", "threads/nothing"),
)
