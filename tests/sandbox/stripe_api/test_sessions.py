"""Checkout Sessions: what is accepted, what is refused and in which words, and how a session ends."""

import time
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.sandbox.stripe_api.conftest import form, in_minutes

Json = dict[str, Any]
Create = Callable[..., Json]
PATH = "/v1/checkout/sessions"


def refused(stripe_api: httpx2.Client, **changed: str | None) -> Json:
    answer = stripe_api.post(PATH, data=form(**changed))
    assert answer.status_code == 400, answer.text
    return dict(answer.json()["error"])


class TestCreating:
    def test_gives_an_open_session_with_a_page(self, open_session: Create, stripe_api: httpx2.Client) -> None:
        session = open_session(customer_email="taro@example.jp", locale="ja", submit_type="book")
        assert session["id"].startswith("cs_test_")
        assert session["object"] == "checkout.session"
        assert (session["status"], session["payment_status"], session["payment_intent"]) == ("open", "unpaid", None)
        assert (session["amount_total"], session["currency"], session["livemode"]) == (3000, "jpy", False)
        assert (session["client_reference_id"], session["metadata"]) == ("17", {"reservation_id": "17"})
        assert session["url"].partition("#")[0].endswith(f"/c/pay/{session['id']}")
        assert session["expires_at"] - session["created"] == 24 * 60 * 60
        assert session["payment_method_types"] == ["card", "konbini"]
        assert session["customer_details"] is None
        assert stripe_api.get(f"{PATH}/{session['id']}").json() == session

    def test_line_items_are_shown_to_those_who_ask(self, open_session: Create, stripe_api: httpx2.Client) -> None:
        path = f"{PATH}/{open_session()['id']}"
        assert "line_items" not in stripe_api.get(path).json()
        [item] = stripe_api.get(path, params={"expand[]": "line_items"}).json()["line_items"]["data"]
        assert (item["description"], item["amount_total"]) == ("予防接種", 3000)
        assert stripe_api.get(f"{path}/line_items").json()["data"] == [item]
        assert stripe_api.get(path, params={"expand[]": "customer"}).status_code == 400

    @pytest.mark.parametrize(
        ("changed", "param", "code"),
        [
            ({"mode": None}, "mode", "parameter_missing"),
            ({"mode": "subscription"}, "mode", None),
            ({"success_url": None}, "success_url", "parameter_missing"),
            ({"success_url": "shop"}, "success_url", "url_invalid"),
            ({"cancel_url": ""}, "cancel_url", "parameter_invalid_empty"),
            ({"line_items[0][quantity]": None}, "line_items[0][quantity]", "parameter_missing"),
            ({"line_items[0][quantity]": "two"}, "line_items[0][quantity]", "parameter_invalid_integer"),
            ({"line_items[0][price_data][currency]": "usd"}, "line_items[0][price_data][currency]", None),
            ({"line_items[0][price_data][unit_amount]": "30.5"}, None, "parameter_invalid_integer"),
            ({"line_items[0][price_data][unit_amount]": "49"}, "line_items", "amount_too_small"),
            ({"line_items[0][price_data][unit_amount]": "100000000"}, "line_items", "amount_too_large"),
            ({"colour": "red"}, "colour", "parameter_unknown"),
            ({"line_items[0][colour]": "red"}, "line_items[0][colour]", "parameter_unknown"),
            ({"metadata[" + "k" * 41 + "]": "v"}, None, None),
            ({"metadata[k]": "v" * 501}, "metadata[k]", None),
            ({"locale": "tlh"}, "locale", None),
            ({"submit_type": "steal"}, "submit_type", None),
            ({"payment_method_options[konbini][expires_after_days]": "61"}, None, "parameter_invalid_integer"),
            ({"excluded_payment_method_types[0]": "card", "excluded_payment_method_types[1]": "konbini"}, None, None),
        ],
    )
    def test_is_refused_as_stripe_refuses(
        self, stripe_api: httpx2.Client, changed: dict[str, str | None], param: str | None, code: str | None
    ) -> None:
        error = refused(stripe_api, **changed)
        assert error["type"] == "invalid_request_error"
        assert error["message"]
        assert (error["param"] == param) or param is None
        assert error.get("code") == code

    @pytest.mark.parametrize("yen", ["50", "99999999"])
    def test_takes_the_smallest_and_the_largest_amount(self, open_session: Create, yen: str) -> None:
        assert open_session(**{"line_items[0][price_data][unit_amount]": yen})["amount_total"] == int(yen)

    def test_lives_thirty_minutes_to_a_day(self, open_session: Create, stripe_api: httpx2.Client) -> None:
        for minutes in (30.1, 24 * 60 - 0.1):
            wanted = in_minutes(minutes)
            assert open_session(expires_at=wanted)["expires_at"] == int(wanted)
        early, late = (refused(stripe_api, expires_at=in_minutes(minutes)) for minutes in (29.9, 24 * 60 + 0.2))
        assert early["message"] == (
            "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation."
        )
        assert late["message"] == (
            "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation."
        )
        assert early["param"] == late["param"] == "expires_at"

    def test_methods_are_filtered_and_konbini_has_its_own_limits(self, open_session: Create) -> None:
        def methods(**changed: str) -> Any:
            return open_session(**changed)["payment_method_types"]

        assert methods(**{"excluded_payment_method_types[]": "konbini"}) == ["card"]
        assert methods(**{"allowed_payment_method_types[0]": "konbini"}) == ["konbini"]
        assert methods(**{"line_items[0][price_data][unit_amount]": "119"}) == ["card"]
        assert methods(**{"line_items[0][price_data][unit_amount]": "300001"}) == ["card"]


