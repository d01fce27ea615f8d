"""Nothing is stored when anything is wrong, and every wrong field is named at once."""

import json
import socket
import time
from typing import Any

import pytest
from sqlalchemy import text

from tests.events.planning.desk import HELD_AT, JPEG, URL, Desk, faults, listed, picture, refusal
from tests.factories.product import JSON
from tests.product_fixtures import sqlite_only
from tsudoi.core.models import IdempotencyKey
from tsudoi.events.pictures.errors import PictureRefused
from tsudoi.events.pictures.rules import picture as pictures
from tsudoi.events.pictures.rules.picture import LARGEST_UPLOAD
from tsudoi.events.planning.rules.draft import LARGEST_ID, MOST_TARGETS

WRONG: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"title": None}, {"title": "REQUIRED"}),
    ({"title": " 　\u2003"}, {"title": "REQUIRED"}),
    ({"title": "\u200b\u3164\u2800"}, {"title": "REQUIRED"}),
    ({"body": "\u200b\n\ufeff"}, {"body": "EMPTY"}),
    ({"title": "題" * 101}, {"title": "TOO_LONG"}),
    ({"title": "一\n二"}, {"title": "INVALID_CHARACTER"}),
    ({"title": "a\x00b"}, {"title": "INVALID_CHARACTER"}),
    ({"title": "理事会".encode("shift_jis").decode("latin-1")}, {"title": "INVALID_CHARACTER"}),
    ({"held_at": None}, {"held_at": "REQUIRED"}),
    ({"held_at": ""}, {"held_at": "REQUIRED"}),
    ({"held_at": "2025-09-10T19:00:00"}, {"held_at": "INVALID_FORMAT"}),
    ({"held_at": "2025-09-10"}, {"held_at": "INVALID_FORMAT"}),
    ({"held_at": "9月10日"}, {"held_at": "INVALID_FORMAT"}),
    ({"held_at": "2025-02-30T19:00:00+09:00"}, {"held_at": "INVALID_FORMAT"}),
    ({"held_at": "0001-01-01T00:00:00+14:00"}, {"held_at": "INVALID_FORMAT"}),
    ({"held_at": "9999-12-31T23:59:59-12:00"}, {"held_at": "INVALID_FORMAT"}),
    ({"held_at": "2025-08-16T11:59:59+09:00"}, {"held_at": "PAST_DATE"}),
    ({"held_at": "2205-09-10T19:00:00+09:00"}, {"held_at": "TOO_FAR"}),
    ({"body": "文" * 2001}, {"body": "TOO_LONG"}),
    ({"body": "文\x08"}, {"body": "INVALID_CHARACTER"}),
    ({"extra_text_enabled": "maybe"}, {"extra_text_enabled": "INVALID_FORMAT"}),
    ({"extra_text_attend_only": "2"}, {"extra_text_attend_only": "INVALID_FORMAT"}),
    ({"confirm_over_quota": "はい"}, {"confirm_over_quota": "INVALID_FORMAT"}),
    ({"extra_text_label": "名" * 21}, {"extra_text_label": "TOO_LONG"}),
    ({"extra_text_label": "名\x1b"}, {"extra_text_label": "INVALID_CHARACTER"}),
    ({"target_member_ids": None}, {"target_member_ids": "REQUIRED"}),
    ({"target_member_ids": "[]"}, {"target_member_ids": "REQUIRED"}),
    ({"target_member_ids": "null"}, {"target_member_ids": "REQUIRED"}),
    ({"target_member_ids": ""}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": '""'}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": '"101"'}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "101"}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "101,102"}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": '["101"]'}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "[101.0]"}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "[true]"}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "[0]"}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "[-101]"}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "[9223372036854775808]"}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": '{"101": 102}'}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": "[" * 900}, {"target_member_ids": "INVALID_FORMAT"}),
    ({"target_member_ids": listed([1] * 100_001)}, {"target_member_ids": "TOO_MANY"}),
    ({"target_member_ids": "[101, 999]"}, {"target_member_ids.999": "UNKNOWN_MEMBER"}),
    ({"image": None}, {"image": "REQUIRED"}),
    ({"image": b""}, {"image": "BROKEN"}),
    ({"title": "理事会".encode("euc_jp")}, {"title": "INVALID_CHARACTER"}),
    ({"body": "ご案内".encode("euc_jp")}, {"body": "INVALID_CHARACTER"}),
    ({"extra_text_label": "名".encode("shift_jis")}, {"extra_text_label": "INVALID_CHARACTER"}),
    ({"held_at": b"\xff"}, {"held_at": "INVALID_CHARACTER"}),
    ({"colour": "赤".encode("euc_jp")}, {"colour": "UNKNOWN_FIELD"}),
    ({"image": b"\x89PNG\r\n\x1a\n" + b"\x00" * 100}, {"image": "NOT_JPEG"}),
    ({"image": JPEG[:200]}, {"image": "BROKEN"}),
    ({"colour": "red"}, {"colour": "UNKNOWN_FIELD"}),
    ({"deadline_at": "2025-09-01T00:00:00+09:00"}, {"deadline_at": "UNKNOWN_FIELD"}),
]


