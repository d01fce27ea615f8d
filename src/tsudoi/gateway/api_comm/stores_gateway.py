"""The operations on STORES: find a customer, details, reservations. Each asks STORES at most once."""

from collections.abc import Callable
from typing import Any, TypeVar

from tsudoi.gateway.api_comm import stores_answers as answers
from tsudoi.gateway.api_comm.calls import ApiCall
from tsudoi.gateway.api_comm.matching import Contact, CustomerMatch, match, page_count, phone_digits
from tsudoi.gateway.api_comm.requests import MERCHANT_ID
from tsudoi.gateway.api_comm.results import FieldError, OperationResult, invalid, system_failure
from tsudoi.gateway.api_comm.shop_data import ShopFacts
from tsudoi.gateway.api_comm.stores_watch import StoresWatch
from tsudoi.gateway.clients.outside_answers import OutsideAnswer
from tsudoi.gateway.clients.stores import StoresClient
from tsudoi.gateway.http import CallPolicy

T = TypeVar("T")

_MATCH_CODES = {
    "unique": "STORES_CUSTOMER_FOUND",
    "not_found": "STORES_CUSTOMER_NOT_FOUND",
    "multiple_candidates": "STORES_CUSTOMER_MULTIPLE_CANDIDATES",
}


class StoresGateway:
    """Asks STORES on behalf of one shop, with that shop's token and merchant id."""

    def __init__(self, client: StoresClient, watch: StoresWatch) -> None:
        self._client = client
        self._watch = watch
        self._operations: dict[str, Callable[[ApiCall, ShopFacts, str], OperationResult]] = {
            "stores.resolve_customer_by_contact": self._resolve_customer_by_contact,
            "stores.resolve_customer_by_line_user": self._resolve_customer_by_line_user,
            "stores.get_customer": self._get_customer,
            "stores.list_reservations": self._list_reservations,
            "stores.get_reservation": self._get_reservation,
        }

    def run(self, call: ApiCall) -> OperationResult:
        assert call.request.shop_id is not None  # noqa: S101 (checked with the request)
        shop = self._watch.data.shop(call.request.shop_id)
        if shop is None:
            return invalid([FieldError("shop_id", "店舗が見つかりません")])
        merchant = call.request.payload.get("merchant_canonical_id") or shop.merchant_canonical_id or ""
        return self._operations[call.operation.name](call, shop, merchant)

    def _resolve_customer_by_contact(self, call: ApiCall, shop: ShopFacts, merchant: str) -> OperationResult:
        contact = Contact(call.request.payload["email"], call.request.payload["phone_number"])
        query = {"merchant_canonical_ids": merchant, "page": "1"}
        if contact.email is not None:
            query["email"] = contact.email
        if contact.phone_number is not None:
            query["phone_number"] = phone_digits(contact.phone_number)
        answer = self._ask(call, shop, merchant, lambda token, policy: self._client.customers(token, query, policy))
        if isinstance(answer, OperationResult):
            return answer
        found = answers.records_of(answer, "customers")
        if not answer.is_success or found is None or not all(map(answers.has_id, found)):
            return self._watch.fail(call, shop, answer)
        self._watch.succeed(call, shop)
        pagination = answer.entry("pagination")
        result = match(answers.of_merchant(found, merchant), contact, page_count(pagination))
        return OperationResult(_MATCH_CODES[result.status], data=_match_data(result, answer), cacheable=True)

    def _resolve_customer_by_line_user(self, call: ApiCall, shop: ShopFacts, merchant: str) -> OperationResult:
        user = call.request.payload["line_user_id"]
        customer_id = self._watch.data.line_link(shop.id, user)
        if customer_id is None:
            none = {"link_status": "none", "link": None, "customer": None}
            return OperationResult("STORES_CUSTOMER_LINK_NOT_FOUND", data=none)
        link = {"stores_customer_id": customer_id, "channel_type": "line", "external_user_id": user}
        if not (customer_id.isascii() and customer_id.isdecimal()):
            return _link("exists_broken", link, None)
        answer = self._ask(
            call, shop, merchant, lambda token, policy: self._client.customer(token, int(customer_id), policy)
        )
        if isinstance(answer, OperationResult):
            return answer
        customer = answer.entry("customer") if answer.is_success else None
        is_another = customer is not None and not answers.is_the_one(customer, int(customer_id))
        if is_another or (customer is None and not (answers.is_gone(answer) or answers.is_refused_to_us(answer))):
            return self._watch.fail(call, shop, answer)
        if answers.is_refused_to_us(answer):
            self._watch.note_answered(call, shop, answer)
        else:
            self._watch.succeed(call, shop)
        if customer is None or not answers.belongs_to(customer, merchant):
            return _link("exists_broken", link, None)
        return _link("exists_valid", link, answers.full_customer(customer))

    def _get_customer(self, call: ApiCall, shop: ShopFacts, merchant: str) -> OperationResult:
        customer_id = call.request.payload["stores_customer_id"]
        found = self._detail(
            call,
            shop,
            merchant,
            ("customer", customer_id),
            lambda token, policy: self._client.customer(token, customer_id, policy),
        )
        if isinstance(found, OperationResult):
            return found
        code = "STORES_CUSTOMER_DETAIL_NOT_FOUND" if found is None else "STORES_CUSTOMER_DETAIL_FOUND"
        customer = None if found is None else answers.full_customer(found)
        return OperationResult(code, data={"customer": customer}, cacheable=True)

    def _get_reservation(self, call: ApiCall, shop: ShopFacts, merchant: str) -> OperationResult:
        reservation_id = call.request.payload["reservation_canonical_id"]
        found = self._detail(
            call,
            shop,
            merchant,
            ("reservation", reservation_id),
            lambda token, policy: self._client.reservation(token, reservation_id, policy),
        )
        if isinstance(found, OperationResult):
            return found
        code = "STORES_RESERVATION_DETAIL_NOT_FOUND" if found is None else "STORES_RESERVATION_DETAIL_FOUND"
        return OperationResult(code, data={"reservation": found}, cacheable=True)

    def _list_reservations(self, call: ApiCall, shop: ShopFacts, merchant: str) -> OperationResult:
        filters = {key: value for key, value in call.request.payload.items() if value is not None}
        query = {"merchant_canonical_ids": merchant, "page": "1", **filters}
        answer = self._ask(call, shop, merchant, lambda token, policy: self._client.reservations(token, query, policy))
        if isinstance(answer, OperationResult):
            return answer
        found = answers.records_of(answer, "reservations")
        if not answer.is_success or found is None:
            return self._watch.fail(call, shop, answer)
        self._watch.succeed(call, shop)
        listed = [answers.listed_reservation(one) for one in answers.of_merchant(found, merchant)]
        data = {"pagination": answers.pagination_of(answer), "reservations": listed}
        return OperationResult("STORES_RESERVATIONS_LISTED", data=data, cacheable=True)

    def _detail(
        self,
        call: ApiCall,
        shop: ShopFacts,
        merchant: str,
        asked: tuple[str, Any],
        send: Callable[[str, CallPolicy], OutsideAnswer],
    ) -> dict[str, Any] | OperationResult | None:
        """The record; None if there is none, or if it belongs to another merchant. `asked`: its kind and its id."""
        answer = self._ask(call, shop, merchant, send)
        if isinstance(answer, OperationResult):
            return answer
        kind, record_id = asked
        found = answer.entry(kind) if answer.is_success else None
        is_another = found is not None and not answers.is_the_one(found, record_id)
        if is_another or (found is None and not answers.is_gone(answer)):
            return self._watch.fail(call, shop, answer)
        self._watch.succeed(call, shop)
        return found if found is not None and answers.belongs_to(found, merchant) else None

    def _ask(
        self, call: ApiCall, shop: ShopFacts, merchant: str, send: Callable[[str, CallPolicy], OutsideAnswer]
    ) -> OutsideAnswer | OperationResult:
        """The answer, or the result if STORES is not asked at all. Nothing is ever asked for all merchants."""
        if not MERCHANT_ID.fullmatch(merchant):
            message = "店舗にSTORES予約のmerchant_canonical_idが設定されていません。"
            return system_failure(call.failure_code, "merchant_not_configured", message, retryable=False)
        if shop.token is None:
            return _without_token(call, shop)
        limits = self._watch.limits_of(shop)
        if not call.once and not self._watch.may_ask(shop):
            return answers.circuit_open(call.failure_code)
        answer = send(shop.token, limits.stores(call.request.channel, once=call.once))
        if answer.rate_limited:
            self._watch.note_answered(call, shop, answer)
            return answers.rate_limited(answer)
        return answer


def _without_token(call: ApiCall, shop: ShopFacts) -> OperationResult:
    if shop.has_token:
        message = "店舗のSTORES予約のトークンを読み取れません。"
        return system_failure(call.failure_code, "token_unreadable", message, retryable=False)
    message = "店舗にSTORES予約のトークンが設定されていません。"
    return system_failure(call.failure_code, "token_missing", message, retryable=False)


def _match_data(result: CustomerMatch, answer: OutsideAnswer) -> dict[str, Any]:
    return {
        "match_status": result.status,
        "not_found_reason": result.reason,
        "customer": None if result.customer is None else answers.found_customer(result.customer),
        "candidates": [answers.candidate(one) for one in result.candidates],
        "pagination": answers.pagination_of(answer),
    }


def _link(status: str, link: dict[str, Any], customer: dict[str, Any] | None) -> OperationResult:
    code = "STORES_CUSTOMER_FOUND_BY_LINK" if status == "exists_valid" else "STORES_CUSTOMER_LINK_BROKEN"
    return OperationResult(code, data={"link_status": status, "link": link, "customer": customer}, cacheable=True)