class TestVersions:
    def test_method_types_are_refused_since_endive(self, stripe_api: httpx2.Client) -> None:
        error = refused(stripe_api, **{"payment_method_types[0]": "card"})
        assert error["code"] == "payment_method_types_no_longer_supported"
        body = form(**{"payment_method_types[0]": "card"})
        older = stripe_api.post(PATH, data=body, headers={"stripe-version": "2026-04-22.dahlia"})
        assert older.json()["payment_method_types"] == ["card"]

    def test_a_version_that_is_none(self, stripe_api: httpx2.Client) -> None:
        answer = stripe_api.get(PATH, headers={"stripe-version": "newest"})
        assert (answer.status_code, answer.json()["error"]["message"]) == (400, "Invalid Stripe API version: newest")

    def test_every_answer_names_its_request_and_version(self, stripe_api: httpx2.Client) -> None:
        first, second = stripe_api.get(PATH), stripe_api.get(f"{PATH}/cs_test_nobody")
        assert first.headers["stripe-version"] == "2026-10-28.endive"
        assert first.headers["request-id"].startswith("req_")
        assert first.headers["request-id"] != second.headers["request-id"]


class TestTheKey:
    def test_none(self, control: httpx2.Client) -> None:
        answer = control.get(PATH)
        assert answer.status_code == 401
        assert answer.json()["error"]["message"].startswith("You did not provide an API key.")

    def test_a_wrong_one_is_not_repeated(self, stripe_api: httpx2.Client) -> None:
        wrong = "sk_test_somebody_elses_key_4711"
        answer = stripe_api.get(PATH, headers={"authorization": f"Bearer {wrong}"})
        assert answer.status_code == 401
        assert answer.json()["error"]["message"] == "Invalid API Key provided: sk_test_************4711"

    def test_as_the_name_of_a_user(self, stripe_api: httpx2.Client, config: Any) -> None:
        answer = stripe_api.get(PATH, auth=(config.stripe_secret_key, ""), headers={"authorization": ""})
        assert answer.status_code == 200