@pytest.fixture
def nothing(desk: Desk) -> dict[str, int]:
    found = desk.traces()
    assert not any(found.values())
    return found


@sqlite_only
def test_each_field_has_its_reason_and_leaves_nothing(desk: Desk, nothing: dict[str, int]) -> None:
    for changes, expected in WRONG:
        answer = desk.create(key="the-same-key", **changes)
        assert faults(answer) == expected, str(changes)[:200]
    assert desk.traces() == nothing
    assert desk.audit() == []
    assert desk.box.calls("/v2/bot/message") == []
    assert desk.create(key="the-same-key").status_code == 201, "a key was used up by what was refused"


@pytest.mark.quick("refusal")
def test_all_wrong_fields_are_named_at_once(desk: Desk, nothing: dict[str, int]) -> None:
    desk.enrol(1, first=201, linked=False)
    desk.enrol(1, first=202, withdrawn_at=desk.clock.now())
    desk.enrol(1, first=203, is_target=0)
    answer = desk.create(
        title="",
        held_at="2020-01-01T00:00:00+09:00",
        body="あ" * 2001,
        extra_text_label="名" * 21,
        extra_text_enabled="?",
        target_member_ids="[101, 201, 202, 203, 999]",
        image=b"GIF89a",
        colour="red",
    )
    assert faults(answer) == {
        "title": "REQUIRED",
        "held_at": "PAST_DATE",
        "body": "TOO_LONG",
        "extra_text_label": "TOO_LONG",
        "extra_text_enabled": "INVALID_FORMAT",
        "target_member_ids.999": "UNKNOWN_MEMBER",
        "target_member_ids.201": "NOT_REACHABLE",
        "target_member_ids.202": "NOT_REACHABLE",
        "target_member_ids.203": "NOT_REACHABLE",
        "image": "NOT_JPEG",
        "colour": "UNKNOWN_FIELD",
    }
    assert desk.traces() == nothing


