"""What people type, and what STORES may answer: pure rules."""

from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import NOON
from tsudoi.core.clock import jst_text
from tsudoi.core.errors import InvalidInput
from tsudoi.shops.identity.rules.contacts import contact_hash, contact_of
from tsudoi.shops.identity.rules.proofs import code_text, typed_code
from tsudoi.shops.snapshots.rules.customers import (
    CustomerSnapshot,
    at_the_door,
    cancelled,
    current,
    reservations_of,
    snapshot_of_json,
    upcoming,
    with_customer,
)
from tsudoi.shops.storefront.rules import period, status_words

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


@pytest.mark.parametrize(
    "phone",
    [
        "09012345678",
        "090-1234-5678",
        "０９０－１２３４－５６７８",
        "090ー1234ー5678",
        "+81 90-1234-5678",
        "(052)123-4567",
    ],
)
def test_phones_as_people_type_them(phone: str) -> None:
    assert contact_of("a@example.jp", phone).phone_number


@pytest.mark.parametrize("phone", ["", "   ", "12345678", "電話", "090-1234-5678 内線", "1" * 16, "090;1234;5678"])
def test_no_phones(phone: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        contact_of("a@example.jp", phone)
    assert [one.field for one in refused.value.details] == ["phone_number"]


def test_addresses_keep_their_case_and_lose_wide_characters() -> None:
    assert contact_of("　User@Example.com ", "09012345678").email == "User@Example.com"
    assert contact_of("ｕｓｅｒ＠example.com", "09012345678").email == "user@example.com"
    assert contact_of("a..b@docomo.ne.jp", "09012345678").email == "a..b@docomo.ne.jp"


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(InvalidInput) as refused:
        contact_of("", "", "x" * 101)
    assert [one.field for one in refused.value.details] == ["email", "phone_number", "name"]


def test_hashes_need_the_key() -> None:
    one, other = b"a" * 32, b"b" * 32
    assert contact_hash(one, "email", "User@example.com") == contact_hash(one, "email", "user@example.com")
    assert contact_hash(one, "email", "x") != contact_hash(other, "email", "x")
    assert contact_hash(one, "email", "x") != contact_hash(one, "phone", "x")


def test_codes() -> None:
    assert code_text(7) == "000007"
    assert typed_code(" ００ 0-007 ") == "000007"


def reservation(days: int, **more: Any) -> dict[str, Any]:
    begins = NOON + timedelta(days=days)
    times = {"booking_start": jst_text(begins), "checkout_at": jst_text(begins + timedelta(hours=1))}
    return {"canonical_id": days, "status": "accepted", **times, **more}


def test_reservations_in_order_and_unreadable_ones_left_out() -> None:
    odd: list[Any] = [None, "x", {}, {"booking_start": "tomorrow"}, {"booking_start": "2025-01-01T00:00:00"}, 5]
    found = reservations_of([reservation(2), *odd, reservation(1, status=None, checkout_at=None)])
    assert [one.id for one in found] == ["1", "2"]
    assert found[0].ends_at is None
    assert status_words(found[0].status) == "状態は店舗にご確認ください"


def test_what_is_shown_of_them() -> None:
    listed = [reservation(-1), reservation(0), reservation(1, status="canceled_by_host"), reservation(2)]
    customer = {"stores_customer_id": "5", "name": "山田", "reservations": listed, "customer_memo": "MEMO"}
    snapshot = with_customer(CustomerSnapshot("found"), customer)
    assert [one.id for one in upcoming(snapshot, NOON)] == ["0", "2"]
    assert [one.id for one in current(snapshot, NOON)] == ["0", "1", "2"]
    assert snapshot_of_json(snapshot.to_json()) == snapshot
    assert "MEMO" not in snapshot.to_json()


@pytest.mark.found("24.C14")
def test_by_whom_is_said_where_it_is_known() -> None:
    assert status_words("canceled_by_host") == "取り消し済み（店舗による）"
    assert status_words("canceled_by_customer") == "取り消し済み（お客様による）"
    for unknown in ("canceled", "cancelled", "canceled_by_system"):
        assert status_words(unknown) == "取り消し済み", unknown
    assert status_words("uncanceled") == "状態は店舗にご確認ください"


@pytest.mark.found("24.C14")
def test_what_somebody_at_the_door_has_to_know() -> None:
    """Cancelled ones while their beginning is less than a day away; a list of everything has later ones too."""
    off = [
        reservation(number, booking_start=jst_text(NOON + away), checkout_at=None, status="canceled_by_host")
        for number, away in enumerate((-DAY, -DAY + SECOND, timedelta(), DAY - SECOND, DAY))
    ]
    live = [reservation(5, booking_start=jst_text(NOON - SECOND))]
    customer = {"stores_customer_id": "5", "name": "山田", "reservations": [*off, *live]}
    snapshot = with_customer(CustomerSnapshot("found"), customer)
    assert [one.id for one in cancelled(snapshot, NOON)] == ["1", "2", "3"]
    assert [one.id for one in at_the_door(snapshot, NOON)] == ["1", "5", "2", "3"]
    assert [one.id for one in current(snapshot, NOON)] == ["1", "5", "2", "3", "4"]


def test_a_customer_without_a_number_is_no_customer() -> None:
    assert with_customer(CustomerSnapshot("found"), {"name": "山田"}).state == "failed"


def test_periods() -> None:
    assert period(NOON, None) == "8月16日（土）12:00から"
    assert period(NOON, NOON + timedelta(hours=1)) == "8月16日（土）12:00〜13:00"
    assert period(NOON, NOON + timedelta(hours=13)) == "8月16日（土）12:00〜8月17日（日）01:00"
