"""The files that the office exports.

Each is written to a temporary file inside one snapshot and sent from there, so that a slow download holds no connection
to the database and a hundred thousand rows need little memory.
"""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO

from tsudoi.core import csv_text, xlsx
from tsudoi.core.clock import display, parse_text
from tsudoi.core.csv_text import Cell
from tsudoi.core.db.interface import ReadTx
from tsudoi.events.answers.queries import history_stream, status_stream
from tsudoi.events.answers.rules import shown
from tsudoi.events.event.queries import event_of
from tsudoi.events.overview import rules

# Smaller files are kept in memory.
_IN_MEMORY = 1_000_000


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An exported file that is ready to be sent, and its size in bytes."""

    file: IO[bytes]
    size: int


def latest_csv(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    return _export_file(lambda file: _csv(file, rules.LATEST, _latest(tx, event_id, as_of)))


def latest_xlsx(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    rows = ((*row[:2], rules.WORDS[row[2]], row[3]) for row in _latest(tx, event_id, as_of))
    columns = (*rules.LATEST_FOR_PEOPLE, _memo_column(tx, event_id))
    return _export_file(lambda file: xlsx.write(file, "最新", columns, rows))


def history_csv(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    return _export_file(lambda file: _csv(file, rules.HISTORY, _history(tx, event_id, as_of, shown)))


def history_xlsx(tx: ReadTx, event_id: int, as_of: datetime | None) -> ExportFile:
    rows = (
        (*row[:4], rules.WORDS[row[4]], row[5])
        for row in _history(tx, event_id, as_of, lambda stored: display(parse_text(stored)))
    )
    columns = (*rules.HISTORY_FOR_PEOPLE, _memo_column(tx, event_id))
    return _export_file(lambda file: xlsx.write(file, "履歴", columns, rows))


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


def _csv(file: IO[bytes], header: tuple[str, ...], rows: Iterator[tuple[Cell, ...]]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    csv_text.write(text, header, rows)
    text.detach()  # Flushes, and leaves the file open.


def _export_file(write: Callable[[IO[bytes]], None]) -> ExportFile:
    file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed after it was sent)
    try:
        write(file)
    except BaseException:
        file.close()
        raise
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return ExportFile(file, size)