@sqlite_only
class TestTheFormItself:
    def test_what_is_given_twice_or_as_a_file_is_named_with_the_rest(self, desk: Desk) -> None:
        parts: list[tuple[str, Any]] = [
            *((name, (None, value)) for name, value in desk.form(held_at="tomorrow").items()),
            ("title", (None, "もう一つ")),
            ("image", ("a.jpg", JPEG)),
            ("image", ("b.jpg", JPEG)),
            ("body", ("body.txt", b"text")),
            ("attachment", ("c.pdf", b"%PDF")),
            *((f"more{number}", (None, "x")) for number in range(12)),
        ]
        assert faults(desk.http.post(URL, files=parts)) == {
            "title": "GIVEN_TWICE",
            "image": "GIVEN_TWICE",
            "body": "INVALID_FORMAT",
            "attachment": "UNKNOWN_FIELD",
            "held_at": "INVALID_FORMAT",
            **{f"more{number}": "UNKNOWN_FIELD" for number in range(12)},
        }

    def test_a_picture_that_is_no_file_is_missing(self, desk: Desk) -> None:
        files = {name: (None, value) for name, value in desk.form(image="data:image/jpeg;base64,").items()}
        assert faults(desk.http.post(URL, files=files)) == {"image": "REQUIRED"}

    def test_a_browsers_form_in_which_no_picture_was_chosen(self, desk: Desk) -> None:
        parts = "".join(
            f'--x\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in desk.form().items()
        )
        parts += '--x\r\ncontent-disposition: form-data; name="image"; filename=""\r\n\r\n\r\n--x--\r\n'
        kind = {"content-type": "multipart/form-data; boundary=x"}
        assert faults(desk.http.post(URL, content=parts.encode(), headers=kind)) == {"image": "REQUIRED"}

    def test_letters_of_latin_1_are_fine_when_they_come_as_utf8(self, desk: Desk) -> None:
        """They are what a text in another encoding is mistaken for."""
        assert desk.create(title="Café ÀÖ", body="déjà vu").status_code == 201

    def test_too_long_a_field_is_named_with_the_rest(self, desk: Desk) -> None:
        for size in (1_200_000, 3_000_000):
            wrong = desk.create(title="", body="x" * size, colour="y" * size)
            assert faults(wrong) == {"title": "REQUIRED", "body": "TOO_LONG", "colour": "UNKNOWN_FIELD"}
        long = "あ" * 1_000_000
        wrong = desk.create(
            title=long, held_at=long, extra_text_label=long, target_member_ids=f"[101]{' ' * 3_000_000}"
        )
        assert set(faults(wrong)) == {"title", "held_at", "extra_text_label", "target_member_ids"}
        assert set(faults(wrong).values()) == {"TOO_LONG"}

    def test_a_form_without_an_end_is_no_form(self, desk: Desk) -> None:
        kind = {"content-type": "multipart/form-data; boundary=x"}
        for content in (b"", b"--x", b"nonsense", b"--x\r\n\r\nno name\r\n--x--\r\n"):
            answer = desk.http.post(URL, content=content, headers=kind)
            assert answer.status_code == 400, content
        without = desk.http.post(URL, content=b"x", headers={"content-type": "multipart/form-data"})
        assert faults(without) == {"form": "INVALID_FORMAT"}

    @pytest.mark.parametrize("charset", ["undefined", "unicode_escape", "idna", "shift_jis", "utf-7", '"utf-16"'])
    def test_a_form_in_any_other_encoding_is_refused(self, desk: Desk, charset: str) -> None:
        for kind in (
            f"multipart/form-data; boundary=x; charset={charset}",
            f"multipart/form-data; charset*=x''{charset}",
        ):
            content = b'--x\r\ncontent-disposition: form-data; name="title"\r\n\r\n\\ud800\xff\r\n--x--\r\n'
            answer = desk.http.post(URL, content=content, headers={"content-type": kind})
            assert refusal(answer) == (415, "UNSUPPORTED_MEDIA_TYPE")

    def test_utf8_may_be_said(self, desk: Desk) -> None:
        content = b'--x\r\ncontent-disposition: form-data; name="title"\r\n\r\n\xe9\xa1\x8c\r\n--x--\r\n'
        for kind in ("charset=utf-8; boundary=x", 'boundary=x; charset="UTF-8"'):
            answer = desk.http.post(URL, content=content, headers={"content-type": f"multipart/form-data; {kind}"})
            assert "title" not in faults(answer)

    def test_json_is_no_form(self, desk: Desk) -> None:
        assert refusal(desk.http.post(URL, json=desk.form())) == (415, "UNSUPPORTED_MEDIA_TYPE")
        assert refusal(desk.http.post(URL, data=desk.form())) == (415, "UNSUPPORTED_MEDIA_TYPE")
        assert refusal(desk.http.post(URL)) == (415, "UNSUPPORTED_MEDIA_TYPE")


