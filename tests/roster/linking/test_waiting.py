"""`ONBOARDING_AUTO_LINK=off`: a name is not an identity, so a typed name waits for the office."""

from datetime import timedelta

import httpx2
import pytest

from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker
from tests.roster.linking.test_register import enter, lines, register
from tests.roster.members.people import enrol, member, office
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.roster.linking import service

WAITS = (202, {"ok": False, "waiting": True})


@pytest.fixture
def product(make_product: ProductMaker) -> Product:
    return make_product(onboarding_auto_link="off")


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    return office(product)


def summary(http: httpx2.Client) -> tuple[int, int]:
    found = http.get("/api/admin/links/summary").raise_for_status().json()
    return found["unlinked_friends"], found["waiting_registrations"]


def state(product: Product) -> str:
    found = product.http.get("/api/liff/registration").raise_for_status().json()
    return str(found["state"])


class TestATypedName:
    def test_links_nobody_and_tells_nothing(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"), (102, "佐藤花子"), (103, "佐藤花子"))
        enter(product, box, "たろう")
        for name in ("山田太郎", "佐藤花子", "だれでもない"):
            answer = register(product, name)
            assert (answer.status_code, answer.json()) == WAITS, name
        assert member(product.db, 101)["line_user_id"] is None
        assert {line["reason"] for line in lines(product)} == {"waits_for_office"}
        assert "member_id" not in lines(product)[0]

    def test_is_confirmed_by_the_office_and_the_page_goes_on(
        self, product: Product, box: Box, http: httpx2.Client
    ) -> None:
        enrol(product.db, (101, "山田太郎"), (102, "山口太郎"))
        who = enter(product, box, "たろう")
        assert state(product) == "none"
        register(product, "山田　太郎")
        assert state(product) == "waiting"
        [waiting] = http.get("/api/admin/links/waiting").json()["items"]
        assert (waiting["user_id"], waiting["full_name"], waiting["display_name"]) == (who, "山田　太郎", "たろう")
        assert waiting["requested_at"] == "2025-08-16T12:00:00+09:00"
        assert waiting["suggestions"][0] == {"member_id": 101, "name": "山田太郎", "exact": True}
        assert summary(http) == (1, 1)
        for _ in range(2):
            body = {"user_id": who, "member_id": 101, "reason": "本人の申し込みを確認"}
            assert http.post("/api/admin/links", json=body).status_code == 201
        assert state(product) == "linked"
        assert member(product.db, 101)["line_user_id"] == who
        assert http.get("/api/admin/links/waiting").json()["items"] == []
        assert register(product, "山田太郎").json() == {"ok": True}

    def test_may_be_turned_away_and_typed_again(self, product: Product, box: Box, http: httpx2.Client) -> None:
        who = enter(product, box)
        register(product, "だれでもない")
        path = f"/api/admin/links/waiting/{who}"
        assert [http.delete(path).status_code for _ in range(2)] == [204, 404]
        assert state(product) == "none"
        [row] = [row for row in product.rows(AuditLog) if row["action"] == "REGISTRATION_REFUSE"]
        assert (row["subject"], row["new"]) == (f"line:{who}", '{"typed_name":"だれでもない"}')
        assert register(product, "山田太郎").status_code == 202

    def test_waits_no_longer_once_the_sheet_has_linked_the_person(
        self, product: Product, box: Box, http: httpx2.Client, clock: ManualClock
    ) -> None:
        who = enter(product, box)
        register(product, "山田太郎")
        enrol(product.db, (101, "山田太郎"))
        product.db.write_now(service._set_link, 101, who, "たろう")
        assert http.get("/api/admin/links/waiting").json()["items"] == []
        assert summary(http) == (0, 0)
        assert product.db.write_now(service.forget_settled) == 1
        enter(product, box, "はなこ")
        register(product, "佐藤花子")
        assert product.db.write_now(service.forget_settled) == 0
        clock.advance(timedelta(days=181))
        assert product.db.write_now(service.forget_settled) == 1