class TestEnding:
    def test_expiring_ends_it_once(self, open_session: Create, stripe_api: httpx2.Client) -> None:
        path = f"{PATH}/{open_session()['id']}"
        ended = stripe_api.post(f"{path}/expire").json()
        assert (ended["status"], ended["url"]) == ("expired", None)
        again = stripe_api.post(f"{path}/expire")
        assert again.status_code == 400
        assert again.json()["error"]["message"] == (
            'Only Checkout Sessions with a status in ["open"] can be expired. '
            "This Checkout Session has a status of `expired`."
        )

    def test_its_time_ends_it(self, open_session: Create, stripe_api: httpx2.Client, control: httpx2.Client) -> None:
        session = open_session(expires_at=in_minutes(31))
        control.post("/_sandbox/clock", json={"advance_seconds": 32 * 60})
        assert stripe_api.get(f"{PATH}/{session['id']}").json()["status"] == "expired"
        [event] = stripe_api.get("/v1/events", params={"type": "checkout.session.expired"}).json()["data"]
        assert event["data"]["object"]["id"] == session["id"]

    def test_a_paid_one_cannot_be_expired(
        self, open_session: Create, stripe_api: httpx2.Client, pay: Callable[..., Json]
    ) -> None:
        session = open_session()
        paid = pay(session)["session"]
        assert (paid["status"], paid["payment_status"], paid["url"]) == ("complete", "paid", None)
        assert paid["customer_details"]["email"] == "buyer@example.com"
        assert stripe_api.post(f"{PATH}/{session['id']}/expire").status_code == 400

    def test_an_expiry_can_lose_the_race(
        self, open_session: Create, stripe_api: httpx2.Client, breaks: Callable[..., None]
    ) -> None:
        session = open_session()
        breaks({"kind": "expire_loses_race", "endpoint": "stripe_expire"})
        assert stripe_api.post(f"{PATH}/{session['id']}/expire").status_code == 400
        assert stripe_api.get(f"{PATH}/{session['id']}").json()["payment_status"] == "paid"


class TestFinding:
    def test_nobody(self, stripe_api: httpx2.Client) -> None:
        error = stripe_api.get(f"{PATH}/cs_test_nobody")
        assert error.status_code == 404
        assert error.json()["error"]["message"] == "No such checkout.session: 'cs_test_nobody'"
        assert error.json()["error"]["code"] == "resource_missing"

    def test_no_such_address(self, stripe_api: httpx2.Client) -> None:
        answer = stripe_api.get("/v1/unicorns")
        assert answer.status_code == 404
        assert answer.json()["error"]["message"].startswith("Unrecognized request URL (GET: /v1/unicorns).")

    def test_by_payment_newest_first_and_in_pages(
        self, open_session: Create, stripe_api: httpx2.Client, pay: Callable[..., Json]
    ) -> None:
        sessions = [open_session() for _ in range(3)]
        intent = pay(sessions[1])["session"]["payment_intent"]
        listed = stripe_api.get(PATH, params={"payment_intent": intent}).json()
        assert [one["id"] for one in listed["data"]] == [sessions[1]["id"]]
        first = stripe_api.get(PATH, params={"limit": 2}).json()
        assert ([one["id"] for one in first["data"]], first["has_more"]) == (
            [sessions[2]["id"], sessions[1]["id"]],
            True,
        )
        rest = stripe_api.get(PATH, params={"limit": 2, "starting_after": sessions[1]["id"]}).json()
        assert ([one["id"] for one in rest["data"]], rest["has_more"]) == ([sessions[0]["id"]], False)
        before = stripe_api.get(PATH, params={"limit": 1, "ending_before": sessions[0]["id"]}).json()
        assert [one["id"] for one in before["data"]] == [sessions[1]["id"]]
        assert stripe_api.get(PATH, params={"status": "complete"}).json()["data"][0]["id"] == sessions[1]["id"]
        assert stripe_api.get(PATH, params={"created[gt]": int(time.time()) + 60}).json()["data"] == []
        assert stripe_api.get(PATH, params={"limit": 101}).status_code == 400
