"""Roster sheets for tests: as rows, and as a sheet in the sandbox that the product reads over HTTP."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.factories.product import Box
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.sheets import SheetsConfig
from tsudoi.roster.syncs.commands import Wish, read, sync
from tsudoi.roster.syncs.queries.plan import Plan, compare
from tsudoi.roster.syncs.queries.sheet import Sheet
from tsudoi.roster.syncs.rules.cells import Refused, Row
from tsudoi.roster.syncs.rules.plan import Change, Counts, Existing, Withdrawal

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


@dataclass(frozen=True)
class Told:
    """A plan with its lists read: the plan itself forgets them when the sheet is planned again or closed."""

    new: list[Row]
    changed: list[Change]
    withdrawn: list[Withdrawal]
    refused: list[Refused]
    counts: Counts
    basis: int

    @property
    def unchanged(self) -> int:
        return self.counts.unchanged

    @property
    def changes_nothing(self) -> bool:
        return self.counts.writes == 0


def told(plan: Plan) -> Told:
    found = Told(
        list(plan.new()), list(plan.changed()), list(plan.withdrawn()), list(plan.refused()), plan.counts, plan.basis
    )
    counts = plan.counts
    lengths = [len(each) for each in (found.new, found.changed, found.withdrawn, found.refused)]
    assert lengths == [counts.new, counts.changed, counts.withdrawn, counts.refused]
    return found


def plan_of(rows: Rows, members: Iterable[Existing] = (), *, nfkc: bool = False) -> Told:
    """Without a database of the product's."""
    with closing(Sheet(enumerate(rows, 1), nfkc=nfkc)) as sheet:
        return told(compare(sheet, members))


def sync_rows(db: Database, rows: Rows, show: Callable[[Told], None] = lambda _told: None, **wish: Any) -> Told:
    """What the last plan was."""
    shown: list[Told] = []

    def note(plan: Plan) -> None:
        shown.append(told(plan))
        show(shown[-1])

    asked = Wish("test", show=note, **wish)
    with closing(read(enumerate(rows, 1), asked)) as sheet:
        sync(db, sheet, asked)
    return shown[-1]
