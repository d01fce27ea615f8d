"""Which customers of an answer are the person who asks. Pure.

STORES finds parts of an address, so that everything it returns is compared again here, exactly.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

MatchStatus = Literal["unique", "not_found", "multiple_candidates"]
NotFoundReason = Literal["none", "no_record", "too_many_candidates", "over_page_limit"]

_ABROAD = re.compile(r"(?:\+|00)81(?:\(0\)|0)?")
_GAPS = re.compile(r"[\s‐-―−ー-]")
_MANY = 2


@dataclass(frozen=True, slots=True)
class Contact:
    """What the person typed. None: not given."""

    email: str | None
    phone_number: str | None


@dataclass(frozen=True, slots=True)
class CustomerMatch:
    """Who was found on the first page, and why nobody, if so."""

    status: MatchStatus
    reason: NotFoundReason
    customer: Mapping[str, Any] | None
    candidates: tuple[Mapping[str, Any], ...]


def phone_digits(text: str) -> str:
    """The digits of a phone number as people type it: full-width, with hyphens, or from abroad with +81.

    A number that begins with 81 and has no sign before it is left alone: it may be a number inside Japan.
    """
    plain = _GAPS.sub("", unicodedata.normalize("NFKC", text))
    found = _ABROAD.match(plain)
    if found:
        plain = f"0{plain[found.end() :]}"
    return "".join(letter for letter in plain if letter in "0123456789")


def email_key(text: str) -> str:
    """Two addresses are the same when these are. Dots and plus signs are part of an address."""
    return text.strip().lower()


def page_count(pagination: Any) -> int:
    """`total` counts pages. Missing or 0, it counts as one."""
    total = pagination.get("total") if isinstance(pagination, Mapping) else None
    return max(total, 1) if isinstance(total, int) and not isinstance(total, bool) else 1


def is_same_person(customer: Mapping[str, Any], contact: Contact) -> bool:
    """Everything that was given has to match."""
    email, phone = customer.get("email"), customer.get("primary_phone_number")
    if contact.email is not None and not (
        isinstance(email, str) and email_key(email) == email_key(contact.email) and email_key(email)
    ):
        return False
    if contact.phone_number is None:
        return True
    digits = phone_digits(contact.phone_number)
    return isinstance(phone, str) and bool(digits) and phone_digits(phone) == digits


def match(customers: Sequence[Mapping[str, Any]], contact: Contact, pages: int) -> CustomerMatch:
    """Nobody is called unique while there are further pages, because they were not read."""
    found = tuple(one for one in customers if is_same_person(one, contact))
    if pages > 1:
        return CustomerMatch("not_found", _why_not_told(len(found)), None, ())
    if not found:
        return CustomerMatch("not_found", "no_record", None, ())
    if len(found) == 1:
        return CustomerMatch("unique", "none", found[0], ())
    return CustomerMatch("multiple_candidates", "none", None, found)


def _why_not_told(found: int) -> NotFoundReason:
    return "too_many_candidates" if found >= _MANY else "over_page_limit"


def masked_email(email: Any) -> str | None:
    """`u***@example.com`: enough for its owner to recognise it."""
    if not isinstance(email, str) or "@" not in email.strip()[1:]:
        return None
    name, _, domain = email.strip().rpartition("@")
    return f"{name[0]}***@{domain}"


def phone_last4(phone: Any) -> str | None:
    digits = phone_digits(phone) if isinstance(phone, str) else ""
    return digits[-4:] if len(digits) > 4 else None  # noqa: PLR2004 (fewer would be all of it)
