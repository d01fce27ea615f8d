"""The Stripe client against the sandbox over HTTP: what each answer means to the caller."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.conftest import NOON
from tests.factories.product import Box
from tests.gateway.stripe_fixtures import long_ago, order, pay, stripe_client
from tests.product_fixtures import sqlite_only
from tests.servers import nobody_there, serving, silent_peer, trickling_peer
from tsudoi.gateway.clients.stripe import StripeClient
from tsudoi.gateway.clients.stripe_forms import refund_form, session_form
from tsudoi.gateway.clients.stripe_outcomes import (
    NO_KEY,
    StripeEventPage,
    StripePaymentIntent,
    StripeRefund,
    StripeRefused,
    StripeSession,
    StripeUnknown,
)
from tsudoi.gateway.http import HttpGateway

pytestmark = sqlite_only
BODY = session_form(order())


@pytest.fixture
def stripe(gateway: HttpGateway, box: Box, tmp_path: Path) -> StripeClient:
    return stripe_client(box.url, gateway, tmp_path)


@pytest.fixture
def opened(stripe: StripeClient) -> StripeSession:
    made = stripe.create_session(BODY, key())
    assert isinstance(made, StripeSession), made
    return made


def key() -> str:
    return str(uuid4())


def sessions(box: Box) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = box.http.get("/_sandbox/stripe").json()["sessions"]
    return found


class TestSessions:
    def test_a_new_one_has_everything_the_product_needs(self, opened: StripeSession, box: Box) -> None:
        assert opened.id.startswith("cs_test_")
        assert (opened.status, opened.payment_status, opened.payment_intent) == ("open", "unpaid", None)
        assert (opened.amount_total, opened.currency, opened.livemode) == (3000, "jpy", False)
        assert (opened.client_reference_id, opened.metadata) == ("17", {"reservation_id": "17", "kind": "予約"})
        assert opened.expires_at == NOON + timedelta(minutes=35)
        assert opened.url is not None
        assert opened.url.startswith(f"{box.url}/c/pay/{opened.id}#")

    def test_one_that_was_paid(self, stripe: StripeClient, opened: StripeSession, box: Box) -> None:
        pay(box, opened)
        found = stripe.session(opened.id)
        assert isinstance(found, StripeSession)
        assert (found.status, found.payment_status, found.url) == ("complete", "paid", None)
        assert found.payment_intent is not None
        assert stripe.sessions_of(found.payment_intent) == (found,)
        intent = stripe.payment_intent(found.payment_intent)
        assert isinstance(intent, StripePaymentIntent)
        assert (intent.status, intent.amount, intent.amount_received) == ("succeeded", 3000, 3000)
        assert (intent.currency, intent.metadata) == ("jpy", opened.metadata)

    def test_konbini_is_offered_only_where_it_was_asked_for(self, stripe: StripeClient, box: Box) -> None:
        for days, methods in ((None, ["card"]), (2, ["card", "konbini"])):
            made = stripe.create_session(session_form(order(konbini_days=days)), key())
            assert isinstance(made, StripeSession)
            assert sessions(box)[-1]["payment_method_types"] == methods

    def test_of_a_payment_that_nobody_made_there_are_none(self, stripe: StripeClient) -> None:
        assert stripe.sessions_of("pi_nobody") == ()

    def test_expiring_an_open_one(self, stripe: StripeClient, opened: StripeSession) -> None:
        ended = stripe.expire_session(opened.id, key())
        assert isinstance(ended, StripeSession)
        assert (ended.status, ended.url) == ("expired", None)

    def test_expiring_one_that_was_paid_meanwhile_means_reading_it_again(
        self, stripe: StripeClient, opened: StripeSession, box: Box
    ) -> None:
        box.breaks("expire_loses_race", "stripe_expire")
        refused = stripe.expire_session(opened.id, key())
        assert isinstance(refused, StripeRefused)
        assert (refused.status, refused.type) == (400, "invalid_request_error")
        found = stripe.session(opened.id)
        assert isinstance(found, StripeSession)
        assert found.payment_status == "paid"


class TestRefusals:
    def test_say_what_is_wrong(self, stripe: StripeClient) -> None:
        too_short = session_form(order(expires_at=NOON + timedelta(minutes=5)))
        refused = stripe.create_session(too_short, key())
        assert isinstance(refused, StripeRefused)
        assert (refused.status, refused.param) == (400, "expires_at")
        assert "at least 30 minutes" in refused.message
        assert refused.request_id is not None

    def test_nobody(self, stripe: StripeClient) -> None:
        refused = stripe.session("cs_test_nobody")
        assert isinstance(refused, StripeRefused)
        assert (refused.status, refused.code) == (404, "resource_missing")

    def test_an_id_cannot_lead_to_another_path(self, stripe: StripeClient, opened: StripeSession) -> None:
        refused = stripe.session(f"{opened.id}/line_items?x=")
        assert isinstance(refused, StripeRefused)
        assert refused.status == 404

    def test_a_key_with_other_parameters(self, stripe: StripeClient, box: Box) -> None:
        same = key()
        stripe.create_session(BODY, same)
        refused = stripe.create_session(session_form(order(amount_jpy=4000)), same)
        assert isinstance(refused, StripeRefused)
        assert (refused.status, refused.type) == (400, "idempotency_error")
        assert len(sessions(box)) == 1

    def test_a_wrong_secret_key(self, gateway: HttpGateway, box: Box, tmp_path: Path) -> None:
        stranger = stripe_client(box.url, gateway, tmp_path, stripe_secret_key="sk_test_of_somebody_else")
        refused = stranger.create_session(BODY, key())
        assert isinstance(refused, StripeRefused)
        assert refused.status == 401

    @pytest.mark.parametrize(("secret", "words"), [(None, NO_KEY), ("sk_test\r\nX: y", "letters that no key has")])
    def test_a_secret_key_that_cannot_work_is_not_sent(
        self, gateway: HttpGateway, tmp_path: Path, secret: str | None, words: str
    ) -> None:
        refused = stripe_client(nobody_there(), gateway, tmp_path, stripe_secret_key=secret).session("cs_1")
        assert isinstance(refused, StripeRefused)
        assert refused.status == 401
        assert words in refused.message


class TestNoFinalAnswer:
    @pytest.mark.parametrize(
        ("kind", "made"),
        [("timeout_after_accept", 1), ("timeout_before_accept", 0), ("drop_connection", 0)],
    )
    def test_silence_and_then_the_same_body_with_the_same_key(
        self, stripe: StripeClient, box: Box, kind: str, made: int
    ) -> None:
        same = key()
        box.breaks(kind, "stripe_create", seconds=2)
        first = stripe.create_session(BODY, same)
        assert isinstance(first, StripeUnknown)
        assert first.maybe_done
        box.mends()
        assert len(sessions(box)) == made
        second = stripe.create_session(BODY, same)
        assert isinstance(second, StripeSession)
        assert [session["id"] for session in sessions(box)] == [second.id]

    @pytest.mark.parametrize(
        ("kind", "maybe_done"), [("error_500_before", True), ("conflict", True), ("rate_limited", False)]
    )
    def test_an_answer_that_is_none(self, stripe: StripeClient, box: Box, kind: str, *, maybe_done: bool) -> None:
        same = key()
        box.breaks(kind, "stripe_create")
        first = stripe.create_session(BODY, same)
        assert isinstance(first, StripeUnknown)
        assert (first.maybe_done, first.replayed) == (maybe_done, False)
        assert first.request_id
        assert len(box.calls("/v1/checkout/sessions")) == 1, "trying again is the caller's business"
        box.mends()
        assert isinstance(stripe.create_session(BODY, same), StripeSession)

    def test_a_failure_that_stripe_has_stored_with_the_key(self, stripe: StripeClient, box: Box) -> None:
        same = key()
        box.breaks("error_500_after", "stripe_create", times=1)
        outcomes = [stripe.create_session(BODY, same) for _ in range(2)]
        assert [isinstance(one, StripeUnknown) and one.replayed for one in outcomes] == [False, True]
        assert len(sessions(box)) == 1

    def test_with_nobody_there_nothing_was_done(self, gateway: HttpGateway, tmp_path: Path) -> None:
        outcome = stripe_client(nobody_there(), gateway, tmp_path).create_session(BODY, key())
        assert outcome == StripeUnknown("ConnectError", maybe_done=False)

    def test_no_word_for_too_long(self, gateway: HttpGateway, tmp_path: Path) -> None:
        with silent_peer() as url:
            outcome = stripe_client(url, gateway, tmp_path).refund(refund_form("pi_1"), key())
        assert outcome == StripeUnknown("ReadTimeout", maybe_done=True)

    def test_an_answer_that_trickles_in_is_not_waited_for(self, gateway: HttpGateway, tmp_path: Path) -> None:
        """Its last byte would come after ten seconds, each byte long before the time-out."""
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n"
        with trickling_peer(head, b"{}".ljust(200)) as url:
            outcome = stripe_client(url, gateway, tmp_path).create_session(BODY, key())
        assert outcome == StripeUnknown("ReadTimeout", maybe_done=True)

    def test_reading_is_tried_twice(self, stripe: StripeClient, opened: StripeSession, box: Box) -> None:
        box.breaks("error_500_before", "stripe_session", times=1)
        assert stripe.session(opened.id) == opened

    @pytest.mark.parametrize(
        ("status", "body", "headers", "kind"),
        [
            (200, b"{}", {}, StripeUnknown),
            (200, b"<html>", {}, StripeUnknown),
            (200, b'{"object":"list","data":[{}]}', {}, StripeUnknown),
            (200, b'{"object":"list","data":"x"}', {}, StripeUnknown),
            (200, b'{"object":"checkout.session","id":"cs_1","status":"open"}', {}, StripeUnknown),
            (200, b'{"object":"refund","id":"re_1","status":"succeeded","amount":true}', {}, StripeUnknown),
            (302, b"", {}, StripeUnknown),
            (403, b"<html>no entry</html>", {}, StripeUnknown),
            (400, b'{"error":"no"}', {}, StripeUnknown),
            (400, b'{"error":{}}', {}, StripeRefused),
            (400, b'{"error":{"message":null,"type":1,"code":[]}}', {}, StripeRefused),
            (400, b'{"error":{"message":"wait"}}', {"stripe-should-retry": "true"}, StripeUnknown),
            (402, b'{"error":{"type":"card_error"}}', {}, StripeRefused),
            (502, b"<html>bad gateway</html>", {}, StripeUnknown),
            (500, b"[" * 100_000, {}, StripeUnknown),
        ],
    )
    def test_odd_answers_are_values_too(
        self,
        gateway: HttpGateway,
        tmp_path: Path,
        status: int,
        body: bytes,
        headers: dict[str, str],
        kind: type[Any],
    ) -> None:
        async def say(_request: Request) -> Response:
            return Response(body, status, headers)

        calls: list[Callable[[StripeClient], object]] = [
            lambda client: client.create_session(BODY, key()),
            lambda client: client.session("cs_1"),
            lambda client: client.refund(refund_form("pi_1"), key()),
            lambda client: client.events(["charge.refunded"], NOON),
            lambda client: client.sessions_of("pi_1"),
            lambda client: client.payment_intent("pi_1"),
        ]
        with serving(Starlette(routes=[Route("/{path:path}", say, methods=["POST", "GET"])])) as url:
            odd = stripe_client(url, gateway, tmp_path)
            assert [type(call(odd)) for call in calls] == [kind] * len(calls)


class TestRefunds:
    def test_once_even_when_the_answer_is_lost(self, stripe: StripeClient, opened: StripeSession, box: Box) -> None:
        pay(box, opened)
        intent = sessions(box)[0]["payment_intent"]
        body, same = refund_form(intent, metadata={"reservation_id": "17"}), key()
        box.breaks("timeout_after_accept", "stripe_refund", seconds=2, times=1)
        assert isinstance(stripe.refund(body, same), StripeUnknown)
        made = stripe.refund(body, same)
        assert isinstance(made, StripeRefund)
        assert (made.status, made.amount, made.payment_intent) == ("succeeded", 3000, intent)
        assert stripe.refunds_of(intent) == (made,)

    def test_of_what_was_refunded_already(self, stripe: StripeClient, opened: StripeSession, box: Box) -> None:
        pay(box, opened)
        body = refund_form(sessions(box)[0]["payment_intent"])
        stripe.refund(body, key())
        refused = stripe.refund(body, key())
        assert isinstance(refused, StripeRefused)
        assert (refused.status, refused.code) == (400, "charge_already_refunded")


class TestEvents:
    def test_page_by_page_newest_first(self, stripe: StripeClient, box: Box) -> None:
        for number in range(101):
            box.world.stripe.announce("charge.refunded", {"object": "charge", "id": f"ch_{number}"}, 1)
        box.world.stripe.announce("unicorn.born", {"object": "unicorn", "id": "uni_1"}, 1)
        now = int(NOON.timestamp())
        for event in box.world.stripe.events.values():
            event.created = now
        first = stripe.events(["charge.refunded"], long_ago())
        assert isinstance(first, StripeEventPage)
        assert (len(first.events), first.events[0].object["id"]) == (100, "ch_100")
        assert first.events[0].created == NOON
        rest = stripe.events(["charge.refunded"], long_ago(), first.next_page)
        assert isinstance(rest, StripeEventPage)
        assert [event.object["id"] for event in rest.events] == ["ch_0"]
        assert rest.next_page is None

    def test_none_after_the_last(self, stripe: StripeClient) -> None:
        assert stripe.events(["charge.refunded", "checkout.session.completed"], NOON) == StripeEventPage((), None)
