"""Shows payments and charges, and gives money back."""

from typing import Any

from tsudoi.sandbox.stripe.account import RefundRequest
from tsudoi.sandbox.stripe.payments import Charge
from tsudoi.sandbox.stripe.refusals import invalid, missing, no_such, nothing_to_refund
from tsudoi.sandbox.stripe_api.endpoint import StripeEndpoint, StripeRequest
from tsudoi.sandbox.stripe_api.lists import PAGING, page

_REASONS = ("duplicate", "fraudulent", "requested_by_customer")


def payment_intent(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only("expand")
    found = request.account.payment_intents.get(request.path("id"))
    if found is None:
        raise no_such("payment_intent", request.path("id"), "intent")
    shown = found.as_json()
    for name in given.texts("expand"):
        if name != "latest_charge":
            raise invalid(f"This property cannot be expanded ({name}).", "expand")
        charge = request.account.charges.get(found.latest_charge or "")
        shown[name] = None if charge is None else charge.as_json()
    return shown


def charge(request: StripeRequest) -> dict[str, Any]:
    found = request.account.charges.get(request.path("id"))
    if found is None:
        raise no_such("charge", request.path("id"), "id")
    return found.as_json()


def list_charges(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only("payment_intent", *PAGING)
    wanted = given.text("payment_intent")
    found = [one for one in request.account.charges.values() if wanted in (None, one.payment_intent)]
    return page("/v1/charges", found, given)


def create_refund(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only("payment_intent", "charge", "amount", "reason", "metadata", "instructions_email", "expand")
    amount, reason = given.whole("amount"), given.one_of("reason", _REASONS)
    if amount is not None and amount < 1:
        raise invalid("This value must be greater than or equal to 1.", "amount", "parameter_invalid_integer")
    wanted = RefundRequest(_charge_to_refund(request), amount, reason, given.metadata())
    return request.account.refund(wanted, request.now, request.cause).as_json()


def _charge_to_refund(request: StripeRequest) -> Charge:
    given, account = request.parameters(), request.account
    charge_id, intent_id = given.text("charge"), given.text("payment_intent")
    if charge_id is None and intent_id is None:
        raise missing("payment_intent")
    if intent_id is not None:
        intent = account.payment_intents.get(intent_id)
        if intent is None:
            raise no_such("payment_intent", intent_id, "payment_intent", 400)
        if intent.latest_charge is None:
            raise nothing_to_refund(intent_id)
        return account.charges[intent.latest_charge]
    found = account.charges.get(charge_id or "")
    if found is None:
        raise no_such("charge", charge_id or "", "charge", 400)
    return found


def refund(request: StripeRequest) -> dict[str, Any]:
    found = request.account.refunds.get(request.path("id"))
    if found is None:
        raise no_such("refund", request.path("id"), "id")
    return found.as_json()


def list_refunds(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only("payment_intent", "charge", *PAGING)
    intent, charge_id = given.text("payment_intent"), given.text("charge")
    found = [
        one
        for one in request.account.refunds.values()
        if intent in (None, one.payment_intent) and charge_id in (None, one.charge)
    ]
    return page("/v1/refunds", found, given)


ENDPOINTS = [
    StripeEndpoint("GET", "/v1/payment_intents/{id}", "stripe_payment", payment_intent),
    StripeEndpoint("GET", "/v1/charges", "stripe_payment", list_charges),
    StripeEndpoint("GET", "/v1/charges/{id}", "stripe_payment", charge),
    StripeEndpoint("POST", "/v1/refunds", "stripe_refund", create_refund),
    StripeEndpoint("GET", "/v1/refunds", "stripe_list", list_refunds),
    StripeEndpoint("GET", "/v1/refunds/{id}", "stripe_payment", refund),
]
