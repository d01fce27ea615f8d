from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.booking.office import audited, code, fault, office, reserve
from tests.factories.booking import make_slot, make_staff, make_type
from tests.factories.product import Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.types.models import ReservationType

ALL = "/api/admin/reservation-types"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


@pytest.mark.row("3.3.18")
def test_a_type_is_created_changed_and_deleted(product: Product, http: httpx2.Client) -> None:
    made = http.post(ALL, json={"name": "インフルエンザ予防接種"})
    assert made.status_code == 201
    assert made.json() == {
        "id": 1,
        "name": "インフルエンザ予防接種",
        "description": None,
        "active": True,
        "limitPerYear": 1,
        "minimumDaysBetween": None,
        "cancelUntilHours": 0,
        "overlapAllowed": False,
        "priceJpy": None,
        "holdMinutes": 35,
        "konbini": False,
        "refundUntilHours": None,
        "place": None,
        "silentAtNight": False,
        "mailFallback": False,
        "absentFreesYear": False,
        "slotCount": 0,
        "createdAt": "2025-08-16T12:00:00+09:00",
        "updatedAt": "2025-08-16T12:00:00+09:00",
    }
    changed = http.patch(
        f"{ALL}/1", json={"active": False, "description": "一行目\n二行目", "limitPerYear": None}
    ).json()
    assert (changed["active"], changed["description"], changed["limitPerYear"]) == (False, "一行目\n二行目", None)
    assert http.get(f"{ALL}/1").json() == changed
    assert http.patch(f"{ALL}/1", json={"description": ""}).json()["description"] is None
    assert http.delete(f"{ALL}/1").status_code == 204
    assert http.get(f"{ALL}/1").status_code == 404
    assert len(audited(product.db, "TYPE_CHANGE")) == 2


@pytest.mark.row("3.3.18")
def test_a_type_with_slots_is_never_deleted(product: Product, http: httpx2.Client) -> None:
    number = make_type(product.db)
    make_slot(product.db, number)
    assert code(http.delete(f"{ALL}/{number}")) == (409, "IN_USE")
    assert http.get(f"{ALL}/{number}").json()["slotCount"] == 1


@sqlite_only
@pytest.mark.row("3.3.18")
@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": None},
        {"name": "a\0b"},
        {"limitPerYear": 0},
        {"limitPerYear": "1"},
        {"minimumDaysBetween": 0},
        {"cancelUntilHours": -1},
        {"cancelUntilHours": None},
        {"overlapAllowed": 1},
        {"active": "true"},
        {"id": 5},
        {"unknown": 1},
    ],
)
def test_bad_input_changes_nothing(product: Product, http: httpx2.Client, wrong: dict[str, Any]) -> None:
    number = make_type(product.db)
    before = product.rows(ReservationType)
    assert http.patch(f"{ALL}/{number}", json=wrong).status_code == 400
    assert http.post(ALL, json={"name": "健診", **wrong}).status_code == 400
    assert product.rows(ReservationType) == before


@pytest.mark.row("3.5.7")
def test_the_limit_of_one_per_year_holds_for_what_is_booked(product: Product, http: httpx2.Client) -> None:
    number = http.post(ALL, json={"name": "採血", "limitPerYear": None}).json()["id"]
    person = make_staff(product.db)
    for day in ("2025-09-01", "2025-09-02"):
        reserve(product.db, person, make_slot(product.db, number, day), once_per_year=0)
    assert code(http.patch(f"{ALL}/{number}", json={"limitPerYear": 1})) == (409, "LIMIT_BELOW_BOOKED")
    assert http.get(f"{ALL}/{number}").json()["limitPerYear"] is None
    assert {row["once_per_year"] for row in product.rows(Reservation)} == {0}
    assert http.patch(f"{ALL}/{number}", json={"limitPerYear": 2}).status_code == 200


@pytest.mark.row("3.5.7")
def test_a_changed_limit_marks_the_reservations(product: Product, http: httpx2.Client) -> None:
    number = make_type(product.db)
    reserve(product.db, make_staff(product.db), make_slot(product.db, number))
    http.patch(f"{ALL}/{number}", json={"limitPerYear": 3})
    assert [row["once_per_year"] for row in product.rows(Reservation)] == [0]
    http.patch(f"{ALL}/{number}", json={"limitPerYear": 1})
    assert [row["once_per_year"] for row in product.rows(Reservation)] == [1]


