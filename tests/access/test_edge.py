"""What every answer has in common: the shape of an error, the headers, the request id, the limits."""

import re
import socket
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
import structlog
from fastapi import FastAPI, Request

from tests.factories.product import ADMIN, JSON, PASSWORD, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import serving
from tsudoi.access.middleware import EdgeMiddleware
from tsudoi.access.password_hasher import PasswordHasher
from tsudoi.app import create_app
from tsudoi.core.hash_queue import QueueLimits

pytestmark = sqlite_only
LOGIN = "/api/admin/login"
XML = {"content-type": "text/xml"}
REFUSED: list[tuple[tuple[str, str, dict[str, Any]], int, str]] = [
    (("POST", LOGIN, {"json": {}}), 400, "INVALID_INPUT"),
    (("POST", LOGIN, {"content": b"{", "headers": JSON}), 400, "INVALID_INPUT"),
    (("POST", LOGIN, {"content": b"", "headers": JSON}), 400, "INVALID_INPUT"),
    (("POST", LOGIN, {"content": b"\xff", "headers": JSON}), 400, "INVALID_INPUT"),
    (("GET", "/api/admin/line/friends?limit=x", {}), 401, "UNAUTHENTICATED"),
    (("GET", "/api/nothing", {}), 404, "NOT_FOUND"),
    (("GET", "/api", {}), 404, "NOT_FOUND"),
    (("GET", "/favicon.ico", {}), 404, "NOT_FOUND"),
    (("GET", "/api/admin/me/", {}), 404, "NOT_FOUND"),
    (("DELETE", LOGIN, {}), 405, "METHOD_NOT_ALLOWED"),
    (("PROPFIND", "/api/admin/me", {}), 405, "METHOD_NOT_ALLOWED"),
    (("POST", "/admin/", {}), 405, "METHOD_NOT_ALLOWED"),
    (("POST", LOGIN, {"content": b"x", "headers": XML}), 415, "UNSUPPORTED_MEDIA_TYPE"),
]
SECRET = "a secret in the message: 山田 太郎"


@contextmanager
def with_a_route_that_breaks(product: Product) -> Iterator[str]:
    edge = create_app(product.runtime)
    assert isinstance(edge, EdgeMiddleware)
    app = edge._app
    assert isinstance(app, FastAPI)

    @app.get("/api/boom")
    async def boom() -> None:
        raise RuntimeError(SECRET)

    @app.get("/api/whoami")
    async def whoami(request: Request) -> str:
        return request.client.host if request.client else "unknown"

    with serving(edge) as url:
        yield url


def every_kind_of_answer(product: Product) -> Iterator[tuple[str, httpx2.Response]]:
    http = product.http
    with with_a_route_that_breaks(product) as url, httpx2.Client(base_url=url, trust_env=False) as other:
        yield "200", http.get("/livez")
        yield "200 page", http.get("/admin/")
        yield "200 member page", http.get("/liff/anything")
        yield "200 staff page", http.get("/staff/anything")
        yield "200 docs", http.get("/api/docs")
        yield "200 openapi", http.get("/api/openapi.json")
        yield "307", http.get("/")
        yield "400", http.post(LOGIN, json={})
        yield "400 no json", http.post(LOGIN, content=b"{", headers=JSON)
        yield "401", http.get("/api/admin/me")
        yield "403", http.post(LOGIN, json={}, headers={"origin": "https://evil.example"})
        yield "404", http.get("/api/nothing/here")
        yield "404 asset", http.get("/admin/assets/nothing.js")
        yield "404 docs asset", http.get("/api/docs/assets/nothing.js")
        yield "405", http.get(LOGIN)
        yield "413", http.post(LOGIN, content=b"x" * 1_048_577, headers=JSON)
        yield "415", http.post(LOGIN, content=b"x", headers={"content-type": "text/plain"})
        yield "500", other.get("/api/boom")
        product.runtime.part(PasswordHasher).queue.limits = QueueLimits(strangers=0, all=0)
        yield "503", product.log_in()


