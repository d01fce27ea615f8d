"""The payment page, as a browser without scripts uses it."""

import re
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.sandbox.receiver import Receiver

Json = dict[str, Any]
Create = Callable[..., Json]


def path_of(session: Json) -> str:
    return f"/c/pay/{session['id']}"


def press(control: httpx2.Client, session: Json, action: str) -> httpx2.Response:
    return control.post(path_of(session), data={"action": action})


def actions(page: httpx2.Response) -> list[str]:
    return re.findall(r'name="action" value="(\w+)"', page.text)


class TestAnOpenSession:
    def test_shows_what_is_to_be_paid_and_until_when(self, control: httpx2.Client, open_session: Create) -> None:
        page = control.get(path_of(open_session()))
        assert page.status_code == 200
        for words in ("¥3,000", "予防接種", "実際のお金は動きません", "までにお支払いください"):
            assert words in page.text
        assert actions(page) == ["card", "declined", "konbini"]
        assert 'href="https://shop.example/back"' in page.text
        assert 'lang="ja"' in page.text

    def test_lets_its_form_lead_to_the_shop_and_nowhere_else(
        self, control: httpx2.Client, open_session: Create
    ) -> None:
        policy = control.get(path_of(open_session())).headers["content-security-policy"]
        assert "form-action 'self' https://shop.example;" in policy
        assert "default-src 'none'" in policy

    def test_names_cannot_become_markup(self, control: httpx2.Client, open_session: Create) -> None:
        name = {"line_items[0][price_data][product_data][name]": "<script>alert(1)</script>"}
        page = control.get(path_of(open_session(**name)))
        assert "<script>" not in page.text
        assert "&lt;script&gt;" in page.text

    def test_without_konbini_there_is_no_such_button(self, control: httpx2.Client, open_session: Create) -> None:
        session = open_session(**{"excluded_payment_method_types[0]": "konbini"})
        assert actions(control.get(path_of(session))) == ["card", "declined"]
        press(control, session, "konbini")
        assert control.get("/_sandbox/stripe").json()["sessions"][0]["status"] == "open"


class TestPaying:
    def test_by_card_leads_to_the_shop_after_the_webhooks(
        self, control: httpx2.Client, open_session: Create, hook: Receiver
    ) -> None:
        session = open_session()
        answer = press(control, session, "card")
        assert (answer.status_code, answer.headers["location"]) == (
            303,
            f"https://shop.example/done?id={session['id']}",
        )
        assert len(hook.received) == 3
        page = control.get(path_of(session))
        assert "お支払いは済んでいます" in page.text
        assert actions(page) == []

    def test_twice_pays_once(self, control: httpx2.Client, open_session: Create) -> None:
        session = open_session()
        press(control, session, "card")
        again = press(control, session, "card")
        assert (again.status_code, again.headers["location"]) == (303, path_of(session))
        assert len(control.get("/_sandbox/stripe").json()["payment_intents"]) == 1

    def test_with_a_declined_card_says_so_and_can_be_tried_again(
        self, control: httpx2.Client, open_session: Create
    ) -> None:
        session = open_session()
        page = control.get(press(control, session, "declined").headers["location"])
        assert 'role="alert"' in page.text
        assert "カードが拒否されました" in page.text
        assert press(control, session, "card").headers["location"].startswith("https://shop.example/done")

    def test_at_a_konbini_now_and_later(self, control: httpx2.Client, open_session: Create) -> None:
        session = open_session()
        page = control.get(press(control, session, "konbini").headers["location"])
        assert actions(page) == ["paid", "missed"]
        assert "コンビニで支払った" in page.text
        press(control, session, "paid")
        assert control.get("/_sandbox/stripe").json()["sessions"][0]["payment_status"] == "paid"

    def test_at_a_konbini_never(self, control: httpx2.Client, open_session: Create) -> None:
        session = open_session()
        press(control, session, "konbini")
        press(control, session, "missed")
        assert "お支払いの期限が過ぎました" in control.get(path_of(session)).text


class TestWithoutPaying:
    def test_an_expired_page_says_so(self, control: httpx2.Client, open_session: Create) -> None:
        session = open_session()
        control.post("/_sandbox/clock", json={"advance_seconds": 25 * 60 * 60})
        assert press(control, session, "card").headers["location"] == path_of(session)
        page = control.get(path_of(session))
        assert "期限が切れました" in page.text
        assert actions(page) == []

    def test_a_page_that_does_not_exist(self, control: httpx2.Client) -> None:
        assert control.get("/c/pay/cs_test_nobody").status_code == 404
        assert control.post("/c/pay/cs_test_nobody", data={"action": "card"}).status_code == 404

    def test_another_site_cannot_press_the_buttons(self, control: httpx2.Client, open_session: Create) -> None:
        session = open_session()
        answer = control.post(
            path_of(session), data={"action": "card"}, headers={"origin": "https://elsewhere.example"}
        )
        assert answer.status_code == 403
        assert control.get("/_sandbox/stripe").json()["sessions"][0]["status"] == "open"


@pytest.mark.parametrize(
    ("method", "words"),
    [(None, "お支払い待ち"), ("card", "お支払い済み"), ("konbini", "コンビニでのお支払い待ち")],
)
def test_the_list_leads_to_each_payment(
    control: httpx2.Client, open_session: Create, pay: Create, method: str | None, words: str
) -> None:
    assert "まだお支払いはありません" in control.get("/stripe").text
    session = open_session()
    if method is not None:
        pay(session, method)
    listed = control.get("/stripe").text
    assert f'href="{path_of(session)}"' in listed
    assert words in listed