@sqlite_only
@pytest.mark.row("3.7.25")
def test_types_come_in_pages(product: Product, http: httpx2.Client) -> None:
    for name in ("健診", "採血", "インフルエンザ"):
        make_type(product.db, name)
    first = http.get(ALL, params={"limit": 2}).json()
    second = http.get(ALL, params={"limit": 2, "cursor": first["nextCursor"]}).json()
    assert [item["name"] for item in first["items"] + second["items"]] == ["健診", "採血", "インフルエンザ"]
    assert [item["name"] for item in http.get(ALL, params={"q": "いんふる"}).json()["items"]] == ["インフルエンザ"]
    assert product.http.get(ALL).status_code == 401


class TestPrice:
    def test_everything_about_the_payment_and_the_notices_can_be_set(
        self, product: Product, http: httpx2.Client
    ) -> None:
        wanted = {
            "priceJpy": 3000,
            "holdMinutes": 60,
            "konbini": True,
            "refundUntilHours": 24,
            "place": "本館2階",
            "silentAtNight": True,
            "mailFallback": True,
        }
        made = http.post(ALL, json={"name": "人間ドック", **wanted}).json()
        assert {name: made[name] for name in wanted} == wanted
        [row] = product.rows(ReservationType)
        assert (row["price_jpy"], row["konbini"], row["silent_at_night"], row["mail_fallback"]) == (3000, 1, 1, 1)
        changed = {"priceJpy": None, "place": " ", "refundUntilHours": None, "silentAtNight": False}
        after = http.patch(f"{ALL}/{made['id']}", json=changed).json()
        assert (after["priceJpy"], after["place"], after["refundUntilHours"]) == (None, None, None)
        assert (after["silentAtNight"], after["mailFallback"], after["holdMinutes"]) == (False, True, 60)
        assert '"price_jpy":3000' in audited(product.db, "TYPE_CHANGE")[0]["old"]

    @sqlite_only
    @pytest.mark.parametrize(
        ("wrong", "field", "reason"),
        [
            ({"priceJpy": 49}, "priceJpy", "TOO_SMALL"),
            ({"priceJpy": 10_000_000}, "priceJpy", "TOO_LARGE"),
            ({"priceJpy": 2**63}, "priceJpy", "TOO_LARGE"),
            ({"priceJpy": "3000"}, "priceJpy", "INVALID_FORMAT"),
            ({"priceJpy": 3000.5}, "priceJpy", "INVALID_FORMAT"),
            ({"holdMinutes": 29}, "holdMinutes", "TOO_SMALL"),
            ({"holdMinutes": 1441}, "holdMinutes", "TOO_LARGE"),
            ({"refundUntilHours": -1}, "refundUntilHours", "TOO_SMALL"),
            ({"place": "あ" * 201}, "place", "TOO_LONG"),
            ({"place": "a\0b"}, "place", "CONTROL_CHARACTER"),
            ({"konbini": 1}, "konbini", "INVALID_FORMAT"),
            ({"konbini": True, "priceJpy": 100}, "konbini", "PRICE_OUT_OF_RANGE"),
            ({"konbini": True, "priceJpy": 300_001}, "konbini", "PRICE_OUT_OF_RANGE"),
        ],
    )
    def test_wrong_values_are_named(
        self, product: Product, http: httpx2.Client, wrong: dict[str, Any], field: str, reason: str
    ) -> None:
        number = make_type(product.db)
        before = product.rows(ReservationType)
        for answer in (http.post(ALL, json={"name": "健診", **wrong}), http.patch(f"{ALL}/{number}", json=wrong)):
            assert fault(answer) == (400, field, reason)
        assert product.rows(ReservationType) == before

    @sqlite_only
    def test_a_price_that_konbini_does_not_take_is_refused_also_later(
        self, product: Product, http: httpx2.Client
    ) -> None:
        number = make_type(product.db, price_jpy=3000, konbini=1)
        assert fault(http.patch(f"{ALL}/{number}", json={"priceJpy": 100})) == (400, "konbini", "PRICE_OUT_OF_RANGE")
        assert http.patch(f"{ALL}/{number}", json={"priceJpy": 100, "konbini": False}).status_code == 200

    @sqlite_only
    def test_without_stripe_nothing_has_a_price(self, make_product: ProductMaker) -> None:
        elsewhere = make_product(stripe_webhook_secret=None)
        number = make_type(elsewhere.db, price_jpy=3000)
        with office(elsewhere) as http:
            made = http.post(ALL, json={"name": "人間ドック", "priceJpy": 3000})
            assert fault(made) == (400, "priceJpy", "PAYMENTS_OFF")
            assert fault(http.patch(f"{ALL}/{number}", json={"priceJpy": 4000})) == (400, "priceJpy", "PAYMENTS_OFF")
            # What has one already can be changed otherwise, and lose it.
            assert http.patch(f"{ALL}/{number}", json={"active": False}).status_code == 200
            assert http.patch(f"{ALL}/{number}", json={"priceJpy": None}).status_code == 200
