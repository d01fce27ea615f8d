"""STORES is down, or refuses, or is not set up: the documented status, a friendly page, and the session stays."""

from datetime import timedelta
from typing import Any, ClassVar

import httpx2
import pytest
from sqlalchemy import delete, insert

from tests.factories.customers import TYPED, Door, PhoneMaker, make_shop, shop_settings
from tests.factories.product import Box
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import free_port
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.core.clock import ManualClock
from tsudoi.core.installation import become_copy
from tsudoi.gateway.models import ApiCallLog
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.shops.parameters.models import SysParam
from tsudoi.shops.proofs.models import IdentityProof
from tsudoi.shops.snapshots.rules.outcomes import http_status

LOOKUP = "STORES_CUSTOMER_LOOKUP_FAILED"
OUTAGES: list[tuple[dict[str, Any], int, str]] = [
    ({"kind": "error_status", "status": 500}, 502, LOOKUP),
    ({"kind": "error_status", "status": 401}, 502, LOOKUP),
    ({"kind": "error_status", "status": 400}, 502, LOOKUP),
    ({"kind": "html_page", "status": 403}, 502, LOOKUP),
    ({"kind": "broken_json"}, 502, LOOKUP),
    ({"kind": "drop_connection"}, 502, LOOKUP),
    ({"kind": "rate_limited"}, 503, "STORES_RATE_LIMITED"),
]


def envelope(status: str, code: str, kind: str | None = None) -> dict[str, Any]:
    return {"status": status, "code": code, "error": None if kind is None else {"type": kind, "details": {}}}


@pytest.mark.row("4.8.3")
@pytest.mark.parametrize(
    ("result", "expected"),
    [
        *[
            (envelope("success", code), 200)
            for code in (
                *("STORES_CUSTOMER_FOUND", "STORES_CUSTOMER_NOT_FOUND", "STORES_CUSTOMER_MULTIPLE_CANDIDATES"),
                *("STORES_CUSTOMER_FOUND_BY_LINK", "STORES_CUSTOMER_LINK_NOT_FOUND", "STORES_CUSTOMER_LINK_BROKEN"),
                *("STORES_CUSTOMER_DETAIL_FOUND", "STORES_RESERVATIONS_LISTED", "STORES_RESERVATION_DETAIL_FOUND"),
                *("ESCALATION_TRIGGERED", "HEALTH_OK", "HEALTH_WARN"),
            )
        ],
        (envelope("success", "STORES_CUSTOMER_DETAIL_NOT_FOUND"), 404),
        (envelope("success", "STORES_RESERVATION_DETAIL_NOT_FOUND"), 404),
        (envelope("error", "INVALID_REQUEST", "validation"), 400),
        (envelope("error", "STORES_RATE_LIMITED", "external_api"), 503),
        *[
            (envelope("error", code, kind), status)
            for code in (LOOKUP, "STORES_RESERVATIONS_LOOKUP_FAILED", "STORES_RESERVATION_LOOKUP_FAILED")
            for kind, status in (("external_api", 502), ("system", 503))
        ],
        (envelope("error", "REMOTELOCK_STUB_MODE", "external_api"), 501),
        (envelope("error", "ESCALATION_FAILED", "external_api"), 502),
    ],
)
def test_every_code_has_its_status(result: dict[str, Any], expected: int) -> None:
    assert http_status(result) == expected


@sqlite_only
@pytest.mark.row("4.8.3")
def test_each_outage_at_the_door(door: Door, clock: ManualClock) -> None:
    door.stores.customer(123)
    for number, (fault, status, code) in enumerate(OUTAGES):
        to = f"taro{number}@kyaku.example"
        door.stores.customer(300 + number, email=to)
        with door.product.client() as http:
            # The breaker of an earlier outage is closed again.
            clock.advance(timedelta(minutes=11))
            door.box.breaks(endpoint="stores", **fault)
            answer = door.enter(http, to)
            assert answer.status_code == status, fault
            assert ("retry-after" in answer.headers) == (status == 503), fault
            assert "もう一度確認する" in answer.text
            assert 'href="tel:0520000001"' in answer.text
            assert http.get(door.page).status_code == 200
            assert door.session(http)["state"] == "failed"
            refused = door.refresh(http)
            assert (refused.status_code, refused.json()["code"]) == (status, code), fault
            assert set(refused.json()) == {"code", "message", "details"}
            too_soon = http.post(f"{door.page}/refresh", headers={"origin": door.product.url})
            assert too_soon.status_code == 429
            assert "いまは確認していません" in too_soon.text
            door.box.mends()
            clock.advance(timedelta(minutes=11))
            found = door.refresh(http)
            assert (found.status_code, found.json()["state"]) == (200, "found"), fault
    noted = [
        row["payload_json"] for row in door.product.rows(SysEvent) if row["event_type"] == "identity_lookup_failed"
    ]
    assert {"code": "STORES_RATE_LIMITED", "http_status": 503} in noted
    assert {"code": LOOKUP, "http_status": 502} in noted


