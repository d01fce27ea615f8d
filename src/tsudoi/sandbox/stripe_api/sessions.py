"""Creates, shows, lists and expires Checkout Sessions."""

from typing import Any

from tsudoi.sandbox.fault_places import FaultKind
from tsudoi.sandbox.stripe import ids
from tsudoi.sandbox.stripe.refusals import invalid, missing, no_such
from tsudoi.sandbox.stripe.sessions import KONBINI, METHODS, CheckoutSession
from tsudoi.sandbox.stripe_api.endpoint import StripeEndpoint, StripeRequest
from tsudoi.sandbox.stripe_api.forms import Parameters
from tsudoi.sandbox.stripe_api.lists import PAGING, page

_PATH = "/v1/checkout/sessions"
_LEAST_SECONDS, _MOST_SECONDS = 30 * 60, 24 * 60 * 60
_LEAST_YEN, _MOST_YEN = 50, 99_999_999
_MOST_ITEMS = 100
_FIRST_DAY, _LAST_DAY = 1, 60
# From this version on Stripe decides by its own settings which methods it offers; a request can only filter them.
_WITHOUT_METHOD_TYPES = "2026-09-30"
_FILTERS = ("payment_method_types", "allowed_payment_method_types", "excluded_payment_method_types")
_CREATE = (
    *("mode", "line_items", "client_reference_id", "metadata", "payment_intent_data", "success_url", "cancel_url"),
    *("expires_at", "locale", "customer_email", "submit_type", "payment_method_options", "ui_mode", "expand"),
    *_FILTERS,
)
_LOCALES = ("auto", "en", "ja", "ko", "zh", "zh-TW", "de", "es", "fr", "it", "pt-BR", "th", "vi")


