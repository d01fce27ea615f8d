"""Bodies that nobody at LINE would write: with a good signature they must still not break anything."""

from datetime import timedelta
from typing import Any

import orjson

from tests.conftest import NOON
from tests.factories.product import CHANNEL_SECRET, JSON, Product
from tests.factories.webhooks import body_of, event, sign, user_id
from tests.product_fixtures import sqlite_only
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.inbox.models import LineEvent

OK = {"ok": True}
NOON_MS = round(NOON.timestamp() * 1000)


def nested(depth: int) -> bytes:
    return b'{"events":[{"type":"message","timestamp":%d,"x":%s1%s}]}' % (NOON_MS, b"[" * depth, b"]" * depth)


def with_field(text: bytes) -> bytes:
    return b'{"events":[{"type":"message","timestamp":%d,"message":{"text":%s}}]}' % (NOON_MS, text)


STORED = {
    "nul": with_field(b'"a\\u0000b"'),
    "lone-surrogate": with_field(b'"\\ud800x"'),
    "surrogate-in-a-name": b'{"events":[{"type":"message","timestamp":%d,"\\udfff":1}]}' % NOON_MS,
    "int-of-2-to-63": with_field(b"9223372036854775808"),
    "minus-2-to-63-and-one-less": with_field(b"-9223372036854775809"),
    "int-of-300-digits": with_field(b"9" * 300),
    "nan": with_field(b"NaN"),
    "infinity": with_field(b"-Infinity"),
    "1e400": with_field(b"1e400"),
    "bidi-and-zero-width": with_field('"\u202e\u200b\u2028\ufeff"'.encode()),
    "deep-100": nested(100),
    "deep-240": nested(240),
    "deep-300": nested(300),
    "deep-900": nested(900),
}
NOT_STORED = {
    "empty": b"",
    "garbage": b"\xff\xfe\x00garbage",
    "half": b'{"events":[',
    "list": b"[]",
    "null": b"null",
    "number": b"1e400",
    "events-null": b'{"events":null}',
    "events-object": b'{"events":{}}',
    "events-of-nothing": b'{"events":[null,1,"x",[],{}]}',
    "type-missing": b'{"events":[{"timestamp":%d}]}' % NOON_MS,
    "type-object": b'{"events":[{"type":{},"timestamp":%d}]}' % NOON_MS,
    "type-nul": b'{"events":[{"type":"fol\\u0000low","timestamp":%d}]}' % NOON_MS,
    "timestamp-text": b'{"events":[{"type":"follow","timestamp":"now"}]}',
    "timestamp-true": b'{"events":[{"type":"follow","timestamp":true}]}',
    "timestamp-float": b'{"events":[{"type":"follow","timestamp":1.5}]}',
    "timestamp-nan": b'{"events":[{"type":"follow","timestamp":NaN}]}',
    "timestamp-negative": b'{"events":[{"type":"follow","timestamp":-1}]}',
    "timestamp-2-to-63": b'{"events":[{"type":"follow","timestamp":9223372036854775808}]}',
    "timestamp-2-to-53": b'{"events":[{"type":"follow","timestamp":9007199254740991}]}',
    "timestamp-year-10000": b'{"events":[{"type":"follow","timestamp":253402300800000}]}',
    "timestamp-end-of-9999": b'{"events":[{"type":"follow","timestamp":253402300799000}]}',
    "int-of-5000-digits": b'{"events":[{"type":"follow","timestamp":%s}]}' % (b"9" * 5000),
    "user-nul": b'{"events":[{"type":"follow","timestamp":%d,"source":{"userId":"U\\u0000"}}]}' % NOON_MS,
    "user-surrogate": b'{"events":[{"type":"follow","timestamp":%d,"source":{"userId":"\\ud800"}}]}' % NOON_MS,
    "user-number": b'{"events":[{"type":"follow","timestamp":%d,"source":{"userId":7}}]}' % NOON_MS,
    "user-long": b'{"events":[{"type":"follow","timestamp":%d,"source":{"userId":"%s"}}]}' % (NOON_MS, b"U" * 5000),
    "deep-100000": nested(100_000),
}


