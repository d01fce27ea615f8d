"""The office's files."""

import io
from collections.abc import Iterable, Sequence

from tsudoi.booking.reservations.queries.office import office_rows
from tsudoi.booking.reservations.queries.reservations import hold_expired
from tsudoi.booking.reservations.rules.listing import COLUMNS, cells
from tsudoi.booking.reservations.schemas import FileOptions, ReservationExport
from tsudoi.core import csv_text, xlsx
from tsudoi.core.csv_text import Cell
from tsudoi.core.db.interface import ReadTx


def reservation_file(tx: ReadTx, asked: ReservationExport) -> bytes:
    iso_5218 = asked.sex_code is not None
    rows = (cells(row, iso_5218=iso_5218, expired=hold_expired(row, tx.now)) for row in office_rows(tx, asked))
    return file_content("予約", COLUMNS, rows, asked)


def file_content(
    title: str, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[Cell]], options: FileOptions
) -> bytes:
    if options.format == "csv":
        return csv_text.encoded([name for name, _ in columns], rows, options.encoding)
    target = io.BytesIO()
    xlsx.write(target, title, columns, rows)
    return target.getvalue()
