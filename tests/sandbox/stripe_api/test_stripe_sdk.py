"""An independent check: Stripe's own SDK, unmodified, takes the sandbox for Stripe."""

import time
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from tests.sandbox.receiver import Receiver
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox

Json = dict[str, Any]
ORDER = {
    "mode": "payment",
    "line_items": [
        {"price_data": {"currency": "jpy", "unit_amount": 3000, "product_data": {"name": "予防接種"}}, "quantity": 1}
    ],
    "client_reference_id": "17",
    "metadata": {"reservation_id": "17"},
    "payment_intent_data": {"metadata": {"reservation_id": "17"}},
    "success_url": "https://shop.example/done?id={CHECKOUT_SESSION_ID}",
    "cancel_url": "https://shop.example/back",
    "locale": "ja",
    "submit_type": "book",
    "excluded_payment_method_types": ["konbini"],
}


@pytest.fixture(scope="module")
def sdk() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import stripe  # noqa: PLC0415

    return stripe


@pytest.fixture
def api(sdk: Any, box: RunningSandbox, config: SandboxConfig) -> Iterator[SimpleNamespace]:
    http = sdk.RequestsClient()
    client = sdk.StripeClient(
        config.stripe_secret_key, base_addresses={"api": box.url}, max_network_retries=0, http_client=http
    )
    yield client.v1
    http.close()


def order(**more: Any) -> Json:
    return {**ORDER, "expires_at": int(time.time()) + 35 * 60, **more}


class TestSessions:
    def test_create_and_retrieve(self, api: Any) -> None:
        made = api.checkout.sessions.create(order(customer_email="taro@example.jp"))
        assert (made.status, made.payment_status, made.amount_total) == ("open", "unpaid", 3000)
        assert made.metadata.reservation_id == "17"
        assert made.customer_email == "taro@example.jp"
        found = api.checkout.sessions.retrieve(made.id, {"expand": ["line_items"]})
        assert (found.id, found.url) == (made.id, made.url)
        assert found.line_items.data[0].description == "予防接種"

    def test_expire_and_its_refusal(self, sdk: Any, api: Any) -> None:
        made = api.checkout.sessions.create(order())
        assert api.checkout.sessions.expire(made.id).status == "expired"
        with pytest.raises(sdk.InvalidRequestError, match="status of `expired`") as refused:
            api.checkout.sessions.expire(made.id)
        assert refused.value.http_status == 400
        assert refused.value.request_id.startswith("req_")

    def test_list_in_pages(self, api: Any) -> None:
        made = [api.checkout.sessions.create(order()).id for _ in range(5)]
        listed = [session.id for session in api.checkout.sessions.list({"limit": 2}).auto_paging_iter()]
        assert listed == list(reversed(made))

    def test_refusals_are_the_sdks_own_errors(self, sdk: Any, api: Any) -> None:
        with pytest.raises(sdk.InvalidRequestError) as early:
            api.checkout.sessions.create(order(expires_at=int(time.time()) + 60))
        assert early.value.param == "expires_at"
        with pytest.raises(sdk.InvalidRequestError) as missing:
            api.checkout.sessions.retrieve("cs_test_nobody")
        assert (missing.value.http_status, missing.value.code) == (404, "resource_missing")

    def test_a_wrong_key(self, sdk: Any, box: RunningSandbox) -> None:
        http = sdk.RequestsClient()
        stranger = sdk.StripeClient(
            "sk_test_of_somebody_else", base_addresses={"api": box.url}, max_network_retries=0, http_client=http
        )
        with pytest.raises(sdk.AuthenticationError):
            stranger.v1.checkout.sessions.list()
        http.close()


class TestIdempotency:
    def test_replay_and_mismatch(self, sdk: Any, api: Any) -> None:
        body, options = order(), {"idempotency_key": "key-1"}
        first, second = (api.checkout.sessions.create(body, options) for _ in range(2))
        assert first.id == second.id
        assert second.last_response.headers["idempotent-replayed"] == "true"
        with pytest.raises(sdk.IdempotencyError):
            api.checkout.sessions.create(order(client_reference_id="18"), options)

    def test_the_sdk_retries_by_itself_and_makes_one_session(
        self, sdk: Any, box: RunningSandbox, config: SandboxConfig, control: httpx2.Client
    ) -> None:
        rule = {"kind": "conflict", "endpoint": "stripe_create", "times": 1}
        control.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()
        http = sdk.RequestsClient()
        client = sdk.StripeClient(
            config.stripe_secret_key, base_addresses={"api": box.url}, max_network_retries=1, http_client=http
        )
        client.v1.checkout.sessions.create(order())
        assert len(control.get("/_sandbox/stripe").json()["sessions"]) == 1
        http.close()

    def test_too_many_calls(self, sdk: Any, api: Any, control: httpx2.Client) -> None:
        rule = {"kind": "rate_limited", "endpoint": "stripe"}
        control.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()
        with pytest.raises(sdk.RateLimitError):
            api.checkout.sessions.list()


class TestMoney:
    def test_payment_charge_and_refund(self, sdk: Any, api: Any, pay: Callable[..., Json]) -> None:
        made = api.checkout.sessions.create(order())
        pay({"id": made.id})
        paid = api.checkout.sessions.retrieve(made.id, {"expand": ["payment_intent"]})
        assert (paid.payment_status, paid.payment_intent.status) == ("paid", "succeeded")
        intent = api.payment_intents.retrieve(paid.payment_intent.id)
        assert intent.metadata.reservation_id == "17"
        assert api.charges.retrieve(intent.latest_charge).receipt_url
        body = {"payment_intent": intent.id, "reason": "requested_by_customer", "metadata": {"why": "満席"}}
        refund = api.refunds.create(body)
        assert (refund.status, refund.amount) == ("succeeded", 3000)
        assert [one.id for one in api.refunds.list({"payment_intent": intent.id})] == [refund.id]
        with pytest.raises(sdk.InvalidRequestError) as twice:
            api.refunds.create(body)
        assert twice.value.code == "charge_already_refunded"
        found = api.checkout.sessions.list({"payment_intent": intent.id})
        assert [session.id for session in found] == [made.id]

    def test_events(self, api: Any, pay: Callable[..., Json]) -> None:
        pay({"id": api.checkout.sessions.create(order()).id})
        since = {"types": ["checkout.session.completed"], "created": {"gte": int(time.time()) - 60}}
        [event] = api.events.list(since).data
        assert event.data.object.payment_status == "paid"
        assert api.events.retrieve(event.id).type == "checkout.session.completed"


class TestWebhooks:
    def test_the_sdk_accepts_ours_and_refuses_forged_ones(
        self,
        sdk: Any,
        api: Any,
        pay: Callable[..., Json],
        hook: Receiver,
        control: httpx2.Client,
        config: SandboxConfig,
    ) -> None:
        made = api.checkout.sessions.create(order())
        event_id = pay({"id": made.id})["webhooks"][2]["event_id"]
        body, header = hook.last.body, hook.last.headers["stripe-signature"]
        event = sdk.Webhook.construct_event(body, header, config.stripe_webhook_secret)
        assert (event.id, event.type) == (event_id, "checkout.session.completed")
        assert (event.data.object.id, event.data.object.payment_status) == (made.id, "paid")
        path = f"/_sandbox/stripe/events/{event_id}/resend"
        for options in ({"bad_signature": True}, {"age_seconds": 301}):
            control.post(path, json=options).raise_for_status()
            with pytest.raises(sdk.SignatureVerificationError):
                sdk.Webhook.construct_event(
                    hook.last.body, hook.last.headers["stripe-signature"], config.stripe_webhook_secret
                )
