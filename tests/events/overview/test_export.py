"""The files that the office takes home: read back by the programs that will read them."""

import csv
import io
import tracemalloc
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import httpx2
import openpyxl  # type: ignore[import-untyped]
import orjson
import pytest

from tests.conftest import NOON
from tests.events.overview.events import URL, answer, answers, event, people
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import audited, code, office
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.core.csv_text import BOM
from tsudoi.core.db.interface import Database
from tsudoi.events.overview.queries import export
from tsudoi.events.overview.rules import file_name

FILES = ("latest.csv", "latest.xlsx", "history.csv", "history.xlsx")


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    return office(product)


def take(http: httpx2.Client, event_id: int, file: str, **query: Any) -> httpx2.Response:
    answered = http.get(f"{URL}/{event_id}/export/{file}", params=query)
    assert answered.status_code == 200, answered.text
    assert int(answered.headers["content-length"]) == len(answered.content)
    assert answered.headers["cache-control"] == "no-store"
    return answered


def rows(answered: httpx2.Response) -> list[list[str]]:
    assert answered.headers["content-type"] == "text/csv; charset=utf-8"
    text = answered.content.decode()
    assert text.startswith(BOM)
    assert text.endswith("\r\n")
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline=""), strict=True))


def cells(answered: httpx2.Response) -> list[tuple[Any, ...]]:
    sheet = openpyxl.load_workbook(io.BytesIO(answered.content)).active
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    return list(sheet.iter_rows(values_only=True))


class TestLatest:
    def test_has_the_documented_columns(self, product: Product, http: httpx2.Client) -> None:
        members = people(product.db, "山田太郎", "佐藤花子", "鈴木一郎")
        made = event(product.db, members)
        answer(product.db, made, 102, "attend", "遅れます")
        answer(product.db, made, 102, "absent")
        answer(product.db, made, 101, "attend", '"コンマ", 改行\nあり')
        assert rows(take(http, made, "latest.csv")) == [
            ["member_id", "name", "status", "extra_text"],
            ["101", "山田太郎", "attend", '"コンマ", 改行\nあり'],
            ["102", "佐藤花子", "absent", ""],
            ["103", "鈴木一郎", "pending", ""],
        ]
        assert cells(take(http, made, "latest.xlsx")) == [
            ("会員ID", "氏名", "回答", "備考"),
            (101, "山田太郎", "出席", '"コンマ", 改行\nあり'),
            (102, "佐藤花子", "欠席", None),
            (103, "鈴木一郎", "未回答", None),
        ]

    def test_is_of_any_past_moment(self, product: Product, http: httpx2.Client, clock: ManualClock) -> None:
        [member] = people(product.db, "山田太郎")
        made = event(product.db, [member])
        clock.advance(timedelta(hours=1))
        answer(product.db, made, member)
        clock.advance(timedelta(hours=1))
        for file in ("latest.csv", "latest.xlsx"):
            for moment, shown in {"12:59:59": ("pending", "未回答"), "13:00:00": ("attend", "出席")}.items():
                taken = take(http, made, file, as_of=f"2025-08-16T{moment}+09:00")
                line = rows(taken)[1] if file.endswith("csv") else cells(taken)[1]
                assert line[2] in shown
        assert orjson.loads(audited(product.db)[-1]["new"])["as_of"] == "2025-08-16T13:00:00+09:00"

    def test_has_the_events_own_word_for_the_memo_where_people_read_it(
        self, product: Product, http: httpx2.Client
    ) -> None:
        """The document names the columns of the CSV."""
        for label, heading in {"懇親会": "懇親会", None: "備考", "\x0b": "備考", "=1+1": "'=1+1"}.items():
            made = event(product.db, extra_text_enabled=1, extra_text_label=label)
            for file in ("latest", "history"):
                assert rows(take(http, made, f"{file}.csv"))[0][-1] == "extra_text"
                assert cells(take(http, made, f"{file}.xlsx"))[0][-1] == heading, label

    def test_never_holds_a_formula(self, product: Product, http: httpx2.Client) -> None:
        hostile = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM", "＝1", " =1", "\t=1", "普通"]
        made = event(product.db, people(product.db, *hostile))
        answers(product.db, made, [(101, "attend", "=HYPERLINK(1)", None, "liff")])
        found = rows(take(http, made, "latest.csv"))[1:]
        assert [line[1] for line in found] == [*(f"'{name}" for name in hostile[:-1]), "普通"]
        assert found[0][3] == "'=HYPERLINK(1)"
        assert [line[1] for line in cells(take(http, made, "latest.xlsx"))[1:]] == hostile

    def test_of_an_event_without_people_is_its_heading(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db)
        assert len(rows(take(http, made, "latest.csv"))) == len(cells(take(http, made, "latest.xlsx"))) == 1


