"""Two of the office at work on one thing, and a session that ends in the middle: nobody's work is lost."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.admin_desk import Colleague, colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually, log_in
from tests.browser.test_admin_event_detail import Office
from tests.browser.wizard import EVERYBODY, Form, events_called, form, picture
from tsudoi.core.clock import JST

__all__ = ["form", "picture"]

OpenPage = Callable[..., Page]


@pytest.fixture
def other(demo: Demo) -> Iterator[Colleague]:
    with colleague(demo) as somebody:
        yield somebody


@pytest.fixture(scope="module")
def events(demo: Demo) -> Iterator[Office]:
    made = Office(demo)
    eventually(lambda: len(made.people()) >= 1, seconds=30)
    yield made
    made.api.close()
    made.box.close()


class TestTwoAtOneEvent:
    def test_the_slower_sees_what_changed_and_keeps_their_own_words(
        self, office: OpenPage, events: Office, other: Colleague, complaints: Complaints
    ) -> None:
        event_id = events.make("ふたりの会", events.people()[:1])
        page = office("events")
        # Without the stream it is the server that says so.
        page.route("**/live", lambda route: route.fulfill(status=204))
        page.goto(f"{page.url.split('/admin')[0]}/admin/events/{event_id}")
        page.get_by_role("button", name="編集").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("変更を知らせる").uncheck()
        dialog.get_by_label("タイトル").fill("わたしの会")
        later = (datetime.now(JST) + timedelta(days=12)).replace(hour=18, minute=30, second=0, microsecond=0)
        other.send("PATCH", f"events/{event_id}", {"title": "先に変えた会", "held_at": later.isoformat()})
        dialog.get_by_role("button", name="変更を保存する").click()
        expect(dialog.get_by_text("ほかの人がこのイベントを変更しました")).to_be_visible()
        dialog.get_by_role("button", name="最新の内容を読み込む").click()
        notice = dialog.get_by_role("alert")
        expect(notice).to_contain_text(
            "タイトル：ふたりの会 → 先に変えた会（この画面では、ご自分の入力を残しています）"
        )
        expect(notice).to_contain_text("開催日時：")
        expect(dialog.get_by_label("時刻")).to_have_value("18:30")
        dialog.get_by_role("button", name="変更を保存する").click()
        expect(page.get_by_text("変更を保存しました。")).to_be_visible()
        found = other.get(f"events/{event_id}")
        assert (found["title"], found["held_at"]) == ("わたしの会", later.isoformat())
        complaints.expect("status of 409")


class TestTwoAtOneGroup:
    def test_a_name_that_somebody_else_changed(
        self, office: OpenPage, other: Colleague, complaints: Complaints
    ) -> None:
        audience_id, name = other.group()
        page = office("audiences")
        page.get_by_role("button", name=f"{name}の名前を変える").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("グループの名前").fill(f"{name} わたし")
        other.send("PATCH", f"audiences/{audience_id}", {"name": f"{name} 先"})
        dialog.get_by_role("button", name="名前を変える").click()
        said = f"ほかの人が、先に「{name} 先」に変えました。「{name} わたし」にするときは、もう一度押してください"
        expect(dialog.get_by_label("グループの名前")).to_have_accessible_description(said)
        dialog.get_by_role("button", name="名前を変える").click()
        expect(page.get_by_role("link", name=f"{name} わたし", exact=True)).to_be_visible()
        complaints.expect("status of 409")

    def test_members_between_reading_and_writing(
        self, office: OpenPage, other: Colleague, complaints: Complaints
    ) -> None:
        audience_id, _ = other.group(1, 2)
        page = office(f"audiences/{audience_id}")
        page.get_by_role("checkbox", name="鈴木 一郎").check()
        quick: list[bool] = []

        def quicker(route: Route) -> None:
            if route.request.method == "PUT" and not quick:
                quick.append(True)
                other.send("PUT", f"audiences/{audience_id}/members", {"member_ids": [1, 4]})
            route.continue_()

        page.route("**/members", quicker)
        page.get_by_role("button", name="保存する").click()
        expect(page.get_by_text("ほかの人が先に変えた分（+1人・−1人）も、そのまま残してあります")).to_be_visible()
        assert sorted(other.members_of(audience_id)) == [1, 3, 4]
        complaints.expect("status of 409")


class TestASessionThatEnds:
    def test_in_the_middle_of_a_new_event(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(3, "途中で切れた会")
        one.page.context.clear_cookies()
        one.page.get_by_role("checkbox", name=EVERYBODY).check()
        one.next()
        expired = one.page.get_by_text("セッションの有効期限が切れました")
        expect(expired).to_be_visible()
        log_in(one.page)
        expect(expired).to_have_count(0)
        one.on("受信者の確認")
        expect(one.page.get_by_role("list", name="受信者")).to_be_visible()
        one.next()
        one.on("確認して送信")
        one.send()
        one.arrived()
        expect(one.page.get_by_role("heading", level=1)).to_have_text("途中で切れた会")
        assert len(events_called(one.page, "途中で切れた会")) == 1

    def test_while_an_event_is_changed(self, office: OpenPage, events: Office) -> None:
        event_id = events.make("切れても直せる会", events.people()[:1])
        page = office(f"events/{event_id}")
        expect(page.get_by_text("自動更新中")).to_be_visible()
        page.get_by_role("button", name="編集").click()
        editing = page.get_by_role("dialog").filter(has_text="変更を知らせる")
        editing.get_by_label("変更を知らせる").uncheck()
        editing.get_by_label("本文").fill("書きかけの本文")
        page.context.clear_cookies()
        editing.get_by_role("button", name="変更を保存する").click()
        expect(page.get_by_text("セッションの有効期限が切れました")).to_be_visible()
        log_in(page)
        expect(page.get_by_text("変更を保存しました。")).to_be_visible()
        expect(page.get_by_text("書きかけの本文")).to_be_visible()

    def test_on_the_page_of_an_event_which_then_goes_on_by_itself(self, office: OpenPage, events: Office) -> None:
        [member_id] = events.people()[:1]
        event_id = events.make("見ている間に切れた会", [member_id])
        page = office(f"events/{event_id}")
        expect(page.get_by_text("自動更新中")).to_be_visible()
        page.context.clear_cookies()
        page.get_by_role("button", name="未回答の人に督促").click()
        expired = page.get_by_text("セッションの有効期限が切れました")
        expect(expired).to_be_visible()
        log_in(page)
        expect(expired).to_have_count(0)
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("1人に送ります")).to_be_visible()
        dialog.get_by_role("button", name="やめる").click()
        events.answers(member_id, event_id, "attend")
        expect(page.get_by_role("row").filter(has_text="出席")).to_be_visible()