@sqlite_only
def test_a_shop_that_is_not_set_up(door: Door) -> None:
    make_shop(door.product.db, 2, "skae")
    door.product.db.write_now(
        lambda tx: tx.connection.exec_driver_sql("DELETE FROM shop_internal_info WHERE shop_id = 2")
    )
    other = Door(door.product, door.box, door.stores, "skae")
    answer = other.enter(door.product.http)
    assert answer.status_code == 503
    assert "retry-after" in answer.headers
    assert door.stores.asked() == []


@sqlite_only
def test_reservations_that_cannot_be_read(door: Door) -> None:
    door.stores.customer(123)
    door.box.breaks("error_status", "stores_customer", status=500)
    assert door.enter(door.product.http).status_code == 303
    page = door.product.http.get(door.page).text
    assert "ご予約者様を確認できました" in page
    assert "ご予約の一覧を、ただいま確認できません" in page
    known = door.session(door.product.http)
    assert (known["state"], known["reservations_known"]) == ("found", False)


@sqlite_only
def test_what_was_known_stays(door: Door) -> None:
    door.stores.customer(123)
    door.enter(door.product.http)
    door.box.breaks("rate_limited", "stores")
    assert door.refresh(door.product.http).status_code == 503
    assert door.session(door.product.http)["state"] == "found"


@sqlite_only
@pytest.mark.row("4.5.13")
def test_parameters_decide_how_often_stores_is_tried(door: Door) -> None:
    door.stores.customer(123)
    door.box.breaks("error_status", "stores", status=500)

    def tries(**parameters: int) -> int:
        rows = [
            {"scope": "global", "key": key, "value": str(value), "value_type": "int"}
            for key, value in parameters.items()
        ]
        door.product.db.write_now(lambda tx: [tx.execute(delete(table)) for table in (SysParam, OutsideState)])
        if rows:
            door.product.db.write_now(lambda tx: tx.execute(insert(SysParam), rows))
        with door.product.client() as http:
            assert door.enter(http, f"x{len(door.product.rows(SysEvent))}@kyaku.example").status_code == 502
        return len(door.stores.asked())

    assert tries(api_retry_count=0, stores_api_retry_count=2) == 3
    assert tries(api_retry_count=1) == 2
    assert tries(api_retry_count=3, stores_api_retry_count=0) == 1


@sqlite_only
def test_without_a_mail_server(make_product: ProductMaker, box: Box) -> None:
    product = make_product(**{**shop_settings(box), "smtp_url": None, "mail_from": None})
    make_shop(product.db)
    answer = product.http.post("/help/ngy1/identify", data={"email": "a@b.example", "phone_number": "09012345678"})
    assert answer.status_code == 503
    assert 'href="tel:0520000001"' in answer.text


@sqlite_only
def test_inside_line(door: Door, phone: PhoneMaker, clock: ManualClock) -> None:
    """The code still works after STORES did not answer."""
    door.stores.customer(123)
    taro = phone()
    code = taro.code()
    for fault, status, name in (OUTAGES[0], OUTAGES[-1]):
        door.box.breaks(endpoint="stores", **fault)
        answer = taro.confirms(code)
        assert (answer.status_code, answer.json()["code"]) == (status, name)
        clock.advance(timedelta(minutes=2))
    door.box.mends()
    assert taro.confirms(code).json()["result"] == "linked"


