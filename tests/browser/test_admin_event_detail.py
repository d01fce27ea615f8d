"""One event as the office sees it: answers as they come, what was sent, and everything that can be done with it."""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually
from tests.browser.test_screens import check_every_size
from tsudoi.commands.demo import ADMIN, PASSWORD
from tsudoi.core.clock import JST

OpenPage = Callable[..., Page]
SEND = re.compile("人に送信する$")
# The roster gets hundreds of people who belong to nobody's sheet.
OWN_DEMO = True


class Office:
    """What another member of the office, and the members on their phones, do meanwhile."""

    def __init__(self, demo: Demo) -> None:
        self._demo = demo
        self.api = httpx2.Client(base_url=demo.product, timeout=60, trust_env=False)
        self.box = httpx2.Client(base_url=demo.phones, timeout=60, trust_env=False)
        answer = self.api.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD})
        self.api.headers["x-csrf-token"] = answer.json()["csrf_token"]

    def leave_one_message(self) -> None:
        """This month, besides those that the notices of the demo's reservations need."""
        left = 1 + self.api.get("/api/admin/notifications/summary").json()["quota"]["promised"]
        self.box.put("/_sandbox/quota", json={"type": "limited", "value": left, "total_usage": 0})

    def people(self) -> list[int]:
        found = self.api.get("/api/admin/recipients/candidates", params={"all": 1}).json()["items"]
        return [one["member_id"] for one in found if one["member_id"] < 1_000]

    def make(self, title: str, people: list[int] | None = None, **more: str) -> int:
        Image.new("RGB", (620, 877), "#fff8e8").save(picture := io.BytesIO(), "JPEG")
        held_at = (datetime.now(JST) + timedelta(days=9)).replace(hour=19, minute=0, second=0, microsecond=0)
        form = {
            "title": title,
            "held_at": held_at.isoformat(),
            "target_member_ids": json.dumps(people or self.people()),
            "extra_text_enabled": "true",
            **more,
        }
        files = {"image": ("a.jpg", picture.getvalue(), "image/jpeg")}
        made = self.api.post("/api/admin/events", data=form, files=files)
        assert made.status_code == 201, made.text
        return int(made.json()["event_id"])

    def made_an_hour_ago(self, event_id: int) -> None:
        earlier = (datetime.now(JST) - timedelta(hours=1)).isoformat(timespec="seconds")
        with sqlite3.connect(self._database) as db:
            db.execute("UPDATE events SET created_at = ? WHERE id = ?", (earlier, event_id))

    def user_of(self, member_id: int) -> str:
        with sqlite3.connect(self._database) as db:
            user_id: str = db.execute("SELECT line_user_id FROM members WHERE id = ?", (member_id,)).fetchone()[0]
        return user_id

    def answers(self, member_id: int, event_id: int, status: str, memo: str | None = None) -> None:
        """As that member, from the phone."""
        user_id = self.user_of(member_id)
        token = self.box.post(f"/_sandbox/users/{user_id}/id_token", json={}).json()["id_token"]
        with httpx2.Client(base_url=self._demo.product, trust_env=False) as phone:
            phone.post("/api/liff/session", json={"id_token": token})
            body = {"status": status, "extra_text": memo}
            assert phone.post(f"/api/liff/events/{event_id}/respond", json=body).status_code == 201

    def chat(self, member_id: int, words: str) -> list[str]:
        messages = self.box.get(f"/_sandbox/users/{self.user_of(member_id)}/chat").json()["messages"]
        texts: list[str] = [one["message"].get("text") or "" for one in messages]
        return [text for text in texts if words in text]

    def crowd(self, number: int) -> list[int]:
        users = self.box.post("/_sandbox/users/crowd", json={"count": number}).json()["user_ids"]
        rows = [(10_000 + place, f"会員 第{place}号", user_id) for place, user_id in enumerate(users)]
        with sqlite3.connect(self._database, timeout=30) as db:
            db.executemany(
                "INSERT INTO members (id, name, name_key, line_user_id, is_target, created_at, updated_at)"
                " VALUES (?, ?, '', ?, 1, '2025-08-16T12:00:00+09:00', '2025-08-16T12:00:00+09:00')",
                rows,
            )
        return [row[0] for row in rows]

    @property
    def _database(self) -> Path:
        return self._demo.data_dir / "tsudoi.sqlite3"


