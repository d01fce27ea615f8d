"""Webhooks of Stripe: what they carry, how they are signed, and everything that can happen to them on the way."""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import httpx2
import orjson
import pytest

from tests.sandbox.receiver import Received, Receiver
from tests.servers import eventually
from tsudoi.sandbox.config import SandboxConfig

Json = dict[str, Any]
Create = Callable[..., Json]
CARD_EVENTS = ["payment_intent.succeeded", "charge.succeeded", "checkout.session.completed"]


def bodies(hook: Receiver) -> list[Json]:
    return [orjson.loads(received.body) for received in list(hook.received)]


def types(hook: Receiver) -> list[str]:
    return [body["type"] for body in bodies(hook)]


def is_signed(received: Received, secret: str) -> bool:
    at, _, digest = received.headers["stripe-signature"].removeprefix("t=").partition(",v1=")
    expected = hmac.new(secret.encode(), f"{at}.".encode() + received.body, hashlib.sha256).hexdigest()
    return digest == expected


class TestWhatTheyCarry:
    def test_a_card_payment(
        self, open_session: Create, pay: Create, hook: Receiver, config: SandboxConfig, stripe_api: httpx2.Client
    ) -> None:
        session = open_session()
        posted = pay(session)
        assert types(hook) == CARD_EVENTS == [one["type"] for one in posted["webhooks"]]
        assert {one["status"] for one in posted["webhooks"]} == {200}
        assert all(is_signed(received, config.stripe_webhook_secret) for received in hook.received)
        intent, charge, done = (body["data"]["object"] for body in bodies(hook))
        assert (intent["status"], intent["amount_received"]) == ("succeeded", 3000)
        assert intent["metadata"] == {"reservation_id": "17"}
        assert (charge["payment_intent"], intent["latest_charge"]) == (intent["id"], charge["id"])
        assert (done["id"], done["payment_status"], done["payment_intent"]) == (session["id"], "paid", intent["id"])
        envelope = bodies(hook)[2]
        assert (envelope["object"], envelope["api_version"]) == ("event", "2026-10-28.endive")
        assert (envelope["livemode"], envelope["pending_webhooks"]) == (False, 1)
        assert envelope["request"] == {"id": None, "idempotency_key": None}
        listed = stripe_api.get("/v1/events").json()["data"]
        assert [event["id"] for event in listed] == [body["id"] for body in reversed(bodies(hook))]

    def test_a_declined_card_leaves_the_session_open(self, open_session: Create, pay: Create, hook: Receiver) -> None:
        session = open_session()
        after = pay(session, "declined")["session"]
        assert (after["status"], after["payment_intent"]) == ("open", None)
        assert types(hook) == ["payment_intent.payment_failed"]
        failed = bodies(hook)[0]["data"]["object"]
        assert failed["last_payment_error"]["code"] == "card_declined"
        assert pay(session)["session"]["payment_intent"] == failed["id"], "one payment for all attempts"

    def test_konbini_is_complete_and_unpaid_until_the_shop(
        self, open_session: Create, pay: Create, hook: Receiver, control: httpx2.Client
    ) -> None:
        session = open_session()
        chosen = pay(session, "konbini")["session"]
        assert (chosen["status"], chosen["payment_status"]) == ("complete", "unpaid")
        assert types(hook) == ["payment_intent.requires_action", "checkout.session.completed"]
        hook.received.clear()
        paid = control.post(f"/_sandbox/stripe/sessions/{session['id']}/konbini", json={"paid": True}).json()
        assert paid["session"]["payment_status"] == "paid"
        assert types(hook) == [*CARD_EVENTS[:2], "checkout.session.async_payment_succeeded"]

    @pytest.mark.parametrize("by_clock", [False, True])
    def test_konbini_that_nobody_pays_fails(
        self, open_session: Create, pay: Create, hook: Receiver, control: httpx2.Client, *, by_clock: bool
    ) -> None:
        session = open_session(**{"payment_method_options[konbini][expires_after_days]": "2"})
        pay(session, "konbini")
        hook.received.clear()
        if by_clock:
            control.post("/_sandbox/clock", json={"advance_seconds": 3 * 24 * 60 * 60})
            eventually(lambda: len(hook.received) == 2)
        else:
            control.post(f"/_sandbox/stripe/sessions/{session['id']}/konbini", json={"paid": False}).raise_for_status()
        assert types(hook) == ["payment_intent.payment_failed", "checkout.session.async_payment_failed"]
        assert bodies(hook)[1]["data"]["object"]["payment_status"] == "unpaid"

    def test_an_expiry_by_the_api_names_its_request(
        self, open_session: Create, stripe_api: httpx2.Client, hook: Receiver
    ) -> None:
        path = f"/v1/checkout/sessions/{open_session()['id']}/expire"
        answer = stripe_api.post(path, headers={"idempotency-key": "the-key"})
        eventually(lambda: hook.received)
        assert types(hook) == ["checkout.session.expired"]
        assert bodies(hook)[0]["request"] == {"id": answer.headers["request-id"], "idempotency_key": "the-key"}