class TestBody:
    def test_what_can_be_read_is_stored_in_a_form_that_the_database_takes(self, product: Product) -> None:
        for number, (name, body) in enumerate(STORED.items(), 1):
            # Each with a moment of its own: without an id that is what tells two events apart.
            answer = product.post_raw(body.replace(b"%d" % NOON_MS, b"%d" % (NOON_MS + number), 1))
            assert (answer.status_code, answer.json()) == (200, OK), name
            assert len(product.rows(LineEvent)) == number, name

    @sqlite_only
    def test_what_cannot_be_read_leaves_a_line(self, product: Product) -> None:
        for name, body in NOT_STORED.items():
            before = len(product.webhook_lines())
            answer = product.post_raw(body)
            assert (answer.status_code, answer.json()) == (200, OK), name
            assert product.rows(LineEvent) == [], name
            lines = product.webhook_lines()[before:]
            assert lines, name
            assert {line["result"] for line in lines} <= {"IGNORED", "DROPPED"}, name

    def test_one_bad_event_does_not_take_its_neighbours_along(self, product: Product) -> None:
        bad: list[Any] = [{"type": "follow", "timestamp": 2**53 - 1}, None, {"type": 7}]
        assert product.post_webhook(*bad, event()).json() == OK
        assert len(product.rows(LineEvent)) == 1

    def test_an_id_that_is_no_id_falls_back_to_person_and_time(self, product: Product) -> None:
        for odd in ("", "\u200b", "x" * 201, 7, None, ["x"]):
            product.post_webhook({**event(who=user_id(1), at=NOON), "webhookEventId": odd})
        assert len(product.rows(LineEvent)) == 1

    def test_as_many_events_as_fit_into_a_body(self, product: Product) -> None:
        """LINE sends a handful; a statement with a value for each column of each row would hit a limit."""
        crowd = [{"type": "m", "timestamp": NOON_MS - number} for number in range(8_000)]
        assert product.post_webhook(*crowd).json() == OK
        assert product.drain() == 0
        count = product.db.read_now(lambda tx: tx.connection.exec_driver_sql("SELECT count(*) FROM line_events"))
        assert count.scalar() == 8_000


@sqlite_only
class TestSize:
    def test_more_than_the_limit_is_refused(self, product: Product) -> None:
        body = body_of(event(text="x" * 10_000_000))
        answer = product.post_raw(body)
        assert answer.status_code == 413
        assert answer.json()["code"] == "TOO_LARGE"
        assert product.rows(LineEvent) == []

    def test_also_when_its_length_is_not_declared(self, product: Product) -> None:
        body = body_of(event(text="x" * 2_000_000))
        chunks = (body[start : start + 65_536] for start in range(0, len(body), 65_536))
        headers = {**JSON, "x-line-signature": sign(CHANNEL_SECRET, body)}
        answer = product.http.post("/api/line/webhook", content=chunks, headers=headers)
        assert answer.status_code == 413
        assert answer.json()["code"] == "TOO_LARGE"
        assert product.rows(LineEvent) == []


class TestNames:
    def test_a_moment_in_the_future_does_not_break_the_worker(self, product: Product) -> None:
        product.post_webhook(event(who=user_id(3), at=NOON + timedelta(days=365 * 1000)))
        assert product.drain() == 1
        [friend] = product.rows(LineFriend)
        assert friend["following"] is True

    def test_a_line_break_in_a_kind_cannot_forge_a_line(self, product: Product) -> None:
        product.post_webhook(event("x\u2028y"), event("a\nb"), event("ok"))
        raw = product.webhook_log.read_text(encoding="utf-8")
        assert len(raw.splitlines()) == 3
        assert [orjson.loads(line)["result"] for line in raw.splitlines()] == ["DROPPED", "DROPPED", "STORED"]
