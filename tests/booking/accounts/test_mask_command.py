import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.factories.terminal import Terminal

AT = "2025-08-16T03:00:00.000000+00:00"
PERSON = {
    "staff_uid": "u1",
    "staff_id": "77",
    "family_name": "山田",
    "given_name": "花子",
    "emr_patient_id": "5",
    "date_of_birth": "1990-01-01",
    "job_title": "看護師",
    "department_id": "3A",
    "pin_hash": "x",
    "pin_updated_at": AT,
    "pin_version": 1,
    "pin_must_change": 0,
    "created_at": AT,
    "updated_at": AT,
}


@pytest.fixture
def terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], migrated_sqlite: Path
) -> Terminal:
    monkeypatch.chdir(tmp_path)
    found = Terminal(tmp_path, monkeypatch, capsys)
    found.database.parent.mkdir()
    found.database.write_bytes(migrated_sqlite.read_bytes())
    with closing(sqlite3.connect(found.database)) as db, db:
        db.execute("INSERT INTO departments (id, name, created_at, updated_at) VALUES ('3A', '病棟', ?, ?)", (AT, AT))
        marks = ", ".join("?" * len(PERSON))
        db.execute(f"INSERT INTO staffs ({', '.join(PERSON)}) VALUES ({marks})", list(PERSON.values()))
    return found


@pytest.mark.row("3.7.21")
def test_the_command_masks_only_who_left(terminal: Terminal) -> None:
    refused = terminal("booking", "mask", "77", "--reason", "退職後5年")
    assert (refused.code, "退職" in refused.err) == (1, True)
    with closing(sqlite3.connect(terminal.database)) as db:
        with db:
            db.execute("UPDATE staffs SET status = 'left'")
        assert terminal("booking", "mask", "77", "--reason", " ").code == 1
        assert terminal("booking", "mask", "78", "--reason", "退職後5年").code == 1
        assert terminal("booking", "mask", "77", "--reason", "退職後5年").code == 0
        found = db.execute(
            "SELECT family_name, given_name, emr_patient_id, date_of_birth, staff_id FROM staffs"
        ).fetchall()
        assert found == [("（消去済み）", "", None, None, "77")]
        assert db.execute("SELECT actor, reason FROM audit_logs WHERE action = 'STAFF_MASK'").fetchall() == [
            ("cli", "退職後5年")
        ]
