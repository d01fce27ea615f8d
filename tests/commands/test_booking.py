"""`tsudoi booking check` proves the counts; `show` says what is stored about a person."""

from pathlib import Path

import pytest

from tests.booking.reservations.hospital import Hospital
from tests.factories.processes import tsudoi
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.service.booking import book
from tsudoi.core.db.interface import Database

TAMPERED = {
    "a count": "UPDATE reservation_slots SET booked_count = 0 WHERE id = {slot}",
    "a fiscal year": "UPDATE reservations SET period_key = 'FY1999' WHERE slot_id = {slot}",
    "a copy of the slot": "UPDATE reservations SET start_minute_of_day = 1 WHERE slot_id = {slot}",
    "a copy of the number": "UPDATE reservations SET staff_id = '77' WHERE slot_id = {slot}",
}


@pytest.mark.row("3.5.27")
class TestCheck:
    def test_names_every_slot_whose_count_is_wrong(self, db: Database, database_url: str, tmp_path: Path) -> None:
        hospital = Hospital(db)
        type_id = hospital.type(limit_per_year=None)
        slots = [hospital.slot(type_id, f"2025-09-1{number}", capacity=2) for number in range(3)]
        anna = hospital.staff()
        for slot_id in slots:
            db.write_now(book, anna, slot_id, f"staff:{anna}")
        right = tsudoi(tmp_path, "booking", "check", DATABASE_URL=database_url)
        assert (right.returncode, right.stderr) == (0, "")
        for slot_id, count in ((slots[0], 2), (slots[2], 0)):
            hospital.sql(f"UPDATE reservation_slots SET booked_count = {count} WHERE id = {slot_id}")
        wrong = tsudoi(tmp_path, "booking", "check", DATABASE_URL=database_url)
        assert wrong.returncode == 1
        named = [line for line in wrong.stdout.splitlines() if line.startswith("slot ")]
        assert [line.partition(":")[0] for line in named] == [f"slot {slots[0]}", f"slot {slots[2]}"]

    @sqlite_only
    def test_finds_other_tampering(self, db: Database, database_url: str, tmp_path: Path) -> None:
        hospital = Hospital(db)
        for name, statement in TAMPERED.items():
            slot_id, anna = hospital.slot(hospital.type(name)), hospital.staff()
            db.write_now(book, anna, slot_id, f"staff:{anna}")
            hospital.sql(statement.format(slot=slot_id))
            checked = tsudoi(tmp_path, "booking", "check", DATABASE_URL=database_url)
            assert (checked.returncode, f"slot {slot_id}:" in checked.stdout) == (1, True), name

    @sqlite_only
    def test_finds_too_many_of_a_year(self, db: Database, database_url: str, tmp_path: Path) -> None:
        hospital = Hospital(db)
        type_id, anna = hospital.type(limit_per_year=None), hospital.staff()
        slots = [hospital.slot(type_id, f"2025-09-1{number}") for number in range(2)]
        for slot_id in slots:
            db.write_now(book, anna, slot_id, f"staff:{anna}")
        hospital.sql("UPDATE reservation_types SET limit_per_year = 1")
        checked = tsudoi(tmp_path, "booking", "check", DATABASE_URL=database_url)
        assert (checked.returncode, f"slot {slots[0]}:" in checked.stdout) == (1, True)


@sqlite_only
class TestShow:
    def test_says_what_is_stored_but_no_secret(self, db: Database, database_url: str, tmp_path: Path) -> None:
        hospital = Hospital(db)
        anna = hospital.staff(446752, line_user_id="U" + "1" * 32)
        db.write_now(book, anna, hospital.slot(hospital.type()), f"staff:{anna}")
        shown = tsudoi(tmp_path, "booking", "show", "446752", DATABASE_URL=database_url)
        assert shown.returncode == 0, shown.stderr
        assert "family_name: 山田" in shown.stdout
        assert "2025-09-10 09:00 インフルエンザ (FY2025) booked" in shown.stdout
        assert "argon2" not in shown.stdout
        assert "U1111" not in shown.stdout

    def test_says_what_happened_to_a_reservation(self, db: Database, database_url: str, tmp_path: Path) -> None:
        hospital = Hospital(db)
        anna = hospital.staff(446752, line_user_id="U" + "1" * 32)
        made = db.write_now(book, anna, hospital.slot(hospital.type()), f"staff:{anna}")
        shown = tsudoi(tmp_path, "booking", "show", str(made.id), DATABASE_URL=database_url)
        assert (shown.returncode, shown.stderr) == (0, "")
        lines = shown.stdout.splitlines()
        assert lines[0] == f"予約 {made.id} / reservation {made.id}"
        assert lines[1] == "2025/08/16 12:00  booked  予約しました（2025/09/10 09:00）。  本人"
        assert lines[3].startswith("2025/08/16 12:00  planned  リマインドを 2025/09/08 09:00 に送る予定にしました。")
        assert "U1111" not in shown.stdout
        same = tsudoi(tmp_path, "booking", "show", "--reservation", str(made.id), DATABASE_URL=database_url)
        assert same.stdout == shown.stdout

    def test_a_number_that_is_both(self, db: Database, database_url: str, tmp_path: Path) -> None:
        hospital = Hospital(db)
        anna = hospital.staff(1)
        made = db.write_now(book, anna, hospital.slot(hospital.type()), f"staff:{anna}")
        assert made.id == 1
        both, person, neither = (
            tsudoi(tmp_path, "booking", "show", *words, DATABASE_URL=database_url)
            for words in (["1"], ["--staff", "1"], ["--reservation", "2"])
        )
        assert ("reservation 1\n" in both.stdout, "family_name: 山田" in both.stdout) == (True, True)
        assert ("予約しました" in person.stdout, "family_name: 山田" in person.stdout) == (False, True)
        assert (neither.returncode, "予約 2 は見つかりません" in neither.stdout) == (1, True)

    def test_an_unknown_number(self, db: Database, database_url: str, tmp_path: Path) -> None:
        Hospital(db)
        for words in (["999"], ["9" * 30], ["x"], []):
            assert tsudoi(tmp_path, "booking", "show", *words, DATABASE_URL=database_url).returncode == 1
