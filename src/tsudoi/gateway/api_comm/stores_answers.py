"""What an answer of STORES means: for the caller, for the breaker, and as data of the result. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tsudoi.gateway.api_comm.matching import masked_email, phone_last4
from tsudoi.gateway.api_comm.results import STORES_RATE_LIMITED, ApiCommError, OperationResult
from tsudoi.gateway.clients.outside_answers import OutsideAnswer

_HTTP_UNAUTHORIZED, _HTTP_FORBIDDEN, _HTTP_SERVER_ERROR = 401, 403, 500
_GONE = (404, 410)
_CUSTOMER_KEYS = ("canonical_id", "name", "email", "primary_phone_number")
# What is kept beside the documented fields: no notes about the person, and no answers of questionnaires.
_RAW_KEYS = ("membership_number", "subscriptions", "ticket_books")

Parsed = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Trouble:
    """How bad a failed call is. `dead`: STORES does not work at all, so that others need not wait for it too."""

    counts: bool
    dead: bool
    token_refused: bool = False


def trouble_of(answer: OutsideAnswer) -> Trouble:
    """A request that STORES refuses as such says nothing about STORES: one odd address must not close a shop."""
    status = answer.status
    if status is None or status >= _HTTP_SERVER_ERROR or status < 400:  # noqa: PLR2004 (a success that is unreadable)
        return Trouble(counts=True, dead=True)
    if status == _HTTP_UNAUTHORIZED:
        return Trouble(counts=True, dead=False, token_refused=True)
    return Trouble(counts=status in (_HTTP_FORBIDDEN, *_GONE), dead=False)


def is_gone(answer: OutsideAnswer) -> bool:
    return answer.status in _GONE


def is_refused_to_us(answer: OutsideAnswer) -> bool:
    """STORES itself says so. A page is from something in between, and says nothing about the record."""
    return answer.status == _HTTP_FORBIDDEN and not answer.is_page


def error_text(answer: OutsideAnswer) -> str:
    return f"status {answer.status}" if answer.status is not None else f"no answer: {answer.reason}"


def rate_limited(answer: OutsideAnswer) -> OperationResult:
    wait = {} if answer.retry_after is None else {"retry_after_sec": answer.retry_after}
    details = {**_external(answer), **wait, "retryable": True}
    message = "STORES予約APIの利用回数の上限に達しました。"
    return OperationResult(STORES_RATE_LIMITED, message, error=ApiCommError("external_api", details), cacheable=True)


def failed(code: str, answer: OutsideAnswer) -> OperationResult:
    status = answer.status
    if status is None:
        message = "STORES予約APIから応答がありませんでした。"
    elif answer.is_success:
        message = "STORES予約APIの応答を読み取れませんでした。"
    else:
        message = f"STORES予約APIがステータス{status}を返しました。"
    retryable = status is None or status >= _HTTP_SERVER_ERROR or answer.is_success
    details = {**_external(answer), "retryable": retryable}
    return OperationResult(code, message, error=ApiCommError("external_api", details))


def circuit_open(code: str) -> OperationResult:
    details = {"reason": "circuit_open", "external_status_code": None, "retryable": True}
    message = "STORES予約APIの失敗が続いたため、問い合わせを一時的に止めています。"
    return OperationResult(code, message, error=ApiCommError("external_api", details))


def _external(answer: OutsideAnswer) -> Parsed:
    body = {} if answer.masked is None else {"external_body": answer.masked}
    return {"external_status_code": answer.status, **body}


def records_of(answer: OutsideAnswer, name: str) -> list[Parsed] | None:
    """The list of an answer; None if it is unreadable."""
    found = answer.parsed.get(name) if isinstance(answer.parsed, dict) else None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        return None
    return found


def of_merchant(records: Sequence[Parsed], merchant: str) -> list[Parsed]:
    return [one for one in records if belongs_to(one, merchant)]


def belongs_to(record: Mapping[str, Any], merchant: str) -> bool:
    """A record that names another merchant is never handed out."""
    return record.get("merchant_canonical_id", merchant) in (merchant, None)


def is_the_one(record: Mapping[str, Any], asked: Any) -> bool:
    """Whether the record is the one that was asked for. One without an id may be anybody's, and is not handed out."""
    found = record.get("canonical_id")
    return isinstance(found, int | str) and not isinstance(found, bool) and str(found) == str(asked)


def has_id(record: Mapping[str, Any]) -> bool:
    return bool(record.get("canonical_id")) and is_the_one(record, record["canonical_id"])


def pagination_of(answer: OutsideAnswer) -> Parsed:
    found = answer.entry("pagination") or {}
    return {"page": found.get("page"), "total": found.get("total")}


def found_customer(record: Mapping[str, Any]) -> Parsed:
    raw = {key: record[key] for key in _RAW_KEYS if key in record}
    return {**candidate(record), "merchant_canonical_id": record.get("merchant_canonical_id"), "raw": raw}


def candidate(record: Mapping[str, Any]) -> Parsed:
    return {**_customer_id(record), **{key: record.get(key) for key in _CUSTOMER_KEYS}, **_masked(record)}


def full_customer(record: Mapping[str, Any]) -> Parsed:
    return {**record, **_customer_id(record), **_masked(record)}


def listed_reservation(record: Parsed) -> Parsed:
    keys = (
        *("canonical_id", "booking_service_canonical_id", "booking_start", "customer_name", "status"),
        "merchant_canonical_id",
    )
    return {**{key: record.get(key) for key in keys}, "raw": record}


def _customer_id(record: Mapping[str, Any]) -> Parsed:
    number = record.get("canonical_id")
    return {"stores_customer_id": None if number is None else str(number)}


def _masked(record: Mapping[str, Any]) -> Parsed:
    phone = phone_last4(record.get("primary_phone_number"))
    return {"email_masked": masked_email(record.get("email")), "phone_last4": phone}
