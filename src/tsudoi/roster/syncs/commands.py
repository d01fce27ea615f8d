"""The steps of `tsudoi members sync` without the terminal: read, plan, show, write, and write back."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.gateway.clients.sheets import CellUpdate, OpenSheet
from tsudoi.gateway.clients.sheets_outcomes import Failure, NumberedRow, SheetsError
from tsudoi.roster.syncs import queries, service
from tsudoi.roster.syncs.errors import RosterChanged, SheetUnreadable, TooManyWithdrawn
from tsudoi.roster.syncs.rules.cells import BadHeaders, Columns, SheetRow, read_id
from tsudoi.roster.syncs.rules.plan import RosterMember, SyncPlan, make_plan
from tsudoi.roster.syncs.rules.sheet import RosterSheet, TooManyRows, parse_sheet

_ATTEMPTS = 5
_ROWS_AT_A_TIME = 5_000


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """The options of one sync. `show` is called with every plan before it is written."""

    source: str
    nfkc: bool = False
    dry_run: bool = False
    force: bool = False
    show: Callable[[SyncPlan], None] = lambda _plan: None
    on_progress: service.OnProgress = lambda _rows: None


@dataclass(frozen=True, slots=True)
class MissingCell:
    """An empty cell of a linked member's row, and what belongs there."""

    member_id: int
    fill: CellUpdate


def read(rows: Iterable[NumberedRow], options: SyncOptions) -> RosterSheet:
    try:
        return parse_sheet(rows, nfkc=options.nfkc)
    except SheetsError as stop:
        raise SheetUnreadable(stop.failure.reason) from stop
    except (BadHeaders, TooManyRows) as error:
        raise SheetUnreadable(str(error)) from error


def sync(db: Database, sheet: RosterSheet, options: SyncOptions) -> SyncPlan:
    """Write exactly the plan that was shown. If the roster changed meanwhile, a new plan is made and shown."""
    for _ in range(_ATTEMPTS):
        plan = make_plan(sheet, db.read_now(_roster))
        options.show(plan)
        if plan.withdraws_too_many and not options.force:
            raise TooManyWithdrawn(len(plan.withdrawn), plan.live)
        if options.dry_run:
            return plan
        try:
            db.write_now(service.apply_plan, plan, options.source, options.on_progress)
        except RosterChanged:
            continue
        return plan
    raise RosterChanged


def _roster(tx: ReadTx) -> dict[int, RosterMember]:
    return {member.id: member for member in queries.roster_members(tx)}


def missing_cells(db: Database, sheet: RosterSheet) -> list[MissingCell]:
    """The empty cells of linked members, as the sheet was when it was read, in the order of the sheet."""
    linked = db.read_now(queries.linked_accounts)
    return [
        MissingCell(row.id, fill)
        for row in sheet.rows
        if row.id in linked
        for fill in _fills(sheet.columns, row, *linked[row.id])
    ]


def _fills(columns: Columns, row: SheetRow, user_id: str, line_name: str | None) -> Iterator[CellUpdate]:
    if "line_user_id" in columns and row.line_user_id is None:
        yield CellUpdate(row.number, columns.places["line_user_id"], user_id)
    if "line_display_name" in columns and line_name and not row.shows_line_name:
        yield CellUpdate(row.number, columns.places["line_display_name"], line_name)


def write_back(opened: OpenSheet, columns: Columns, missing: Iterable[MissingCell]) -> int | Failure:
    """Some thousand rows at a time; returns how many cells were filled."""
    done = 0
    for _, part in groupby(missing, key=lambda cell: cell.fill.row // _ROWS_AT_A_TIME):
        safe = _still_empty(opened, columns, list(part))
        filled = opened.fill(safe) if isinstance(safe, list) else safe
        if not isinstance(filled, int):
            return filled
        done += filled
    return done


def _still_empty(opened: OpenSheet, columns: Columns, missing: list[MissingCell]) -> list[CellUpdate] | Failure:
    """Reads the cells again right before writing: a row that moved or a cell that is no longer empty is left alone."""
    fills = [cell.fill for cell in missing]
    places = sorted({columns.places["id"], *(fill.place for fill in fills)})
    found = opened.columns(places, fills[0].row, fills[-1].row)
    if not isinstance(found, list):
        return found
    now = dict(zip(places, found, strict=True))
    if any(str(now[place].header or "") != columns.headers[place] for place in places):
        return []
    ids = now[columns.places["id"]]
    return [
        cell.fill
        for cell in missing
        if read_id(ids.cell(cell.fill.row)) == cell.member_id and now[cell.fill.place].cell(cell.fill.row) in (None, "")
    ]
