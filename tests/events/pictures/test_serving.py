"""The pictures as LINE's servers and phones fetch them: from the real server, without a session."""

import socket
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.concurrency.threads import at_once
from tests.events.pictures import samples
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.core.media import DirectoryStore, MediaUnavailable
from tsudoi.events.pictures import service
from tsudoi.events.pictures.rules.picture import prepare

pytestmark = sqlite_only
PICTURE = prepare(samples.packed(samples.noise(1400, 900)))
Fetch = Callable[..., httpx2.Response]


@pytest.fixture
def key(product: Product) -> str:
    return service.store(DirectoryStore(product.settings.media_dir), PICTURE)


@pytest.fixture
def fetch(product: Product, key: str) -> Fetch:
    def one(name: str = "notice_p.jpg", method: str = "GET", **headers: str) -> httpx2.Response:
        return product.http.request(method, f"/files/events/{key}/{name}", headers=headers)

    return one


def raw(product: Product, target: str) -> bytes:
    """Sent as it is: a client library would tidy up the path."""
    parts = urlsplit(product.url)
    with socket.create_connection((str(parts.hostname), parts.port or 80), timeout=10) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode("latin-1"))
        return b"".join(iter(lambda: connection.recv(65536), b""))


class TestPicture:
    @pytest.mark.parametrize(("name", "kind"), [("notice_o.jpg", "original"), ("notice_p.jpg", "preview")])
    def test_is_served_whole_to_whoever_knows_the_address(self, fetch: Fetch, name: str, kind: str) -> None:
        answer = fetch(name)
        assert answer.status_code == 200
        assert answer.content == getattr(PICTURE, kind)
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.headers["content-length"] == str(len(answer.content))
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-disposition"] == "inline"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert "set-cookie" not in answer.headers

    def test_the_addresses_in_messages_are_the_ones_that_work(self, product: Product, key: str) -> None:
        for address, data in zip(
            service.urls(product.settings.public_base_url, key), (PICTURE.original, PICTURE.preview), strict=True
        ):
            assert httpx2.get(address, trust_env=False).content == data

    def test_head_says_the_same_without_the_picture(self, fetch: Fetch) -> None:
        whole, head = fetch(), fetch(method="HEAD")
        assert head.status_code == 200
        assert head.content == b""
        same = ("content-type", "content-length", "etag", "cache-control", "cross-origin-resource-policy")
        assert [head.headers[name] for name in same] == [whole.headers[name] for name in same]

    def test_what_is_known_is_not_sent_again(self, fetch: Fetch) -> None:
        tag = fetch().headers["etag"]
        assert tag.startswith('"')
        assert fetch("notice_o.jpg").headers["etag"] != tag
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            answer = fetch(**{"if-none-match": known})
            assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert fetch(method="HEAD", **{"if-none-match": tag}).status_code == 304
        for other in ('"other"', tag[:-2] + '"', ""):
            assert fetch(**{"if-none-match": other}).status_code == 200

    def test_is_not_written_to(self, fetch: Fetch) -> None:
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            answer = fetch(method=method)
            assert (answer.status_code, answer.json()["code"]) == (405, "METHOD_NOT_ALLOWED")


class TestNothingElse:
    @pytest.mark.parametrize(
        "target",
        [
            "/files/events/{key}/",
            "/files/events/{key}",
            "/files/events/",
            "/files/",
            "/files/events/{key}/other.jpg",
            "/files/events/{key}/NOTICE_P.JPG",
            "/files/events/{key}/notice_p.jpg/",
            "/files/events/{key}/notice_p.jpg%00",
            "/files/events/{key}/notice_p.jpg%0a",
            "/files/events/{key}/.half.tmp",
            "/files/events/{key}/../{key}/notice_p.jpg",
            "/files/events/%2e%2e/secret.jpg",
            "/files/events/..%2f..%2ftsudoi.sqlite3/notice_p.jpg",
            "/files/events/{key}%2f..%2f{key}/notice_p.jpg",
            "/files/events/{key}/%2e%2e%2fnotice_p.jpg",
            "/files/events/{short}/notice_p.jpg",
            "/files/events/{other}/notice_p.jpg",
            "/files/events//{key}/notice_p.jpg",
            "//files/events/{key}/notice_p.jpg",
            "/files/events/{key}\\..\\{key}/notice_p.jpg",
            "/files/events/%ff%fe/notice_p.jpg",
            "/files/events/%E3%81%82/notice_p.jpg",
        ],
    )
    def test_is_there(self, product: Product, key: str, target: str) -> None:
        (product.settings.media_dir / "events" / key / ".half.tmp").write_bytes(b"half")
        (product.settings.media_dir / "events" / key / "other.jpg").write_bytes(b"other")
        (product.settings.media_dir / "secret.jpg").write_bytes(b"secret")
        answer = raw(product, target.format(key=key, short=key[:-1], other=key[::-1]))
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 404"), head
        assert b'{"code":"NOT_FOUND"' in body
        assert b"immutable" not in head

    def test_and_the_same_way_the_real_one_is(self, product: Product, key: str) -> None:
        answer = raw(product, f"/files/events/{key}/notice_p.jpg")
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.endswith(PICTURE.preview)

    def test_a_picture_that_is_gone_is_not_remembered_as_gone(self, product: Product, key: str, fetch: Fetch) -> None:
        tag = fetch().headers["etag"]
        service.discard(DirectoryStore(product.settings.media_dir), key)
        for headers in ({}, {"if-none-match": tag}):
            answer = fetch(**headers)
            assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
            assert answer.headers["cache-control"] == "no-store"


class TestTrouble:
    def test_a_disk_that_is_gone_is_a_503(self, fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise MediaUnavailable

        monkeypatch.setattr(DirectoryStore, "open", refuse)
        answer = fetch()
        assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
        assert "immutable" not in str(answer.headers)

    def test_a_slow_disk_keeps_nobody_else_waiting(
        self, product: Product, fetch: Fetch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reading, go_on = threading.Event(), threading.Event()
        real = DirectoryStore.open

        def slow(store: DirectoryStore, path: str) -> Any:
            reading.set()
            assert go_on.wait(20)
            return real(store, path)

        monkeypatch.setattr(DirectoryStore, "open", slow)
        answers: list[int] = []

        def play(number: int) -> None:
            if number == 0:
                answers.append(fetch().status_code)
                return
            assert reading.wait(20)
            try:
                with product.client() as other:
                    answers.append(other.get("/livez").status_code)
                assert len(answers) == 1
            finally:
                go_on.set()

        at_once(2, play)
        assert answers == [200, 200]

    def test_somebody_who_hangs_up_in_the_middle_leaves_no_open_file(self, product: Product, key: str) -> None:
        parts = urlsplit(product.url)
        for _ in range(5):
            with socket.create_connection((str(parts.hostname), parts.port or 80), timeout=10) as connection:
                connection.sendall(f"GET /files/events/{key}/notice_o.jpg HTTP/1.1\r\nhost: x\r\n\r\n".encode())
                assert connection.recv(100).startswith(b"HTTP/1.1 200")
        assert product.http.get(f"/files/events/{key}/notice_o.jpg").content == PICTURE.original
