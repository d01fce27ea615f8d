"""`tsudoi members sync` as a person in front of a terminal meets it: real HTTP to the sheet, both databases."""

from typing import Any

import pytest
from openpyxl import Workbook  # type: ignore[import-untyped]

from tests.factories.office import Office, office, people, quiet
from tests.factories.processes import without_where
from tests.factories.sheets import HEADERS, SHEET_ID, Rows, line_id, put_sheet, roster
from tests.product_fixtures import sqlite_only
from tsudoi.commands import members_report
from tsudoi.gateway.clients import sheets

__all__ = ["office", "quiet"]


class TestSync:
    def test_prints_what_it_does_and_does_it(self, office: Office) -> None:
        put_sheet(office.box, roster([1, "山田 太郎", 10], [2, "佐藤 花子"], [3, "鈴木"], [4, "林"], [5, "森"]))
        first = office.sync()
        assert (first.code, without_where(first.err)[1]) == (0, "")
        assert "山田 太郎" in first.out
        headers = [*reversed(HEADERS), "備考"]
        rows: Rows = [
            ["", "", line_id(1), "", 20, "山田 次郎", 1],
            *(
                ["", "", "", "", "", name, number]
                for number, name in ((2, "佐藤 花子"), (3, "鈴木"), (4, "林"), ("x", "[bold]壊れた行"))
            ),
        ]
        put_sheet(office.box, roster(*rows, headers=headers))
        second = office.sync()
        assert second.code == 1
        told = [
            "変更",
            "山田 太郎",
            "山田 次郎",
            "10",
            "20",
            "退会",
            "森",
            "拒否",
            "id が正の整数",
            "[bold]壊れた行",
            "備考",
        ]
        assert [part for part in told if part not in second.out] == []
        assert office.members()[0] == (1, "山田 次郎", line_id(1), 1, None)
        assert office.members()[4][4] is not None
        assert office.runs() == 2

    def test_dry_run_tells_the_same_and_changes_nothing(self, office: Office) -> None:
        put_sheet(office.box, roster([1, "林"], ["x", "森"]))
        dry = office.sync("--dry-run")
        assert (dry.code, office.members(), office.runs()) == (1, [], 0)
        real = office.sync()
        assert dry.out.partition("確認のみ")[0] == real.out.partition("同期しました")[0]
        assert len(office.members()) == 1

    def test_more_than_a_fifth_gone_needs_force(self, office: Office) -> None:
        put_sheet(office.box, people(6))
        assert office.sync().code == 0
        put_sheet(office.box, people(4))
        for arguments in ((), ("--dry-run",)):
            stopped = office.sync(*arguments)
            assert stopped.code == 3
            assert "--force" in stopped.err
            assert "会員6" in stopped.out, "it is shown all the same"
        assert all(row[4] is None for row in office.members())
        assert office.sync("--force").code == 0
        assert sum(row[4] is not None for row in office.members()) == 2

    def test_long_lists_are_cut_unless_asked_for(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.commands.members_report._LINES", 3)
        put_sheet(office.box, people(9))
        short = office.sync("--dry-run")
        assert "ほか 6 件" in short.out
        assert "会員9" not in short.out
        assert "会員9" in office.sync("--dry-run", "--verbose").out

    def test_very_long_lists_come_as_several_tables(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.commands.members_report._LINES_PER_TABLE", 4)
        put_sheet(office.box, people(9))
        told = office.sync("--dry-run", "--verbose").out
        assert told.count("氏名") == 3
        assert [number for number in range(1, 10) if f"会員{number} " not in told] == []

    def test_long_rosters_show_their_progress(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(members_report, "_LONG_ROSTER", 5)
        monkeypatch.setattr(members_report, "_STEP", 5)
        put_sheet(office.box, people(20))
        done = office.sync()
        assert done.code == 0
        assert "読み取り" in done.err
        assert "書き込み" in done.err

    def test_the_key_of_a_name_follows_the_setting(self, office: Office) -> None:
        put_sheet(office.box, roster([1, "ｱﾍﾞ"], [2, "アベ"]))
        assert office.sync(ONBOARDING_NAME_NFKC="1").code == 1
        assert office.members() == []
        assert office.sync(ONBOARDING_NAME_NFKC="0").code == 0


class TestUnreadable:
    @pytest.mark.parametrize("kind", ["error_500_before", "rate_limited", "timeout_before_accept", "drop_connection"])
    def test_a_sheet_that_cannot_be_reached_changes_nothing(self, office: Office, kind: str) -> None:
        put_sheet(office.box, people(3))
        office.sync()
        before = office.members()
        put_sheet(office.box, people(2))
        office.box.breaks(kind, "sheets")
        done = office.sync("--force")
        assert (done.code, office.members(), office.runs()) == (2, before, 1)
        assert "何も変更していません" in done.err
        office.box.mends()
        assert office.sync("--force").code == 0

    def test_nor_one_that_goes_away_half_way(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        put_sheet(office.box, people(6))
        office.sync()
        before = office.members()
        monkeypatch.setattr(sheets, "_ROWS_AT_A_TIME", 3)
        slices = sheets.OpenSheet._slice

        def vanish(self: sheets.OpenSheet, first: int, last: int) -> list[list[Any]]:
            if first > 1:
                office.box.http.delete(f"/_sandbox/sheets/{SHEET_ID}").raise_for_status()
            return slices(self, first, last)

        monkeypatch.setattr(sheets.OpenSheet, "_slice", vanish)
        done = office.sync("--force")
        assert (done.code, office.members()) == (2, before)

    def test_nor_one_that_is_not_shared_or_lacks_its_headers(self, office: Office) -> None:
        put_sheet(office.box, people(3), shared=False)
        assert office.sync().code == 2
        put_sheet(office.box, [["id", "なまえ"], [1, "林"]])
        done = office.sync()
        assert done.code == 2
        assert "氏名" in done.err

    @sqlite_only
    @pytest.mark.parametrize("name", ["MEMBERS_SHEET_ID", "GOOGLE_SERVICE_ACCOUNT_FILE"])
    def test_settings_that_are_missing_are_named(self, office: Office, name: str) -> None:
        done = office.sync(**{name: ""})
        assert done.code == 2
        assert name in done.err

    @sqlite_only
    def test_a_database_without_its_schema_is_told_in_words(self, office: Office) -> None:
        done = office.sync(DATABASE_URL=f"sqlite:///{office.folder / 'other.sqlite3'}")
        assert done.code == 2
        assert "migrate" in done.err


class TestFile:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
    def test_csv(self, office: Office, encoding: str) -> None:
        path = office.folder / "members.csv"
        path.write_bytes("表示順,氏名,ID\n10,髙橋　美咲,7\n,林,x\n".encode(encoding))
        done = office.sync("--file", str(path))
        assert done.code == 1
        assert [row[:2] for row in office.members()] == [(7, "髙橋　美咲")]

    def test_xlsx(self, office: Office) -> None:
        book = Workbook()
        for row in people(4):
            book.active.append(row)
        book.save(office.folder / "m.xlsx")
        assert office.sync("--file", str(office.folder / "m.xlsx")).code == 0
        assert len(office.members()) == 4

    @sqlite_only
    def test_that_is_none_and_one_to_write_back_to(self, office: Office) -> None:
        assert office.sync("--file", str(office.folder / "nothing.csv")).code == 2
        (office.folder / "m.csv").write_text("id,氏名\n1,a\n", encoding="utf-8")
        done = office.sync("--file", str(office.folder / "m.csv"), "--write-back")
        assert (done.code, office.members()) == (2, [])
        assert "--write-back" in done.err
