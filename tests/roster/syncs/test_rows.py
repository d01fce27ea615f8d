"""What a header and a cell mean."""

from typing import Any

import pytest

from tests.factories.sheets import HEADERS, line_id, plan_of
from tsudoi.roster.syncs.rules import sheet as sheet_rules
from tsudoi.roster.syncs.rules.cells import BadHeaders, RefusedRow, SheetRow, read_headers, read_row
from tsudoi.roster.syncs.rules.plan import SyncPlan
from tsudoi.roster.syncs.rules.sheet import TooManyRows


def read_one(**cells: Any) -> SheetRow | RefusedRow:
    values = {"id": 1, "氏名": "山田 太郎", **cells}
    return read_row(read_headers(list(values)), 2, list(values.values()), nfkc=False)


def sheet_of(*rows: list[Any]) -> SyncPlan:
    """Against an empty roster every good row is a new member."""
    return plan_of([HEADERS, *rows])


class TestHeaders:
    @pytest.mark.parametrize(
        ("header", "name"),
        [
            ("id", "id"),
            (" ＩＤ　", "id"),
            ("氏名", "name"),
            ("Name", "name"),
            ("表示順", "display_order"),
            ("Display Order", "display_order"),
            ("ｄｉｓｐｌａｙ＿ｏｒｄｅｒ", "display_order"),
            ("ROLE", "role"),
            ("LINE User ID", "line_user_id"),
            ("line_display_name", "line_display_name"),
            ("is_target", "is_target"),
            ("ﾒｰﾙ", "email"),
            ("メール", "email"),
            ("ﾌﾘｶﾞﾅ", "kana"),
            ("Kana", "kana"),
            ("\ufeffEmail", "email"),
        ],
    )
    def test_are_known_however_they_are_typed(self, header: str, name: str) -> None:
        others = [other for other in ("id", "name") if other != name]
        assert read_headers([header, *others]).places[name] == 0

    def test_come_in_any_order_and_unknown_ones_are_noted(self) -> None:
        columns = read_headers(["備考", "メール", "", None, "氏名", "住所", "id"])
        assert columns.places == {"email": 1, "name": 4, "id": 6}
        assert columns.unknown == ("備考", "住所")

    @pytest.mark.parametrize(
        "headers", [[], ["id"], ["氏名"], ["a", "b"], ["id", "氏名", "name"], ["ID", "id", "名前"]]
    )
    def test_without_id_and_name_or_with_two_of_them_the_sheet_is_refused(self, headers: list[str]) -> None:
        with pytest.raises(BadHeaders):
            read_headers(headers)


