"""Reads XLSX with openpyxl, without keeping all texts of a workbook in memory."""

from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from tempfile import TemporaryFile
from typing import IO, Any
from xml.etree.ElementTree import Element

from openpyxl.reader.excel import ExcelReader  # type: ignore[import-untyped]
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS  # type: ignore[import-untyped]
from openpyxl.xml.functions import iterparse  # type: ignore[import-untyped]

_TEXT, _RUN, _STRING = (f"{{{SHEET_MAIN_NS}}}{name}" for name in ("t", "r", "si"))


class SharedStrings:
    """The list of all texts of a workbook, to which its cells refer, in a temporary file."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 (closed with the workbook)
        self._ends = array("Q", [0])

    def read(self, source: IO[bytes]) -> None:
        events = iterparse(source, ("start", "end"))
        root = next(events)[1]
        for event, element in events:
            if event == "end" and element.tag == _STRING:
                self._append(_content(element))
                # Otherwise the tree would grow with every text.
                root.clear()

    def _append(self, text: str) -> None:
        self._ends.append(self._ends[-1] + self._file.write(text.encode("utf-8", "surrogatepass")))

    def __getitem__(self, place: int) -> str:
        start, end = self._ends[place], self._ends[place + 1]
        self._file.seek(start)
        return self._file.read(end - start).decode("utf-8", "surrogatepass")

    def close(self) -> None:
        self._file.close()


def _content(string: Element) -> str:
    """The element also contains readings (furigana), which are not part of the text."""
    parts = (*string.findall(_TEXT), *string.findall(f"{_RUN}/{_TEXT}"))
    # Excel escapes an underscore that would otherwise look like the start of an escaped character.
    return "".join(part.text or "" for part in parts).replace("x005F_", "")


class _WorkbookReader(ExcelReader):  # type: ignore[misc]
    """The reader of openpyxl, with the shared texts in a temporary file instead of in memory."""

    def read_strings(self) -> None:
        self.shared_strings = SharedStrings()
        part = self.package.find(SHARED_STRINGS)
        if part is not None:
            with self.archive.open(part.PartName[1:]) as source:
                self.shared_strings.read(source)


@contextmanager
def opened(file: IO[bytes]) -> Iterator[Any]:
    """Open a workbook from a file object, because openpyxl checks the extension of a path."""
    reader = _WorkbookReader(file, read_only=True, data_only=True, keep_links=False)
    with closing(reader.archive):
        reader.read()
        with closing(reader.shared_strings):
            yield reader.wb
