"""`tsudoi members sync`, without its terminal: read, plan, show, write, and write back."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.sheets import Fill, OpenSheet
from tsudoi.gateway.clients.sheets_outcomes import Failure, Interrupted, NumberedRow
from tsudoi.roster.syncs import service
from tsudoi.roster.syncs.errors import RosterMoved, SheetUnreadable, TooManyWithdrawn
from tsudoi.roster.syncs.queries.links import linked_rows, note_links
from tsudoi.roster.syncs.queries.plan import Plan, make_plan
from tsudoi.roster.syncs.queries.sheet import Sheet
from tsudoi.roster.syncs.rules.cells import Row, read_id
from tsudoi.roster.syncs.rules.columns import BadHeaders, Columns
from tsudoi.roster.syncs.rules.plan import Counts

_TRIES = 5
_ROWS_AT_A_TIME = 5_000
_NO_ROOM = "作業用のファイルに書けません。ディスクの空きを確認してください / no room for a temporary file"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person asked for. `show` gets every plan before anything of it is written."""

    source: str
    nfkc: bool = False
    dry_run: bool = False
    force: bool = False
    show: Callable[[Plan], None] = lambda _plan: None
    told: service.Told = lambda _rows: None


def read(rows: Iterable[NumberedRow], wish: Wish) -> Sheet:
    """The caller closes it."""
    try:
        return Sheet(rows, nfkc=wish.nfkc)
    except Interrupted as stop:
        raise SheetUnreadable(stop.failure.reason) from stop
    except BadHeaders as error:
        raise SheetUnreadable(str(error)) from error
    except sqlite3.OperationalError as error:
        raise SheetUnreadable(f"{_NO_ROOM}: {error}") from error


def sync(db: Database, sheet: Sheet, wish: Wish) -> Counts:
    """What was shown is what is done: if the roster moved in between, it is planned and shown again."""
    for _ in range(_TRIES):
        plan = db.read_now(make_plan, sheet)
        wish.show(plan)
        if plan.counts.withdraws_too_many and not wish.force:
            raise TooManyWithdrawn(plan.counts.withdrawn, plan.counts.live)
        if wish.dry_run:
            return plan.counts
        try:
            db.write_now(service.apply_plan, plan, wish.source, wish.told)
        except RosterMoved:
            continue
        return plan.counts
    raise RosterMoved


def missing_links(db: Database, sheet: Sheet) -> int:
    """How many cells of linked members are empty, as the sheet was when it was read."""
    db.read_now(note_links, sheet)
    return sum(1 for _, fills in _to_fill(sheet) for _ in fills)


def _to_fill(sheet: Sheet) -> Iterator[tuple[int, list[Fill]]]:
    """Member id and what is missing in the row, in the order of the sheet."""
    for row, user_id, line_name in linked_rows(sheet):
        yield row.id, list(_fills(sheet.columns, row, user_id, line_name))


def _fills(columns: Columns, row: Row, user_id: str, line_name: str | None) -> Iterator[Fill]:
    if "line_user_id" in columns and row.line_user_id is None:
        yield Fill(row.number, columns.places["line_user_id"], user_id)
    if "line_display_name" in columns and line_name and not row.shows_line_name:
        yield Fill(row.number, columns.places["line_display_name"], line_name)


def write_back(opened: OpenSheet, sheet: Sheet) -> int | Failure:
    """A stretch of rows at a time; says how many cells were filled."""
    done = 0
    wanted = ((member_id, fill) for member_id, fills in _to_fill(sheet) for fill in fills)
    for _, stretch in groupby(wanted, key=lambda each: each[1].row // _ROWS_AT_A_TIME):
        safe = _still_empty(opened, sheet, list(stretch))
        filled = opened.fill(safe) if isinstance(safe, list) else safe
        if not isinstance(filled, int):
            return filled
        done += filled
    return done


def _still_empty(opened: OpenSheet, sheet: Sheet, wanted: list[tuple[int, Fill]]) -> list[Fill] | Failure:
    """Looks once more, right before it is written: a row that moved or a cell that is no longer empty is left alone."""
    columns, first = sheet.columns, wanted[0][1].row
    places = sorted({columns.places["id"], *(fill.place for _, fill in wanted)})
    found = opened.columns(places, first, wanted[-1][1].row)
    if not isinstance(found, list):
        return found
    now = dict(zip(places, found, strict=True))
    if any(str(now[place].header or "") != columns.headers[place] for place in places):
        return []
    ids = now[columns.places["id"]]
    return [
        fill
        for member_id, fill in wanted
        if read_id(ids.cell(fill.row)) == member_id and now[fill.place].cell(fill.row) in (None, "")
    ]