@pytest.fixture(scope="module")
def colleague(demo: Demo) -> Iterator[Office]:
    office = Office(demo)
    eventually(lambda: len(office.people()) >= 4, seconds=30)
    yield office
    office.api.close()
    office.box.close()


@pytest.fixture
def event_page(office: OpenPage) -> OpenPage:
    def opened(event_id: int, size: str = "desktop") -> Page:
        page = office(f"events/{event_id}", size)
        expect(page.get_by_text("自動更新中")).to_be_visible()
        return page

    return opened


def row_of(page: Page, name: str) -> Any:
    return page.get_by_role("row").filter(has_text=name)


def counts(page: Page) -> str:
    return page.get_by_role("img", name=re.compile("^出席")).get_attribute("aria-label") or ""


class TestAnswers:
    def test_an_answer_appears_without_a_reload_and_softly_lit(self, colleague: Office, event_page: OpenPage) -> None:
        first, *_rest = people = colleague.people()
        page = event_page(event_id := colleague.make("ライブの会"))
        assert counts(page) == f"出席0人、欠席0人、未回答{len(people)}人"
        colleague.answers(first, event_id, "attend", "少し遅れます")
        row = row_of(page, "少し遅れます")
        expect(row).to_contain_text("出席")
        expect(row).to_have_class(re.compile("highlighted"))
        assert counts(page) == f"出席1人、欠席0人、未回答{len(people) - 1}人"
        expect(row).not_to_have_class(re.compile("highlighted"), timeout=15_000)

    def test_are_filtered_by_state_and_name(self, colleague: Office, event_page: OpenPage) -> None:
        event_id = colleague.make("絞り込みの会")
        colleague.answers(colleague.people()[0], event_id, "absent")
        page = event_page(event_id)
        page.get_by_text("欠席 1", exact=True).click()
        expect(page.get_by_role("row")).to_have_count(2)
        expect(row_of(page, "山田 太郎")).to_be_visible()
        page.get_by_text(re.compile("^全部 ")).click()
        page.get_by_label("名前で探す").fill("だれでもない")
        expect(page.get_by_text("あてはまる方はいません")).to_be_visible()
        page.get_by_label("名前で探す").fill("サトウ")
        expect(row_of(page, "佐藤 花子")).to_be_visible()
        page.get_by_label("名前で探す").fill("佐藤花子")
        expect(row_of(page, "佐藤 花子")).to_be_visible()
        expect(page.get_by_role("row")).to_have_count(2)

    def test_on_behalf_and_the_history_of_a_person(self, colleague: Office, event_page: OpenPage) -> None:
        event_id = colleague.make("代理の会")
        colleague.answers(colleague.people()[0], event_id, "absent")
        page = event_page(event_id)
        page.get_by_role("button", name="山田 太郎").press("Enter")
        drawer = page.get_by_role("dialog")
        expect(drawer.get_by_role("listitem")).to_have_count(1)
        drawer.get_by_label("出席").check()
        drawer.get_by_label("備考").fill("お電話で")
        drawer.get_by_role("button", name="代理で回答を記録する").click()
        expect(drawer.get_by_text("「出席」で記録しました")).to_be_visible()
        expect(drawer.get_by_role("listitem")).to_have_count(2)
        page.keyboard.press("Escape")
        expect(row_of(page, "山田 太郎")).to_contain_text("事務局が代理入力")
        expect(page.get_by_role("button", name="山田 太郎")).to_be_focused()

    def test_as_of_a_moment_and_back(self, colleague: Office, event_page: OpenPage) -> None:
        event_id = colleague.make("時点の会")
        colleague.answers(colleague.people()[0], event_id, "attend")
        colleague.made_an_hour_ago(event_id)
        page = event_page(event_id)
        before = datetime.now(JST) - timedelta(minutes=2)
        page.get_by_role("button", name="時点を指定").click()
        page.get_by_label("日付").fill((before + timedelta(days=2)).strftime("%Y-%m-%d"))
        page.get_by_role("button", name="この時点の回答を見る").click()
        expect(page.get_by_text("未来の時点は指定できません")).to_be_visible()
        page.get_by_label("日付").fill(before.strftime("%Y-%m-%d"))
        page.get_by_label("時刻").fill(before.strftime("%H:%M"))
        page.get_by_role("button", name="この時点の回答を見る").click()
        expect(page.get_by_text(before.strftime("%Y/%m/%d %H:%M 時点")).first).to_be_visible()
        expect(row_of(page, "山田 太郎")).to_contain_text("未回答")
        page.get_by_role("button", name="いまに戻る").click()
        expect(row_of(page, "山田 太郎")).to_contain_text("出席")
        page.get_by_role("button", name="時点を指定").click()
        page.get_by_label("日付").fill((before - timedelta(days=2)).strftime("%Y-%m-%d"))
        page.get_by_role("button", name="この時点の回答を見る").click()
        expect(page.get_by_text("この時点では、まだどなたにも案内していません。")).to_be_visible()