@sqlite_only
class TestSize:
    def test_five_megabytes_are_taken_and_one_byte_more_is_said_at_the_field(self, desk: Desk) -> None:
        largest = JPEG + b"\x00" * (LARGEST_UPLOAD - len(JPEG))
        assert desk.create(image=largest).status_code == 201
        assert faults(desk.create(image=largest + b"\x00")) == {"image": "TOO_LARGE"}

    def test_a_picture_of_nine_megabytes_is_named_with_the_rest(self, desk: Desk) -> None:
        answer = desk.create(title="", image=JPEG + b"\x00" * 9 * 1024 * 1024)
        assert faults(answer) == {"title": "REQUIRED", "image": "TOO_LARGE"}
        assert answer.json()["message"] == "題名を入力してください。画像が大きすぎます。"

    def test_of_a_picture_that_is_too_large_only_so_much_is_kept(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sizes: list[int] = []

        def measured(data: bytes) -> None:
            sizes.append(len(data))
            raise PictureRefused("TOO_LARGE")

        monkeypatch.setattr(pictures, "prepare", measured)
        assert faults(desk.create(image=JPEG + b"\x00" * 20 * 1024 * 1024)) == {"image": "TOO_LARGE"}
        assert sizes == [LARGEST_UPLOAD + 1]

    @pytest.mark.parametrize("declared", [True, False])
    def test_a_form_beyond_all_measure_is_not_read(self, desk: Desk, declared: bool) -> None:
        head = b'--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'
        body = head + b"x" * 32 * 1024 * 1024
        kind = {"content-type": "multipart/form-data; boundary=x"}
        content = body if declared else iter([body[:100], body[100:]])
        assert refusal(desk.http.post(URL, content=content, headers=kind)) == (413, "TOO_LARGE")

    def test_as_many_people_as_may_be_asked_fit_in(self, desk: Desk) -> None:
        """None of them is there: to be told so, one has to be read."""
        event_id = desk.made()
        many = list(range(1_000_000_000, 1_000_000_000 + MOST_TARGETS))
        named = [f".{one}" for one in many[:50]]
        made = faults(desk.create(target_member_ids=json.dumps(many)))
        assert made == {f"target_member_ids{one}": "UNKNOWN_MEMBER" for one in named}
        shown = desk.post("/preview", title="総会", held_at=HELD_AT, target_member_ids=many)
        assert faults(shown) == made
        late = {f"member_ids{one}": "UNKNOWN_MEMBER" for one in named}
        assert faults(desk.post(f"/{event_id}/targets", member_ids=many)) == late
        assert faults(desk.post(f"/{event_id}/preview", kind="late", member_ids=many)) == late
        assert refusal(desk.post(f"/{event_id}/reminders", member_ids=many)) == (409, "NOBODY_TO_REMIND")
        assert desk.post(f"/{event_id}/preview", kind="reminder", member_ids=many).json()["recipients_total"] == 0

    def test_also_when_their_numbers_are_as_long_as_can_be(self, desk: Desk) -> None:
        longest = json.dumps([LARGEST_ID] * MOST_TARGETS)
        assert faults(desk.create(target_member_ids=longest)) == {f"target_member_ids.{LARGEST_ID}": "UNKNOWN_MEMBER"}
        assert faults(desk.post("/1/targets", member_ids=[LARGEST_ID] * (MOST_TARGETS + 1))) == {
            "member_ids": "TOO_LONG"
        }

    def test_and_nothing_else_may_be_longer(self, desk: Desk) -> None:
        for path in ("/1/cancellation", "/1/answers", "/1/targets/1", "/preview/1"):
            answer = desk.http.post(URL + path, content=b" " * 1_100_000 + b"{}", headers=JSON)
            assert refusal(answer) == (413, "TOO_LARGE"), path
        for path in ("/preview", "/1/preview", "/1/targets", "/1/reminders"):
            answer = desk.http.post(URL + path, content=b" " * 2_000_000 + b"{}", headers=JSON)
            assert refusal(answer) == (413, "TOO_LARGE"), path

    def test_a_bomb_of_pixels_is_refused(self, desk: Desk) -> None:
        data = bytearray(picture(64, 64))
        at = data.index(b"\xff\xc0")
        data[at + 5 : at + 9] = b"\xff\xff\xff\xff"
        assert faults(desk.create(image=bytes(data))) == {"image": "TOO_MANY_PIXELS"}


@sqlite_only
class TestWhoAsks:
    def test_without_the_csrf_token_403(self, desk: Desk) -> None:
        del desk.http.headers["x-csrf-token"]
        assert refusal(desk.create()) == (403, "FORBIDDEN")
        assert not any(desk.traces().values())

    def test_without_a_session_not_a_byte_of_the_body_is_awaited(self, desk: Desk) -> None:
        host, port = desk.product.url.removeprefix("http://").split(":")
        head = (
            f"POST {URL} HTTP/1.1\r\nhost: {host}\r\ncontent-length: 5000000\r\n"
            "content-type: multipart/form-data; boundary=x\r\n\r\n"
        )
        began = time.monotonic()
        with socket.create_connection((host, int(port)), timeout=5) as caller:
            caller.sendall(head.encode())
            assert caller.recv(65536).startswith(b"HTTP/1.1 401 ")
        assert time.monotonic() - began < 3


class TestTheDatabaseFails:
    """Really: the table into which the messages go is not there."""

    def test_no_file_and_no_row_stays_and_the_key_is_free(self, desk: Desk, nothing: dict[str, int]) -> None:
        _run(desk, "ALTER TABLE event_deliveries RENAME TO elsewhere")
        answer = desk.create(key="k1")
        assert answer.status_code in (500, 503)
        _run(desk, "ALTER TABLE elsewhere RENAME TO event_deliveries")
        assert desk.traces() == nothing
        assert desk.create(key="k1").json()["push"]["success"] == 3
        assert len(desk.rows(IdempotencyKey)) == 1


def _run(desk: Desk, statement: str) -> None:
    desk.product.db.write_now(lambda tx: tx.execute(text(statement)))
