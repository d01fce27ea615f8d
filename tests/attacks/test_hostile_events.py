"""G9 where somebody is logged in: every field of every decision about an event, and the form that makes one."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.attacks.test_hostile_input import CORPUS, SEED, check
from tests.events.overview.events import event
from tests.events.planning.desk import JPEG, URL, Desk, desk_at
from tests.factories.product import JSON, Box, Product
from tests.product_fixtures import sqlite_only
from tests.sizes import share
from tsudoi.core.clock import ManualClock
from tsudoi.events.event.models import Event
from tsudoi.events.planning.rules.draft import FIELDS

# What each decision looks like when all of it is good, as JSON source.
DECISIONS: dict[tuple[str, str], dict[str, str]] = {
    ("POST", "/preview"): {"title": '"x"', "held_at": '"2025-09-10T19:00:00+09:00"', "target_member_ids": "[101]"}
    | dict.fromkeys(("body", "extra_text_enabled", "extra_text_label", "extra_text_attend_only"), "null"),
    ("POST", "/{id}/preview"): {"kind": '"change"', "title": '"x"', "held_at": '"2025-09-11T19:00:00+09:00"'}
    | {"body": '"x"', "reason": '"x"', "member_ids": "[101]"},
    ("PATCH", "/{id}"): {"title": '"x"', "held_at": '"2025-09-11T19:00:00+09:00"', "body": '"x"'}
    | {"notify": "false", "sequence": "null", "confirm_over_quota": "false"},
    ("POST", "/{id}/cancellation"): {"reason": '"x"', "notify": "false", "confirm_over_quota": "false"},
    ("POST", "/{id}/targets"): {"member_ids": "[999]", "confirm_over_quota": "false"},
    ("POST", "/{id}/reminders"): {"member_ids": "[999]", "confirm_over_quota": "false"},
    ("POST", "/{id}/answers"): {"member_id": "101", "status": '"attend"', "extra_text": '"x"'},
}
IDS = [
    "0",
    "-1",
    "1.5",
    "1e3",
    "x",
    "%00",
    "9007199254740993",
    "9223372036854775808",
    "9" * 400,
    "%d9%a3",
    "..",
    "1%2F2",
]
TEXTS = [
    b"", b" ", b"\x00", b"a\x00b", b"\xff\xfe", b"\xed\xa0\x80", "\u202e\u2066\u200b\ufeff".encode(), b"\x1b[31m",
    "\u2028\u0085".encode(), b"x" * 100_000, "\U0001f3a3".encode() * 3000, b"' OR 1=1 --", b"../../etc/passwd",
    b"{{7*7}}${7*7}", b"=HYPERLINK(1)", b"1e400", b"NaN", b"9" * 5000, b"[" * 50_000, b"[1e400]", b"[NaN]",
    b'"\\ud800"', b"[9223372036854775808]", b'{"a":1}', b"true", b"null", b"-0", b"+",
    b"9999-12-31T23:59:59+00:00", b"0000-00-00",
    b"2025-09-10T19:00:00+99:99", "２０２５-09-10T19:00:00+09:00".encode(), b"2025-W37-3T19:00:00+09:00",
]  # fmt: skip


@pytest.fixture
def desk(product: Product, box: Box, clock: ManualClock) -> Desk:
    return desk_at(product, box, clock, people=1)


def sources(good: dict[str, str]) -> Iterator[str]:
    yield from CORPUS
    for name in good:
        for value in CORPUS:
            yield "{" + ",".join(f'"{one}":{text}' for one, text in (good | {name: value}).items()) + "}"


def test_no_decision_breaks_on_any_field(desk: Desk) -> None:
    open_event = event(desk.product.db, [101])
    for (method, path), good in DECISIONS.items():
        for source in share(sources(good), desk.product.db.dialect):
            # Each cancels one of its own: the second time would be refused for another reason.
            event_id = event(desk.product.db, [101]) if "cancellation" in path else open_event
            address = f"{URL}{path.replace('{id}', str(event_id))}?wait=0"
            check(desk.http.request(method, address, content=source.encode(), headers=JSON), (path, source[:200]))
    assert desk.detail(open_event)["cancelled_at"] is None
    assert desk.http.get(f"{URL}?limit=200").status_code == 200


@sqlite_only
def test_no_number_in_a_path_breaks_anything(desk: Desk) -> None:
    for method, path in DECISIONS:
        for number in IDS:
            if "{id}" in path:
                answer = desk.http.request(method, f"{URL}{path.replace('{id}', number)}", json={"title": "x"})
                check(answer, (path, number))
                assert answer.status_code in (400, 404, 405), (path, number)


def part(name: bytes, value: bytes, more: bytes = b"") -> bytes:
    return b'--x\r\nContent-Disposition: form-data; name="' + name + b'"' + more + b"\r\n\r\n" + value + b"\r\n"


def form(**changes: bytes) -> bytes:
    good = {"title": b"x", "held_at": b"2025-09-10T19:00:00+09:00", "target_member_ids": b"[101]"}
    parts = [part(name.encode(), value) for name, value in {**good, **changes}.items()]
    return b"".join(parts) + part(b"image", JPEG, b'; filename="a.jpg"\r\nContent-Type: image/jpeg') + b"--x--\r\n"


def post(desk: Desk, content: bytes, kind: str = "multipart/form-data; boundary=x") -> None:
    answer = desk.http.post(f"{URL}?wait=0", content=content, headers={"content-type": kind})
    check(answer, (kind, content[:300]))


def test_no_field_of_the_form_breaks_anything(desk: Desk) -> None:
    for name in FIELDS:
        for value in share(TEXTS, desk.product.db.dialect):
            post(desk, form(**{name: value}))
    for row in desk.rows(Event):
        assert "\x00" not in f"{row['title']}{row['body']}{row['extra_text_label']}"
    assert len(desk.files()) == 2 * len(desk.rows(Event))


def crooked() -> Iterator[bytes]:
    end = b"--x--\r\n"
    for name in (b"", b"\x00", b"\xff", b'a\\"b', b"x" * 5000, b"title\r\nX: y", b"../image", b"title[]", b"__proto__"):
        yield part(name, b"x") + end
    for more in (
        b'; filename=""',
        b'; filename="\x00"',
        b"; filename*=utf-8''%00%ff",
        b'; filename="' + b"x" * 9000 + b'"',
    ):
        yield part(b"image", JPEG, more) + end
    for header in (
        b"Content-Transfer-Encoding: base64",
        b"Content-Type: multipart/mixed; boundary=y",
        b"X: " + b"y" * 20_000,
    ):
        yield part(b"title", b"x", b"\r\n" + header) + end
    yield b"--x\r\nContent-Disposition: attachment\r\n\r\nx\r\n" + end
    yield b"--x\r\nContent-Type: text/plain\r\n\r\nx\r\n" + end
    yield b"".join(part(f"n{number}".encode(), b"x") for number in range(2000)) + end
    yield b"".join(part(b"image", b"x", b'; filename="a"') for _ in range(50)) + end
    yield b"--x\r\n" * 5000
    yield end


@sqlite_only
# A file whose part has no end is dropped by the form's reader, and closed when it is collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_no_crooked_form_breaks_anything(desk: Desk) -> None:
    kinds: list[Any] = ["", "multipart/form-data", "multipart/form-data; boundary=", 'multipart/form-data; boundary="']
    kinds += [f"multipart/form-data; boundary={'x' * 5000}", "multipart/form-data; boundary=x; boundary=y"]
    kinds += [
        "multipart/form-data;boundary=%00",
        "multipart/form-data; boundary*=utf-16''x",
        "multipart/mixed; boundary=x",
    ]
    for kind in kinds:
        post(desk, form(), kind)
    for content in crooked():
        post(desk, content)
    dice, good = random.Random(SEED), form()
    for _ in range(150):
        bad = bytearray(good[: dice.randrange(len(good))] if dice.random() < 0.3 else good)
        for _ in range(dice.randrange(1, 6)):
            if bad:
                bad[dice.randrange(min(len(bad), 600))] = dice.randrange(256)
        post(desk, bytes(bad))
