"""A workbook that Excel opens without a complaint, whatever people have written into it."""

import io
import tracemalloc
from collections.abc import Iterator
from tempfile import TemporaryFile

import openpyxl  # type: ignore[import-untyped]

from tsudoi.core.csv_text import Cell
from tsudoi.core.xlsx import write

COLUMNS = (("会員ID", 10), ("氏名", 24))


def read_back(*rows: tuple[Cell, ...]) -> list[list[tuple[object, str]]]:
    file = io.BytesIO()
    write(file, "最新", COLUMNS, rows)
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == ["最新"]
    assert book.active.freeze_panes == "A2"
    return [[(cell.value, cell.data_type) for cell in row] for row in book.active.iter_rows()]


class TestWrite:
    def test_gives_back_numbers_and_text(self) -> None:
        assert read_back((101, "山田太郎"), (102, None)) == [
            [("会員ID", "s"), ("氏名", "s")],
            [(101, "n"), ("山田太郎", "s")],
            [(102, "n"), (None, "n")],
        ]

    def test_has_text_where_a_formula_was_typed(self) -> None:
        for typed in ("=1+1", "+1", "@x", "#N/A", "<b>&amp;</b>", " 前後 ", "a\nb", "😀𠮷", "]]>"):
            assert read_back((1, typed))[1][1] == (typed, "s")

    def test_leaves_out_what_xml_cannot_say(self) -> None:
        assert read_back((1, "a\x00b\x0bc\x1fd\uffffe"))[1][1] == ("abcde", "s")
        assert read_back((1, "a\r\nb\rc"))[1][1] == ("a\nb\nc", "s")

    def test_is_a_book_also_without_rows(self) -> None:
        assert len(read_back()) == 1

    def test_needs_no_more_memory_for_more_rows(self) -> None:
        def rows(number: int) -> Iterator[tuple[Cell, ...]]:
            return ((count, f"会員{count}" * 5) for count in range(number))

        def most(number: int) -> int:
            with TemporaryFile() as file:
                tracemalloc.start()
                write(file, "最新", COLUMNS, rows(number))
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
            return peak

        most(10)
        assert most(20_000) < most(1_000) + 500_000
