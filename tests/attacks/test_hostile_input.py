"""G9: a hostile corpus in every field and parameter that the API description names. Nothing may end in 5xx."""

import base64
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.events.overview.events import event, people
from tests.factories.booking import bearer, make_staff
from tests.factories.product import ADMIN, CHANNEL_SECRET, JSON, Box, Product
from tests.factories.webhooks import sign
from tests.sizes import share
from tsudoi.access import password_hasher
from tsudoi.access.admins import service
from tsudoi.app import create_api
from tsudoi.core.rate_limit import Limit
from tsudoi.line.liff import service as liff

SEED = 20250816
NOBODYS = 999
# As JSON source, because several of these cannot be written any other way.
CORPUS = [
    "null", "true", "[]", "{}", '""', '"x"', "0", "-1", "1.5",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "NaN", "Infinity",
    "9" * 400, "9" * 5000, '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"',
    '"\\u202e\\u2066\\u200b\\ufeff"', '"\u2028\u0085"', '"' + "x" * 100_000 + '"', '"' + "\U0001f3a3" * 2000 + '"',
    '"\' OR 1=1 --"', '"../../etc/passwd"', '"{{7*7}}${7*7}"', '"=HYPERLINK(1)"', '"\\r\\nSet-Cookie: a=b"',
    "[" * 200 + "]" * 200, "[" * 50_000 + "]" * 50_000, '{"a":' * 100 + "1" + "}" * 100,
]  # fmt: skip
QUERIES = [
    "", "0", "-1", "1", "200", "201", "9223372036854775808", "1e400", "NaN", "%00", "a%00b", "%ff%fe", "%ed%a0%80",
    "%E2%80%AE%E2%80%8B", "x" * 5000, "'%20OR%201=1--", "..%2f..%2f", "true", "1,2", "%0d%0aSet-Cookie:%20a=b", "٣",
]  # fmt: skip
CURSOR_PARTS = [
    "[]", "[1]", '["1"]', "[1.5]", "[true]", "[null]", "[[1]]", "{}", "1", "[-1]", "[9223372036854775807]",
    "[9223372036854775808]", "[18446744073709551615]", "[99999999999999999999999]", '["",""]', '["a\\u0000","b"]',
    '["\\u0000","\\u0000"]', '["\u202e","\U0001f3a3"]', '["2025","x","y"]', '["' + "x" * 300 + '","y"]',
]  # fmt: skip


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    fields: tuple[str, ...]
    queries: tuple[str, ...]
    headers: tuple[str, ...]

    def address(self, event_id: int | str = NOBODYS) -> str:
        """With a number for every thing that the path names."""
        return re.sub(r"{\w+}", lambda found: str(event_id if found.group() == "{event_id}" else NOBODYS), self.path)


def operations() -> Iterator[Operation]:
    description = create_api().openapi()
    for path, methods in description["paths"].items():
        for method, told in methods.items():
            content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
            name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            fields = description["components"]["schemas"].get(name, {}).get("properties", {})
            parameters = [(each["in"], each["name"]) for each in told.get("parameters", [])]
            yield Operation(
                method.upper(),
                path,
                tuple(fields),
                tuple(name for where, name in parameters if where == "query"),
                tuple(name for where, name in parameters if where == "header"),
            )


def cursors() -> list[str]:
    return [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in CURSOR_PARTS]


def bodies(operation: Operation, dice: random.Random) -> Iterator[bytes]:
    yield from (value.encode() for value in CORPUS)
    for field in operation.fields:
        for value in CORPUS:
            others = {name: '"fine"' for name in operation.fields if name != field}
            pairs = [*others.items(), (field, value)]
            dice.shuffle(pairs)
            yield ("{" + ",".join(f'"{name}":{text}' for name, text in pairs) + "}").encode()
    if operation.fields:
        good = ",".join(f'"{name}":"fine"' for name in operation.fields)
        for value in CORPUS[:20]:
            yield f'{{{good},"unknown\\ud800\\u0000":{value}}}'.encode()


def check(answer: httpx2.Response, told: object) -> None:
    assert answer.status_code < 500, (told, answer.text[:300])
    assert answer.headers["x-request-id"]
    # People open invitations in a browser, and get a page there.
    if answer.status_code >= 400 and not answer.headers["content-type"].startswith("text/html"):
        body: dict[str, Any] = answer.json()
        # Document 001 has a further key.
        assert set(body) - {"error"} == {"code", "message", "details"}, told
        assert body["code"].isupper()
        assert all(set(detail) == {"field", "reason"} for detail in body["details"])


@pytest.fixture
def office(product: Product, monkeypatch: pytest.MonkeyPatch) -> Product:
    """Everybody's limits out of the way, and no time spent on hashing: this is about what is read before that."""
    wide = Limit("wide", 10**6, timedelta(minutes=1))
    monkeypatch.setattr(service, "LOGINS_PER_CLIENT", wide)
    monkeypatch.setattr(liff, "EXCHANGES_PER_CLIENT", wide)
    monkeypatch.setattr(password_hasher, "check_password", lambda *_: False)
    product.make_admin()
    return product


def test_no_field_breaks_anything(office: Product, box: Box) -> None:
    dice = random.Random(SEED)
    tried = 0
    for turn, operation in enumerate(operations()):
        if operation.method == "GET":
            continue
        for body in share(bodies(operation, dice), office.db.dialect, 4, turn):
            headers = {**JSON, "x-line-signature": sign(CHANNEL_SECRET, body)}
            answer = office.http.request(operation.method, operation.address(), content=body, headers=headers)
            check(answer, (operation.path, body[:200]))
            tried += 1
    assert tried > 200


def test_no_query_parameter_breaks_anything(office: Product) -> None:
    token = {"authorization": f"Bearer {office.db.write_now(service.create_token, ADMIN)}"}
    staff_token = bearer(office.db, make_staff(office.db))
    event_id = event(office.db, people(office.db, "山田太郎"))
    tried = 0
    for turn, operation in enumerate(operations()):
        headers = token if operation.path.startswith(("/api/admin", "/api/threads")) else staff_token
        for name in operation.queries:
            for value in share(QUERIES + cursors(), office.db.dialect, 4, turn):
                answer = office.http.request(
                    operation.method,
                    f"{operation.address(event_id if operation.method == 'GET' else NOBODYS)}?{name}={value}",
                    headers=headers,
                    json=None if operation.method == "GET" else {},
                )
                # The calendar file takes its key from the query; who writes here names no such event.
                assert answer.status_code in (200, 400, 404, 415), (operation.path, name, value, answer.status_code)
                check(answer, (operation.path, name, value))
                tried += 1
    assert tried > 100


def test_no_header_breaks_anything(office: Product) -> None:
    odd = [b"", b"\xff\xfe", b"x" * 8000, "山田".encode(), b"Bearer", b"Bearer \xff", b"Basic x", b"1e400", b'"\\x00"']
    everywhere = (
        "authorization",
        "cookie",
        "origin",
        "sec-fetch-site",
        "x-request-id",
        "x-forwarded-for",
        "content-type",
    )
    for turn, operation in enumerate(operations()):
        for name in (*operation.headers, *everywhere):
            for value in share(odd, office.db.dialect, 4, turn):
                # httpx2 has its own idea of good headers, hence bytes on both sides.
                raw = [(name.encode(), value)]
                told = (operation.path, name, value)
                check(office.http.request(operation.method, operation.address(), headers=raw), told)
