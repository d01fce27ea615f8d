"""The files that the office exports."""

from collections.abc import Callable, Iterator
from datetime import datetime

from tsudoi.core.clock import display, parse_text
from tsudoi.core.csv_text import Cell
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.export_file import ExportFile, csv_file, xlsx_file
from tsudoi.events.answers.queries import history_stream, status_stream
from tsudoi.events.answers.rules import shown
from tsudoi.events.event.queries import event_of
from tsudoi.events.overview import rules


def latest_csv(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    return csv_file(rules.LATEST, _latest(tx, event_id, as_of))


def latest_xlsx(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    rows = ((*row[:2], rules.WORDS[row[2]], row[3]) for row in _latest(tx, event_id, as_of))
    columns = (*rules.LATEST_FOR_PEOPLE, _memo_column(tx, event_id))
    return xlsx_file("最新", columns, rows)


def history_csv(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    return csv_file(rules.HISTORY, _history(tx, event_id, as_of, shown))


def history_xlsx(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    rows = ((*row[:4], rules.WORDS[row[4]], row[5]) for row in _history(tx, event_id, as_of, _for_people))
    columns = (*rules.HISTORY_FOR_PEOPLE, _memo_column(tx, event_id))
    return xlsx_file("履歴", columns, rows)


def _memo_column(tx: ReadTx, event_id: int) -> tuple[str, int]:
    return rules.memo_column(event_of(tx, event_id).extra_text_label)


def _latest(tx: ReadTx, event_id: int, as_of: datetime | None) -> Iterator[tuple[int, str, str, Cell]]:
    for row in status_stream(tx, event_id, as_of):
        yield row.member_id, row.name, row.status, row.extra_text


def _history(
    tx: ReadTx, event_id: int, as_of: datetime | None, format_moment: Callable[[str], str]
) -> Iterator[tuple[int, str, int, str, str, Cell]]:
    for row in history_stream(tx, event_id, as_of):
        yield row.id, format_moment(row.responded_at), row.member_id, row.name, row.status, row.extra_text


def _for_people(stored: str) -> str:
    return display(parse_text(stored))
