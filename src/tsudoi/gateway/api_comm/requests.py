"""Checks a request before anything happens, and explains in Japanese what is wrong with it. Pure."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from tsudoi.gateway.api_comm.matching import email_key, phone_digits
from tsudoi.gateway.api_comm.operations import Operation
from tsudoi.gateway.api_comm.results import FieldError

Payload = dict[str, Any]

TARGETS = ("stores", "chatwork", "sms", "line", "openai", "remotelock")
MERCHANT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FIELDS = ("request_id", "channel", "actor_type", "shop_id", "payload")
_CANONICAL_ID = re.compile(r"[1-9][0-9]{0,17}")
_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]{1,64}@[^@\s\x00-\x1f\x7f＠]{1,189}")
_LINE_USER = re.compile(r"U[0-9a-f]{32}")
_STATUS = re.compile(r"[a-z_]{1,40}")
_RULE_CODE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_LONGEST_EMAIL, _LONGEST_TEXT, _LONGEST_PHONE = 254, 500, 60
_LARGEST_ID = 2**53


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A request that makes sense. `payload` holds the checked values, and None for what was not given."""

    request_id: str | None
    channel: str
    actor_type: str
    shop_id: int | None
    payload: Payload = field(repr=False)


class _Problems:
    """Collects what is wrong, so that a person is told everything at once."""

    def __init__(self) -> None:
        self.found: list[FieldError] = []

    def add(self, name: str, message: str) -> None:
        self.found.append(FieldError(name, message))


def check(operation: Operation, request: Mapping[str, Any]) -> CheckedRequest | list[FieldError]:
    problems = _Problems()
    for name in request:
        if name not in _FIELDS:
            problems.add(str(name)[:60], "この項目はありません")
    request_id = request.get("request_id")
    if request_id is not None and not is_request_id(request_id):
        problems.add("request_id", "UUIDではありません")
    _one_of(problems, "channel", request.get("channel"), operation.channels)
    _one_of(problems, "actor_type", request.get("actor_type"), operation.actors)
    shop_id = request.get("shop_id")
    if not _is_id(shop_id) and (operation.needs_shop or shop_id is not None):
        problems.add("shop_id", "店舗の番号が必要です")
    given = request.get("payload")
    if given is not None and not isinstance(given, Mapping):
        problems.add("payload", "項目の集まり（オブジェクト）ではありません")
        given = None
    payload = _PAYLOADS[operation.name](problems, given or {})
    if problems.found:
        return problems.found
    return CheckedRequest(request_id, request["channel"], request["actor_type"], shop_id, payload)


