"""CSV that Excel opens rightly and never runs."""

import csv
import io

import pytest

from tsudoi.core.csv_text import BOM, Cell, bare, safe, write


def written(*rows: tuple[Cell, ...]) -> str:
    target = io.StringIO(newline="")
    write(target, ("id", "name"), rows)
    return target.getvalue()


class TestSafe:
    @pytest.mark.parametrize(
        "text",
        [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "＝1",
            "＋81",
            "－1",
            "＠x",
            "  =1",
            "　=1",
            "\n=1",
            "\ufeff=1",
        ],
    )
    def test_makes_text_of_what_would_run(self, text: str) -> None:
        assert safe(text) == f"'{text}"

    @pytest.mark.parametrize("text", ["", " ", "山田太郎", "a=1", "1-2", "'=1", "「=」"])
    def test_leaves_other_text_alone(self, text: str) -> None:
        assert safe(text) == text

    @pytest.mark.parametrize("value", [0, -5, None])
    def test_leaves_our_own_numbers_alone(self, value: Cell) -> None:
        assert safe(value) == value


class TestWrite:
    def test_begins_with_the_mark_and_ends_lines_as_windows_does(self) -> None:
        assert written((1, "山田")) == f"{BOM}id,name\r\n1,山田\r\n"
        assert written() == f"{BOM}id,name\r\n"

    def test_comes_back_whole_from_the_csv_module(self) -> None:
        hostile = ['a,b\n"c"', "行1\r\n行2", "", "😀 𠮷野家", "x" * 5000, '""', "a;b\tc"]
        text = written(*enumerate(hostile))
        found = list(csv.reader(io.StringIO(text.removeprefix(BOM), newline="")))
        assert found == [["id", "name"], *([str(number), name] for number, name in enumerate(hostile))]

    def test_writes_nothing_for_nothing(self) -> None:
        assert written((None, None)).endswith("\r\n,\r\n")


@pytest.mark.found("24.C4")
class TestBare:
    @pytest.mark.parametrize("text", ["=1+1", "  +81", "＠x", "山田", "'", "", "O'Brien", "''"])
    def test_undoes_what_safe_has_done(self, text: str) -> None:
        assert bare(str(safe(text))) == text


@pytest.mark.found("24.C4")
def test_a_heading_from_outside_is_no_formula_either() -> None:
    target = io.StringIO(newline="")
    write(target, ("=1+1", "名前"), [])
    assert target.getvalue() == f"{BOM}'=1+1,名前\r\n"
