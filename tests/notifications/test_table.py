"""The table of the document: its columns, what it refuses, and its times."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect
from sqlalchemy.exc import IntegrityError

from tests.notifications.clinic import Clinic
from tests.product_fixtures import postgresql_only, sqlite_only
from tsudoi.commands.openapi import openapi_json

UTC = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$")
TIMES = ("scheduled_at", "created_at", "updated_at")


def columns(clinic: Clinic) -> dict[str, Any]:
    found = clinic.db.read_now(lambda tx: inspect(tx.connection).get_columns("notification_jobs"))
    return {column["name"]: column for column in found}


@pytest.mark.row("2.3.1", "2.3.4", "2.3.5", "2.3.6", "2.3.7", "2.3.8", "2.3.9", "2.3.10")
def test_the_columns_of_the_document(clinic: Clinic) -> None:
    found = columns(clinic)
    texts = ("kind", "scheduled_at", "status", "last_error", "created_at", "updated_at")
    # On PostgreSQL a column with the collation C is a VARCHAR without a length, which is the same thing there.
    assert {str(found[name]["type"]).split()[0] for name in texts} <= {"TEXT", "VARCHAR"}
    assert {name for name in texts if found[name]["nullable"]} == {"last_error"}
    assert "INT" in str(found["attempt_count"]["type"])
    assert not found["attempt_count"]["nullable"]
    assert "0" in found["attempt_count"]["default"]
    assert "PENDING" in found["status"]["default"]


@sqlite_only
@pytest.mark.row("2.3.2", "2.3.3")
def test_the_key_is_an_integer_that_is_never_used_twice(clinic: Clinic) -> None:
    [key] = [row for row in clinic.sql("PRAGMA table_info(notification_jobs)") if row.name == "job_id"]
    assert (key.type, key.pk) == ("INTEGER", 1)
    [parent] = clinic.sql("PRAGMA foreign_key_list(notification_jobs)")
    assert (parent.table, getattr(parent, "from"), parent.to) == ("reservations", "reservation_id", "id")
    reservation = clinic.without_jobs(clinic.reserve())
    last = clinic.sql("SELECT seq FROM sqlite_sequence WHERE name = 'notification_jobs'")[0].seq
    assert clinic.by_hand(reservation, "CONFIRMATION", clinic.now) == last + 1


@pytest.mark.row("2.3.3")
def test_a_job_has_a_reservation(clinic: Clinic) -> None:
    with pytest.raises(IntegrityError):
        clinic.by_hand(999_999, "CONFIRMATION", clinic.now)


@pytest.mark.row("2.2.1", "2.2.2")
@pytest.mark.parametrize("kind", ["OTHER", "CANCEL_TEMPLATE", ""])
def test_there_are_three_kinds(clinic: Clinic, kind: str) -> None:
    reservation = clinic.reserve()
    with pytest.raises(IntegrityError):
        clinic.by_hand(reservation, kind, clinic.now)


@pytest.mark.row("2.2.2")
def test_nobody_speaks_of_the_kind_that_is_gone() -> None:
    root = Path(__file__).parents[2]
    screens = [path for path in (root / "web").glob("*/src/**/*.ts*") if "test" not in path.suffixes[0]]
    assert screens
    assert [str(path) for path in screens if "CANCEL_TEMPLATE" in path.read_text()] == []
    assert b"CANCEL_TEMPLATE" not in openapi_json()


@pytest.mark.row("2.5.6", "2.5.7")
@pytest.mark.parametrize("status", ["UNKNOWN", "DONE", "SENDING", "NONE"])
def test_there_are_four_stored_states(clinic: Clinic, status: str) -> None:
    reservation = clinic.without_jobs(clinic.reserve())
    with pytest.raises(IntegrityError):
        clinic.by_hand(reservation, "CONFIRMATION", clinic.now, status)


@pytest.mark.row("2.4.3", "2.4.4")
@pytest.mark.parametrize(
    "at",
    [
        "2026-12-01T10:00:00+09:00",
        "2026-12-01T10:00:00.000000+09:00",
        "2026-12-01T10:00:00",
        "2026-12-01 10:00:00+00:00",
    ],
)
def test_only_utc_is_stored(clinic: Clinic, at: str) -> None:
    reservation = clinic.without_jobs(clinic.reserve())
    with pytest.raises(IntegrityError):
        clinic.by_hand(reservation, "CONFIRMATION", at)
    for column in ("created_at", "updated_at"):
        job_id = clinic.by_hand(reservation, "CONFIRMATION", clinic.now)
        with pytest.raises(IntegrityError):
            clinic.sql(f"UPDATE notification_jobs SET {column} = :at WHERE job_id = :id", at=at, id=job_id)
        clinic.without_jobs(reservation)


@pytest.mark.row("2.4.1", "2.4.2", "2.3.9")
def test_all_times_are_utc_of_one_width(clinic: Clinic) -> None:
    first, second = clinic.reserve_many(2)
    clinic.run()
    clinic.cancel(first)
    clinic.move(second, timedelta(days=30))
    clinic.run()
    rows = clinic.sql(f"SELECT {', '.join(TIMES)} FROM notification_jobs")
    values = [value for row in rows for value in row]
    assert len(rows) > 4
    assert all(UTC.match(value) for value in values)
    assert {len(value) for value in values} == {32}


@pytest.mark.row("2.5.1", "2.3.7", "2.3.8")
def test_a_fresh_job_waits_and_has_failed_never(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    for job in clinic.jobs(reservation_id=reservation):
        assert (job.status, job.attempt_count, job.last_error) == ("PENDING", 0, None)


@pytest.mark.row("2.4.9")
def test_48_hours_before_over_the_date_line(clinic: Clinic) -> None:
    slot_id = clinic.hospital.slot(clinic.type_id, "2026-12-10", 8 * 60)
    reservation = clinic.reserve(slot_id=slot_id)
    [row] = clinic.sql(
        "SELECT scheduled_at FROM notification_jobs WHERE reservation_id = :r AND kind = 'REMINDER'", r=reservation
    )
    assert row.scheduled_at == "2026-12-07T23:00:00.000000+00:00"


@postgresql_only
@pytest.mark.row("2.3.12")
def test_text_order_is_time_order_on_postgresql_too(clinic: Clinic) -> None:
    found = clinic.sql(
        "SELECT column_name, collation_name FROM information_schema.columns WHERE table_name = 'notification_jobs'"
    )
    collations = {row.column_name: row.collation_name for row in found}
    assert {collations[name] for name in TIMES} == {"C"}


@pytest.mark.row("2.5.6")
def test_one_job_per_reservation_kind_and_revision(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.change(clinic.job(reservation).job_id, status="FAILED")
    with pytest.raises(IntegrityError):
        clinic.by_hand(reservation, "CONFIRMATION", clinic.now)