class TestActions:
    def test_a_reminder_is_sent_once_however_often_it_is_clicked(self, colleague: Office, event_page: OpenPage) -> None:
        first, second, *_rest = colleague.people()
        event_id = colleague.make("督促の会", [first, second])
        colleague.answers(first, event_id, "attend")
        page = event_page(event_id)
        page.get_by_role("button", name="未回答の人に督促").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("督促の会")).to_contain_text("ご回答がまだのようです")
        expect(dialog.get_by_text("1通を使います")).to_be_visible()
        dialog.get_by_role("button", name="1人に送信する").dblclick()
        expect(page.get_by_text("督促を1人に送りました。")).to_be_visible()
        assert len(colleague.chat(second, "「督促の会」")) == 1
        assert colleague.chat(first, "「督促の会」") == []
        page.get_by_role("button", name="未回答の人に督促").click()
        expect(dialog.get_by_text("いま督促を送る相手がいません")).to_be_visible()
        dialog.get_by_text("送らない方・届かない方 1人").click()
        expect(dialog.get_by_text("佐藤 花子（今日すでに督促しています）")).to_be_visible()

    def test_those_whom_the_monthly_limit_kept_back_get_it_in_one_click(
        self, colleague: Office, event_page: OpenPage
    ) -> None:
        first, second, *_rest = colleague.people()
        colleague.leave_one_message()
        try:
            event_id = colleague.make("上限に達した会", [first, second], confirm_over_quota="true")
        finally:
            colleague.box.put("/_sandbox/quota", json={"type": "none"})
        page = event_page(event_id)
        page.get_by_role("button", name="送れなかった人に送る").first.click()
        expect(
            (dialog := page.get_by_role("dialog")).get_by_text("招待を送れなかった1人のうち、届く方に送ります")
        ).to_be_visible()
        dialog.get_by_role("button", name="1人に送信する").dblclick()
        expect(page.get_by_text("招待を1人に送りました。")).to_be_visible()
        expect(page.get_by_role("button", name="送れなかった人に送る")).to_have_count(0)
        # The first broadcast says what happened, and the event counts everybody once.
        for text in ("配信 2/2", "配信 1/2・失敗1", "今月の送信上限で送れなかった1人は"):
            expect(page.get_by_role("region", name="送信の結果").get_by_text(text)).to_be_visible()
        link = f"/events/{event_id}"
        assert len(colleague.chat(first, link)) == len(colleague.chat(second, link)) == 1

    def test_beyond_the_quota_only_when_ticked(self, colleague: Office, event_page: OpenPage) -> None:
        page = event_page(colleague.make("上限の会", colleague.people()[:2]))
        colleague.leave_one_message()
        try:
            page.get_by_role("button", name="未回答の人に督促").click()
            dialog = page.get_by_role("dialog")
            expect(dialog.get_by_role("button", name=SEND)).to_be_disabled()
            dialog.get_by_label("上限を超えることを確かめました").check()
            expect(dialog.get_by_role("button", name=SEND)).to_be_enabled()
            dialog.get_by_role("button", name=SEND).click()
            # The first in roster order got it. Who did not is named with the reason.
            page.get_by_text("届いていない可能性がある方（1人）").click()
            expect(page.get_by_text("送信上限に達したため").first).to_be_visible()
            expect(page.get_by_text("佐藤 花子", exact=True).first).to_be_visible()
        finally:
            colleague.box.put("/_sandbox/quota", json={"type": "none"})

    def test_people_are_added(self, colleague: Office, event_page: OpenPage) -> None:
        first, second, *_rest = colleague.people()
        page = event_page(event_id := colleague.make("追加の会", [first]))
        page.get_by_role("button", name="対象者を追加").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("名前で探す").fill("佐藤花子")
        dialog.get_by_role("checkbox", name="佐藤 花子").check()
        dialog.get_by_role("button", name="1人を選んで確認へ進む").click()
        expect(dialog.get_by_role("img", name="案内の画像")).to_be_visible()
        dialog.get_by_role("button", name="1人に送信する").click()
        expect(row_of(page, "佐藤 花子")).to_contain_text("未回答")
        assert len(colleague.chat(second, f"/events/{event_id}")) == 1

    def test_editing_with_errors_at_their_field_and_the_words_beforehand(
        self, colleague: Office, event_page: OpenPage
    ) -> None:
        first, *_rest = colleague.people()
        event_id = colleague.make("編集の会", [first])
        page = event_page(event_id)
        page.get_by_role("button", name="編集").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("タイトル").fill("")
        dialog.get_by_label("開催日").fill("2020-01-01")
        dialog.get_by_role("button", name="確認へ進む").click()
        expect(dialog.get_by_label("タイトル")).to_have_accessible_description("タイトルを入力してください")
        expect(dialog.get_by_label("開催日")).to_have_accessible_description(re.compile("過去の日時"))
        dialog.get_by_label("タイトル").fill("編集した会")
        dialog.get_by_label("開催日").fill((datetime.now(JST) + timedelta(days=20)).strftime("%Y-%m-%d"))
        dialog.get_by_role("button", name="確認へ進む").click()
        expect(dialog.get_by_text("件名：編集の会 → 編集した会")).to_be_visible()
        dialog.get_by_role("button", name="1人に送信する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("編集した会")
        expect(page.get_by_text("変更を保存しました。")).to_be_visible()
        assert len(colleague.chat(first, "編集の会 → 編集した会")) == 1

    def test_two_at_once_hear_of_each_other(
        self, colleague: Office, event_page: OpenPage, complaints: Complaints
    ) -> None:
        event_id = colleague.make("ふたりの会", colleague.people()[:1])
        page = event_page(event_id)
        page.get_by_role("button", name="編集").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("変更を知らせる").uncheck()
        dialog.get_by_label("本文").fill("わたしの本文")
        change = {"title": "先に変えた会"}
        assert colleague.api.patch(f"/api/admin/events/{event_id}", json=change).status_code == 200
        # The stream tells it at once; who was quicker than the stream hears it from the server.
        expect(dialog.get_by_text("ほかの人がこのイベントを変更しました")).to_be_visible()
        dialog.get_by_role("button", name="最新の内容を読み込む").click()
        expect(dialog.get_by_label("タイトル")).to_have_value("先に変えた会")
        expect(dialog.get_by_label("本文")).to_have_value("わたしの本文")
        page.route("**/live", lambda route: route.fulfill(status=204))
        refuse = {"code": "CHANGED_MEANWHILE", "message": "ほかの人がこのイベントを変更しました。", "details": []}
        page.route(f"**/api/admin/events/{event_id}?*", lambda route: route.fulfill(status=409, json=refuse), times=1)
        dialog.get_by_role("button", name="変更を保存する").click()
        expect(dialog.get_by_text("ほかの人がこのイベントを変更しました")).to_be_visible()
        dialog.get_by_role("button", name="最新の内容を読み込む").click()
        dialog.get_by_role("button", name="変更を保存する").click()
        expect(page.get_by_text("変更を保存しました。")).to_be_visible()
        expect(page.get_by_text("わたしの本文")).to_be_visible()
        complaints.expect("status of 409")

    def test_cancelling(self, colleague: Office, event_page: OpenPage) -> None:
        first, *_rest = colleague.people()
        page = event_page(colleague.make("中止の会", [first]))
        page.get_by_role("button", name="中止", exact=True).click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("元に戻せません")).to_be_visible()
        dialog.get_by_label("中止の理由").fill("台風のため")
        dialog.get_by_role("button", name="確認へ進む").click()
        expect(dialog.get_by_text("【中止のお知らせ】")).to_contain_text("台風のため")
        dialog.get_by_role("button", name="1人に送信する").click()
        expect(page.get_by_text("理由：台風のため")).to_be_visible()
        expect(page.get_by_role("button", name="未回答の人に督促")).to_have_count(0)
        assert len(colleague.chat(first, "「中止の会」")) == 1