def create(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only(*_CREATE)
    if given.one_of("mode", ("payment",)) is None:
        raise missing("mode")
    given.one_of("ui_mode", ("hosted_page",))
    items = [_item(Parameters(entry, f"line_items[{n}]")) for n, entry in enumerate(given.entries("line_items"))]
    payment, success_url = given.inner("payment_intent_data"), given.url("success_url")
    payment.only("metadata")
    if success_url is None:
        raise missing("success_url")
    session_id = ids.new_session_id(livemode=request.livemode)
    session = CheckoutSession(
        id=session_id,
        created=request.now,
        expires_at=_expires_at(given, request.now),
        livemode=request.livemode,
        page_url=f"{request.base_url}/c/pay/{session_id}#{ids.new_fragment()}",
        success_url=success_url,
        cancel_url=given.url("cancel_url"),
        amount_total=_total(items),
        items=items,
        methods=_methods(given, request.version),
        metadata=given.metadata(),
        payment_metadata=payment.metadata(),
        client_reference_id=given.text("client_reference_id", 200),
        customer_email=given.text("customer_email", 512),
        locale=given.one_of("locale", _LOCALES),
        submit_type=given.one_of("submit_type", ("auto", "book", "donate", "pay", "subscribe")),
        konbini_days=_konbini_days(given),
    )
    request.account.sessions[session.id] = session
    return _shown(request, session, given)


def _item(given: Parameters) -> dict[str, Any]:
    given.only("price_data", "quantity")
    price = given.inner("price_data")
    price.only("currency", "unit_amount", "product_data")
    product = price.inner("product_data")
    product.only("name", "description", "images", "metadata")
    currency, amount, quantity = price.required("currency").lower(), price.whole("unit_amount"), given.whole("quantity")
    if currency != "jpy":
        message = f"Invalid currency: {currency}. Stripe currently supports these currencies: jpy"
        raise invalid(message, price.named("currency"))
    if amount is None:
        raise missing(price.named("unit_amount"))
    if amount < 0:
        raise invalid("This value must be greater than or equal to 0.", price.named("unit_amount"))
    if quantity is None or quantity < 1:
        raise missing(given.named("quantity"))
    name = product.required("name")
    total = amount * quantity
    return {
        "id": ids.new_payment_id("li"),
        "object": "item",
        "amount_discount": 0,
        "amount_subtotal": total,
        "amount_tax": 0,
        "amount_total": total,
        "currency": currency,
        "description": name,
        "price": {"object": "price", "currency": currency, "unit_amount": amount, "type": "one_time"},
        "quantity": quantity,
    }


def _total(items: list[dict[str, Any]]) -> int:
    if not items:
        raise missing("line_items")
    if len(items) > _MOST_ITEMS:
        raise invalid(f"Array line_items exceeded maximum {_MOST_ITEMS} allowed elements.", "line_items")
    total = sum(int(item["amount_total"]) for item in items)
    if total < _LEAST_YEN:
        message = f"The Checkout Session's total amount due must add up to at least ¥{_LEAST_YEN} jpy"
        raise invalid(message, "line_items", "amount_too_small")
    if total > _MOST_YEN:
        message = f"The Checkout Session's total amount due must be no more than ¥{_MOST_YEN:,} jpy"
        raise invalid(message, "line_items", "amount_too_large")
    return total


def _expires_at(given: Parameters, now: int) -> int:
    expires_at = given.whole("expires_at")
    if expires_at is None:
        return now + _MOST_SECONDS
    stamp = "The `expires_at` timestamp must be"
    if expires_at < now + _LEAST_SECONDS:
        raise invalid(f"{stamp} at least 30 minutes from Checkout Session creation.", "expires_at")
    if expires_at > now + _MOST_SECONDS:
        raise invalid(f"{stamp} less than 24 hours from Checkout Session creation.", "expires_at")
    return expires_at


def _methods(given: Parameters, version: str) -> list[str]:
    if "payment_method_types" in given and version >= _WITHOUT_METHOD_TYPES:
        message = (
            "The `payment_method_types` parameter is no longer supported. Use `allowed_payment_method_types` or "
            "`excluded_payment_method_types` to filter the payment methods of your settings."
        )
        raise invalid(message, "payment_method_types", "payment_method_types_no_longer_supported")
    for name in _FILTERS:
        for method in given.texts(name):
            if not method.replace("_", "").isalnum():
                raise invalid(f"Invalid {name}: {method}", name)
    wanted = given.texts("payment_method_types") or given.texts("allowed_payment_method_types") or METHODS
    excluded = given.texts("excluded_payment_method_types")
    methods = [method for method in METHODS if method in wanted and method not in excluded]
    if not methods:
        raise invalid("No valid payment method types for this Checkout Session.", "excluded_payment_method_types")
    return methods


def _konbini_days(given: Parameters) -> int:
    options = given.inner("payment_method_options")
    options.only("card", KONBINI)
    days = options.inner(KONBINI).whole("expires_after_days")
    if days is not None and not _FIRST_DAY <= days <= _LAST_DAY:
        message = f"This value must be between {_FIRST_DAY} and {_LAST_DAY}"
        raise invalid(message, "payment_method_options[konbini][expires_after_days]", "parameter_invalid_integer")
    return 3 if days is None else days


def retrieve(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only("expand")
    return _shown(request, _session(request), given)


def line_items(request: StripeRequest) -> dict[str, Any]:
    return _session(request).line_items()


def list_sessions(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only("payment_intent", "status", *PAGING)
    intent, status = given.text("payment_intent"), given.one_of("status", ("open", "complete", "expired"))
    found = [
        session
        for session in request.account.sessions.values()
        if intent in (None, session.payment_intent) and status in (None, session.status)
    ]
    return page(_PATH, found, given)


def expire(request: StripeRequest) -> dict[str, Any]:
    given, session = request.parameters(), _session(request)
    given.only("expand")
    if request.suffers(FaultKind.EXPIRE_LOSES_RACE) and session.is_open:
        request.account.pay_by_card(session, request.now)
    request.account.expire(session, request.now, request.cause)
    return _shown(request, session, given)


def _session(request: StripeRequest) -> CheckoutSession:
    session = request.account.sessions.get(request.path("id"))
    if session is None:
        raise no_such("checkout.session", request.path("id"), "session")
    return session


def _shown(request: StripeRequest, session: CheckoutSession, given: Parameters) -> dict[str, Any]:
    shown = session.as_json()
    for name in given.texts("expand"):
        if name == "line_items":
            shown[name] = session.line_items()
        elif name == "payment_intent":
            intent = request.account.payment_intents.get(session.payment_intent or "")
            shown[name] = None if intent is None else intent.as_json()
        else:
            raise invalid(f"This property cannot be expanded ({name}).", "expand")
    return shown


ENDPOINTS = [
    StripeEndpoint("POST", _PATH, "stripe_create", create),
    StripeEndpoint("GET", _PATH, "stripe_list", list_sessions),
    StripeEndpoint("GET", f"{_PATH}/{{id}}", "stripe_session", retrieve),
    StripeEndpoint("GET", f"{_PATH}/{{id}}/line_items", "stripe_session", line_items),
    StripeEndpoint("POST", f"{_PATH}/{{id}}/expire", "stripe_expire", expire),
]