class TestRow:
    def test_a_full_one(self) -> None:
        row = read_one(表示順="30", role="Admin", line_user_id=line_id(7), is_target=1, メール=" a@example.jp ")
        assert row == SheetRow(2, 1, "山田 太郎", "山田太郎", 30, "admin", line_id(7), 1, "a@example.jp")

    def test_a_short_one(self) -> None:
        columns = read_headers(HEADERS)
        assert read_row(columns, 9, [5, "林"], nfkc=False) == SheetRow(9, 5, "林", "林")

    @pytest.mark.parametrize("cell", [7, 7.0, "7", "７", " 7 ", "007", "7.0"])
    def test_ids_as_people_and_programs_write_them(self, cell: Any) -> None:
        row = read_one(id=cell)
        assert isinstance(row, SheetRow)
        assert row.id == 7

    @pytest.mark.parametrize("cell", ["abc", "7a", 0, -1, 1.5, 2**53 + 1, "1e3", True, "一", "9" * 40, float("inf")])
    def test_ids_that_are_none(self, cell: Any) -> None:
        row = read_one(id=cell)
        assert isinstance(row, RefusedRow)
        assert "id" in row.reasons[0]
        assert row.id is None

    @pytest.mark.parametrize("cell", ["", None, "  ", "\u3000"])
    def test_no_id(self, cell: Any) -> None:
        row = read_one(id=cell)
        assert isinstance(row, RefusedRow)
        assert "no id" in row.reasons[0]

    @pytest.mark.parametrize("cell", ["", None, " \u3000", "\u200b", "\u3164", "\ufe0f", "あ" * 101])
    def test_names_that_are_none(self, cell: Any) -> None:
        assert isinstance(read_one(氏名=cell), RefusedRow)

    @pytest.mark.parametrize(
        ("header", "cell"),
        [
            ("line_user_id", "U123"),
            ("line_user_id", "u" + "0" * 32),
            ("line_user_id", "U" + "G" * 32),
            ("is_target", 2),
            ("is_target", "はい"),
            ("role", "root"),
            ("表示順", "一番"),
            ("表示順", 1.5),
            ("表示順", 2**31),
            ("メール", "example.jp"),
            ("ふりがな", "あ" * 101),
            ("メール", "a@" + "b" * 300),
        ],
    )
    def test_other_cells_that_cannot_be_right(self, header: str, cell: Any) -> None:
        row = read_one(**{header: cell})
        assert isinstance(row, RefusedRow)
        assert (row.number, row.id, row.name_key) == (2, 1, "山田太郎")

    def test_every_reason_is_told_at_once(self) -> None:
        row = read_one(id="x", 氏名="", role="root", 表示順="a")
        assert isinstance(row, RefusedRow)
        assert len(row.reasons) == 4

    @pytest.mark.parametrize(
        ("cell", "value"),
        [(True, 1), (False, 0), ("TRUE", 1), ("false", 0), ("１", 1), (1.0, 1), ("", None)],
    )
    def test_is_target_may_be_a_check_box(self, cell: Any, value: int | None) -> None:
        row = read_one(is_target=cell)
        assert isinstance(row, SheetRow)
        assert row.is_target == value

    def test_text_becomes_one_line_that_both_databases_can_store(self) -> None:
        row = read_one(氏名="\n山田\r\n太郎\x00\ud800 ", メール="a@b.jp\x00")
        assert isinstance(row, SheetRow)
        assert (row.name, row.email) == ("山田  太郎", "a@b.jp")

    def test_the_key_follows_the_setting(self) -> None:
        columns = read_headers(["id", "氏名"])
        keys = [read_row(columns, 2, [1, "ｱﾍﾞ ＡＢ"], nfkc=nfkc).name_key for nfkc in (False, True)]
        assert keys == ["ｱﾍﾞａｂ", "アベab"]


class TestSheet:
    def test_empty_rows_are_skipped_even_with_check_boxes_and_orders(self) -> None:
        found = sheet_of([1, "林"], [], ["", "", 20, "", "", False], [None, None], [2, "森"])
        assert [row.number for row in found.new] == [2, 6]
        assert found.refused == ()

    def test_what_stands_twice_is_refused_wherever_it_stands(self) -> None:
        found = sheet_of([1, "林"], [1, "森"], [2, "南"], [3, "東"], ["4", "東 "], [5, "北", "", "root"], [6, "北"])
        assert [row.id for row in found.new] == [2]
        assert [row.number for row in found.refused] == [2, 3, 5, 6, 7, 8]
        assert "2・3行目" in found.refused[0].reasons[0]

    def test_every_reason_is_told_in_its_order(self) -> None:
        rows = [[1, "林", "", "", line_id(1)]] * 5
        found = sheet_of(*rows)
        assert len(found.refused) == 5
        told = ["同じ id が2・3・4…行目", "同じ氏名が2・3・4…行目", "同じ line_user_id が2・3・4…行目"]
        for row in found.refused:
            assert [reason.partition("に")[0] for reason in row.reasons] == told

    def test_too_many_rows_are_refused_as_a_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sheet_rules, "MOST_ROWS", 2)
        assert len(sheet_of([1, "林"], [], [2, "森"]).new) == 2, "blank rows are not counted"
        with pytest.raises(TooManyRows, match="2行まで"):
            sheet_of([1, "林"], [2, "森"], [3, "東"])

    def test_a_line_account_twice(self) -> None:
        found = sheet_of([1, "林", "", "", line_id(1)], [2, "森", "", "", line_id(1)], [3, "東", "", "", line_id(3)])
        assert [(row.id, row.line_user_id) for row in found.new] == [(3, line_id(3))]

    def test_names_that_only_differ_in_what_nobody_sees_are_the_same(self) -> None:
        assert len(sheet_of([1, "山田 太郎"], [2, "山田\u3000太\u200b郎"]).refused) == 2
