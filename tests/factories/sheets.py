"""Roster sheets for tests: as rows, and as a sheet in the sandbox that the product reads over HTTP."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.factories.product import Box
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.sheets import SheetsConfig
from tsudoi.roster.syncs.commands import SyncOptions, read, sync
from tsudoi.roster.syncs.rules.plan import RosterMember, SyncPlan, make_plan
from tsudoi.roster.syncs.rules.sheet import parse_sheet

SHEET_ID = "sheet-of-the-tests"
HEADERS = ["id", "氏名", "表示順", "role", "line_user_id", "is_target", "email"]
Rows = list[list[Any]]


def line_id(number: int) -> str:
    return f"U{number:032x}"


def roster(*rows: list[Any], headers: list[str] = HEADERS) -> Rows:
    return [headers, *rows]


def put_sheet(box: Box, rows: Rows, title: str = "Members", **more: Any) -> None:
    box.http.put(f"/_sandbox/sheets/{SHEET_ID}/{title}", json={"rows": rows, **more}).raise_for_status()


def sheet_rows(box: Box, title: str = "Members") -> Rows:
    found: Rows = box.http.get(f"/_sandbox/sheets/{SHEET_ID}/{title}").json()["rows"]
    return found


def key_file(box: Box, folder: Path) -> Path:
    path = folder / "google-key.json"
    path.write_bytes(box.http.get("/_sandbox/sheets/service-account.json").content)
    return path


def config(box: Box, folder: Path) -> SheetsConfig:
    return SheetsConfig(SHEET_ID, key_file(box, folder), box.url)


def plan_of(rows: Rows, members: Iterable[RosterMember] = (), *, nfkc: bool = False) -> SyncPlan:
    """Without a database."""
    return make_plan(parse_sheet(enumerate(rows, 1), nfkc=nfkc), {member.id: member for member in members})


def sync_rows(
    db: Database, rows: Rows, show: Callable[[SyncPlan], None] = lambda _plan: None, **options: Any
) -> SyncPlan:
    """Returns the plan that was written."""
    asked = SyncOptions("test", show=show, **options)
    return sync(db, read(enumerate(rows, 1), asked), asked)
