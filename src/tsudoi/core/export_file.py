"""Files that the office exports.

Each is written to a temporary file inside one snapshot and sent from there, so that a slow download holds no connection
to the database and a hundred thousand rows need little memory.
"""

import codecs
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Literal

from tsudoi.core import csv_text, xlsx
from tsudoi.core.csv_text import Cell

CsvEncoding = Literal["utf8", "cp932"]

# Smaller files are kept in memory.
_IN_MEMORY = 1_000_000
# Printers use this sign for a character that they do not have. CP932 has no 𠮷, for example.
_MISSING_CHARACTER = "〓"
_ERRORS = "tsudoi_missing_character"


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An exported file that is ready to be sent, and its size in bytes."""

    file: IO[bytes]
    size: int


def csv_file(header: Sequence[str], rows: Iterable[Sequence[Cell]], encoding: CsvEncoding = "utf8") -> ExportFile:
    """`cp932` is for programs that cannot read UTF-8."""

    def write(file: IO[bytes]) -> None:
        codec, errors = ("utf-8", "strict") if encoding == "utf8" else ("cp932", _ERRORS)
        text = io.TextIOWrapper(file, encoding=codec, errors=errors, newline="")
        csv_text.write(text, header, rows, bom=encoding == "utf8")
        text.detach()  # Flushes, and leaves the file open.

    return _written(write)


def xlsx_file(title: str, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[Cell]]) -> ExportFile:
    """`columns`: the name and the width of each."""
    return _written(lambda file: xlsx.write(file, title, columns, rows))


def _written(write: Callable[[IO[bytes]], None]) -> ExportFile:
    file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed after it was sent)
    try:
        write(file)
    except BaseException:
        file.close()
        raise
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return ExportFile(file, size)


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return _MISSING_CHARACTER * (error.end - error.start), error.end


codecs.register_error(_ERRORS, _replaced)
