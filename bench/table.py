from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    """`ratio` is ours against the baseline, so that bigger is better; None where there is nothing to compare with."""

    what: str
    ours: str
    baseline: str = ""
    ratio: float | None = None
    aim: str = ""


def show(rows: list[Row]) -> None:
    table = Table("what", "ours", "baseline", "ratio", "aim")
    for row in rows:
        table.add_row(row.what, row.ours, row.baseline, "" if row.ratio is None else f"{row.ratio:.2f}", row.aim)
    Console(width=140).print(table)
