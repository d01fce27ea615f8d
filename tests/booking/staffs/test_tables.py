"""The tables of people and master data, as a person with plain `sqlite3` finds them."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

AT = "2025-08-16T03:00:00.000000+00:00"
DOCUMENTED = (
    "staff_uid staff_id emr_patient_id family_name given_name family_name_kana given_name_kana job_title department_id"
    " date_of_birth sex_code pin_hash pin_retry_count pin_locked_until pin_updated_at pin_version pin_must_change"
    " version status role last_login_at created_at updated_at"
)
NULLABLE = {
    "emr_patient_id", "family_name_kana", "given_name_kana", "date_of_birth", "sex_code", "pin_locked_until",
    "last_login_at",
}  # fmt: skip


@pytest.fixture
def sql(migrated_sqlite: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    shutil.copy(migrated_sqlite, tmp_path / "copy.sqlite3")
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as db:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("INSERT INTO departments (id, name, created_at, updated_at) VALUES ('3A', '病棟', ?, ?)", (AT, AT))
        add(db, staff_uid="u1", staff_id="1")
        yield db


def add(db: sqlite3.Connection, **values: object) -> None:
    row: dict[str, object] = {
        "family_name": "山田",
        "given_name": "花子",
        "job_title": "看護師",
        "department_id": "3A",
        "pin_hash": "x",
        "pin_updated_at": AT,
        "pin_version": 1,
        "pin_must_change": 1,
        "created_at": AT,
        "updated_at": AT,
        **values,
    }
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO staffs ({', '.join(row)}) VALUES ({marks})", list(row.values()))


@pytest.mark.row("3.3.1", "3.3.6", "3.1.2")
def test_staffs_has_every_documented_field(sql: sqlite3.Connection) -> None:
    columns = {row[1]: row for row in sql.execute("PRAGMA table_info(staffs)")}
    assert set(DOCUMENTED.split()) <= set(columns)
    assert [name for name, row in columns.items() if row[5]] == ["staff_uid"]
    assert {name for name in DOCUMENTED.split() if not columns[name][3]} == NULLABLE
    assert not {"full_name", "full_name_kana", "pin"} & set(columns)


@pytest.mark.row("3.3.7", "3.3.8")
def test_defaults(sql: sqlite3.Connection) -> None:
    found = sql.execute("SELECT status, role, version, pin_retry_count, pin_locked_until FROM staffs").fetchall()
    assert found == [("active", "STAFF", 1, 0, None)]


@pytest.mark.row("3.3.9")
def test_indexes(sql: sqlite3.Connection) -> None:
    indexes = {
        tuple(column[2] for column in sql.execute(f"PRAGMA index_info({name})")): bool(unique)
        for _, name, unique, *_ in sql.execute("PRAGMA index_list(staffs)").fetchall()
    }
    assert indexes[("staff_id",)]
    assert indexes[("emr_patient_id",)]
    assert indexes[("department_id",)] is False
    assert indexes[("family_name_kana",)] is False


@pytest.mark.row("3.3.2", "3.3.3", "3.3.4", "3.3.7", "3.1.3")
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"staff_id": "1"}, "UNIQUE"),
        ({"staff_id": None}, "NOT NULL"),
        ({"staff_id": "12a"}, "CHECK"),
        ({"staff_id": ""}, "CHECK"),
        ({"emr_patient_id": "4x"}, "CHECK"),
        ({"department_id": "NONE"}, "FOREIGN KEY"),
        ({"status": "x"}, "CHECK"),
        ({"role": "x"}, "CHECK"),
        ({"sex_code": "3"}, "CHECK"),
    ],
)
def test_the_database_refuses(sql: sqlite3.Connection, values: dict[str, object], message: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=message):
        add(sql, **{"staff_uid": "u2", "staff_id": "2", **values})


@pytest.mark.row("3.3.2", "3.3.3")
def test_zeros_count_and_two_people_may_have_no_patient_id(sql: sqlite3.Connection) -> None:
    add(sql, staff_uid="u2", staff_id="01")
    add(sql, staff_uid="u3", staff_id="3", emr_patient_id="5")
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        add(sql, staff_uid="u4", staff_id="4", emr_patient_id="5")


@pytest.mark.row("3.3.14")
def test_reservations_keep_their_person(sql: sqlite3.Connection) -> None:
    sql.execute("INSERT INTO reservation_types (name, created_at, updated_at) VALUES ('健診', ?, ?)", (AT, AT))
    sql.execute(
        "INSERT INTO reservation_slots (reservation_type_id, service_date_local, start_minute_of_day, duration_minutes,"
        " capacity, created_at, updated_at) VALUES (1, '2025-09-01', 540, 30, 1, ?, ?)",
        (AT, AT),
    )
    sql.execute(
        "INSERT INTO reservations (staff_uid, staff_id, reservation_type_id, slot_id, service_date_local,"
        " start_minute_of_day, duration_minutes, period_key, created_at, updated_at)"
        " VALUES ('u1', '1', 1, 1, '2025-09-01', 540, 30, 'FY2025', ?, ?)",
        (AT, AT),
    )
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        sql.execute("DELETE FROM staffs")


@pytest.mark.row("3.3.15", "3.3.18")
def test_departments_and_types_have_every_documented_field(sql: sqlite3.Connection) -> None:
    departments = {row[1]: row[5] for row in sql.execute("PRAGMA table_info(departments)")}
    assert {"id", "name", "active", "created_at", "updated_at"} <= set(departments)
    assert departments["id"] == 1
    types = {row[1]: (row[2], row[5]) for row in sql.execute("PRAGMA table_info(reservation_types)")}
    assert {"id", "name", "description", "active"} <= set(types)
    assert types["id"] == ("INTEGER", 1)