def is_request_id(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > 36:  # noqa: PLR2004 (the length of a UUID with its hyphens)
        return False
    try:
        UUID(value)
    except ValueError:
        return False
    return True


def normalised(payload: Payload) -> str:
    """The same question always has the same text: sorted, without what is not given, without the name."""
    kept = {key: value for key, value in payload.items() if value is not None and key != "name"}
    if "email" in kept:
        kept["email"] = email_key(kept["email"])
    if "phone_number" in kept:
        kept["phone_number"] = phone_digits(kept["phone_number"])
    return orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()


def _contact(problems: _Problems, given: Mapping[str, Any]) -> Payload:
    _known(problems, given, ("email", "phone_number", "name", "allow_multi_match", "merchant_canonical_id"))
    email, phone = _text(problems, given, "email"), _text(problems, given, "phone_number")
    if email is not None and (len(email) > _LONGEST_EMAIL or not _EMAIL.fullmatch(email.strip())):
        problems.add("email", "メール形式が不正です")
    if phone is not None and (len(phone) > _LONGEST_PHONE or not phone_digits(phone)):
        problems.add("phone_number", "電話番号の形式が不正です")
    if email is None and phone is None and not problems.found:
        problems.add("email", "メールアドレスか電話番号のどちらかが必要です")
        problems.add("phone_number", "メールアドレスか電話番号のどちらかが必要です")
    _text(problems, given, "name")
    _flag(problems, given, "allow_multi_match")
    merchant = _text(problems, given, "merchant_canonical_id")
    if merchant is not None and not MERCHANT_ID.fullmatch(merchant):
        problems.add("merchant_canonical_id", "形式が不正です")
    return {"email": email, "phone_number": phone, "merchant_canonical_id": merchant}


def _line_user(problems: _Problems, given: Mapping[str, Any]) -> Payload:
    _known(problems, given, ("line_user_id", "allow_multi_match"))
    user = given.get("line_user_id")
    if not isinstance(user, str) or not _LINE_USER.fullmatch(user):
        problems.add("line_user_id", "LINEのユーザーIDが必要です")
    _flag(problems, given, "allow_multi_match")
    return {"line_user_id": user}


def _canonical_id(name: str) -> Callable[[_Problems, Mapping[str, Any]], Payload]:
    def read(problems: _Problems, given: Mapping[str, Any]) -> Payload:
        _known(problems, given, (name,))
        value = given.get(name)
        plain = str(value) if isinstance(value, str) or _is_id(value) else ""
        if not _CANONICAL_ID.fullmatch(plain):
            problems.add(name, "番号（整数）が必要です")
            return {}
        return {name: int(plain)}

    return read


def _reservations(problems: _Problems, given: Mapping[str, Any]) -> Payload:
    _known(problems, given, ("booking_start_from", "booking_start_to", "status", "page"))
    first, last = _time(problems, given, "booking_start_from"), _time(problems, given, "booking_start_to")
    if first is not None and last is not None and first > last:
        problems.add("booking_start_to", "開始より前の日時です")
    status = _text(problems, given, "status")
    if status is not None and not _STATUS.fullmatch(status):
        problems.add("status", "形式が不正です")
    page = given.get("page")
    if page is not None and (isinstance(page, bool) or page != 1):
        problems.add("page", "1ページ目だけを取得できます")
    asked = {name: given.get(name) or None for name in ("booking_start_from", "booking_start_to")}
    return {**asked, "status": status}


def _escalation(problems: _Problems, given: Mapping[str, Any]) -> Payload:
    _known(problems, given, ("rule_code", "summary", "details"))
    rule, summary = _text(problems, given, "rule_code"), _text(problems, given, "summary")
    if rule is None or not _RULE_CODE.fullmatch(rule):
        problems.add("rule_code", "ルールコードが必要です")
    if summary is None or not summary.strip():
        problems.add("summary", "概要が必要です")
    details = given.get("details")
    if details is not None and not isinstance(details, Mapping):
        problems.add("details", "項目の集まり（オブジェクト）ではありません")
    return {"rule_code": rule, "summary": summary, "details": details or {}}


def _connectivity(problems: _Problems, given: Mapping[str, Any]) -> Payload:
    _known(problems, given, ("targets",))
    targets = given.get("targets")
    if targets is None or targets == []:
        return {"targets": list(TARGETS)}
    if not isinstance(targets, list) or any(not isinstance(one, str) or one not in TARGETS for one in targets):
        problems.add("targets", f"指定できるのは {', '.join(TARGETS)} です")
        return {}
    return {"targets": [one for one in TARGETS if one in targets]}


def _anything(_problems: _Problems, given: Mapping[str, Any]) -> Payload:
    """The document gives the stub no fields, so that callers may already send those of the real operation."""
    return dict(given)


_PAYLOADS: dict[str, Callable[[_Problems, Mapping[str, Any]], Payload]] = {
    "stores.resolve_customer_by_contact": _contact,
    "stores.resolve_customer_by_line_user": _line_user,
    "stores.get_customer": _canonical_id("stores_customer_id"),
    "stores.list_reservations": _reservations,
    "stores.get_reservation": _canonical_id("reservation_canonical_id"),
    "remotelock.get_key_info_stub": _anything,
    "notify.escalation": _escalation,
    "system.check_connectivity": _connectivity,
}


def _known(problems: _Problems, given: Mapping[str, Any], names: tuple[str, ...]) -> None:
    for name in given:
        if name not in names:
            problems.add(str(name)[:60], "この項目はありません")


def _one_of(problems: _Problems, name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        problems.add(name, f"指定できるのは {', '.join(allowed)} です")


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LARGEST_ID


def _text(problems: _Problems, given: Mapping[str, Any], name: str) -> str | None:
    """An empty text is as good as none."""
    value = given.get(name)
    if value is not None and (not isinstance(value, str) or len(value) > _LONGEST_TEXT or not _is_writable(value)):
        problems.add(name, "文字列ではないか、長すぎます")
        return None
    return value if value and value.strip() else None


def _is_writable(text: str) -> bool:
    """A lone surrogate and a null character can be stored and sent nowhere."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _flag(problems: _Problems, given: Mapping[str, Any], name: str) -> None:
    if not isinstance(given.get(name, False), bool | None):
        problems.add(name, "true か false を指定してください")


def _time(problems: _Problems, given: Mapping[str, Any], name: str) -> datetime | None:
    value = _text(problems, given, name)
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        found = None
    if found is None or found.utcoffset() is None or not value.isascii():
        problems.add(name, "時差付きの日時（例 2025-11-22T00:00:00+09:00）が必要です")
        return None
    return found