class TestHistory:
    def test_is_in_the_order_of_time(self, product: Product, http: httpx2.Client) -> None:
        people(product.db, "山田太郎", "佐藤花子")
        made = event(product.db, (101, 102))
        second = answer(product.db, made, 101, "absent", at=NOON + timedelta(minutes=1))
        first = answer(product.db, made, 102, "attend", "遅れます", at=NOON)
        third = answer(product.db, made, 101, "attend", at=NOON + timedelta(minutes=1), via="admin")
        assert rows(take(http, made, "history.csv")) == [
            ["response_id", "responded_at", "member_id", "name", "status", "extra_text"],
            [str(first), "2025-08-16T12:00:00+09:00", "102", "佐藤花子", "attend", "遅れます"],
            [str(second), "2025-08-16T12:01:00+09:00", "101", "山田太郎", "absent", ""],
            [str(third), "2025-08-16T12:01:00+09:00", "101", "山田太郎", "attend", ""],
        ]
        assert cells(take(http, made, "history.xlsx"))[:2] == [
            ("回答ID", "回答日時", "会員ID", "氏名", "回答", "備考"),
            (first, "2025/08/16 12:00", 102, "佐藤花子", "出席", "遅れます"),
        ]

    def test_is_of_any_past_moment(self, product: Product, http: httpx2.Client, clock: ManualClock) -> None:
        made = event(product.db, people(product.db, "山田太郎"))
        first = answer(product.db, made, 101, "absent", at=NOON + timedelta(milliseconds=500))
        second = answer(product.db, made, 101, "attend", at=NOON + timedelta(minutes=1))
        clock.advance(timedelta(hours=1))
        for moment, given in {
            "11:59:59": [],
            "12:00:00": [first],
            "12:00:59": [first],
            "12:01": [first, second],
        }.items():
            as_of = f"2025-08-16T{moment}+09:00"
            assert [int(line[0]) for line in rows(take(http, made, "history.csv", as_of=as_of))[1:]] == given, moment
            assert [line[0] for line in cells(take(http, made, "history.xlsx", as_of=as_of))[1:]] == given, moment
        noted = orjson.loads(audited(product.db)[-1]["new"])
        assert noted == {"file": "history.xlsx", "as_of": "2025-08-16T12:01:00+09:00"}


class TestTaking:
    def test_is_written_down_with_who_took_what(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db)
        before = len(audited(product.db))
        for file in FILES:
            take(http, made, file)
        entries = audited(product.db)[before:]
        assert [(entry["actor"], entry["action"], entry["subject"]) for entry in entries] == [
            ("admin:jimukyoku", "EVENT_EXPORT", f"event:{made}")
        ] * 4
        assert [orjson.loads(entry["new"])["file"] for entry in entries] == list(FILES)

    def test_gives_a_file_named_after_the_event(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db, title='../理事会/9月"\r\nX: y; 100%')
        named = take(http, made, "latest.csv").headers["content-disposition"]
        plain, _, encoded = named.partition("; filename*=UTF-8''")
        assert plain == f'attachment; filename="event-{made}-latest-2025-08-16.csv"'
        assert unquote(encoded) == "理事会_9月_X_y;_100_最新_2025-08-16.csv"
        assert encoded.isascii()

    def test_gives_a_file_that_says_of_which_moment_it_is(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db)
        for file in FILES:
            what, _, ending = file.partition(".")
            for as_of, day, time in (
                ("2020-01-01T00:00:00+09:00", "2020-01-01", "0000"),
                ("2025-08-15T16:30:59Z", "2025-08-16", "0130"),
                ("1900-01-01T09:05", "1900-01-01", "0905"),
            ):
                named = take(http, made, file, as_of=as_of).headers["content-disposition"]
                plain, _, encoded = named.partition("; filename*=UTF-8''")
                assert plain == f'attachment; filename="event-{made}-{what}-{day}_{time}.{ending}"'
                called = {"latest": "最新", "history": "履歴"}[what]
                assert unquote(encoded) == f"理事会9月_{called}_{day}_{time}時点.{ending}"

    @sqlite_only
    def test_is_refused_and_not_written_down(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db)
        before = len(audited(product.db))
        with product.client() as stranger:
            for file in FILES:
                assert code(http.get(f"{URL}/999/export/{file}")) == (404, "NOT_FOUND")
                assert code(stranger.get(f"{URL}/{made}/export/{file}")) == (401, "UNAUTHENTICATED")
        for file in FILES:
            for wrong in ("2026-01-01T00:00:00+09:00", "x"):
                refused = http.get(f"{URL}/{made}/export/{file}", params={"as_of": wrong})
                assert code(refused) == (400, "INVALID_INPUT")
        assert code(http.get(f"{URL}/{made}/export/latest.pdf"))[0] == 404
        assert len(audited(product.db)) == before

    def test_needs_no_more_memory_for_more_rows(self, db: Database) -> None:
        """Read in a thread of the database, written to the disk: what grows is the file."""
        members = people(db, *(f"会員の氏名{number}" for number in range(size(6_000, 12_000))))
        small, large = event(db, members[:1_000]), event(db, members)
        for made, asked in ((small, members[:1_000]), (large, members)):
            answers(db, made, [(member_id, "attend", "備考" * 40, None, "liff") for member_id in asked])

        def peak(event_id: int) -> int:
            tracemalloc.start()
            for made in (
                db.read_now(export.latest_csv, event_id, None),
                db.read_now(export.history_csv, event_id, None),
                db.read_now(export.latest_xlsx, event_id, None),
            ):
                made.file.close()
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return most

        peak(small)
        assert peak(large) < peak(small) + 2_500_000


class TestFileName:
    @pytest.mark.parametrize(
        ("title", "expected"),
        [
            ("理事会 9月", "理事会_9月_最新_d.csv"),
            ("..", "event_最新_d.csv"),
            ("\u202egpj.exe", "gpj.exe_最新_d.csv"),
            ("長" * 200, "長" * 60 + "_最新_d.csv"),
            ("a/b\\c:d*e?f", "a_b_c_d_e_f_最新_d.csv"),
        ],
    )
    def test_is_one_that_every_system_takes(self, title: str, expected: str) -> None:
        assert file_name(title, "最新", "d", "csv") == expected
