"""One list of a LINE user's reservations: STORES of every linked shop, and our own, with what we told the person."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from tests.conftest import NOON
from tests.factories.booking import make_slot, make_staff, make_type
from tests.factories.customers import Door, LinePhone, PhoneMaker, Stores, line_phone, make_shop, shop_settings
from tests.factories.events import liff_cookie
from tests.factories.product import Box
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.db.interface import Database, Tx
from tsudoi.notifications.notices.models import NotificationJob
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.storefront.rules import KEY_IS_STUB

TOMORROW = NOON + timedelta(days=1)


def linked(db: Database, user_id: str, shop_id: int, customer: str) -> None:
    row = {"shop_id": shop_id, "channel_type": "line", "external_user_id": user_id, "stores_customer_id": customer}
    db.write_now(
        lambda tx: tx.execute(insert(CustomerLink).values(**row, created_at_utc=tx.now, updated_at_utc=tx.now))
    )


def booked(db: Database, user_id: str, day: str, minute: int, **more: Any) -> int:
    """A reservation of a staff person who is linked with this LINE user, and its confirmation."""
    person = make_staff(db, line_user_id=user_id)
    type_id = make_type(db, name="健康診断", place="本館2階")
    slot_id = make_slot(db, type_id, day, start_minute_of_day=minute)

    def write(tx: Tx) -> int:
        row = {
            "staff_uid": person.staff_uid,
            "staff_id": person.staff_id,
            "reservation_type_id": type_id,
            "slot_id": slot_id,
            "service_date_local": day,
            "start_minute_of_day": minute,
            "duration_minutes": 30,
            "period_key": "FY2025",
            "created_at": tx.now,
            "updated_at": tx.now,
            **more,
        }
        made: int = tx.execute(insert(Reservation).values(**row).returning(Reservation.id)).scalar_one()
        job = {"reservation_id": made, "kind": "CONFIRMATION", "scheduled_at": tx.now, "status": "SENT"}
        tx.execute(insert(NotificationJob).values(**job, created_at=tx.now, updated_at=tx.now))
        return made

    return db.write_now(write)


def listed(phone: LinePhone) -> dict[str, Any]:
    answer = phone.http.get("/api/liff/my-reservations")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_both_in_one_list_by_time(door: Door, phone: PhoneMaker) -> None:
    make_shop(door.product.db, 2, "skae")
    door.stores.open(2)
    door.stores.customer(123)
    door.stores.customer(456, "mc_2")
    door.stores.reservation(9, TOMORROW)
    door.stores.reservation(10, TOMORROW + timedelta(days=2), 456, merchant_canonical_id="mc_2")
    taro = phone()
    linked(door.product.db, taro.user_id, 1, "123")
    linked(door.product.db, taro.user_id, 2, "456")
    booked(door.product.db, taro.user_id, "2025-08-18", 600)
    found = listed(taro)
    shown = [(one["source"], one["place"], one["begins_at"]) for one in found["reservations"]]
    assert shown == [
        ("stores", "テスト店1", "2025-08-17T12:00:00+09:00"),
        ("booking", "本館2階", "2025-08-18T10:00:00+09:00"),
        ("stores", "テスト店2", "2025-08-19T12:00:00+09:00"),
    ]
    first, own, _ = found["reservations"]
    assert (first["status_label"], first["key"]["state"], first["notices"]) == ("予約確定", "stub", [])
    assert (own["title"], own["key"]) == ("健康診断", None)
    assert [(one["label"], one["channel"], one["state"]) for one in own["notices"]] == [
        ("予約確定のお知らせ", "line", "sent")
    ]
    assert found["gaps"] == []
    asked = door.stores.asked()
    assert sorted(asked) == ["/customers/123", "/customers/456"]
    assert listed(taro) == found
    assert door.stores.asked() == []


@sqlite_only
def test_nobody_sees_somebody_elses(door: Door, phone: PhoneMaker) -> None:
    door.stores.customer(123)
    door.stores.reservation(9, TOMORROW)
    taro, other = phone("太郎"), phone("ほかの人")
    linked(door.product.db, taro.user_id, 1, "123")
    booked(door.product.db, taro.user_id, "2025-08-18", 600)
    assert listed(other) == {"reservations": [], "gaps": []}
    assert other.http.get("/api/liff/my-reservations", headers={"x-line-user-id": taro.user_id}).status_code == 403


@sqlite_only
def test_what_cannot_be_read_is_a_gap(door: Door, phone: PhoneMaker) -> None:
    make_shop(door.product.db, 2, "skae")
    door.stores.customer(123)
    door.stores.reservation(9, TOMORROW)
    taro = phone()
    linked(door.product.db, taro.user_id, 1, "123")
    linked(door.product.db, taro.user_id, 2, "999")
    booked(door.product.db, taro.user_id, "2025-08-18", 600, canceled_at=NOON)
    found = listed(taro)
    assert [one["status_label"] for one in found["reservations"]] == ["予約確定", "取り消し済み"]
    gaps = [(gap["place"], gap["state"], gap["path"]) for gap in found["gaps"]]
    assert gaps == [("テスト店2", "failed", "/shops/skae")]
    door.stores.open(2)
    broken = phone("別の人")
    linked(door.product.db, broken.user_id, 1, "888")
    assert [gap["state"] for gap in listed(broken)["gaps"]] == ["broken"]


@sqlite_only
@pytest.mark.found("24.C14")
@pytest.mark.row("8.E.6")
def test_cancelled_ones_say_by_whom_and_show_no_key(door: Door, phone: PhoneMaker) -> None:
    door.stores.customer(123)
    door.stores.reservation(8, NOON - timedelta(hours=5), status="canceled_by_host")
    door.stores.reservation(9, TOMORROW, status="canceled_by_customer")
    door.stores.reservation(10, NOON - timedelta(hours=25), status="canceled_by_host")
    door.stores.reservation(11, TOMORROW)
    taro = phone()
    linked(door.product.db, taro.user_id, 1, "123")
    stub = {"state": "stub", "message": KEY_IS_STUB}
    assert [(one["id"], one["status_label"], one["key"]) for one in listed(taro)["reservations"]] == [
        ("8", "取り消し済み（店舗による）", None),
        ("11", "予約確定", stub),
        ("9", "取り消し済み（お客様による）", None),
    ]
    shop = taro.http.get("/api/liff/shops/ngy1").json()
    assert [one["id"] for one in shop["reservations"]] == ["8", "11"], "a day away is not around now any more"


@sqlite_only
def test_with_a_part_switched_off(make_product: ProductMaker, box: Box) -> None:
    """The route exists where one of the two is on, and shows what that one knows."""
    box.http.delete("/_sandbox/stores").raise_for_status()
    stores = Stores(box)
    first = make_product(**shop_settings(box), features="shops")
    make_shop(first.db)
    stores.open(1)
    stores.customer(123)
    stores.reservation(9, TOMORROW)
    with line_phone(Door(first, box, stores)) as taro:
        linked(first.db, taro.user_id, 1, "123")
        booked(first.db, taro.user_id, "2025-08-18", 600)
        cookie = liff_cookie(first.db, taro.user_id)
        assert [one["source"] for one in listed(taro)["reservations"]] == ["stores"]
    for features, sources in (("booking", ["booking"]), ("shops,booking", ["stores", "booking"]), ("events", None)):
        product = make_product(**shop_settings(box), features=features)
        with product.client(cookies={"tsudoi_liff": cookie}) as http:
            answer = http.get("/api/liff/my-reservations")
            assert answer.status_code == (404 if sources is None else 200), features
            found = answer.json().get("reservations")
            assert (found and [one["source"] for one in found]) == sources, features