class TestErrors:
    def test_have_one_shape(self, product: Product) -> None:
        for (method, path, options), status, code in REFUSED:
            answer = product.http.request(method, path, **options)
            assert (answer.status_code, answer.json()["code"]) == (status, code), (method, path)
            assert set(answer.json()) == {"code", "message", "details"}
            assert re.search("[ぁ-ん]", answer.json()["message"]), "people read Japanese"
            assert answer.headers["content-type"] == "application/json"
            assert (status == 405) == ("allow" in answer.headers)

    def test_a_body_that_is_no_json_is_named_as_such(self, product: Product) -> None:
        answer = product.http.post(LOGIN, content=b'{"username":', headers=JSON)
        assert answer.json()["details"] == [{"field": "body", "reason": "INVALID_JSON"}]

    def test_each_field_has_its_reason(self, product: Product) -> None:
        answer = product.http.post(LOGIN, json={"username": "", "extra": 1})
        found = {detail["field"]: detail["reason"] for detail in answer.json()["details"]}
        assert found == {"username": "TOO_SHORT", "password": "REQUIRED", "extra": "UNKNOWN_FIELD"}

    def test_there_is_an_end_to_the_details(self, product: Product) -> None:
        answer = product.http.post(LOGIN, json={f"x{n}": n for n in range(5000)})
        assert answer.status_code == 400
        assert len(answer.json()["details"]) == 50

    @pytest.mark.parametrize("declared", [True, False])
    def test_a_body_too_large_is_413_whether_or_not_it_says_so(self, product: Product, declared: bool) -> None:
        body = b'{"username":"' + b"x" * 2_000_000 + b'"}'
        content = body if declared else iter([body[:100], body[100:]])
        answer = product.http.post(LOGIN, content=content, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (413, "TOO_LARGE")

    def test_the_largest_body_allowed_is_read(self, product: Product) -> None:
        answer = product.http.post(LOGIN, content=b" " * 1_048_574 + b"{}", headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_INPUT")

    @pytest.mark.parametrize("declared", [True, False])
    def test_a_form_with_a_picture_may_be_longer_and_nothing_else(self, product: Product, declared: bool) -> None:
        product.make_admin()
        csrf = product.log_in().json()["csrf_token"]

        def post(path: str, megabytes: float) -> int:
            head = b'--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n'
            body = head + b"x" * (int(megabytes * 1_048_576) - len(head) - 9) + b"\r\n--x--\r\n"
            content = body if declared else iter([body[:100], body[100:]])
            headers = {"content-type": "multipart/form-data; boundary=x", "x-csrf-token": csrf}
            return product.http.post(path, content=content, headers=headers).status_code

        assert [post("/api/admin/events", size) for size in (1.1, 32, 32.001, 40)] == [400, 400, 413, 413]
        for path in ("/api/admin/events/preview", "/api/admin/events/1/targets"):
            assert post(path, 2) == 413, path
        for path in ("/api/admin/events/1/cancellation", LOGIN, "/api/line/webhook"):
            assert post(path, 1.1) == 413, path

    def test_a_body_that_is_not_json_is_refused_by_every_operation_of_the_office_that_takes_json(
        self, product: Product
    ) -> None:
        product.make_admin()
        product.http.headers["x-csrf-token"] = product.log_in().json()["csrf_token"]
        operations = product.http.get("/api/openapi.json").json()["paths"]
        takes_json = {
            (method, path.format_map(defaultdict(lambda: "1")))
            for path, methods in operations.items()
            for method, operation in methods.items()
            if path.startswith("/api/admin/")
            and "application/json" in operation.get("requestBody", {"content": ()})["content"]
        }
        assert {("post", "/api/admin/events/preview"), ("post", "/api/admin/events/1/preview")} < takes_json
        answers = {
            (method, path, kind, answer.status_code, answer.json()["code"], *answer.json())
            for method, path in takes_json
            for kind in ("text/plain", "text/xml", "application/x-www-form-urlencoded", "multipart/form-data", "")
            for answer in [product.http.request(method, path, content=b"{}", headers={"content-type": kind})]
        }
        refused = (415, "UNSUPPORTED_MEDIA_TYPE", "code", "message", "details")
        assert [answer for answer in sorted(answers) if answer[3:] != refused] == []

    def test_the_unexpected_leaks_nothing_but_its_request_id(self, product: Product) -> None:
        context = structlog.contextvars.merge_contextvars
        with structlog.testing.capture_logs(processors=[context]) as logs, with_a_route_that_breaks(product) as url:
            answer = httpx2.get(f"{url}/api/boom", trust_env=False)
        assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL")
        assert set(answer.json()) == {"code", "message", "details"}
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert "RuntimeError" not in answer.text
        logged = [line for line in logs if line.get("request_id") == answer.headers["x-request-id"]]
        assert "unexpected" in [line["event"] for line in logged]


class TestHeaders:
    def test_every_kind_of_answer_keeps_browsers_strict(self, product: Product) -> None:
        for kind, answer in every_kind_of_answer(product):
            assert kind.startswith(str(answer.status_code)), kind
            headers = answer.headers
            assert headers["x-content-type-options"] == "nosniff", kind
            assert headers["referrer-policy"] == "no-referrer", kind
            assert headers["cross-origin-opener-policy"] == "same-origin", kind
            assert len(headers["x-request-id"]) >= 8, kind
            assert "strict-transport-security" not in headers, kind
            assert "server" not in headers, kind
            policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
            assert policy["default-src"] == "'none'", kind
            assert policy["base-uri"] == "'none'", kind
            assert policy["frame-ancestors"] == "'none'", kind
            assert policy.get("script-src", "'self'") == "'self'", kind
            assert headers["x-frame-options"] == "DENY", kind

    def test_api_answers_are_not_kept_by_caches(self, product: Product) -> None:
        for path in ("/api/admin/me", "/api/liff/me", "/api/nothing", "/api/admin/overview"):
            assert product.http.get(path).headers["cache-control"] == "no-store"

    def test_https_is_remembered_by_browsers(self, make_product: ProductMaker) -> None:
        product = make_product(public_base_url="https://tsudoi.example.jp")
        for path in ("/livez", "/admin/", "/api/nothing"):
            assert product.http.get(path).headers["strict-transport-security"].startswith("max-age=31536000")

    def test_only_the_member_pages_may_be_framed_and_only_by_whom_we_say(self, make_product: ProductMaker) -> None:
        product = make_product(frame_ancestors="http://127.0.0.1:8001")
        member, office = product.http.get("/liff/").headers, product.http.get("/admin/").headers
        staff = product.http.get("/staff/").headers
        assert "frame-ancestors http://127.0.0.1:8001" in member["content-security-policy"]
        assert "frame-ancestors http://127.0.0.1:8001" in staff["content-security-policy"]
        assert "x-frame-options" not in member
        assert "frame-ancestors 'none'" in office["content-security-policy"]
        assert office["x-frame-options"] == "DENY"


class TestRequestId:
    def test_a_well_formed_one_is_taken_over(self, product: Product) -> None:
        for given in ("req-12345678", "0af7651916cd43dd8448eb211c80319c", "a.b_c-d9"):
            assert product.http.get("/livez", headers={"x-request-id": given}).headers["x-request-id"] == given

    def test_any_other_is_replaced(self, product: Product) -> None:
        name = "山田太郎です".encode()
        for given in (b"short", b"x" * 65, b'", "level":"error', b"a b c d e f", name, b"", b"a\tb\tc\td\te"):
            found = product.http.get("/livez", headers={b"x-request-id": given}).headers["x-request-id"]
            assert found.encode() != given
            assert re.fullmatch(r"[0-9a-f]{32}", found)


class TestProxies:
    @pytest.mark.parametrize(
        ("trusted", "chain", "seen"),
        [
            ("", "203.0.113.7", "127.0.0.1"),
            ("10.0.0.0/8", "203.0.113.7", "127.0.0.1"),
            ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
            ("127.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"),
            ("127.0.0.1,10.0.0.0/8", "1.1.1.1, 203.0.113.7, 10.1.2.3", "203.0.113.7"),
            ("127.0.0.1", "203.0.113.7, garbage", "127.0.0.1"),
            ("127.0.0.1", "garbage, 203.0.113.7", "203.0.113.7"),
            ("127.0.0.1", "", "127.0.0.1"),
            ("127.0.0.1", "2001:db8::1", "2001:db8::1"),
            ("127.0.0.1", "' OR 1=1 --", "127.0.0.1"),
        ],
    )
    def test_only_those_we_know_are_believed(
        self, make_product: ProductMaker, trusted: str, chain: str, seen: str
    ) -> None:
        product = make_product(trusted_proxies=trusted)
        with with_a_route_that_breaks(product) as url:
            answer = httpx2.get(f"{url}/api/whoami", headers={"x-forwarded-for": chain}, trust_env=False)
        assert answer.json() == seen


def test_a_client_that_hangs_up_is_not_our_failure(product: Product) -> None:
    host, port = product.url.removeprefix("http://").split(":")
    with structlog.testing.capture_logs() as logs:
        with socket.create_connection((host, int(port))) as caller:
            caller.sendall(b"POST /api/line/webhook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf")
        assert product.log_in(username=ADMIN, password=PASSWORD).status_code == 401
    assert [line for line in logs if line["log_level"] == "error"] == []
