"""`tsudoi members sync --write-back`: the sheet learns who is linked, and nothing else."""

from typing import Any

import pytest
from sqlalchemy import insert, text

from tests.factories.office import Office, office, people, quiet
from tests.factories.sheets import HEADERS, Rows, line_id, put_sheet, roster, sheet_rows
from tests.product_fixtures import sqlite_only
from tsudoi.gateway.clients.sheets_outcomes import Failure
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.syncs import commands as sync_commands

__all__ = ["office", "quiet"]
WIDE = [*HEADERS, "line_display_name", "備考"]


def link(office: Office, member_id: int, name: str | None) -> None:
    values = {"user": line_id(member_id), "name": name, "id": member_id}
    statement = text("UPDATE members SET line_user_id=:user, line_display_name=:name, is_target=1 WHERE id=:id")
    office.db.write_now(lambda tx: tx.execute(statement, values))


class TestWriteBack:
    def test_fills_what_is_empty_and_touches_nothing_else(self, office: Office) -> None:
        rows = roster(
            [1, "林", 10, "", "", "", "", "", "メモ"],
            [2, "森", "", "", line_id(2)],
            ["x", "壊れた行"],
            [3, "東", "", "", "", "", "", "自分で書いた名前"],
            [4, "西"],
            headers=WIDE,
        )
        put_sheet(office.box, rows)
        office.sync()
        link(office, 1, "=HYPERLINK(1)")
        link(office, 3, "ひがし")
        dry = office.sync("--write-back", "--dry-run")
        assert sheet_rows(office.box) == rows
        assert "cells to fill: 3" in dry.out
        done = office.sync("--write-back")
        assert (done.code, "cells filled: 3" in done.out) == (1, True)
        expected = [list(row) for row in rows]
        expected[1][4], expected[1][7] = line_id(1), "=HYPERLINK(1)"
        expected[4][4] = line_id(3)
        assert sheet_rows(office.box) == expected
        again = office.sync("--write-back")
        assert "cells filled: 0" in again.out
        assert "変更なし / unchanged │    4" in again.out
        assert len(office.box.calls("values:batchUpdate")) == 1

    def test_a_long_sheet_is_filled_stretch_by_stretch(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sync_commands, "_ROWS_AT_A_TIME", 3)
        put_sheet(office.box, people(8))
        office.sync()
        for number in (1, 2, 3, 8):
            link(office, number, None)
        assert "cells filled: 4" in office.sync("--write-back").out
        assert len(office.box.calls("values:batchUpdate")) == 3
        found = [row[4] if len(row) > 4 else "" for row in sheet_rows(office.box)[1:]]
        assert found == [line_id(1), line_id(2), line_id(3), "", "", "", "", line_id(8)]

    def test_a_row_that_moved_since_is_left_alone(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        put_sheet(office.box, people(5))
        office.sync()
        link(office, 1, None)
        link(office, 5, None)
        moved: Rows = [HEADERS, [9, "割り込み"], *people(4)[1:], ["", "", "", "", ""], [5, "会員5"]]
        original = sync_commands.write_back

        def late(*arguments: Any) -> int | Failure:
            put_sheet(office.box, moved)
            return original(*arguments)

        monkeypatch.setattr(sync_commands, "write_back", late)
        done = office.sync("--write-back")
        assert sheet_rows(office.box) == moved
        assert "2 left alone" in done.out

    def test_that_fails_leaves_the_roster_in_step(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        put_sheet(office.box, people(3))
        office.sync()
        link(office, 1, None)
        original = sync_commands.write_back

        def broken(*arguments: Any) -> int | Failure:
            office.box.breaks("error_500_before", "sheets")
            return original(*arguments)

        monkeypatch.setattr(sync_commands, "write_back", broken)
        put_sheet(office.box, people(4))
        done = office.sync("--write-back")
        assert (done.code, len(office.members())) == (4, 4)
        assert "not written back" in done.out

    def test_needs_its_column(self, office: Office) -> None:
        put_sheet(office.box, [["id", "氏名"], [1, "林"]])
        done = office.sync("--write-back")
        assert (done.code, len(office.members())) == (4, 1)
        assert "line_user_id" in done.out


@sqlite_only
def test_a_link_from_the_sheet_takes_the_name_from_line(office: Office) -> None:
    times = dict.fromkeys(("first_contact_at", "last_contact_at", "updated_at"), office.db.clock.now())
    friend = {"user_id": line_id(1), "display_name": "はやし", "following": True, "state_ms": 1, **times}
    office.db.write_now(lambda tx: tx.execute(insert(LineFriend).values(**friend)))
    put_sheet(office.box, roster([1, "林", "", "", line_id(1), "", "", ""], headers=WIDE))
    assert office.sync("--write-back").code == 0
    assert sheet_rows(office.box)[1][7] == "はやし"
