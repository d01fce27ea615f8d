"""An event is sent once, to those who can get it, and within what LINE allows."""

import re
from collections.abc import Callable

import httpx2
import pytest
from playwright.sync_api import Route, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import eventually
from tests.browser.wizard import (
    MAKING,
    SATO,
    YAMADA,
    Form,
    answer_of,
    box,
    events_called,
    form,
    made,
    picture,
)
from tsudoi.commands.demo_people import FRIENDS

__all__ = ["box", "form", "picture"]


class TestSentOnce:
    def test_by_a_double_click(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(5, "二度押しの会")
        requests = made(one.page)
        one.page.get_by_role("button", name=re.compile("人に送信する$")).dblclick()
        one.page.get_by_role("dialog").get_by_role("button", name="送信する", exact=True).dblclick()
        one.arrived()
        assert len(requests) == 1
        assert len(events_called(one.page, "二度押しの会")) == 1

    @pytest.mark.parametrize("reached", [False, True])
    def test_although_the_network_failed(
        self, form: Callable[..., Form], complaints: Complaints, *, reached: bool
    ) -> None:
        """Before the server heard it, or after: the second try has the same key, and there is one event."""
        one = form()
        title = f"途切れた会{int(reached)}"
        one.fill_to(5, title)
        requests = made(one.page)

        def cut(route: Route) -> None:
            if reached:
                route.fetch()
            route.abort()

        one.page.route(MAKING, cut, times=1)
        one.send()
        dialog = one.page.get_by_role("dialog")
        expect(dialog.get_by_text("確かめられませんでした")).to_be_visible()
        dialog.get_by_role("button", name="もう一度送信する").click()
        one.arrived()
        keys = {request.headers["idempotency-key"] for request in requests}
        assert (len(requests), len(keys)) == (2, 1)
        assert len(events_called(one.page, title)) == 1
        complaints.expect("net::ERR_FAILED")

    def test_after_a_reload_while_nobody_knows(self, form: Callable[..., Form], complaints: Complaints) -> None:
        one = form()
        one.fill_to(5, "読み込み直した会")

        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        one.page.route(MAKING, lose, times=1)
        one.send()
        expect(one.page.get_by_role("dialog").get_by_text("確かめられませんでした")).to_be_visible()
        one.page.reload()
        expect(one.page.get_by_text("前回の送信の結果を、確かめられていません")).to_be_visible()
        one.send()
        one.arrived()
        assert len(events_called(one.page, "読み込み直した会")) == 1
        complaints.expect("net::ERR_FAILED")

    def test_while_the_same_is_on_its_way(self, form: Callable[..., Form], complaints: Complaints) -> None:
        one = form()
        one.fill_to(5, "お待ちください会")
        busy = {"code": "IN_FLIGHT", "message": "", "details": []}
        answer = {"status": 409, "json": busy, "headers": {"retry-after": "1"}}
        one.page.route(MAKING, lambda route: route.fulfill(**answer), times=1)
        one.send()
        one.arrived()
        assert len(events_called(one.page, "お待ちください会")) == 1
        complaints.expect("status of 409")

    def test_and_not_again_after_a_change(self, form: Callable[..., Form], complaints: Complaints) -> None:
        one = form()
        one.fill_to(5, "先に送った会")

        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        one.page.route(MAKING, lose, times=1)
        one.send()
        dialog = one.page.get_by_role("dialog")
        dialog.get_by_role("button", name="やめる").click()
        one.page.get_by_role("button", name="タイトルを直す").click()
        one.page.get_by_label("タイトル").fill("あとで直した会")
        one.page.get_by_role("button", name="確認して送信").click()
        one.on("確認して送信")
        one.send()
        expect(dialog.get_by_text("すでに送信されています")).to_be_visible()
        assert events_called(one.page, "あとで直した会") == []
        complaints.expect("net::ERR_FAILED")
        complaints.expect("status of 422")


class TestWhoGetsIt:
    def test_who_cannot_be_reached_is_grey_and_says_why(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(4)
        row = one.person("加藤 さくら")
        expect(row).to_contain_text("LINEと連携していません")
        expect(row.get_by_role("checkbox")).to_be_disabled()
        expect(row.get_by_role("checkbox")).not_to_be_checked()

    def test_who_has_blocked_is_noted(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        blocker = FRIENDS[7]
        box.post(f"/_sandbox/users/{blocker.user_id}/block")
        try:
            one = form()

            def known() -> bool:
                people = answer_of(one.page, "/api/admin/members")
                return any(person["name"] == blocker.name and not person["reachable"] for person in people)

            eventually(known)
            one.fill_to(4)
            expect(one.person(blocker.name)).to_contain_text("ブロック中")
            one.next()
            one.page.get_by_text(re.compile("^届かない方 ")).click()
            expect(one.page.get_by_text("公式アカウントをブロックしています（1人）")).to_contain_text(blocker.name)
        finally:
            box.post(f"/_sandbox/users/{blocker.user_id}/unblock")

    def test_the_search_narrows_what_the_buttons_do(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(4)
        one.page.get_by_label("名前で探す").fill("山田太郎")
        expect(one.page.get_by_role("list", name="受信者").get_by_role("listitem")).to_have_count(1)
        one.page.get_by_role("button", name="見つかった全員を外す").click()
        one.page.get_by_label("名前で探す").fill("")
        expect(one.person(YAMADA.name).get_by_role("checkbox")).not_to_be_checked()
        expect(one.person(SATO.name).get_by_role("checkbox")).to_be_checked()

    def test_a_thousand_people_without_lag(self, form: Callable[..., Form]) -> None:
        people = [{"id": number, "name": f"会員 {number:04}", "display_order": number} for number in range(1, 1001)]
        roster = [
            {**one, "line_user_id_present": True, "is_target": 1, "role": "member", "line_display_name": None,
             "reachable": True, "withdrawn": False, "last_contact_at": None}
            for one in people
        ]  # fmt: skip
        candidates = [{"member_id": one["id"], "name": one["name"], "display_order": one["id"]} for one in people]
        one = form()
        one.page.route("**/api/admin/members", lambda route: route.fulfill(json={"items": roster}))
        one.page.route("**/recipients/candidates?*", lambda route: route.fulfill(json={"items": candidates}))
        one.fill_to(4)
        took = one.page.evaluate(
            """async () => {
                const boxes = document.querySelectorAll("main li input");
                const took = [];
                for (const number of [500, 501, 501, 502, 502]) {
                    const start = performance.now();
                    boxes[number].click();
                    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
                    took.push(performance.now() - start);
                }
                return [boxes.length, Math.min(...took)];
            }"""
        )
        assert took[0] == 1000
        assert took[1] < 500, "one tick is one frame or two, when nothing else takes the processor away"
        expect(one.page.get_by_text("送信先 999人")).to_be_visible()


def leave(one: Form, box: httpx2.Client, messages: int) -> None:
    """This month, besides those that the notices of the demo's reservations need."""
    summary = one.page.request.get(one.page.url.split("/admin/")[0] + "/api/admin/notifications/summary").json()
    limit = {"type": "limited", "value": messages + summary["quota"]["promised"], "total_usage": 0}
    box.put("/_sandbox/quota", json=limit)


class TestTheQuota:
    @pytest.mark.found("24.A6")
    def test_with_nothing_left_nothing_is_promised(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        box.put("/_sandbox/quota", json={"type": "limited", "value": 0, "total_usage": 0})
        try:
            one = form()
            one.fill_to(5, "いまは送れない会")
            expect(one.page.get_by_role("button", name=re.compile("人に送信する$"))).to_have_count(0)
            one.page.get_by_label("いまは届かないことを承知で、イベントを作成する").check()
            one.page.get_by_role("button", name="いまは送らずに作成する").click()
            dialog = one.page.get_by_role("dialog")
            expect(dialog).to_contain_text("いまは、どなたのLINEにも届きません")
            expect(dialog).not_to_contain_text("人のLINEに送ります")
            dialog.get_by_role("button", name="作成する", exact=True).click()
            one.page.wait_for_url(re.compile(r"sent=\d+|/events/\d+$"))
        finally:
            box.put("/_sandbox/quota", json={"type": "none"})

    @pytest.mark.found("24.A6", "24.C10")
    def test_the_number_reached_and_the_text_are_in_sight_without_scrolling(
        self, form: Callable[..., Form], box: httpx2.Client
    ) -> None:
        one = form()
        leave(one, box, 2)
        try:
            one.page.set_viewport_size({"width": 1280, "height": 800})
            one.fill_to(5, "一目で分かる会")
            expect(one.page.get_by_role("button", name="2人に送信する")).to_be_in_viewport(ratio=1)
            expect(one.page.get_by_text(re.compile(r"^届かない方 \d+人$"))).to_be_in_viewport(ratio=1)
            bubble, bar = one.page.locator("[class*=bubble]").bounding_box(), one.page.locator("form > [class*=bar]")
            foot = bar.bounding_box()
            assert bubble
            assert foot
            assert bubble["y"] + bubble["height"] <= foot["y"], "the bar at the foot hides no line"
            one.page.get_by_text(re.compile("^届かない方 ")).click()
            expect(one.page.get_by_text("LINEの今月の上限を超えるため、いまは送れません（3人）")).to_be_visible()
            one.page.set_viewport_size({"width": 360, "height": 740})
        finally:
            box.put("/_sandbox/quota", json={"type": "none"})

    def test_too_little_has_to_be_meant(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        one = form()
        leave(one, box, 2)
        try:
            one.fill_to(5, "上限を超える会")
            expect(one.page.get_by_text("LINEで今月送れる数が足りません")).to_be_visible()
            one.page.get_by_role("button", name=re.compile("人に送信する$")).click()
            expect(one.page.get_by_text("上限を超えることを確かめて、チェックを入れてください")).to_be_visible()
            expect(one.page.get_by_role("dialog")).to_have_count(0)
            one.page.get_by_label("届かない方が出ることを承知で、送信する").check()
            one.send()
            one.page.wait_for_url(re.compile(r"sent=\d+|/events/\d+$"))
            assert len(events_called(one.page, "上限を超える会")) == 1
        finally:
            box.put("/_sandbox/quota", json={"type": "none"})

    def test_what_is_left_is_shown(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        box.put("/_sandbox/quota", json={"type": "limited", "value": 200, "total_usage": 50})
        try:
            one = form()
            one.fill_to(5)
            # LINE leaves 150. The notices of the demo that are still due this month are promised already.
            shown = re.compile(r"今月の残り (\d+)通（送信前(?:、送信待ちの(\d+)通を除く)?）")
            left, promised = shown.findall(one.page.get_by_text(shown).inner_text())[0]
            assert int(left) + int(promised or 0) == 150
        finally:
            box.put("/_sandbox/quota", json={"type": "none"})
