"""What a sync will do, as tables for the person in front of the terminal."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tsudoi.roster.syncs.queries.plan import Plan
from tsudoi.roster.syncs.rules.plan import Change, Counts

_LINES = 200
# A table is measured as a whole before it is printed, so a very long list comes as several.
_LINES_PER_TABLE = 2_000
_FIELDS = {
    "name": "氏名",
    "name_key": "照合キー",
    "display_order": "表示順",
    "role": "権限",
    "email": "メール",
    "line_user_id": "LINE 連携",
    "is_target": "配信対象",
    "withdrawn_at": "退会",
}

Line = tuple[str, ...]


def show_plan(console: Console, plan: Plan, *, verbose: bool) -> None:
    counts = plan.counts
    console.print(_counts(counts))
    if plan.columns.unknown:
        console.print(Text(f"使わない列 / ignored columns: {'、'.join(plan.columns.unknown)}"))
    most = None if verbose else _LINES
    new = ((str(row.number), str(row.id), row.name) for row in plan.new())
    _list(console, "新規 / new", ("行", "id", "氏名"), new, counts.new, most)
    changed = (line for change in plan.changed() for line in _changed(change))
    total = sum(1 for change in plan.changed() for _ in _changed(change))
    _list(console, "変更 / changed", ("行", "id", "氏名", "項目", "前", "後"), changed, total, most)
    gone = ((str(member.id), member.name) for member in plan.withdrawn())
    _list(console, "退会 / withdrawn", ("id", "氏名"), gone, counts.withdrawn, most)
    refused = ((str(row.number), str(row.id or ""), row.name, "\n".join(row.reasons)) for row in plan.refused())
    _list(console, "拒否 / refused", ("行", "id", "氏名", "理由"), refused, counts.refused, most)


def _counts(counts: Counts) -> Table:
    table = Table(title="名簿の同期 / roster sync", title_justify="left")
    rows = (
        ("新規 / new", counts.new),
        ("変更 / changed", counts.changed),
        ("退会 / withdrawn", counts.withdrawn),
        ("変更なし / unchanged", counts.unchanged),
        ("拒否 / refused", counts.refused),
    )
    table.add_column("")
    table.add_column("件数", justify="right")
    for name, number in rows:
        table.add_row(name, f"{number:,}")
    return table


def _changed(change: Change) -> Iterator[Line]:
    """One line per field; the key that a new name brings with it goes without saying."""
    for name, new in change.new.items():
        if name == "name_key" and "name" in change.new:
            continue
        yield str(change.number), str(change.id), change.name, _FIELDS[name], _value(change.old[name]), _value(new)


def _value(value: Any) -> str:
    return "（なし）" if value is None else str(value)


def _list(console: Console, title: str, headers: Line, lines: Iterable[Line], total: int, most: int | None) -> None:
    if not total:
        return
    shown = islice(lines, most)
    while some := list(islice(shown, _LINES_PER_TABLE)):
        table = Table(*headers, title=title, title_justify="left")
        for line in some:
            # Text, because a name may contain what would otherwise be markup.
            table.add_row(*(Text(part) for part in line))
        console.print(table)
    if most is not None and total > most:
        console.print(f"  ほか {total - most:,} 件（--verbose で全件）/ and {total - most:,} more")
