"""Payments, refunds and the list of events."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.sandbox.receiver import Receiver
from tests.servers import eventually

Json = dict[str, Any]
Create = Callable[..., Json]


@pytest.fixture
def intent(open_session: Create, pay: Create) -> str:
    return str(pay(open_session())["session"]["payment_intent"])


class TestPayments:
    def test_a_payment_with_its_charge(self, stripe_api: httpx2.Client, intent: str) -> None:
        found = stripe_api.get(f"/v1/payment_intents/{intent}").json()
        assert (found["object"], found["status"], found["amount"]) == ("payment_intent", "succeeded", 3000)
        charge = stripe_api.get(f"/v1/charges/{found['latest_charge']}").json()
        assert (charge["payment_intent"], charge["paid"], charge["refunded"]) == (intent, True, False)
        path = f"/v1/payment_intents/{intent}"
        assert stripe_api.get(path, params={"expand[]": "latest_charge"}).json()["latest_charge"] == charge
        assert stripe_api.get("/v1/charges", params={"payment_intent": intent}).json()["data"] == [charge]

    @pytest.mark.parametrize("path", ["payment_intents/pi_nobody", "charges/ch_nobody", "refunds/re_nobody"])
    def test_nobody(self, stripe_api: httpx2.Client, path: str) -> None:
        answer = stripe_api.get(f"/v1/{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "resource_missing")


class TestRefunds:
    def test_everything(self, stripe_api: httpx2.Client, intent: str, hook: Receiver) -> None:
        body = {"payment_intent": intent, "reason": "requested_by_customer", "metadata[why]": "満席"}
        made = stripe_api.post("/v1/refunds", data=body).json()
        assert (made["object"], made["status"], made["amount"]) == ("refund", "succeeded", 3000)
        assert (made["reason"], made["metadata"]) == ("requested_by_customer", {"why": "満席"})
        eventually(lambda: len(hook.received) == 2)
        again = stripe_api.post("/v1/refunds", data=body)
        assert (again.status_code, again.json()["error"]["code"]) == (400, "charge_already_refunded")
        assert stripe_api.get("/v1/refunds", params={"payment_intent": intent}).json()["data"] == [made]
        assert stripe_api.get(f"/v1/refunds/{made['id']}").json() == made
        [charge] = stripe_api.get("/v1/charges", params={"payment_intent": intent}).json()["data"]
        assert (charge["refunded"], charge["amount_refunded"]) == (True, 3000)
        kinds = [event["type"] for event in stripe_api.get("/v1/events", params={"limit": 2}).json()["data"]]
        assert kinds == ["charge.refunded", "refund.created"]

    def test_in_parts_but_not_more_than_was_paid(self, stripe_api: httpx2.Client, intent: str) -> None:
        part = {"payment_intent": intent, "amount": "2000"}
        assert stripe_api.post("/v1/refunds", data=part).json()["amount"] == 2000
        too_much = stripe_api.post("/v1/refunds", data=part)
        assert too_much.status_code == 400
        assert too_much.json()["error"]["message"] == (
            "Refund amount (¥2,000) is greater than unrefunded amount on charge (¥1,000)"
        )
        assert stripe_api.post("/v1/refunds", data={"payment_intent": intent}).json()["amount"] == 1000

    @pytest.mark.parametrize(
        ("body", "param", "code"),
        [
            ({}, "payment_intent", "parameter_missing"),
            ({"payment_intent": "pi_nobody"}, "payment_intent", "resource_missing"),
            ({"charge": "ch_nobody"}, "charge", "resource_missing"),
            ({"charge": "ch_nobody", "reason": "mood"}, "reason", None),
            ({"charge": "ch_nobody", "amount": "0"}, "amount", "parameter_invalid_integer"),
        ],
    )
    def test_are_refused(self, stripe_api: httpx2.Client, body: dict[str, str], param: str, code: str | None) -> None:
        answer = stripe_api.post("/v1/refunds", data=body)
        error = answer.json()["error"]
        assert (answer.status_code, error["param"], error.get("code")) == (400, param, code)

    def test_of_what_was_never_paid(self, stripe_api: httpx2.Client, open_session: Create, pay: Create) -> None:
        unpaid = pay(open_session(), "konbini")["session"]["payment_intent"]
        answer = stripe_api.post("/v1/refunds", data={"payment_intent": unpaid})
        assert (answer.status_code, answer.json()["error"]["param"]) == (400, "payment_intent")

    def test_of_konbini_waits_for_a_bank_account_and_may_fail(
        self, stripe_api: httpx2.Client, open_session: Create, pay: Create, control: httpx2.Client
    ) -> None:
        session = open_session()
        pay(session, "konbini")
        control.post(f"/_sandbox/stripe/sessions/{session['id']}/konbini", json={"paid": True}).raise_for_status()
        [intent] = control.get("/_sandbox/stripe").json()["payment_intents"]
        refund = stripe_api.post("/v1/refunds", data={"payment_intent": intent["id"]}).json()
        assert refund["status"] == "requires_action"
        for status, kinds in (
            ("succeeded", ["refund.updated"]),
            ("failed", ["refund.updated", "refund.failed"]),
        ):
            settled = control.post(f"/_sandbox/stripe/refunds/{refund['id']}", json={"status": status}).json()
            assert [one["type"] for one in settled["webhooks"]] == kinds
        again = stripe_api.post("/v1/refunds", data={"payment_intent": intent["id"]})
        assert again.status_code == 200, "the money of a failed refund can be refunded again"


class TestEvents:
    def test_by_type_and_time_in_pages(self, stripe_api: httpx2.Client, intent: str, control: httpx2.Client) -> None:
        def listed(**query: Any) -> list[str]:
            found = stripe_api.get("/v1/events", params=query).json()
            return [event["type"] for event in found["data"]]

        assert listed(type="charge.*") == ["charge.succeeded"]
        types = ["charge.succeeded", "checkout.session.completed"]
        assert listed(**{"types[]": types}) == list(reversed(types))
        newest = stripe_api.get("/v1/events", params={"limit": 1}).json()
        assert newest["has_more"] is True
        rest = listed(starting_after=newest["data"][0]["id"])
        assert rest == ["charge.succeeded", "payment_intent.succeeded"]
        assert listed(**{"created[gte]": newest["data"][0]["created"] + 1}) == []
        both = {"type": "charge.succeeded", "types[]": types}
        assert stripe_api.get("/v1/events", params=both).status_code == 400
        control.post("/_sandbox/clock", json={"advance_seconds": 31 * 24 * 60 * 60})
        assert intent not in str(stripe_api.get("/v1/events").json()), "after 30 days they are forgotten"