@sqlite_only
@pytest.mark.found("24.C14")
class TestTheMailServer:
    """Before anybody is told to wait for a mail, the mail server is asked whether it takes one."""

    def asks(self, door: Door) -> httpx2.Response:
        return door.product.http.post(f"{door.page}/identify", data=TYPED)

    @pytest.mark.parametrize("fault", ["smtp_421", "drop_connection"])
    def test_that_takes_nothing_is_said_with_the_ways_on(self, door: Door, phone: PhoneMaker, fault: str) -> None:
        door.box.breaks(fault, "smtp")
        page = self.asks(door)
        assert page.status_code == 503
        assert page.headers["retry-after"]
        assert "メールは送られていません" in page.text
        assert "お送りします" not in page.text
        assert 'href="tel:0520000001"' in page.text
        assert door.product.settings.liff_id is not None
        assert f'/{door.product.settings.liff_id}/shops/ngy1"' in page.text
        for typed in TYPED.values():
            assert f'value="{typed}"' in page.text, "nothing has to be typed again"
        as_json, in_line = door.identify(), phone().asks()
        for answer in (as_json, in_line):
            assert (answer.status_code, answer.json()["code"]) == (503, "MAIL_UNAVAILABLE")
            assert "お電話" in answer.json()["message"]
        assert door.product.rows(MailMessage) == [], "what was not promised does not arrive later"
        assert door.product.rows(IdentityProof) == []
        door.box.mends()
        assert self.asks(door).status_code == 202
        assert len(door.mails()) == 1

    def test_that_is_gone(self, make_product: ProductMaker, box: Box) -> None:
        nobody = f"smtp://127.0.0.1:{free_port()}"
        product = make_product(**{**shop_settings(box), "smtp_url": nobody, "liff_id": None})
        make_shop(product.db)
        page = product.http.post("/help/ngy1/identify", data=TYPED)
        assert page.status_code == 503
        assert "数分で直ることがあります" in page.text
        assert "LINE" not in page.text, "there is no door inside LINE"

    def test_that_is_not_set_up_promises_no_second_try(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(**{**shop_settings(box), "smtp_url": None})
        make_shop(product.db)
        page = product.http.post("/help/ngy1/identify", data=TYPED)
        assert page.status_code == 503
        assert "メールは送られていません" in page.text
        assert "もう一度送" not in page.text
        assert 'href="tel:0520000001"' in page.text

    def test_a_refusal_of_one_address_is_nobody_elses_business(self, door: Door) -> None:
        door.box.breaks("smtp_550", "smtp")
        assert self.asks(door).status_code == 202

    def test_a_copy_that_sends_nothing_promises_nothing(self, door: Door) -> None:
        door.product.db.write_now(become_copy)
        assert self.asks(door).status_code == 503

    def test_who_asks_too_often_does_not_make_us_talk_to_it(self, door: Door) -> None:
        door.box.breaks("smtp_421", "smtp")
        statuses = [door.identify().status_code for _ in range(61)]
        assert (set(statuses[:60]), statuses[60]) == ({503}, 429)
        rows = [row for row in door.product.rows(ApiCallLog) if row["target"] == "smtp"]
        assert len(rows) == 60
        assert {(row["operation"], row["status_code"]) for row in rows} == {("offer", 421)}


@sqlite_only
@pytest.mark.found("24.C14")
class TestTheTelephone:
    """Every page that leads no further has a number: the shop's, or the office's where there is none."""

    OFFICE: ClassVar = {"organisation_phone": "03-0000-1111"}

    @pytest.mark.row("8.E.11")
    def test_of_the_office_where_no_shop_is_known(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(**shop_settings(box), **self.OFFICE)
        make_shop(product.db)
        make_shop(product.db, 2, "kana", shop_status="closed")
        for path, status, number in (
            ("/help", 404, "0300001111"),
            ("/help/", 404, "0300001111"),
            ("/help/nobody", 404, "0300001111"),
            ("/help/nobody/nothing/at/all", 404, "0300001111"),
            ("/help/ngy1/nothing", 404, "0520000001"),
            ("/help/ngy1/verify/x", 410, "0520000001"),
            ("/help/kana", 410, "0520000002"),
            ("/help/kana/nothing", 404, "0520000002"),
        ):
            answer = product.http.get(path)
            assert answer.status_code == status, path
            assert "text/html" in answer.headers["content-type"], path
            assert f'href="tel:{number}"' in answer.text, path

    def test_of_the_office_where_the_shop_has_none(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(**shop_settings(box), **self.OFFICE)
        make_shop(product.db, phone=None)
        for page in (product.http.get("/help/ngy1"), product.http.post("/help/ngy1/identify", data=TYPED)):
            assert 'href="tel:0300001111"' in page.text
            assert "事務局に電話する" in page.text

    def test_without_any_there_is_no_empty_heading(self, make_product: ProductMaker, box: Box) -> None:
        product = make_product(**shop_settings(box))
        assert "お急ぎのとき" not in product.http.get("/help/nobody").text
