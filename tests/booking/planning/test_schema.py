"""The table of slots: what the database itself holds."""

import pytest
from sqlalchemy import inspect, update
from sqlalchemy.exc import IntegrityError

from tests.booking.slots.hospital import make_type, put
from tests.product_fixtures import sqlite_only
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.core.db.interface import Database

SLOT = {"service_date_local": "2025-09-01", "start_minute_of_day": 540, "duration_minutes": 30, "capacity": 3}


@pytest.mark.row("3.4.1", "3.4.6")
@sqlite_only
def test_has_the_documented_columns_indexes_and_key(db: Database) -> None:
    found = db.read_now(lambda tx: inspect(tx.connection).get_columns("reservation_slots"))
    assert [column["name"] for column in found] == [
        "id",
        "reservation_type_id",
        "service_date_local",
        "start_minute_of_day",
        "duration_minutes",
        "capacity",
        "booked_count",
        "status",
        "booking_start",
        "booking_end",
        "notes",
        "created_at",
        "updated_at",
    ]
    primary = db.read_now(lambda tx: inspect(tx.connection).get_pk_constraint("reservation_slots"))
    assert primary["constrained_columns"] == ["id"]
    keys = db.read_now(lambda tx: inspect(tx.connection).get_foreign_keys("reservation_slots"))
    assert [(key["constrained_columns"], key["referred_table"]) for key in keys] == [
        (["reservation_type_id"], "reservation_types")
    ]
    indexes = db.read_now(lambda tx: inspect(tx.connection).get_indexes("reservation_slots"))
    columns = [index["column_names"] for index in indexes]
    assert ["service_date_local", "start_minute_of_day"] in columns
    assert ["reservation_type_id"] in columns


@pytest.mark.row("3.4.13", "3.4.2", "3.4.4")
@pytest.mark.parametrize(
    "wrong",
    [
        {"booked_count": 99},
        {"booked_count": -1},
        {"capacity": 0},
        {"start_minute_of_day": 1440},
        {"start_minute_of_day": -1},
        {"start_minute_of_day": 1411},
        {"duration_minutes": 0},
        {"status": "open"},
        {"reservation_type_id": 999},
    ],
)
def test_refuses_impossible_values(db: Database, wrong: dict[str, int | str]) -> None:
    slot = put(db, ReservationSlot, reservation_type_id=make_type(db), **SLOT)
    change = update(ReservationSlot).where(ReservationSlot.id == slot).values(**wrong)
    with pytest.raises(IntegrityError):
        db.write_now(lambda tx: tx.execute(change))
