"""Progress bars for long rosters. They go to standard error, so that standard output has only the report."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from tsudoi.gateway.clients.sheets_outcomes import NumberedRow

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