class TestPapers:
    def test_the_csv(self, colleague: Office, event_page: OpenPage) -> None:
        event_id = colleague.make("出力の会", colleague.people()[:2])
        colleague.answers(colleague.people()[0], event_id, "attend", "車で")
        page = event_page(event_id)
        page.get_by_role("button", name="出力・印刷").click()
        with page.expect_download() as waiting:
            page.get_by_role("menuitem", name="最新の回答（CSV）").click()
        assert re.fullmatch(r"出力の会_最新_\d{4}-\d{2}-\d{2}\.csv", waiting.value.suggested_filename)
        rows = list(csv.reader(io.StringIO(waiting.value.path().read_text(encoding="utf-8-sig"))))
        assert rows[0] == ["member_id", "name", "status", "extra_text"]
        assert [row[1:] for row in rows[1:]] == [["山田 太郎", "attend", "車で"], ["佐藤 花子", "pending", ""]]

    def test_a_long_list_and_its_sheets_for_the_reception_desk(self, colleague: Office, event_page: OpenPage) -> None:
        event_id = colleague.make("五百人の会", colleague.crowd(520))
        page = event_page(event_id)
        assert counts(page) == "出席0人、欠席0人、未回答520人"
        page.get_by_label("名前で探す").fill("第519号")
        expect(row_of(page, "会員 第519号")).to_be_visible()
        page.get_by_role("button", name="出力・印刷").click()
        page.get_by_role("menuitem", name="受付名簿を印刷").click()
        expect(page.get_by_role("button", name="520人の名簿を印刷する")).to_be_visible()
        page.emulate_media(media="print")
        expect(page.get_by_role("navigation", name="メインメニュー")).to_be_hidden()
        expect(page.get_by_role("button", name="520人の名簿を印刷する")).to_be_hidden()
        expect(page.get_by_role("heading", name="五百人の会")).to_be_visible()
        heads = page.evaluate("getComputedStyle(document.querySelector('article thead')).display")
        assert heads == "table-header-group"
        sheets = len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))
        assert 10 <= sheets <= 30


