"""The table of links as its document has it, and the rules that protect it, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, inspect, text
from sqlalchemy.exc import IntegrityError

from tests.factories.customers import make_shop
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.shops.links.errors import CustomerLinkConflict
from tsudoi.shops.links.models import CustomerLink, LinkNotice
from tsudoi.shops.links.rules import CustomerPair, LinkAction
from tsudoi.shops.links.service.linking import link_customer

ALICE, BOB = "U" + "a" * 32, "U" + "b" * 32
COLUMNS = {
    *("id", "shop_id", "channel_type", "external_user_id", "stores_customer_id", "created_at_utc", "updated_at_utc")
}


@pytest.fixture
def shops(db: Database) -> Database:
    make_shop(db)
    make_shop(db, 2, "skae")
    return db


def link(db: Database, user: str, customer: str, *, shop_id: int = 1, transfer: bool = False) -> LinkAction:
    pair = CustomerPair(shop_id, user, customer)
    return db.write_now(link_customer, pair, "test", transfer=transfer)


def links(db: Database) -> list[tuple[int, str, str]]:
    statement = text("SELECT shop_id, external_user_id, stores_customer_id FROM customer_links ORDER BY id")
    return [tuple(row) for row in db.read_now(lambda tx: tx.execute(statement).all())]


def by_hand(tx: Tx, user: str, customer: str) -> None:
    row = {"shop_id": 1, "channel_type": "line", "external_user_id": user, "stores_customer_id": customer}
    tx.execute(insert(CustomerLink).values(**row, created_at_utc=tx.now, updated_at_utc=tx.now))


class TestTheTable:
    @pytest.mark.row("4.3.20")
    def test_columns(self, db: Database) -> None:
        columns = db.read_now(lambda tx: inspect(tx.connection).get_columns("customer_links"))
        assert {one["name"] for one in columns} == COLUMNS
        assert [one["name"] for one in columns if one["nullable"]] == []

    @pytest.mark.row("4.3.21")
    @pytest.mark.row("4.3.22")
    def test_two_unique_indexes(self, shops: Database) -> None:
        found = shops.read_now(lambda tx: inspect(tx.connection).get_indexes("customer_links"))
        unique = {one["name"]: one["column_names"] for one in found if one["unique"]}
        assert unique == {
            "uniq_customer_link_1": ["shop_id", "channel_type", "external_user_id"],
            "uniq_customer_link_2": ["shop_id", "channel_type", "stores_customer_id"],
        }
        link(shops, ALICE, "123")
        for user, customer in ((ALICE, "999"), (BOB, "123")):
            with pytest.raises(IntegrityError):
                shops.write_now(by_hand, user, customer)

    @pytest.mark.row("4.3.23")
    @pytest.mark.row("4.3.25")
    @pytest.mark.row("4.3.26")
    def test_values_and_the_documented_statement(self, shops: Database, backend: str) -> None:
        link(shops, ALICE, "123")
        documented = (
            "SELECT stores_customer_id FROM customer_links "
            "WHERE shop_id=? AND channel_type='line' AND external_user_id=?"
        )
        statement = documented if backend == "sqlite" else documented.replace("?", "%s")
        row = shops.read_now(lambda tx: tx.connection.exec_driver_sql(statement, (1, ALICE)).one())
        assert row[0] == "123"
        kind = "typeof" if backend == "sqlite" else "pg_typeof"
        shown = text(f"SELECT {kind}(stores_customer_id), created_at_utc, updated_at_utc FROM customer_links")
        of_type, *times = tuple(shops.read_now(lambda tx: tx.execute(shown).one()))
        assert of_type == "text"
        assert [time[-6:] for time in times] == ["+00:00", "+00:00"]


class TestLinking:
    @pytest.mark.row("4.3.25")
    def test_the_same_pair_moves_its_time(self, shops: Database, clock: ManualClock) -> None:
        assert link(shops, ALICE, "123") is LinkAction.CREATE
        clock.advance(timedelta(days=1))
        assert link(shops, ALICE, "123") is LinkAction.SAME
        times = shops.read_now(
            lambda tx: tx.execute(text("SELECT created_at_utc, updated_at_utc FROM customer_links")).one()
        )
        created, updated = tuple(times)
        assert created < updated

    def test_a_free_customer(self, shops: Database) -> None:
        link(shops, ALICE, "123")
        assert link(shops, ALICE, "124") is LinkAction.CHANGE
        assert links(shops) == [(1, ALICE, "124")]

    def test_another_shop_is_another_matter(self, shops: Database) -> None:
        link(shops, ALICE, "123")
        assert link(shops, BOB, "123", shop_id=2) is LinkAction.CREATE
        assert links(shops) == [(1, ALICE, "123"), (2, BOB, "123")]

    def test_a_customer_of_somebody_else(self, shops: Database) -> None:
        link(shops, ALICE, "123")
        link(shops, BOB, "124")
        with pytest.raises(CustomerLinkConflict):
            link(shops, BOB, "123")
        assert links(shops) == [(1, ALICE, "123"), (1, BOB, "124")]
        assert link(shops, BOB, "123", transfer=True) is LinkAction.TRANSFER
        assert links(shops) == [(1, BOB, "123")]
        told = shops.read_now(lambda tx: tx.execute(text("SELECT line_user_id FROM link_notices")).all())
        assert [row[0] for row in told] == [ALICE]
        assert LinkNotice.__tablename__ == "link_notices"

    def test_a_transfer_of_a_free_customer_is_an_ordinary_link(self, shops: Database) -> None:
        assert link(shops, ALICE, "123", transfer=True) is LinkAction.CREATE
        assert link(shops, ALICE, "123", transfer=True) is LinkAction.SAME
