"""`tsudoi person`: what a terminal shows before and after a person is erased."""

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from tests.factories.terminal import Terminal
from tests.roster.members.people import enrol
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database


@pytest.fixture
def terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], migrated_sqlite: Path
) -> Terminal:
    monkeypatch.chdir(tmp_path)
    found = Terminal(tmp_path, monkeypatch, capsys)
    found.database.parent.mkdir()
    found.database.write_bytes(migrated_sqlite.read_bytes())
    db = open_database(f"sqlite:///{found.database}", SystemClock())
    enrol(db, (101, "消去希子"), email="kieru@example.jp")
    db.close()
    return found


def names(terminal: Terminal) -> list[str]:
    with closing(sqlite3.connect(terminal.database)) as db:
        return [name for (name,) in db.execute("SELECT name FROM members")]


def test_a_person_is_exported(terminal: Terminal) -> None:
    shown = terminal("person", "export", "member", "101")
    assert (shown.code, json.loads(shown.out)["tables"][0]["rows"][0]["name"]) == (0, "消去希子")
    assert terminal("person", "export", "member", "101", "--out", "person.json").code == 0
    written = terminal.folder / "person.json"
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert json.loads(written.read_text(encoding="utf-8"))["records"][0]["id"] == "101"
    assert terminal("person", "export", "member", "101", "--out", "person.json").code == 1
    assert terminal("person", "export", "member", "999").code == 1


def test_a_person_is_erased_only_when_it_is_said(terminal: Terminal) -> None:
    looked = terminal("person", "erase", "member", "101")
    assert (looked.code, "会員名簿" in looked.out, names(terminal)) == (0, True, ["消去希子"])
    assert terminal("person", "erase", "member", "101", "--yes").code == 1
    done = terminal("person", "erase", "member", "101", "--yes", "--reason", "本人の申し出")
    assert (done.code, names(terminal)) == (0, ["（消去済み）"])