class TestTheScreen:
    def test_holds_at_every_width(self, colleague: Office, event_page: OpenPage) -> None:
        event_id = colleague.make("とても長い題の会" * 6)
        colleague.answers(colleague.people()[0], event_id, "attend", "長い備考" * 40)
        page = event_page(event_id, "phone")
        check_every_size(page)
        for button in ("未回答の人に督促", "対象者を追加", "編集", "中止"):
            page.get_by_role("button", name=re.compile(f"^{button}")).click()
            page.get_by_role("dialog").get_by_role("button", name="やめる").wait_for()
            check_every_size(page)
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)

    def test_says_when_there_is_no_such_event(self, office: OpenPage) -> None:
        for path in ("events/999999", "events/nonsense"):
            page = office(path)
            expect(page.get_by_role("heading", level=1)).to_have_text("イベントが見つかりません")

    def test_says_when_the_stream_is_lost_and_comes_back(
        self, demo: Demo, colleague: Office, office: OpenPage, complaints: Complaints
    ) -> None:
        event_id = colleague.make("途切れる会")
        page = office()
        page.route("**/live", lambda route: route.fulfill(status=503))
        page.goto(f"{demo.product}/admin/events/{event_id}")
        expect(page.get_by_text("再接続中")).to_be_visible(timeout=20_000)
        colleague.answers(colleague.people()[0], event_id, "attend", "あいだの回答")
        page.unroute("**/live")
        expect(page.get_by_text("自動更新中")).to_be_visible(timeout=30_000)
        expect(row_of(page, "あいだの回答")).to_be_visible()
        complaints.expect("status of 503")
