import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import literal, select

from tsudoi.core.db.interface import Database
from tsudoi.core.errors import InvalidInput
from tsudoi.core.pages import decode_cursor, encode_cursor


def _encoded(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


HOSTILE = [
    "",
    "!",
    "a",
    "こんにちは",
    "\x00",
    "\ud800",
    "=" * 10,
    "A" * 100_000,
    _encoded(b"not json"),
    _encoded(b"{}"),
    _encoded(b"null"),
    _encoded(b"7"),
    _encoded(b"[]"),
    _encoded(b"[7]"),
    _encoded(b'["a"]'),
    _encoded(b'["a",7,8]'),
    _encoded(b'[7,"a"]'),
    _encoded(b'["a",true]'),
    _encoded(b'["a",7.0]'),
    _encoded(b'["a",null]'),
    _encoded(b'["a",[7]]'),
    _encoded(b'["a",NaN]'),
    _encoded(b'["a",1e400]'),
    _encoded(b'["a",9223372036854775808]'),
    _encoded(b'["a",-9223372036854775809]'),
    _encoded(b'["a",99999999999999999999999999]'),
    _encoded(b'["a\\u0000",7]'),
    _encoded(b'["\\ud800",7]'),
    _encoded(b'["\xff",7]'),
    _encoded(b"[" * 5000),
]


class TestCursors:
    @given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.integers(-(2**63), 2**63 - 1))
    def test_come_back_as_they_were(self, text: str, number: int) -> None:
        cursor = encode_cursor(text, number)
        assert cursor.isascii()
        assert not set(cursor) & set("+/=&?#")
        assert decode_cursor(cursor, str, int) == [text, number]

    @pytest.mark.parametrize("cursor", HOSTILE, ids=range(len(HOSTILE)))
    def test_from_outside_are_refused_politely(self, cursor: str) -> None:
        with pytest.raises(InvalidInput) as caught:
            decode_cursor(cursor, str, int)
        assert [(detail.field, detail.reason) for detail in caught.value.details] == [("cursor", "INVALID_FORMAT")]

    @given(st.text())
    def test_are_never_anything_but_valid_or_refused(self, cursor: str) -> None:
        try:
            parts = decode_cursor(cursor, int)
        except InvalidInput:
            return
        assert [type(part) for part in parts] == [int]

    @pytest.mark.parametrize("number", [2**63 - 1, -(2**63)])
    def test_hold_nothing_that_the_database_cannot_take(self, db: Database, number: int) -> None:
        parts = decode_cursor(encode_cursor("\x01\uffff😀", number), str, int)
        found = db.read_now(lambda tx: tx.execute(select(*(literal(part) for part in parts))).one())
        assert list(found) == parts
