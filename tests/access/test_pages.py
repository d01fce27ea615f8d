"""The built pages: their configuration, and that no path leads to a file that is not theirs."""

import gzip
import html
import socket
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from tests.factories.product import LIFF_ID, Product, settings_for
from tests.product_fixtures import sqlite_only
from tools import default_config
from tsudoi import __version__
from tsudoi.access import spa
from tsudoi.contexts import CONTEXTS
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.errors import NotFound

ROOT = Path(__file__).parents[2]
INDEX = '<!doctype html><meta name="tsudoi-config" content="__TSUDOI_CONFIG__">'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "static" / "admin"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text(INDEX)
    (built / "assets" / "app-1234.js").write_text("script")
    (built / "robots.txt").write_text("robots")
    (tmp_path / "static" / "secret.txt").write_text("NOT-FOR-VISITORS")
    (tmp_path / "static" / "admin-secret.txt").write_text("NOT-FOR-VISITORS")
    return built


@pytest.fixture
def pages(folder: Path) -> spa.SinglePageApp:
    return spa.SinglePageApp(folder, settings_for("http://127.0.0.1:1", folder, "http://127.0.0.1:2"), CONTEXTS)


def body(pages: spa.SinglePageApp, path: str) -> bytes:
    return bytes(pages.serve(path).body)


class TestConfig:
    def test_is_put_into_the_page(self, pages: spa.SinglePageApp) -> None:
        content = body(pages, "").decode().partition('content="')[2].partition('"')[0]
        config = orjson.loads(html.unescape(content))
        assert (config["liff_adapter"], config["liff_id"]) == ("sandbox", LIFF_ID)
        assert config["version"] == __version__
        assert config["features"] == ["events", "booking", "scheduling", "shops", "payments"]
        assert {"group": "ask", "label": "イベント", "path": "/events", "icon": "events"} in config["navigation"]
        assert config["audit_actions"]["EVENT_CANCEL"] == "イベントを中止"
        assert "EVENT_CANCEL" in config["audit_groups"][0]["actions"]
        assert config["audit_subjects"]["event"] == {"label": "イベント", "path": "/events/{id}"}
        assert config["command"] == tsudoi_command()

    def test_without_stripe_the_pages_know_nothing_of_payments(self, folder: Path) -> None:
        settings = settings_for("http://127.0.0.1:1", folder, "http://127.0.0.1:2", stripe_webhook_secret=None)
        config = spa.contexts_config(CONTEXTS, settings)
        assert config["features"] == ["events", "booking", "scheduling", "shops"]
        assert "/payments" not in [item["path"] for item in config["navigation"]]

    def test_the_committed_copy_is_what_the_contexts_say(self) -> None:
        """`make types` writes it."""
        assert (ROOT / default_config.FILE).read_bytes() == default_config.render()

    def test_cannot_break_out_of_its_attribute(self, folder: Path) -> None:
        evil = "\"><script>alert(1)</script>'&"
        settings = settings_for("http://127.0.0.1:1", folder, "http://127.0.0.1:2", liff_id=evil)
        page = body(spa.SinglePageApp(folder, settings, CONTEXTS), "").decode()
        assert "<script>" not in page
        assert page.count('"') == INDEX.count('"')

    def test_the_page_is_never_kept_and_its_assets_for_ever(self, pages: spa.SinglePageApp) -> None:
        assert pages.serve("").headers["cache-control"] == "no-cache"
        assert pages.serve("events/7").headers["cache-control"] == "no-cache"
        assert "immutable" in pages.serve("assets/app-1234.js").headers["cache-control"]
        assert "immutable" not in pages.serve("robots.txt").headers["cache-control"]

    def test_assets_are_packed_for_who_can_unpack_them(self, pages: spa.SinglePageApp) -> None:
        packed = pages.serve("assets/app-1234.js", "gzip, deflate, br")
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(bytes(packed.body)) == b"script"
        for answer in (packed, pages.serve("assets/app-1234.js")):
            assert "javascript" in answer.headers["content-type"]
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers["vary"] == "accept-encoding"
        assert "content-encoding" not in pages.serve("assets/app-1234.js").headers
        assert "content-encoding" not in pages.serve("", "gzip").headers

    def test_the_sdk_of_line_is_fetched_along_only_where_line_is(self, folder: Path) -> None:
        (folder / "index.html").write_text(f"<head>{INDEX}</head>")
        (folder / "assets" / "line-5678.js").write_text("sdk")
        settings = settings_for("http://127.0.0.1:1", folder, "http://127.0.0.1:2")
        link = b'<link rel="modulepreload" crossorigin href="/liff/assets/line-5678.js"></head>'
        assert link not in body(spa.SinglePageApp(folder, settings, CONTEXTS), "")
        assert link in body(
            spa.SinglePageApp(folder, settings.model_copy(update={"liff_adapter": "line"}), CONTEXTS), ""
        )

    def test_a_missing_asset_is_not_the_page(self, pages: spa.SinglePageApp) -> None:
        with pytest.raises(NotFound):
            pages.serve("assets/gone.js")

    def test_the_raw_page_is_never_served(self, pages: spa.SinglePageApp) -> None:
        for path in ("index.html", "./index.html", "x/../index.html"):
            assert b"__TSUDOI_CONFIG__" not in body(pages, path)


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "../admin-secret.txt",
        "../../static/secret.txt",
        "x/../../secret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "....//secret.txt",
        "..\\secret.txt",
        "\x00",
        "a\x00.js",
        "x" * 5000,
        "a/" * 3000,
        "\ud800",
    ],
)
def test_odd_paths_are_just_the_page(pages: spa.SinglePageApp, path: str) -> None:
    assert b"tsudoi-config" in body(pages, path)


def test_a_link_out_of_the_folder_is_not_followed(pages: spa.SinglePageApp, folder: Path) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    assert b"NOT-FOR-VISITORS" not in body(pages, "link.txt")


def raw_get(product: Product, path: bytes) -> tuple[int, bytes]:
    """Clients tidy up paths before they send them; an attacker does not."""
    host, port = product.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as caller:
        caller.sendall(b"GET " + path + b" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: caller.recv(65536), b""))
    return int(answer.split(b" ", 2)[1]), answer


def traversals() -> Iterator[bytes]:
    for prefix in (b"/admin", b"/liff", b"/admin/assets", b"/liff/assets", b"/api/docs/assets"):
        for up in (b"..", b"%2e%2e", b"..%2f..", b"%2e%2e%2f%2e%2e", b"..%5c..", b"%252e%252e%252f", b"....//"):
            for target in (b"pyproject.toml", b"etc/passwd", b"access/spa.py", b"app.py"):
                yield prefix + (b"/" + up) * 6 + b"/" + target
        yield prefix + b"/%00"
        yield prefix + b"/" + b"x" * 5000
        yield prefix + b"/%ff%fe"
        yield prefix + b"//etc/passwd"
        yield prefix + b"/%2fetc%2fpasswd"


@sqlite_only
def test_no_path_leads_out_of_the_pages(product: Product) -> None:
    for path in traversals():
        status, answer = raw_get(product, path)
        assert status in (200, 404), path
        for secret in (b"root:", b"[project]", b"class SinglePageApp", b"create_api"):
            assert secret not in answer, path
