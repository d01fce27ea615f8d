"""`tsudoi members sync`, without its terminal: read, plan, show, write, and write back."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.sheets import Fill, OpenSheet
from tsudoi.gateway.clients.sheets_outcomes import Failure, Interrupted, NumberedRow
from tsudoi.roster.syncs import queries, service
from tsudoi.roster.syncs.errors import RosterMoved, SheetUnreadable, TooManyWithdrawn
from tsudoi.roster.syncs.rules.cells import Row, read_id
from tsudoi.roster.syncs.rules.columns import BadHeaders, Columns
from tsudoi.roster.syncs.rules.plan import Plan
from tsudoi.roster.syncs.rules.sheet import Sheet, read_sheet

_TRIES = 5


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
    try:
        return read_sheet(rows, nfkc=wish.nfkc)
    except Interrupted as stop:
        raise SheetUnreadable(stop.failure.reason) from stop
    except BadHeaders as error:
        raise SheetUnreadable(str(error)) from error


def sync(db: Database, sheet: Sheet, wish: Wish) -> Plan:
    """What was shown is what is done: if the roster moved in between, it is planned and shown again."""
    for _ in range(_TRIES):
        plan = db.read_now(queries.plan, sheet)
        wish.show(plan)
        if plan.withdraws_too_many and not wish.force:
            raise TooManyWithdrawn(len(plan.withdrawn), plan.live)
        if wish.dry_run:
            return plan
        try:
            db.write_now(service.apply_plan, plan, wish.source, wish.told)
        except RosterMoved:
            continue
        return plan
    raise RosterMoved


def missing_links(db: Database, sheet: Sheet) -> list[Fill]:
    """The empty cells of linked members, as the sheet was when it was read."""
    columns = sheet.columns
    fills: list[Fill] = []
    for member_id, user_id, line_name in db.read_now(queries.links):
        row = sheet.rows.get(member_id)
        if row is not None:
            fills += _fills(columns, row, user_id, line_name)
    return fills


def _fills(columns: Columns, row: Row, user_id: str, line_name: str | None) -> Iterator[Fill]:
    if "line_user_id" in columns and row.line_user_id is None:
        yield Fill(row.number, columns.places["line_user_id"], user_id)
    if "line_display_name" in columns and line_name and not row.shows_line_name:
        yield Fill(row.number, columns.places["line_display_name"], line_name)


def write_back(opened: OpenSheet, sheet: Sheet, fills: Sequence[Fill]) -> int | Failure:
    """Looks once more, right before it writes: a row that moved or a cell that is no longer empty is left alone."""
    if not fills:
        return 0
    places = sorted({sheet.columns.places["id"], *(fill.place for fill in fills)})
    found = opened.columns(places)
    if not isinstance(found, list):
        return found
    now = dict(zip(places, found, strict=True))
    for place in places:
        if str(_at(now[place], 1) or "") != sheet.columns.headers[place]:
            return 0
    ids = {row.number: row.id for row in sheet.rows.values()}
    id_column = now[sheet.columns.places["id"]]
    safe = [
        fill
        for fill in fills
        if read_id(_at(id_column, fill.row)) == ids[fill.row] and _at(now[fill.place], fill.row) in (None, "")
    ]
    return opened.fill(safe)


def _at(column: Sequence[Any], row: int) -> Any:
    return column[row - 1] if row <= len(column) else None
