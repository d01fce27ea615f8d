"""Who a LINE user is at a shop: the code by mail, the link, the transfer, and the three states of the page."""

from datetime import timedelta

import pytest

from tests.conftest import NOON
from tests.factories.customers import MAIL, NAME, PHONE, Door, LinePhone, PhoneMaker, make_shop
from tests.factories.events import liff_cookie
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.shops.links.models import CustomerLink, LinkNotice
from tsudoi.shops.proofs.models import IdentityProof

TOMORROW = NOON + timedelta(days=1)


@pytest.mark.row("4.5.7")
@sqlite_only
def test_without_a_session(door: Door) -> None:
    http = door.product.http
    for answer in (
        http.post("/api/liff/identity", json={"store_code": "ngy1", "email": MAIL, "phone_number": PHONE}),
        http.post("/api/liff/identity/confirm", json={"store_code": "ngy1", "code": "123456"}),
        http.get("/api/liff/shops"),
        http.get("/api/liff/shops/ngy1"),
        http.post("/api/liff/shops/ngy1/refresh", json={}),
        http.get("/api/liff/my-reservations"),
    ):
        assert answer.status_code == 401, answer.request.url


class TestLinking:
    @pytest.mark.row("4.5.8")
    @pytest.mark.row("4.3.24")
    @pytest.mark.row("4.2.8")
    def test_writes_the_link_once_the_customer_is_known(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        door.stores.reservation(9, TOMORROW)
        taro = phone()
        code = taro.code()
        assert door.stores.asked() == []
        answer = taro.confirms(code)
        assert answer.status_code == 200
        body = answer.json()
        assert (body["result"], body["state"], body["customer"]["name"]) == ("linked", "valid", NAME)
        assert MAIL not in answer.text
        assert PHONE not in answer.text
        rows = door.product.rows(CustomerLink)
        assert [
            (row["shop_id"], row["channel_type"], row["external_user_id"], row["stores_customer_id"]) for row in rows
        ] == [(1, "line", taro.user_id, "123")]
        assert door.stores.asked() == ["/customers", "/customers/123"]
        audited = [row for row in door.product.rows(AuditLog) if row["action"] == "CUSTOMER_LINK"]
        assert [row["actor"] for row in audited] == [f"line:{taro.user_id}"]

    @pytest.mark.row("4.3.25")
    def test_again_moves_only_its_time(self, door: Door, phone: PhoneMaker, clock: ManualClock) -> None:
        door.stores.customer(123)
        taro = phone()
        taro.confirms(taro.code())
        before = door.product.rows(CustomerLink)[0]
        clock.advance(timedelta(hours=1))
        assert taro.confirms(taro.code()).status_code == 200
        after = door.product.rows(CustomerLink)[0]
        assert after["id"] == before["id"]
        assert after["created_at_utc"] == before["created_at_utc"]
        assert after["updated_at_utc"] == before["updated_at_utc"] + timedelta(hours=1)
        assert len([row for row in door.product.rows(AuditLog) if row["action"].startswith("CUSTOMER_LINK")]) == 1

    def test_with_another_customer_changes_the_row(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        door.stores.customer(124, email="hanako@kyaku.example")
        taro = phone()
        taro.confirms(taro.code())
        assert taro.confirms(taro.code("hanako@kyaku.example")).json()["result"] == "linked"
        rows = door.product.rows(CustomerLink)
        assert [row["stores_customer_id"] for row in rows] == ["124"]
        last = [row for row in door.product.rows(AuditLog) if row["action"] == "CUSTOMER_LINK_CHANGE"]
        assert len(last) == 1
        assert '"123"' in last[0]["old"]
        assert '"124"' in last[0]["new"]

    def test_nobody_is_found(self, door: Door, phone: PhoneMaker) -> None:
        taro = phone()
        code = taro.code()
        answer = taro.confirms(code)
        assert (answer.status_code, answer.json()["result"], answer.json()["state"]) == (200, "not_found", "none")
        assert door.product.rows(CustomerLink) == []
        assert taro.confirms(code).status_code == 410
        assert door.stores.asked() == ["/customers"]


class TestConflict:
    def test_changes_nothing_without_a_word(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        taro, other = phone("太郎"), phone("別の電話")
        taro.confirms(taro.code())
        before = door.product.rows(CustomerLink)
        answer = other.confirms(other.code())
        assert (answer.status_code, answer.json()["code"]) == (409, "LINK_CONFLICT")
        assert taro.user_id not in answer.text
        assert door.product.rows(CustomerLink) == before
        assert door.product.rows(LinkNotice) == []
        assert other.shop()["state"] == "none"

    @pytest.mark.found("24.A12")
    def test_is_settled_by_a_transfer_that_the_old_phone_hears_of(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        door.stores.customer(124, email="hanako@kyaku.example")
        taro, other = phone("太郎"), phone("新しい電話")
        taro.confirms(taro.code())
        other.confirms(other.code("hanako@kyaku.example"))
        code = other.code()
        assert other.confirms(code).status_code == 409
        door.stores.asked()
        answer = other.confirms(code, transfer=True)
        assert (answer.status_code, answer.json()["result"]) == (200, "transferred")
        assert door.stores.asked() == []
        rows = door.product.rows(CustomerLink)
        assert [(row["external_user_id"], row["stores_customer_id"]) for row in rows] == [(other.user_id, "123")]
        door.product.drain()
        told = [one["message"]["text"] for one in door.box.chat(taro.user_id)]
        assert len(told) == 1
        assert "別のLINEに引き継がれました" in told[0]
        assert "052-000-0001" in told[0]
        assert [row["status"] for row in door.product.rows(LinkNotice)] == ["DONE"]
        assert door.box.chat(other.user_id) == []
        audited = [row for row in door.product.rows(AuditLog) if row["action"] == "CUSTOMER_LINK_TRANSFER"]
        assert len(audited) == 1
        assert (taro.user_id in audited[0]["old"], other.user_id in audited[0]["new"]) == (True, True)
        [own] = [row for row in door.product.rows(AuditLog) if row["action"] == "CUSTOMER_LINK_CHANGE"]
        assert (other.user_id in own["old"], '"124"' in own["old"], '"123"' in own["new"]) == (True, True, True)
        assert taro.shop()["state"] == "none"
        assert other.confirms(code, transfer=True).status_code == 410
        door.product.drain()
        assert len(door.box.chat(taro.user_id)) == 1


class TestTheCode:
    def test_can_be_tried_five_times(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        taro = phone()
        code = taro.code()
        wrong = "000000" if code != "000000" else "111111"
        left = []
        for _ in range(5):
            answer = taro.confirms(wrong)
            assert (answer.status_code, answer.json()["code"]) == (400, "CODE_WRONG")
            left.append(answer.json()["message"])
        assert "あと4回" in left[0]
        assert "新しいコード" in left[4]
        assert taro.confirms(code).status_code == 410
        assert door.stores.asked() == []
        assert taro.confirms(taro.code()).status_code == 200

    def test_does_not_wear_out_while_it_is_right(self, door: Door, phone: PhoneMaker, clock: ManualClock) -> None:
        """STORES may be down while the person types the right code, also after four wrong ones."""
        door.stores.customer(123)
        taro = phone()
        code = taro.code()
        wrong = "000000" if code != "000000" else "111111"
        for _ in range(4):
            assert taro.confirms(wrong).status_code == 400
        door.box.breaks("error_status", "stores", status=503)
        for _ in range(3):
            assert taro.confirms(code).status_code == 502
        door.box.mends()
        clock.advance(timedelta(minutes=2))
        assert taro.confirms(code).status_code == 200

    def test_lasts_ten_minutes(self, door: Door, phone: PhoneMaker, clock: ManualClock) -> None:
        door.stores.customer(123)
        taro = phone()
        code = taro.code()
        clock.advance(timedelta(minutes=10))
        assert taro.confirms(code).status_code == 410
        assert door.product.rows(CustomerLink) == []

    def test_is_for_one_person_one_shop_and_one_use(self, door: Door, phone: PhoneMaker) -> None:
        make_shop(door.product.db, 2, "skae")
        door.stores.customer(123)
        taro, other = phone("太郎"), phone("ほかの人")
        code = taro.code()
        assert other.confirms(code).status_code == 410
        elsewhere = taro.http.post("/api/liff/identity/confirm", json={"store_code": "skae", "code": code})
        assert elsewhere.status_code == 410
        assert taro.confirms(f" {code[:3]} {code[3:]} ").status_code == 200
        assert taro.confirms(code).status_code == 410

    def test_an_older_one_stops_working(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        taro = phone()
        first, second = taro.code(), taro.code()
        if first != second:
            assert taro.confirms(first).status_code == 400
        assert taro.confirms(second).status_code == 200

    def test_is_stored_as_a_hash(self, door: Door, phone: PhoneMaker) -> None:
        taro = phone()
        code = taro.code()
        taro.confirms(code)
        row = door.product.rows(IdentityProof)[0]
        for value in row.values():
            assert code not in str(value)
            assert MAIL not in str(value)


class TestTheState:
    @pytest.mark.row("4.5.9")
    @pytest.mark.row("4.5.10")
    def test_none_valid_and_broken(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        door.stores.reservation(9, TOMORROW)
        taro = phone()
        none = taro.shop()
        assert none["state"] == "none"
        assert door.stores.asked() == []
        taro.confirms(taro.code())
        door.stores.asked()
        valid = taro.shop()
        assert (valid["state"], valid["customer"]["phone_last4"]) == ("valid", "5678")
        assert [one["title"] for one in valid["reservations"]] == ["ルームA"]
        assert door.stores.asked() == []
        again = phone_of_the_same_person(door, phone, taro.user_id)
        for _ in range(3):
            assert again.shop()["state"] == "valid"
        assert len(door.stores.asked()) <= 2
        door.stores.removes(123)
        third = phone_of_the_same_person(door, phone, taro.user_id)
        broken = third.shop()
        assert broken["state"] == "broken"
        assert third.shop()["state"] == "broken"
        assert door.stores.asked() == ["/customers/123"]
        assert len({none["message"], valid["message"], broken["message"]}) == 3
        assert [row["stores_customer_id"] for row in door.product.rows(CustomerLink)] == ["123"]

    def test_something_changed(self, door: Door, phone: PhoneMaker) -> None:
        door.stores.customer(123)
        taro = phone()
        taro.confirms(taro.code())
        door.stores.asked()
        door.stores.reservation(9, TOMORROW)
        path = "/api/liff/shops/ngy1/refresh"
        answer = taro.http.post(path, json={})
        assert [one["id"] for one in answer.json()["reservations"]] == ["9"]
        assert door.stores.asked() == ["/customers/123"]
        assert taro.http.post(path, json={}).status_code == 429
        assert [one["id"] for one in taro.shop()["reservations"]] == ["9"]
        assert door.stores.asked() == []

    def test_the_list_of_shops(self, door: Door, phone: PhoneMaker) -> None:
        make_shop(door.product.db, 2, "skae")
        make_shop(door.product.db, 3, "kana", shop_status="preparing")
        door.stores.customer(123)
        taro = phone()
        taro.confirms(taro.code())
        shops = taro.http.get("/api/liff/shops").json()["shops"]
        assert [(one["code"], one["linked"]) for one in shops] == [("ngy1", True), ("skae", False)]


def phone_of_the_same_person(door: Door, phone: PhoneMaker, user_id: str) -> LinePhone:
    """The same LINE user in a new session."""
    made = phone("もう一度")
    made.http.cookies.set("tsudoi_liff", liff_cookie(door.product.db, user_id))
    made.user_id = user_id
    return made
