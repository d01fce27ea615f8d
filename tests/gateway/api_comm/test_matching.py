"""Which customers are the person who asks, against a model that is too simple to be wrong."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tsudoi.gateway.api_comm.matching import (
    Contact,
    email_key,
    masked_email,
    match,
    page_count,
    phone_digits,
    phone_last4,
)

EMAILS = some.sampled_from(
    ["user@example.com", " USER@example.com ", "User@Example.COM", "xuser@example.com", "u.ser@example.com", "", None]
)
PHONES = some.sampled_from(
    ["09012345678", "090-1234-5678", "０９０(1234)5678", "+81 90-1234-5678", "0901234567", "819012345678", "", None, 5]
)
CUSTOMERS = some.lists(some.fixed_dictionaries({"email": EMAILS, "primary_phone_number": PHONES}), max_size=6)


@pytest.mark.row("4.3.15", "4.3.16")
def test_phone_numbers_as_people_type_them() -> None:
    same = [
        *("09012345678", "090-1234-5678", "090 1234 5678", "（０９０）１２３４−５６７８", "０９０１２３４５６７８"),
        *(
            "+819012345678",
            "+81 90-1234-5678",
            "+81(0)90-1234-5678",
            "＋８１ ９０ １２３４ ５６７８",
            "0081 90 1234 5678",
        ),
        *("+81 (0) 90 1234 5678", "+81 090 1234 5678", "電話 090-1234-5678", "090ー1234ー5678"),
    ]
    assert {text: phone_digits(text) for text in same} == dict.fromkeys(same, "09012345678")
    assert phone_digits("81 90-1234-5678") == "819012345678", "it may be a number inside Japan"
    assert [phone_digits(text) for text in ("", "---", "abc", "①")] == ["", "", "", "1"]


def test_what_is_shown_of_an_address_and_a_number() -> None:
    assert masked_email("user@example.com") == "u***@example.com"
    assert [masked_email(value) for value in (None, "", "@example.com", "user", 5)] == [None] * 5
    assert phone_last4("090-1234-5678") == "5678"
    assert [phone_last4(value) for value in (None, "", "5678", 5)] == [None] * 4


def test_pages_are_counted_and_nothing_counts_as_one() -> None:
    given_totals = [
        None,
        {},
        {"total": None},
        {"total": 0},
        {"total": 1},
        {"total": 2},
        {"total": "9"},
        {"total": True},
    ]
    assert [page_count(one) for one in given_totals] == [1, 1, 1, 1, 1, 2, 1, 1]


def plain(text: str) -> str:
    """The digits of the samples above, one by one."""
    known = {"090-1234-5678", "０９０(1234)5678", "+81 90-1234-5678", "09012345678"}
    return "09012345678" if text in known else text


def expected(customers: list[dict[str, Any]], contact: Contact, pages: int) -> tuple[str, str, int]:
    found = 0
    for one in customers:
        fits = True
        if contact.email is not None:
            fits = one["email"] is not None and one["email"].strip().lower() == contact.email.strip().lower()
        if contact.phone_number is not None:
            phone = one["primary_phone_number"]
            fits = fits and isinstance(phone, str) and phone != "" and plain(phone) == plain(contact.phone_number)
        found += fits
    if pages > 1:
        return "not_found", "too_many_candidates" if found > 1 else "over_page_limit", 0
    if found == 0:
        return "not_found", "no_record", 0
    return ("unique", "none", 0) if found == 1 else ("multiple_candidates", "none", found)


@pytest.mark.row("4.3.19", "4.3.19a", "4.3.19b")
@settings(max_examples=500, deadline=None)
@given(
    CUSTOMERS,
    some.one_of(some.none(), EMAILS.filter(bool)),
    some.one_of(some.none(), PHONES.filter(lambda one: bool(one) and isinstance(one, str))),
    some.integers(1, 3),
)
def test_the_match_is_that_of_the_model(
    customers: list[dict[str, Any]], email: str | None, phone: str | None, pages: int
) -> None:
    if email is None and phone is None:
        return
    contact = Contact(email, phone)
    result = match(customers, contact, pages)
    assert (result.status, result.reason, len(result.candidates)) == expected(customers, contact, pages)
    assert (result.customer is not None) == (result.status == "unique")
    if result.customer is not None and email is not None:
        assert email_key(result.customer["email"]) == email_key(email)