class TestOnTheWay:
    def test_a_chosen_order(self, open_session: Create, pay: Create, hook: Receiver, control: httpx2.Client) -> None:
        order = ["checkout.session.completed", "charge.succeeded", "payment_intent.succeeded"]
        control.put("/_sandbox/stripe/webhooks", json={"order": order}).raise_for_status()
        pay(open_session())
        assert types(hook) == order

    def test_only_chosen_types(self, open_session: Create, pay: Create, hook: Receiver, control: httpx2.Client) -> None:
        control.put("/_sandbox/stripe/webhooks", json={"types": ["payment_intent.succeeded"]}).raise_for_status()
        posted = pay(open_session())["webhooks"]
        assert types(hook) == ["payment_intent.succeeded"]
        assert sorted(str(one["error"]) for one in posted) == ["None", "not_posted", "not_posted"]

    def test_reordered(self, open_session: Create, pay: Create, hook: Receiver, breaks: Callable[..., None]) -> None:
        breaks({"kind": "webhook_reordered", "endpoint": "stripe_webhook"})
        pay(open_session())
        assert types(hook) == list(reversed(CARD_EVENTS))

    def test_repeated_with_the_same_id(
        self, open_session: Create, pay: Create, hook: Receiver, breaks: Callable[..., None]
    ) -> None:
        breaks({"kind": "webhook_repeated", "endpoint": "stripe_webhook"})
        pay(open_session())
        ids = [body["id"] for body in bodies(hook)]
        assert (len(ids), len(set(ids))) == (6, 3)

    def test_dropped_but_still_in_the_list_of_events(
        self,
        open_session: Create,
        pay: Create,
        hook: Receiver,
        breaks: Callable[..., None],
        control: httpx2.Client,
        stripe_api: httpx2.Client,
    ) -> None:
        breaks({"kind": "webhook_dropped", "endpoint": "stripe_webhook"})
        pay(open_session())
        control.post("/_sandbox/stripe/webhooks/flush").raise_for_status()
        assert hook.received == []
        undelivered = stripe_api.get("/v1/events", params={"delivery_success": "false"}).json()["data"]
        assert [event["type"] for event in undelivered] == list(reversed(CARD_EVENTS))

    def test_delayed(
        self,
        open_session: Create,
        pay: Create,
        hook: Receiver,
        breaks: Callable[..., None],
        control: httpx2.Client,
    ) -> None:
        breaks({"kind": "webhook_delayed", "endpoint": "stripe_webhook", "seconds": 600})
        assert {one["error"] for one in pay(open_session())["webhooks"]} == {"delayed"}
        assert hook.received == []
        control.post("/_sandbox/clock", json={"advance_seconds": 601})
        eventually(lambda: len(hook.received) == 3)

    def test_badly_signed_and_then_well(
        self,
        open_session: Create,
        pay: Create,
        hook: Receiver,
        breaks: Callable[..., None],
        control: httpx2.Client,
        config: SandboxConfig,
    ) -> None:
        breaks({"kind": "webhook_bad_signature", "endpoint": "stripe_webhook", "times": 1})
        control.put("/_sandbox/stripe/webhooks", json={"types": [CARD_EVENTS[0]]}).raise_for_status()
        hook.status = 400
        pay(open_session())
        hook.status = 200
        control.post("/_sandbox/stripe/webhooks/flush").raise_for_status()
        assert [is_signed(received, config.stripe_webhook_secret) for received in hook.received] == [False, True]


