"""The office finds a date: the form in five steps, what it refuses, and that one press makes one thread."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.complaints import Complaints
from tests.browser.test_friends import overflows
from tests.browser.test_screens import check_every_size, serious
from tests.browser.thread_form import OpenPage, ThreadDesk, ThreadForm, day, desk, posts

__all__ = ["desk"]

BOTH = pytest.mark.parametrize("size", ["phone", "desktop"])


@pytest.mark.row("1.1.27")
def test_from_an_empty_form_to_a_decided_date(office: OpenPage, desk: ThreadDesk) -> None:
    title = "臨時理事会"
    form = ThreadForm(office("threads/new", "phone"))
    form.what(title)
    form.when(5, 6)
    form.who("山田 太郎 <yamada@example.jp>, 佐藤 <sato@example.jp>")
    form.page.get_by_role("radio", name=re.compile("^条件が揃ったら、すぐ自動で決める")).check()
    form.how("全員")
    expect(form.page.get_by_label("メールの件名")).to_have_value(f"【日程のご相談】{title}")
    check_every_size(form.page)
    form.ask().get_by_role("button", name="送る", exact=True).click()
    thread_id = form.arrived()
    expect(form.page.get_by_text("2人への送信を始めました。")).to_be_visible()
    board = desk.board(thread_id)
    assert board["thread"]["status"] == "active"
    for person in board["people"]:
        desk.answer(person["invite_url"].rsplit("/", 1)[1], board["slots"][1]["slot_id"])
    # Nobody loads the page again.
    expect(form.page.get_by_text("この日に決まりました")).to_be_visible()
    expect(form.page.get_by_text("2人が参加")).to_be_visible()


def test_painting_with_the_mouse(office: OpenPage) -> None:
    """A press is one hour, a stroke is as long as it is, and across days it is the same time on each."""
    form = ThreadForm(office("threads/new"))
    form.what("塗って選ぶ")
    form.page.get_by_role("button", name="次の週").click()
    week = form.page.get_by_test_id("week")
    week.scroll_into_view_if_needed()
    box = week.bounding_box()
    assert box is not None
    column, row = box["width"] / 7, box["height"] / 30

    def at(day_of_week: int, half_hour: float) -> tuple[float, float]:
        return box["x"] + column * (day_of_week + 0.5), box["y"] + row * (half_hour + 0.5)

    form.page.mouse.click(*at(0, 6))
    expect(form.chosen_slots()).to_have_count(1)
    expect(form.chosen_slots().first).to_contain_text("10:00–11:00")
    form.page.mouse.move(*at(2, 4))
    form.page.mouse.down()
    form.page.mouse.move(*at(3, 7), steps=3)
    form.page.mouse.up()
    expect(form.chosen_slots()).to_have_count(3)
    expect(form.chosen_slots().nth(2)).to_contain_text("9:00–11:00")
    form.page.get_by_role("button", name="すべて、同じ時刻を次の週にも").click()
    expect(form.chosen_slots()).to_have_count(6)
    form.page.get_by_role("button", name=re.compile("を外す$")).first.click()
    expect(form.chosen_slots()).to_have_count(5)


def test_nothing_is_lost_on_the_way_back_and_by_a_reload(office: OpenPage) -> None:
    form = ThreadForm(office("threads/new"))
    form.what("行きつ戻りつ")
    form.when(5)
    form.page.get_by_label("名前とアドレス").fill("a@example.jp")
    form.page.go_back()
    form.on("候補日")
    expect(form.chosen_slots()).to_have_count(1)
    form.page.go_forward()
    form.on("声をかける人")
    form.page.reload()
    form.on("声をかける人")
    expect(form.page.get_by_label("名前とアドレス")).to_have_value("a@example.jp")
    form.page.get_by_role("button", name="入力を破棄").click()
    form.page.get_by_role("dialog").get_by_role("button", name="破棄する").click()
    form.on("内容")
    expect(form.page.get_by_label("題名")).to_have_value("")


def test_what_is_wrong_is_said_at_its_field(office: OpenPage) -> None:
    form = ThreadForm(office("threads/new", "phone"))
    form.next()
    expect(form.page.get_by_text("題名を入力してください")).to_be_visible()
    expect(form.page.get_by_label("題名")).to_be_focused()
    form.what("まちがい探し")
    form.next()
    expect(form.page.get_by_text("候補日を1つ以上選んでください")).to_be_visible()
    form.page.get_by_label("日付").fill(day(-3))
    form.page.get_by_role("button", name="候補に追加").click()
    expect(form.page.get_by_text("過去の日時です。これからの日時にしてください")).to_be_visible()
    form.when(5)
    form.next()
    expect(form.page.get_by_text("声をかける人を1人以上選んでください")).to_be_visible()
    form.page.get_by_label("名前とアドレス").fill("山田 <yamada@example.jp>\nだれか\na@x.jp b@x.jp")
    expect(form.page.get_by_text("メールアドレスがありません")).to_be_visible()
    form.next()
    expect(form.page.get_by_text("読み取れないものが2個あります。直すか、消してください")).to_be_visible()
    form.who("山田 <yamada@example.jp>, 佐藤 <sato@example.jp>")
    form.page.get_by_label("決まる人数").fill("5")
    form.next()
    expect(form.page.get_by_role("alert").filter(has_text="声をかける方は2人です")).to_be_visible()
    assert serious(form.page) == []
    assert not overflows(form.page)


def test_what_is_known_late_leads_back_with_the_reason(office: OpenPage, complaints: Complaints) -> None:
    form = ThreadForm(office("threads/new", "phone"))
    held: list[Route] = []
    slow = True

    def hold(route: Route) -> None:
        held.append(route) if slow else route.continue_()

    form.page.route("**/api/threads/preview", hold)
    form.what("遅い返事の会")
    form.when(5)
    form.page.get_by_label("名前とアドレス").fill("山田 <yamada@example.jp>, 佐藤 <sato@example.jp>")
    form.next()
    form.page.get_by_label("決まる人数").fill("5")
    form.next()
    form.on("確認して送る")
    slow = False
    for route in held:
        route.continue_()
    form.on("決め方")
    expect(form.page.get_by_role("alert").filter(has_text="声をかける方は2人です")).to_be_visible()
    complaints.expect("status of 4")


@BOTH
def test_more_addresses_than_one_thread_can_take(office: OpenPage, complaints: Complaints, size: str) -> None:
    """The reason is in sight, and not behind the bar at the foot of the window."""
    form = ThreadForm(office("threads/new", size))
    form.what("五百人の会")
    form.when(5)
    people = [f"参加者 {number} <guest{number}@example.jp>" for number in range(501)]
    form.page.get_by_label("名前とアドレス").fill("\n".join(people))
    form.next()
    wrong = form.page.get_by_text("一度に声をかけられるのは500人までです。いま501人分のアドレスがあります")
    expect(wrong).to_be_visible()
    expect(form.page.get_by_label("名前とアドレス")).to_be_focused()
    box, bar = wrong.bounding_box(), form.page.get_by_role("button", name=re.compile("^次へ")).bounding_box()
    assert box is not None
    assert bar is not None
    assert 0 < box["y"] < bar["y"] - box["height"]
    form.page.get_by_label("名前とアドレス").fill("\n".join(people[:500]))
    expect(form.page.get_by_text("声をかける方")).to_contain_text("500人")
    form.next()
    form.on("決め方")
    complaints.expect("status of 400")


def test_a_draft_that_another_tab_has_sent_is_not_sent_again(
    office: OpenPage, desk: ThreadDesk, complaints: Complaints
) -> None:
    form = ThreadForm(office("threads/new"))
    _to_the_end(form, "二つの画面の会")
    other = ThreadForm(form.page.context.new_page())
    other.page.goto(form.page.url)
    other.on("確認して送る")
    form.ask().get_by_role("button", name="送る", exact=True).click()
    form.arrived()
    other.page.get_by_label("メールの件名").fill("別の件名")
    other.ask().get_by_role("button", name="送る", exact=True).click()
    expect(other.page.get_by_role("dialog")).to_contain_text("すでに作成されています")
    complaints.expect("status of 422")
    assert len(desk.called("二つの画面の会")) == 1


def test_the_rule_is_said_in_words_while_it_is_chosen(office: OpenPage) -> None:
    form = ThreadForm(office("threads/new"))
    form.what("言葉になる決め方")
    form.when(5)
    form.who("山田 太郎 <yamada-w@example.jp>, 佐藤 <sato-w@example.jp>")
    form.page.get_by_role("radio", name=re.compile("^必ず来てほしい人")).check()
    form.page.get_by_role("checkbox", name="山田 太郎").check()
    form.page.get_by_label("ほかの方の人数", exact=True).fill("1")
    expect(form.page.get_by_role("status").filter(has_text="山田 太郎さん")).to_be_visible()


def test_a_double_press_makes_one_thread(office: OpenPage, desk: ThreadDesk) -> None:
    form = ThreadForm(office("threads/new"))
    _to_the_end(form, "二度押し")
    made = posts(form.page, "/api/threads")
    form.ask().get_by_role("button", name="送る", exact=True).dblclick()
    form.arrived()
    assert len(made) == 1
    assert len(desk.called("二度押し")) == 1


def test_a_lost_answer_is_asked_for_again_with_the_same_key(
    office: OpenPage, desk: ThreadDesk, complaints: Complaints
) -> None:
    """The server has made the thread, but nobody heard of it: the next press finds it."""
    form = ThreadForm(office("threads/new"))
    _to_the_end(form, "聞こえなかった返事")
    keys: list[Any] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        keys.append(route.request.headers["idempotency-key"])
        answer = route.fetch()
        assert answer.status == 201
        route.abort() if len(keys) == 1 else route.fulfill(response=answer)

    form.page.route(re.compile(r"/api/threads$"), lose)
    dialog = form.ask()
    dialog.get_by_role("button", name="送る", exact=True).click()
    expect(dialog.get_by_text("受け付けられたかどうか、確かめられませんでした")).to_be_visible()
    dialog.get_by_role("button", name="もう一度送る").click()
    form.arrived()
    assert len(set(keys)) == 1
    assert [one["status"] for one in desk.called("聞こえなかった返事")] == ["active"]
    complaints.expect("ERR_FAILED")


def test_a_draft_is_told_to_nobody_until_it_is_sent(office: OpenPage, desk: ThreadDesk) -> None:
    form = ThreadForm(office("threads/new", "phone"))
    _to_the_end(form, "まず下書き")
    form.page.get_by_role("button", name="下書きに保存").click()
    thread_id = form.arrived()
    expect(form.page.get_by_text("下書きに保存しました。まだ、だれにも送られていません。")).to_be_visible()
    assert desk.board(thread_id)["thread"]["status"] == "draft"
    form.page.get_by_role("button", name="送る", exact=True).click()
    dialog = form.page.get_by_role("dialog")
    expect(dialog.get_by_text("【日程のご相談】まず下書き").or_(dialog.get_by_text("まず下書き")).first).to_be_visible()
    dialog.get_by_role("button", name="2人に送る").click()
    expect(form.page.get_by_text("2人への送信を始めました。")).to_be_visible()
    assert desk.board(thread_id)["thread"]["status"] == "active"


def _to_the_end(form: ThreadForm, title: str) -> None:
    form.what(title)
    form.when(5)
    form.who("山田 太郎 <yamada-e@example.jp>, 佐藤 <sato-e@example.jp>")
    form.how("だれか1人")
