import json
import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
import structlog
from sqlalchemy import Executable, insert
from sqlalchemy.exc import IntegrityError

from tests.conftest import NOON
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.log import configure_logging, mask, mask_text
from tsudoi.core.models import Heartbeat, Lockout

LINE_USER = "U0123456789abcdef0123456789abcdef"
JWT = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJVMSJ9.c2lnbmF0dXJl"
CANARIES = [
    "taro.yamada+line@example.co.jp",
    "taro%40example.co.jp",
    "山田@例え.jp",
    "090-1234-5678",
    "09012345678",
    "03-1234-5678",
    "0120 123 456",
    "+81-90-1234-5678",
    "+819012345678",
    "+81 (0)90-1234-5678",
    "(03) 1234-5678",
    "０９０－１２３４－５６７８",
    "090ー1234ー5678",
    LINE_USER,
    JWT,
]
# Japanese has no spaces: what stands next to a canary must not shield it.
AROUND = ["{}", "電話は{}です", "<{}>", "id={},", "「{}」", "tel:{}", "\n{}\n", "TEL.{}"]
Written = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[Written]:
    """Log for real, and hand the lines back parsed; a line that does not parse fails the test."""
    stream = StringIO()
    root = logging.getLogger()
    before = root.handlers[:], root.level
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        configure_logging("DEBUG")
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:], root.level = before
    structlog.reset_defaults()


def _leave_only_our_handler() -> None:
    """Pytest's own, added anew for each phase, keeps the raw text, and not every reporter can take a surrogate."""
    handlers = logging.getLogger().handlers
    handlers[:] = [one for one in handlers if isinstance(one.formatter, structlog.stdlib.ProcessorFormatter)]


class TestMaskText:
    @pytest.mark.parametrize("around", AROUND)
    @pytest.mark.parametrize("canary", CANARIES)
    def test_hides_every_canary_wherever_it_stands(self, canary: str, around: str) -> None:
        masked = mask_text(around.format(canary))
        assert canary not in masked
        assert "***" in masked

    @pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "認証はBearer "])
    def test_hides_a_bearer_token(self, scheme: str) -> None:
        assert mask_text(f"{scheme}abcDEF123+/=x") == f"{scheme}***"

    def test_keeps_the_end_of_a_line_user_id_so_that_two_can_be_told_apart(self) -> None:
        assert mask_text(LINE_USER) == "U***cdef"

    def test_hides_the_row_that_postgresql_quotes(self) -> None:
        text = "null value\nDETAIL:  Failing row contains (1, 山田\n太郎).\n[SQL: INSERT]"
        assert mask_text(text) == "null value\nDETAIL: ***\n[SQL: INSERT]"

    @pytest.mark.parametrize(
        "harmless",
        [
            "2025-08-16T01:00:00.000000+00:00",
            "8e03978e-40d5-43e8-bc93-6894a57f9324",
            "took 1234567890 ns",
            "GET /api/admin/me 200",
            "10.0.0.1:8000",
            "0.123456789",
        ],
    )
    def test_leaves_what_is_not_personal(self, harmless: str) -> None:
        assert mask_text(harmless) == harmless

    def test_a_long_text_does_not_take_long(self) -> None:
        """Linear: a quadratic search would not come back within the time-out of the test."""
        for text in ("a" * 200_000, "0" * 200_000, "a@" * 100_000, "a." * 100_000, "eyJ" * 60_000, "-0" * 100_000):
            assert len(mask_text(text)) > 0


SECRET_KEYS = ["password", "new_password", "line_channel_secret", "id_token", "Authorization", "Set-Cookie", "pin"]
SECRET_KEYS += ["x-csrf-token", "api_key", "X-Line-Signature"]
PERSONAL_KEYS = ["name", "fullName", "display_name", "displayName", "inputName", "email", "phone", "phone_number"]
PERSONAL_KEYS += ["tel", "address", "text", "pictureUrl"]


@dataclass
class Person:
    name: str
    note: str