class TestRetries:
    def test_until_it_is_taken_with_the_same_id_and_a_new_signature(
        self, open_session: Create, pay: Create, hook: Receiver, control: httpx2.Client, config: SandboxConfig
    ) -> None:
        settings = {"types": ["checkout.session.completed"], "retry_seconds": 100}
        control.put("/_sandbox/stripe/webhooks", json=settings).raise_for_status()
        hook.status = 500
        pay(open_session())

        def was_answered(times: int) -> None:
            """Not only received: the receiver reads its status when it answers."""
            log = "/_sandbox/stripe/webhooks"
            eventually(lambda: len(control.get(log).json()["webhooks"][0]["attempts"]) == times)

        for times, seconds in enumerate((101, 201), start=2):
            control.post("/_sandbox/clock", json={"advance_seconds": seconds})
            was_answered(times)
        hook.status = 204
        control.post("/_sandbox/clock", json={"advance_seconds": 401})
        was_answered(4)
        assert len(hook.received) == 4
        assert len({received.body for received in hook.received}) == 1
        assert len({received.headers["stripe-signature"] for received in hook.received}) == 4
        assert all(is_signed(received, config.stripe_webhook_secret) for received in hook.received)
        eventually(lambda: not control.get("/_sandbox/stripe/webhooks").json()["pending"])
        log = control.get("/_sandbox/stripe/webhooks").json()
        [sent] = log["webhooks"]
        assert [attempt["status"] for attempt in sent["attempts"]] == [500, 500, 500, 204]
        assert [attempt["redelivery"] for attempt in sent["attempts"]] == [False, True, True, True]

    def test_a_redirect_is_a_failure(
        self, open_session: Create, pay: Create, hook: Receiver, control: httpx2.Client
    ) -> None:
        hook.status = 302
        pay(open_session())
        assert len(control.get("/_sandbox/stripe/webhooks").json()["pending"]) == 3

    def test_without_an_address_they_are_given_up(
        self, open_session: Create, pay: Create, control: httpx2.Client
    ) -> None:
        assert {one["error"] for one in pay(open_session())["webhooks"]} == {"webhook_url_not_set"}
        assert control.get("/_sandbox/stripe/webhooks").json()["pending"] == []

    def test_without_an_address_of_their_own_they_go_beside_lines(
        self, open_session: Create, pay: Create, inbox: Receiver
    ) -> None:
        pay(open_session())
        assert {received.path for received in inbox.received} == {"/api/stripe/webhook"}


class TestByHand:
    def test_an_event_is_sent_again_as_often_as_asked(
        self, open_session: Create, pay: Create, hook: Receiver, control: httpx2.Client, config: SandboxConfig
    ) -> None:
        event_id = pay(open_session())["webhooks"][0]["event_id"]
        hook.received.clear()
        path = f"/_sandbox/stripe/events/{event_id}/resend"
        [sent] = control.post(path, json={"copies": 3}).json()["webhooks"]
        assert sent["statuses"] == [200, 200, 200]
        control.post(path, json={"bad_signature": True, "age_seconds": 600}).raise_for_status()
        assert [is_signed(received, config.stripe_webhook_secret) for received in hook.received] == [
            True,
            True,
            True,
            False,
        ]
        first, last = (int(hook.received[n].headers["stripe-signature"][2:12]) for n in (0, 3))
        assert 598 <= first - last <= 600
        assert {body["id"] for body in bodies(hook)} == {event_id}

    def test_any_event(self, hook: Receiver, control: httpx2.Client, stripe_api: httpx2.Client) -> None:
        told = {"type": "unicorn.born", "object": {"id": "uni_1", "object": "unicorn"}}
        control.post("/_sandbox/stripe/events", json=told).raise_for_status()
        [body] = bodies(hook)
        assert (body["type"], body["data"]["object"]["id"]) == ("unicorn.born", "uni_1")
        assert stripe_api.get(f"/v1/events/{body['id']}").json()["type"] == "unicorn.born"

    @pytest.mark.parametrize(
        ("path", "body", "status"),
        [
            ("sessions/cs_test_nobody/pay", {}, 404),
            ("events/evt_nobody/resend", {}, 404),
            ("refunds/re_nobody", {"status": "failed"}, 404),
        ],
    )
    def test_of_nothing(self, control: httpx2.Client, path: str, body: Json, status: int) -> None:
        assert control.post(f"/_sandbox/stripe/{path}", json=body).status_code == status

    def test_what_cannot_happen_does_not_happen(
        self, open_session: Create, pay: Create, control: httpx2.Client
    ) -> None:
        session = open_session(**{"excluded_payment_method_types[0]": "konbini"})
        path = f"/_sandbox/stripe/sessions/{session['id']}"
        assert control.post(f"{path}/pay", json={"method": "cash"}).status_code == 400
        assert control.post(f"{path}/pay", json={"method": "konbini"}).status_code == 409
        assert control.post(f"{path}/konbini", json={"paid": True}).status_code == 409
        pay(session)
        assert control.post(f"{path}/pay", json={"method": "card"}).status_code == 409
        refused = control.put("/_sandbox/stripe/webhooks", json={"url": "http://elsewhere.example/"})
        assert refused.status_code == 400
