"""The office in front of its terminal, with its sheet in the sandbox."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.factories.processes import environment
from tests.factories.product import Box
from tests.factories.sheets import SHEET_ID, Rows, key_file, roster
from tests.factories.terminal import own_log
from tsudoi.cli import app
from tsudoi.commands.refusals import run_explained
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients import sheets
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs.models import MemberSync


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Office:
    sync: Callable[..., Done]
    db: Database
    box: Box
    folder: Path

    def members(self) -> list[tuple[Any, ...]]:
        columns = (Member.id, Member.name, Member.line_user_id, Member.is_target, Member.withdrawn_at)
        return [
            tuple(row) for row in self.db.read_now(lambda tx: tx.execute(select(*columns).order_by(Member.id)).all())
        ]

    def runs(self) -> int:
        return len(self.db.read_now(lambda tx: tx.execute(select(MemberSync.id)).all()))


@pytest.fixture
def quiet(impatient: None) -> Iterator[None]:
    with own_log():
        yield


@pytest.fixture
def office(
    db: Database,
    database_url: str,
    box: Box,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    quiet: None,
) -> Office:
    monkeypatch.chdir(tmp_path)
    quick = replace(sheets.POLICY, timeout=timedelta(seconds=0.25))
    monkeypatch.setattr(sheets.SheetsClient.__init__, "__defaults__", (quick,))
    settings = {
        "DATABASE_URL": database_url,
        "MEMBERS_SHEET_ID": SHEET_ID,
        "SHEETS_API_BASE": box.url,
        "GOOGLE_SERVICE_ACCOUNT_FILE": str(key_file(box, tmp_path)),
    }

    def sync(*arguments: str, **more: str) -> Done:
        for name, value in environment(tmp_path, **{**settings, **more}).items():
            monkeypatch.setenv(name, value)
        try:
            code = run_explained(lambda: app(["members", "sync", *arguments]))
        except SystemExit as ended:
            code = int(ended.code or 0)
        told = capsys.readouterr()
        return Done(code, told.out, told.err)

    return Office(sync, db, box, tmp_path)


def people(count: int) -> Rows:
    return roster(*([number, f"会員{number}"] for number in range(1, count + 1)))
