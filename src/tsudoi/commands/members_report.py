"""Shows a sync on the terminal: its plan as tables, and progress bars for a long roster."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from tsudoi.core.command_line import print_table
from tsudoi.gateway.clients.sheets_outcomes import NumberedRow
from tsudoi.roster.syncs.rules.plan import MemberChange, SyncPlan

_LINES = 200
# Rich measures a whole table before it prints it, so a very long list is split into several tables.
_LINES_PER_TABLE = 2_000
_FIELDS = {
    "name": "氏名",
    "name_key": "照合キー",
    "kana": "ふりがな",
    "display_order": "表示順",
    "role": "権限",
    "email": "メール",
    "line_user_id": "LINE 連携",
    "is_target": "配信対象",
    "withdrawn_at": "退会",
}

Line = tuple[str, ...]


def show_plan(console: Console, plan: SyncPlan, *, verbose: bool) -> None:
    console.print(_counts(plan))
    if plan.columns.unknown:
        console.print(Text(f"使わない列 / ignored columns: {'、'.join(plan.columns.unknown)}"))
    most = None if verbose else _LINES
    new = [(str(row.number), str(row.id), row.name) for row in plan.new]
    _list(console, "新規 / new", ("行", "id", "氏名"), new, most)
    changed = [line for change in plan.changed for line in _changed(change)]
    _list(console, "変更 / changed", ("行", "id", "氏名", "項目", "前", "後"), changed, most)
    withdrawn = [(str(member.id), member.name) for member in plan.withdrawn]
    _list(console, "退会 / withdrawn", ("id", "氏名"), withdrawn, most)
    refused = [(str(row.number), str(row.id or ""), row.name, "\n".join(row.reasons)) for row in plan.refused]
    _list(console, "拒否 / refused", ("行", "id", "氏名", "理由"), refused, most)


def _counts(plan: SyncPlan) -> Table:
    table = Table(title="名簿の同期 / roster sync", title_justify="left")
    rows = (
        ("新規 / new", len(plan.new)),
        ("変更 / changed", len(plan.changed)),
        ("退会 / withdrawn", len(plan.withdrawn)),
        ("変更なし / unchanged", plan.unchanged),
        ("拒否 / refused", len(plan.refused)),
    )
    table.add_column("")
    table.add_column("件数", justify="right")
    for name, number in rows:
        table.add_row(name, f"{number:,}")
    return table


def _changed(change: MemberChange) -> Iterator[Line]:
    """One line per changed field. A name key that changes together with the name is not shown."""
    for name, new in change.new.items():
        if name == "name_key" and "name" in change.new:
            continue
        values = ("（なし）" if value is None else str(value) for value in (change.old[name], new))
        yield str(change.number), str(change.id), change.name, _FIELDS[name], *values


def _list(console: Console, title: str, headers: Line, lines: Sequence[Line], most: int | None) -> None:
    shown = lines[:most]
    for start in range(0, len(shown), _LINES_PER_TABLE):
        table = Table(*headers, title=title, title_justify="left")
        for line in shown[start : start + _LINES_PER_TABLE]:
            # `Text` is used because a name may contain Rich markup.
            table.add_row(*(Text(part) for part in line))
        print_table(table)
    if left := len(lines) - len(shown):
        console.print(f"  ほか {left:,} 件（--verbose で全件）/ and {left:,} more")


_LONG_ROSTER = 2_000
_STEP = 500


class ProgressBars:
    """Shows one bar at a time: first for the rows that are read, then for the rows that are written."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: Progress | None = None
        self._task = TaskID(0)

    def reading(self, rows: Iterable[NumberedRow]) -> Iterator[NumberedRow]:
        for number, cells in rows:
            if number >= _LONG_ROSTER and number % _STEP == 0:
                bar = self._bar or self._begin("読み取り / reading", None)
                bar.update(self._task, completed=number)
            yield number, cells
        self.end()

    def writing(self, rows: int) -> None:
        self.end()
        if rows > _LONG_ROSTER:
            self._begin("書き込み / writing", rows)

    def advance(self, rows: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._task, rows)

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _begin(self, what: str, total: int | None) -> Progress:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        bar = self._bar = Progress(*columns, console=self._console)
        self._task = bar.add_task(what, total=total)
        bar.start()
        return bar
