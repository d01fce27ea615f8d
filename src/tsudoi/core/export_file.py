"""Files that the office exports.

Each is written to a temporary file inside one snapshot and sent from there, so that a slow download holds no connection
to the database and a hundred thousand rows need little memory.
"""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO

from tsudoi.core import csv_text, xlsx
from tsudoi.core.csv_text import Cell, CsvEncoding

# Smaller files are kept in memory.
_IN_MEMORY = 1_000_000


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An exported file that is ready to be sent, and its size in bytes."""

    file: IO[bytes]
    size: int


def csv_file(header: Sequence[str], rows: Iterable[Sequence[Cell]], encoding: CsvEncoding = "utf8") -> ExportFile:
    """`cp932` is for programs that cannot read UTF-8; such a file is made in memory."""
    if encoding == "cp932":
        return _written(lambda file: file.write(csv_text.encoded(header, rows, encoding)))

    def write(file: IO[bytes]) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        csv_text.write(text, header, rows)
        text.detach()  # Flushes, and leaves the file open.

    return _written(write)


def xlsx_file(title: str, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[Cell]]) -> ExportFile:
    """`columns`: the name and the width of each."""
    return _written(lambda file: xlsx.write(file, title, columns, rows))


def _written(write: Callable[[IO[bytes]], object]) -> ExportFile:
    file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed after it was sent)
    try:
        write(file)
    except BaseException:
        file.close()
        raise
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return ExportFile(file, size)
