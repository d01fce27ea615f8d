"""The form of the page: it posts back without script, and a mistake costs nobody what was typed."""

from typing import Any

import httpx2
import pytest

from tests.conftest import NOON
from tests.factories.product import Product
from tests.factories.threads import ALL, ANY, ONE_SLOT, MadeThread, change, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.invitations.test_page import HTML, ticked
from tests.scheduling.invitations.test_respond import ANNA, BEN, selected
from tsudoi.scheduling.thread.models import ThreadAnswer, ThreadInvite, ThreadSelection

pytestmark = sqlite_only
# As Chromium sends it from a page with `Referrer-Policy: no-referrer`.
FROM_THE_PAGE = {"origin": "null", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"}


@pytest.fixture
def thread(product: Product) -> MadeThread:
    return make_thread(product.db, ANNA, BEN, rule=ALL)


def send(product: Product, path: str, fields: dict[str, Any]) -> httpx2.Response:
    return product.http.post(path, data=fields, headers=FROM_THE_PAGE, follow_redirects=False)


def controls(thread: MadeThread, *marks: str, **more: str) -> dict[str, Any]:
    """What a browser sends: a mark for each slot ("" is not ticked), the slots that were offered, and the button."""
    ticks = {f"slot-{slot_id}": mark for slot_id, mark in zip(thread.slots, marks, strict=True) if mark}
    return {"offered": thread.slots, **ticks, "comment": "", "status": "selected", **more}


def answer_of(product: Product, thread: MadeThread) -> tuple[str, str | None, str | None]:
    row = next(row for row in product.rows(ThreadSelection) if row["invitee_key"] == thread.invites[0].key)
    return row["status"], row["selected_slot_id"], row["comment"]


class TestTheForm:
    @pytest.mark.row("1.I.6")
    def test_leads_back_to_the_page_which_confirms(self, product: Product, thread: MadeThread) -> None:
        anna, (first, second, third) = thread.invites[0], thread.slots
        sent = send(product, anna.respond, controls(thread, "yes", "no", "maybe", comment=" 遅れます "))
        assert (sent.status_code, sent.headers["location"]) == (303, f"{anna.path}?saved=1")
        assert answer_of(product, thread) == ("selected", first, "遅れます")
        html = product.http.get(sent.headers["location"]).text
        assert "回答を受け付けました" in html
        assert ticked(html) == {f"yes-{first}", f"no-{second}", f"maybe-{third}"}
        assert "△" in html
        assert "遅れます" in html

    def test_keeps_the_readers_zone(self, product: Product, thread: MadeThread) -> None:
        anna = thread.invites[0]
        sent = send(product, f"{anna.respond}?tz=Europe/Berlin", controls(thread, "yes", "no", "no"))
        assert sent.headers["location"] == f"{anna.path}?saved=1&tz=Europe%2FBerlin"
        strange = send(product, f"{anna.respond}?tz=//evil.example", controls(thread, "yes", "no", "no"))
        assert strange.headers["location"] == f"{anna.path}?saved=1"

    def test_declines_with_one_button_whatever_is_ticked(self, product: Product, thread: MadeThread) -> None:
        sent = send(
            product, thread.invites[0].respond, controls(thread, "yes", "", "", status="declined", comment="旅行")
        )
        assert sent.status_code == 303
        assert answer_of(product, thread) == ("declined", None, "旅行")

    def test_takes_no_for_every_slot_as_a_refusal(self, product: Product, thread: MadeThread) -> None:
        assert send(product, thread.invites[0].respond, controls(thread, "no", "no", "no")).status_code == 303
        assert answer_of(product, thread) == ("declined", None, None)

    def test_with_one_slot(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ONE_SLOT)
        fields = {"slot": thread.slots[1], "comment": "", "status": "selected"}
        assert send(product, thread.invites[0].respond, fields).status_code == 303
        assert answer_of(product, thread) == ("selected", thread.slots[1], None)

    def test_that_decides_leads_to_the_result(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, rule=ANY)
        sent = send(product, thread.invites[0].respond, controls(thread, "no", "yes", "no"))
        assert "日程が決まりました" in product.http.get(sent.headers["location"]).text

    def test_reloaded_with_get_leads_back(self, product: Product, thread: MadeThread) -> None:
        anna = thread.invites[0]
        answer = product.http.get(anna.respond, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, anna.path)
        assert product.http.get("/i/unknown/respond").status_code == 404


class TestSlotsThatWereNotSeen:
    @pytest.mark.found("24.B4")
    @pytest.mark.row("5.F.12")
    def test_are_asked_about_once_before_they_become_no(self, product: Product, thread: MadeThread) -> None:
        anna, (first, second, third) = thread.invites[0], thread.slots
        fields = controls(thread, "yes", "", "", comment="遅れます")
        asked = send(product, anna.respond, fields)
        assert (asked.status_code, asked.headers["content-type"]) == (400, HTML)
        assert "まだ見ていない候補が2つあります" in asked.text
        for slot_id in (second, third):
            assert f'href="#at-{slot_id}"' in asked.text
        assert f'href="#at-{first}"' not in asked.text
        assert '<input type="hidden" name="confirm_unchosen" value="1">' in asked.text
        assert ticked(asked.text) == {f"yes-{first}"}
        assert "遅れます" in asked.text
        assert product.rows(ThreadAnswer) == []
        sent = send(product, anna.respond, {**fields, "confirm_unchosen": "1"})
        assert sent.status_code == 303
        assert answer_of(product, thread) == ("selected", first, "遅れます")

    @pytest.mark.found("24.B4")
    @pytest.mark.row("5.F.12")
    def test_are_not_asked_about_in_json_nor_where_all_are_marked(self, product: Product, thread: MadeThread) -> None:
        anna, ben = thread.invites
        assert "confirm_unchosen" not in product.http.get(anna.path).text
        assert send(product, anna.respond, controls(thread, "yes", "no", "no")).status_code == 303
        assert product.http.post(ben.respond, json=selected(thread.slots[0])).status_code == 200


class TestAMistake:
    def test_is_shown_at_its_field_and_keeps_what_was_typed(self, product: Product, thread: MadeThread) -> None:
        anna, (first, second, third) = thread.invites[0], thread.slots
        strange = make_thread(product.db, BEN).slots[0]
        cases: list[tuple[dict[str, Any], str, set[str]]] = [
            (controls(thread, "", "", "", comment="あとで"), 'href="#slots"', set()),
            (controls(thread, "no", "", "", comment="あとで"), 'href="#slots"', {f"no-{first}"}),
            (
                {**controls(thread, "", "yes", "", comment="あとで"), f"slot-{strange}": "yes"},
                f'href="#at-{strange}"',
                {f"yes-{second}"},
            ),
            (
                controls(thread, "yes", "no", "maybe", comment="あとで" * 70),
                'href="#comment"',
                {f"yes-{first}", f"no-{second}", f"maybe-{third}"},
            ),
        ]
        for fields, place, kept in cases:
            answer = send(product, anna.respond, fields)
            assert answer.status_code == 400, fields
            assert answer.headers["content-type"] == HTML
            assert "回答はまだ送られていません" in answer.text
            assert place in answer.text, fields
            assert ticked(answer.text) == kept, fields
            assert "あとで" in answer.text, fields
        assert product.rows(ThreadAnswer) == []

    def test_two_slots_by_hand_where_one_is_allowed(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ONE_SLOT)
        answer = send(product, thread.invites[0].respond, controls(thread, "yes", "yes", "no"))
        assert answer.status_code == 400
        assert "選べる候補日は1つだけです" in answer.text

    def test_too_late_shows_the_state_as_it_is_now(self, product: Product) -> None:
        decided = make_thread(product.db, ANNA, BEN, rule=ANY)
        product.http.post(decided.invites[1].respond, json=selected(decided.slots[0])).raise_for_status()
        expired = make_thread(product.db, ANNA)
        change(product.db, ThreadInvite, ThreadInvite.id == expired.invites[0].id, expires_at=NOON)
        cancelled = make_thread(product.db, ANNA, status="cancelled", cancelled_at=NOON)
        cases = [
            (decided, 409, "日程が決まりました"),
            (expired, 410, "期限を過ぎました"),
            (cancelled, 409, "中止になりました"),
        ]
        for thread, status, words in cases:
            answer = send(product, thread.invites[0].respond, controls(thread, "yes", "no", "no"))
            assert (answer.status_code, answer.headers["content-type"]) == (status, HTML)
            assert "今回の回答は保存されませんでした" in answer.text
            assert words in answer.text
        unknown = send(product, "/i/unknown/respond", controls(decided, "yes", "", ""))
        assert (unknown.status_code, unknown.headers["content-type"]) == (404, HTML)

    def test_that_no_browser_makes_is_refused(self, product: Product, thread: MadeThread) -> None:
        form = {"content-type": "application/x-www-form-urlencoded"}
        url = thread.invites[0].respond
        bodies = [
            b"",
            b"&" * 400,
            b"a=%FF%FE",
            "comment=あ".encode(),
            b"status=%00",
            b"comment=%ED%A0%80&status=selected",
        ]
        for body in bodies:
            answer = product.http.post(url, content=body, headers=form)
            assert (answer.status_code, answer.headers["content-type"]) == (400, HTML), body
        long = product.http.post(url, content=b"comment=" + b"a" * 3_000_000, headers=form)
        assert long.status_code == 413
        assert product.rows(ThreadAnswer) == []

    def test_too_often_has_to_wait_on_a_page(self, product: Product, thread: MadeThread) -> None:
        url = thread.invites[0].respond
        for _ in range(30):
            assert send(product, url, controls(thread, "yes", "no", "no")).status_code == 303
        answer = send(product, url, controls(thread, "", "maybe", "", comment="あとで", confirm_unchosen="1"))
        assert (answer.status_code, answer.headers["content-type"]) == (429, HTML)
        assert "今回の回答は保存されませんでした" in answer.text
        assert ticked(answer.text) == {f"maybe-{thread.slots[1]}"}, "what was typed is still there"
