"""Roster files: what spreadsheets save, and what must not be swallowed."""

import re
import tracemalloc
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook  # type: ignore[import-untyped]

from tsudoi.gateway.clients import sheets_files
from tsudoi.gateway.clients.sheets import column_letters
from tsudoi.gateway.clients.sheets_files import file_rows
from tsudoi.gateway.clients.sheets_outcomes import BadFile, SheetsError

TEXT = 'id,氏名\r\n1,"山田, 太郎"\r\n2,"髙橋\n美咲"\r\n'
ROWS = [(1, ["id", "氏名"]), (2, ["1", "山田, 太郎"]), (3, ["2", "髙橋\n美咲"])]


def read(path: Path) -> list[Any]:
    return list(file_rows(path, "Members"))


def refused(path: Path) -> str:
    with pytest.raises(SheetsError) as stop:
        read(path)
    assert isinstance(stop.value.failure, BadFile)
    return stop.value.failure.reason


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def as_excel_writes(path: Path, changes: dict[str, str] | None = None) -> Path:
    """Excel and Google keep the texts of a workbook in a list of their own; openpyxl only reads it."""
    places: dict[str, int] = {}

    def point(found: re.Match[str]) -> str:
        return f't="s"><v>{places.setdefault(found.group(1), len(places))}</v>'

    def rewritten(name: str, content: str) -> str:
        if name.startswith("xl/worksheets/"):
            return re.sub(r't="inlineStr"><is><t>(.*?)</t></is>', point, content)
        if name == "[Content_Types].xml":
            kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
            return content.replace("</Types>", f'<Override PartName="/xl/s.xml" ContentType="{kind}"/></Types>')
        return content

    made = path.with_stem(f"{path.stem}-shared")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            new.writestr(name, rewritten(name, old.read(name).decode()))
        texts = "".join(f"<si><t>{text}</t></si>" for text in places)
        for before, after in (changes or {}).items():
            assert before in texts
            texts = texts.replace(before, after)
        new.writestr(
            "xl/s.xml", f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{texts}</sst>'
        )
    return made


def _peak(path: Path) -> int:
    tracemalloc.start()
    try:
        for _ in file_rows(path, "Members"):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class TestCsv:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
    def test_in_each_encoding(self, tmp_path: Path, encoding: str) -> None:
        path = tmp_path / "members.csv"
        path.write_bytes(TEXT.encode(encoding))
        assert read(path) == ROWS

    @pytest.mark.parametrize("content", [TEXT.encode("utf-16"), b"\xff\xfe\xfd\x80\x81", "é,ü".encode("latin-1")])
    def test_not_in_another(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "members.csv"
        path.write_bytes(content)
        try:
            headers = read(path)[0][1]
        except SheetsError:
            return
        assert "氏名" not in headers, "nothing that would be taken for a roster"

    def test_an_empty_one(self, tmp_path: Path) -> None:
        (tmp_path / "m.csv").touch()
        assert read(tmp_path / "m.csv") == []

    def test_too_many_rows_or_too_long_a_cell(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "m.csv"
        path.write_text("id,氏名\n" + "1,a\n" * 20, encoding="utf-8")
        monkeypatch.setattr(sheets_files, "MOST_ROWS", 20)
        assert "20" in refused(path)
        for length in (60_000, 200_000):
            path.write_text(f"id,氏名\n1,{'a' * length}\n", encoding="utf-8")
            refused(path)

    def test_no_file_and_a_huge_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        refused(tmp_path / "nothing.csv")
        refused(tmp_path)
        (tmp_path / "m.csv").write_text("id,氏名\n")
        monkeypatch.setattr(sheets_files, "_LARGEST_FILE", 5)
        refused(tmp_path / "m.csv")


class TestXlsx:
    def test_the_sheet_members_or_the_first(self, tmp_path: Path) -> None:
        rows: list[list[Any]] = [["id", "氏名", "is_target"], [1, "林", True], [2, "森", False]]
        both = workbook(tmp_path / "a.xlsx", Other=[["x"]], Members=rows)
        assert [cells for _, cells in read(both)] == rows
        first = workbook(tmp_path / "b.xlsx", 会員=rows, Other=[["x"]])
        assert [cells for _, cells in read(first)] == rows

    def test_dates_and_formulas_do_not_stop_it(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", Members=[["id", "氏名"], [1, date(2025, 1, 1)], ["=1+1", "林"]])
        found = read(path)
        assert found[2] == (3, [None, "林"]), "a formula nobody has calculated yet has no value"

    def test_texts_in_pieces_and_with_readings(self, tmp_path: Path) -> None:
        plain = workbook(tmp_path / "a.xlsx", Members=[["id", "氏名"], [1, "林"], [2, "森"], [3, "林"]])
        pieces = "<si><r><t>山田</t></r><r><t> 太郎</t></r><rPh sb='0' eb='2'><t>ヤマダ</t></rPh></si>"
        path = as_excel_writes(plain, {"<si><t>林</t></si>": pieces, "<t>森</t>": "<t>_x005F_森</t>"})
        assert [cells for _, cells in read(path)] == [["id", "氏名"], [1, "山田 太郎"], [2, "_森"], [3, "山田 太郎"]]

    def test_a_text_that_is_not_there(self, tmp_path: Path) -> None:
        refused(as_excel_writes(workbook(tmp_path / "a.xlsx", Members=[["id", "氏名"]]), {"<si><t>氏名</t></si>": ""}))

    def test_does_not_keep_the_texts(self, tmp_path: Path) -> None:
        few, many = (
            as_excel_writes(workbook(tmp_path / f"{count}.xlsx", Members=[[n, f"{n:01000}"] for n in range(count)]))
            for count in (500, 4_000)
        )
        read(few)  # Loads the library.
        assert _peak(many) - _peak(few) < 1_500_000, "the texts alone are 3.5 MB longer"

    def test_is_known_by_its_content(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", Members=[["id", "氏名"]])
        assert read(path.rename(tmp_path / "a.csv")) == [(1, ["id", "氏名"])]

    def test_what_is_none(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        old = tmp_path / "old.xls"
        old.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(100))
        assert ".xlsx" in refused(old)
        cut = tmp_path / "cut.xlsx"
        cut.write_bytes(workbook(tmp_path / "a.xlsx", Members=[["id"]]).read_bytes()[:900])
        refused(cut)
        other = tmp_path / "other.xlsx"
        with zipfile.ZipFile(other, "w") as packed:
            packed.writestr("hello.txt", "hello")
        refused(other)
        monkeypatch.setattr(sheets_files, "_LARGEST_UNPACKED", 100)
        assert "unpacked" in refused(tmp_path / "a.xlsx")


@pytest.mark.parametrize(("place", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")])
def test_names_of_columns(place: int, name: str) -> None:
    assert column_letters(place) == name
