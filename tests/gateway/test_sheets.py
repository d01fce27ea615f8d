"""Google Sheets through gspread on our own way out, against the sandbox over HTTP."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.factories.product import Box
from tests.factories.sheets import SHEET_ID, config, line_id, put_sheet, roster, sheet_rows
from tests.product_fixtures import sqlite_only
from tests.servers import nobody_there
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients import sheets
from tsudoi.gateway.clients.sheets import POLICY, CellUpdate, ColumnSlice, OpenSheet, SheetsClient, SheetsConfig
from tsudoi.gateway.clients.sheets_outcomes import Denied, Missing, RowsMoved, SheetsError, SheetsUnreachable
from tsudoi.gateway.http import HttpGateway
from tsudoi.gateway.models import ApiCallLog

pytestmark = sqlite_only
PEOPLE = roster(*([number, f"会員{number}"] for number in range(1, 8)))


@pytest.fixture
def client(gateway: HttpGateway, box: Box, tmp_path: Path) -> SheetsClient:
    put_sheet(box, PEOPLE)
    return SheetsClient(config(box, tmp_path), gateway, replace(POLICY, timeout=timedelta(seconds=0.25)))


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "_ROWS_AT_A_TIME", 3)
    monkeypatch.setattr("tsudoi.sandbox.spreadsheets.ROWS", 10)


def opened(client: SheetsClient, **options: Any) -> OpenSheet:
    found = client.open(**options)
    assert isinstance(found, OpenSheet), found
    return found


class TestReading:
    def test_every_row_with_its_number(self, client: SheetsClient) -> None:
        assert list(opened(client).rows()) == list(enumerate(PEOPLE, 1))

    @pytest.mark.usefixtures("small_slices")
    def test_in_slices(self, client: SheetsClient, box: Box) -> None:
        assert list(opened(client).rows()) == list(enumerate(PEOPLE, 1))
        assert len(box.calls("/values/")) == 4

    @pytest.mark.usefixtures("small_slices")
    def test_empty_rows_keep_their_numbers(self, client: SheetsClient, box: Box) -> None:
        put_sheet(box, [["id", "氏名"], [], [], [], [], [], [5, "林"], [6, "森"]])
        found = [(number, cells) for number, cells in opened(client).rows() if cells]
        assert found == [(1, ["id", "氏名"]), (7, [5, "林"]), (8, [6, "森"])]

    @pytest.mark.usefixtures("small_slices")
    @pytest.mark.parametrize("after", [PEOPLE[:1] + PEOPLE[2:], [*PEOPLE[:1], [99, "新"], *PEOPLE[1:]]])
    def test_rows_that_move_meanwhile_are_noticed(self, client: SheetsClient, box: Box, after: list[Any]) -> None:
        rows = opened(client).rows()
        for _ in range(3):
            next(rows)
        put_sheet(box, after)
        with pytest.raises(SheetsError) as stop:
            list(rows)
        assert isinstance(stop.value.failure, RowsMoved)

    @pytest.mark.usefixtures("small_slices")
    def test_a_spreadsheet_that_goes_away_on_the_way(self, client: SheetsClient, box: Box) -> None:
        rows = opened(client).rows()
        next(rows)
        box.http.delete(f"/_sandbox/sheets/{SHEET_ID}").raise_for_status()
        with pytest.raises(SheetsError) as stop:
            list(rows)
        assert isinstance(stop.value.failure, Missing)


class TestFaults:
    @pytest.mark.parametrize("endpoint", ["sheets", "google_token"])
    @pytest.mark.parametrize(
        "kind", ["error_500_before", "error_500_after", "rate_limited", "timeout_before_accept", "drop_connection"]
    )
    def test_are_tried_again_and_then_told(self, client: SheetsClient, box: Box, kind: str, endpoint: str) -> None:
        box.breaks(kind, endpoint, times=2)
        assert isinstance(client.open(), OpenSheet)
        box.breaks(kind, endpoint)
        assert isinstance(client.open(), SheetsUnreachable)

    def test_nobody_there(self, gateway: HttpGateway, box: Box, tmp_path: Path) -> None:
        there = config(box, tmp_path)
        found = SheetsClient(SheetsConfig(SHEET_ID, there.key_file, nobody_there()), gateway).open()
        assert isinstance(found, SheetsUnreachable)

    def test_a_sheet_that_is_not_shared(self, client: SheetsClient, box: Box) -> None:
        put_sheet(box, PEOPLE, shared=False)
        found = client.open()
        assert isinstance(found, Denied)
        assert "共有" in found.reason

    def test_no_such_spreadsheet_and_no_such_sheet(self, client: SheetsClient, box: Box) -> None:
        box.http.delete(f"/_sandbox/sheets/{SHEET_ID}").raise_for_status()
        assert isinstance(client.open(), Missing)
        put_sheet(box, PEOPLE, "会員")
        found = client.open()
        assert isinstance(found, Missing)
        assert "Members" in found.reason

    def test_a_token_that_was_revoked(self, client: SheetsClient, box: Box) -> None:
        sheet = opened(client)
        box.http.delete("/_sandbox/sheets/tokens").raise_for_status()
        with pytest.raises(SheetsError) as stop:
            list(sheet.rows())
        assert isinstance(stop.value.failure, Denied)


class TestKey:
    def test_of_somebody_else_is_refused(self, gateway: HttpGateway, box: Box, tmp_path: Path) -> None:
        there = config(box, tmp_path)
        assert there.key_file is not None
        key = json.loads(there.key_file.read_text())
        there.key_file.write_text(json.dumps({**key, "client_email": "somebody@example.iam.gserviceaccount.com"}))
        found = SheetsClient(there, gateway).open()
        assert isinstance(found, Denied)

    @pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"private_key": "x", "client_email": "a@b"}', "\x00"])
    def test_that_is_none(self, gateway: HttpGateway, box: Box, tmp_path: Path, content: str | None) -> None:
        path = tmp_path / "key.json"
        if content is not None:
            path.write_text(content)
        assert isinstance(SheetsClient(SheetsConfig(SHEET_ID, path, box.url), gateway).open(), Denied)

    def test_settings_that_are_missing(self, gateway: HttpGateway, box: Box, tmp_path: Path) -> None:
        there = config(box, tmp_path)
        assert isinstance(SheetsClient(SheetsConfig("", there.key_file, box.url), gateway).open(), Missing)
        assert isinstance(SheetsClient(SheetsConfig(SHEET_ID, None, box.url), gateway).open(), Denied)


class TestFilling:
    def test_exactly_these_cells_as_plain_text(self, client: SheetsClient, box: Box) -> None:
        sheet = opened(client, to_write=True)
        assert sheet.fill([CellUpdate(3, 4, line_id(2)), CellUpdate(5, 5, "=1+1")]) == 2
        expected = [list(row) for row in PEOPLE]
        expected[2] = [2, "会員2", "", "", line_id(2)]
        expected[4] = [4, "会員4", "", "", "", "=1+1"]
        assert sheet_rows(box) == expected

    def test_needs_a_key_that_may_write(self, client: SheetsClient) -> None:
        assert isinstance(opened(client).fill([CellUpdate(3, 4, "x")]), Denied)

    def test_a_stretch_of_columns_with_their_headers(self, client: SheetsClient) -> None:
        found = opened(client).columns([0, 1, 4], 3, 4)
        assert found == [
            ColumnSlice("id", 3, [PEOPLE[2][0], PEOPLE[3][0]]),
            ColumnSlice("氏名", 3, [PEOPLE[2][1], PEOPLE[3][1]]),
            ColumnSlice("line_user_id", 3, []),
        ]
        assert [found[0].cell(row) for row in (3, 4, 5)] == [PEOPLE[2][0], PEOPLE[3][0], None]


def test_nobody_stands_in_the_log_of_calls(client: SheetsClient, box: Box, db: Database, tmp_path: Path) -> None:
    put_sheet(box, roster([1, "金糸雀 花子", "", "", line_id(1), "", "kanaria@example.jp"]))
    sheet = opened(client, to_write=True)
    list(sheet.rows())
    sheet.columns([0, 1], 2, 2)
    sheet.fill([CellUpdate(2, 5, "金糸雀 花子")])
    kept = str(db.read_now(lambda tx: tx.execute(select(ApiCallLog.__table__)).all()))
    assert "(2 rows)" in kept
    key = json.loads((tmp_path / "google-key.json").read_text())["private_key"]
    for canary in ("金糸雀", "kanaria", line_id(1), "ya29.", key[40:80]):
        assert canary not in kept
