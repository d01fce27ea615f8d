"""The roster, its sync, and the links between members and LINE."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import Colleague, big_roster, colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.test_admin_home import answer
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
NewFriend = Callable[[str], str]
# The roster grows to a thousand.
OWN_DEMO = True
_MEMBER = {
    "display_order": 10,
    "line_user_id_present": True,
    "is_target": 1,
    "role": "member",
    "line_display_name": "たろう",
    "reachable": True,
    "withdrawn": False,
    "last_contact_at": "2025-08-17T09:00:01+09:00",
}

_UNLINKED = {
    "display_order": None,
    "line_user_id_present": False,
    "is_target": 0,
    "line_display_name": None,
    "reachable": False,
    "last_contact_at": None,
}


def member(number: int, name: str, **fields: Any) -> dict[str, Any]:
    return {"id": number, "name": name, **_MEMBER, **fields}


SHOWN = [
    member(1, "山田 太郎", role="admin"),
    member(2, "佐藤 花子", reachable=False, line_display_name="はなこ"),
    member(3, "鈴木 一郎", **_UNLINKED),
    member(4, "高橋 退会", withdrawn=True, is_target=0),
]


@pytest.fixture
def other(demo: Demo) -> Iterator[Colleague]:
    with colleague(demo) as somebody:
        yield somebody


def chip(page: Page, name: str) -> Any:
    return page.get_by_role("group", name="表示する会員").get_by_role("button", name=re.compile(f"^{name}"))


class TestTheRoster:
    def test_lists_and_search(self, office: Office) -> None:
        page = office("audit")
        answer(page, "members", {"items": SHOWN})
        page.goto(page.url.replace("/audit", "/members"))
        rows = page.get_by_role("table", name="会員名簿").locator("tbody tr")
        expect(rows).to_have_count(3)
        expect(rows.nth(0)).to_contain_text("管理者")
        expect(rows.nth(0)).to_contain_text("2025/08/17 09:00")
        for name, count in {"連携済み": 2, "未連携": 1, "ブロック": 1, "配信対象外": 1, "退会": 1}.items():
            expect(chip(page, name)).to_contain_text(str(count))
            chip(page, name).click()
            expect(rows).to_have_count(count)
        expect(rows.first).to_contain_text("退会")
        assert page.url.endswith("show=withdrawn")
        chip(page, "在籍").click()
        page.get_by_label("名前で探す").fill("はなこ")
        expect(rows).to_have_count(1)
        page.get_by_label("名前で探す").fill("高橋")
        page.get_by_role("button", name="「退会」に1人見つかりました").click()
        expect(rows).to_have_count(1)

    def test_the_sync_is_told_and_has_no_button(self, office: Office) -> None:
        page = office("audit")
        refusals = [{"row": 14, "id": None, "reason": "氏名が空です / empty name; id がありません / no id"}]
        last = {"finished_at": "2025-08-16T10:00:00+09:00", "source": "sheet:x", "created": 2, "changed": 1}
        rest = {"withdrawn": 0, "unchanged": 117, "refused": 1, "refusals": refusals}
        answer(page, "members/last-sync", {"last": last | rest})
        page.goto(page.url.replace("/audit", "/members"))
        card = page.get_by_role("region", name="最後の同期")
        expect(card).to_contain_text("2025/08/16 10:00（スプレッドシートから）")
        expect(card).to_contain_text("tsudoi members sync")
        card.get_by_text("取り込めなかった1行と、その理由").click()
        expect(card.get_by_role("listitem")).to_have_text("14行目氏名が空です。id がありません")
        expect(page.get_by_role("button", name=re.compile("同期"))).to_have_count(0)

    def test_an_empty_roster_says_what_to_do(self, office: Office) -> None:
        page = office("audit")
        answer(page, "members", {"items": []})
        answer(page, "members/last-sync", {"last": None})
        page.goto(page.url.replace("/audit", "/members"))
        expect(page.get_by_role("heading", name="名簿はまだ空です")).to_be_visible()
        expect(page.get_by_text("まだ一度も同期していません。")).to_be_visible()


class TestLinking:
    def test_by_a_suggestion_and_undone_with_a_reason(
        self, office: Office, new_friend: NewFriend, other: Colleague
    ) -> None:
        new_friend("吉田 誠（携帯）")
        page = office("members?tab=friends")
        page.get_by_role("button", name=re.compile("^吉田 誠（携帯）を、.*吉田 誠.*の会員と連携$")).click()
        dialog = page.get_by_role("dialog", name="友だちと会員を連携")
        dialog.get_by_role("button", name="吉田 誠さんと連携する").click()
        expect(dialog.get_by_label("本人だとわかった理由")).to_have_accessible_description(
            re.compile("理由を書いてください")
        )
        dialog.get_by_role("button", name="電話で本人に確認").click()
        dialog.get_by_role("button", name="吉田 誠さんと連携する").click()
        expect(page.get_by_text("吉田 誠さんと、LINEの「吉田 誠（携帯）」を連携しました。")).to_be_visible()
        expect(page.get_by_role("row").filter(has_text="吉田 誠（携帯）")).to_have_count(0)

        page.get_by_role("link", name="名簿", exact=True).click()
        row = page.get_by_role("row").filter(has_text="吉田 誠（携帯）")
        expect(row).to_contain_text("連携済み")
        row.get_by_role("button", name="吉田 誠の連携を解除").click()
        dialog = page.get_by_role("dialog", name="LINEとの連携を解除")
        expect(dialog).to_contain_text("次の同期でまた連携されます")
        expect(dialog).to_contain_text("シートのそのセルも空にしてください")
        dialog.get_by_label("解除する理由").fill("別の方のLINEだったため")
        dialog.get_by_role("button", name="連携を解除する").click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("row").filter(has_text="吉田 誠")).to_contain_text("未連携")
        newest = other.get("audit-logs?limit=1")["items"][0]
        assert (newest["action"], newest["reason"]) == ("UNLINK", "別の方のLINEだったため")

    def test_by_search_with_the_keyboard(self, office: Office, new_friend: NewFriend) -> None:
        new_friend("まこ🌸")
        page = office("members?tab=friends")
        page.get_by_role("button", name="まこ🌸と連携する会員を選ぶ").press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("会員を探す")).to_be_focused()
        page.keyboard.type("山田")
        expect(dialog.get_by_role("radio", name="山田 太郎 連携済み")).to_be_disabled()
        dialog.get_by_label("会員を探す").fill("清水")
        expect(dialog.get_by_role("radio")).to_have_count(1)
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.type("対面で本人に確認")
        dialog.get_by_role("button", name="清水 直子さんと連携する").press("Enter")
        expect(page.get_by_text("清水 直子さんと、LINEの「まこ🌸」を連携しました。")).to_be_visible()

    def test_somebody_else_was_quicker(
        self, office: Office, new_friend: NewFriend, other: Colleague, complaints: Complaints
    ) -> None:
        user_id = new_friend("もりちゃん")
        page = office("members?tab=friends")
        page.get_by_role("button", name="もりちゃんと連携する会員を選ぶ").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("会員を探す").fill("森")
        dialog.get_by_role("radio", name="森 久美子").check()
        dialog.get_by_role("button", name="電話で本人に確認").click()
        other.send("POST", "links", {"user_id": user_id, "member_id": 18, "reason": "電話"})
        dialog.get_by_role("button", name="森 久美子さんと連携する").click()
        expect(dialog.get_by_role("alert")).to_contain_text("このLINEは、すでに別の会員と")
        complaints.expect("status of 409")

    def test_nothing_left_to_link(self, office: Office) -> None:
        page = office("audit")
        answer(page, "links/unlinked-friends*", {"items": [], "next_cursor": None, "total": 0})
        page.goto(page.url.replace("/audit", "/members?tab=friends"))
        expect(page.get_by_role("heading", name="未連携の友だちはいません")).to_be_visible()


def test_it_fits_and_can_be_used_by_everybody(office: Office, new_friend: NewFriend) -> None:
    new_friend("特定非営利活動法人みらいと地域をむすぶ会 事務局長 伊藤")
    page = office("members", "phone")
    expect(page.get_by_role("cell", name="山田 太郎").first).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="山田 太郎の連携を解除").click()
    expect(page.get_by_label("解除する理由")).to_be_visible()
    check_every_size(page)
    page.keyboard.press("Escape")
    page.goto(page.url.replace("/members", "/members?tab=friends"))
    page.get_by_role("button", name=re.compile("会員を選ぶ")).first.click()
    expect(page.get_by_role("dialog").get_by_role("radio").first).to_be_visible()
    check_every_size(page)


class TestAThousandMembers:
    """Last in this file: the roster of the shared demo stays as big as this."""

    def test_typing_is_not_felt(self, office: Office, demo: Demo, other: Colleague, tmp_path: Path) -> None:
        demo.command("members", "sync", "--file", str(big_roster(tmp_path, 1_000)))
        audience_id, _ = other.group(1, 2, 3)
        for path, label in ((f"audiences/{audience_id}", "名前で絞り込む"), ("members", "名前で探す")):
            page = office(path)
            field = page.get_by_label(label)
            field.wait_for()
            page.evaluate(_WATCH, label)
            field.press_sequentially("会員 0512", delay=120)
            expect(page.get_by_text("会員 0512号")).to_be_visible()
            expect(page.get_by_text("会員 0513号")).to_have_count(0)
            slowest = page.evaluate("Math.max(...window.slowness)")
            # A quarter of a second is what a person feels; the machines that run this are slower than an office's.
            assert slowest < 250, f"{label}: {slowest:.0f} ms"


# From a letter to the next painted frame, for each letter.
_WATCH = """() => {
  window.slowness = [0];
  addEventListener("input", () => {
    const begun = performance.now();
    requestAnimationFrame(() => setTimeout(() => window.slowness.push(performance.now() - begun)));
  }, true);
}"""