class TestMask:
    @pytest.mark.parametrize(
        "key",
        SECRET_KEYS + PERSONAL_KEYS,
    )
    def test_hides_whole_values_of_known_keys(self, key: str) -> None:
        for value in ("山田太郎", ["山田太郎"], {"x": "山田太郎"}, 1234):
            assert mask({"outer": [{key: value}]}) == {"outer": [{key: "***"}]}

    def test_keeps_shape_numbers_and_truth(self) -> None:
        value = {"count": 3, "ratio": 0.5, "ok": True, "none": None, "list": [1, "a"], "token": None, "at": NOON}
        assert mask(value) == value

    def test_hides_in_containers_of_every_kind(self) -> None:
        mail = "a@example.com"
        for value in (
            [mail],
            (mail,),
            {mail},
            {"x": mail},
            {mail: 1},
            Person("山田", mail),
            ValueError(mail),
            mail.encode(),
        ):
            assert mail not in repr(mask(value))
        assert mask(Person("山田", "x")) == {"name": "***", "note": "x"}

    def test_stops_in_the_depth_and_in_the_length(self) -> None:
        endless: list[Any] = []
        endless.append(endless)
        assert "…" in repr(mask(endless))
        shortened = mask("a" * 5000 + "the end")
        assert len(shortened) < 4100
        assert shortened.endswith("the end")


def _run(tx: Tx, statement: Executable) -> None:
    tx.execute(statement)


def _fall(depth: int, why: str) -> None:
    if depth:
        _fall(depth - 1, why)
    raise LookupError(why)


class TestLogLines:
    def test_say_when_how_bad_who_and_what(self, written: Written) -> None:
        structlog.stdlib.get_logger("tsudoi.test").info("webhook_stored", events=2)
        (line,) = written()
        assert (line["event"], line["level"], line["logger"], line["events"]) == (
            "webhook_stored",
            "info",
            "tsudoi.test",
            2,
        )
        assert abs(datetime.fromisoformat(line["timestamp"]) - datetime.now(UTC)).total_seconds() < 60

    @pytest.mark.parametrize("canary", CANARIES)
    def test_hold_no_canary(self, written: Written, canary: str) -> None:
        log = structlog.stdlib.get_logger("tsudoi.test")
        log.info(canary, note=f"電話{canary}", nested={"deep": [canary]}, error=ValueError(canary))
        log.info("known keys", name="山田太郎", password="hunter2hunter2", authorization="Basic abc")
        logging.getLogger("foreign").warning("from %s: %s", canary, {"x": canary})
        try:
            _fall(0, f"no such person: {canary}")
        except LookupError:
            log.exception("failed")
            logging.getLogger("foreign").exception("failed")
        lines = written()
        assert len(lines) == 5
        for secret in (canary, "山田太郎", "hunter2hunter2", "Basic abc"):
            assert secret not in json.dumps(lines, ensure_ascii=False)

    def test_carry_the_request_id(self, written: Written) -> None:
        with structlog.contextvars.bound_contextvars(request_id="r-7"):
            structlog.stdlib.get_logger("tsudoi.test").info("ours")
            logging.getLogger("foreign").info("theirs")
        assert [line["request_id"] for line in written()] == ["r-7", "r-7"]

    @pytest.mark.parametrize(
        "hostile", ["a\nb", "a\u2028b\u2029c\x85d", "\ud800", "\x00\x1b[31m", 2**200, b"\xff", object]
    )
    def test_are_one_line_whatever_comes(self, written: Written, hostile: object) -> None:
        _leave_only_our_handler()
        structlog.stdlib.get_logger("tsudoi.test").info("hostile", note=hostile, keys={hostile: 1})
        logging.getLogger("foreign").info("%s", hostile)
        assert [line["logger"] for line in written()] == ["tsudoi.test", "foreign"]

    def test_of_a_long_trace_keep_what_went_wrong(self, written: Written) -> None:
        try:
            try:
                _fall(60, "x" * 3000)
            except LookupError:
                _fall(60, "what went wrong")
        except LookupError:
            structlog.stdlib.get_logger("tsudoi.test").exception("failed")
        assert len(written()[0]["exception"]) < 4100
        assert written()[0]["exception"].endswith("LookupError: what went wrong")

    def test_of_a_database_error_name_nobody(self, db: Database, written: Written) -> None:
        """Parameters and the row that PostgreSQL quotes would carry a person's name into the log."""
        twice = [insert(Heartbeat).values(name="山田太郎", at=NOON)] * 2
        for statement in [*twice, insert(Lockout).values(key="山田太郎", updated_at=NOON)]:
            try:
                db.write_now(_run, statement)
            except IntegrityError:
                structlog.stdlib.get_logger("tsudoi.test").exception("failed")
        lines = written()
        assert len(lines) == 2
        assert "IntegrityError" in lines[0]["exception"]
        assert "山田太郎" not in json.dumps(lines, ensure_ascii=False)
