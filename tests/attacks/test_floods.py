"""What one client can make the server write: forged webhooks, refused requests, garbage. All of it is counted."""

import socket
from collections import Counter
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
import structlog

from tests.factories.events import liff_client, make_event, make_members
from tests.factories.id_tokens import forged_token
from tests.factories.processes import started
from tests.factories.product import ADMIN, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.sizes import size
from tsudoi.core.models import AuditLog, RateLimit
from tsudoi.core.sampled_lines import LINES_PER_MINUTE, LINES_PER_SOURCE

FLOOD = size(150, 5_000)
STRIPE = "/api/stripe/webhook"
Lines = Sequence[MutableMapping[str, Any]]


def counted(product: Product, kind: str) -> int:
    told = product.http.get("/metrics").text.splitlines()
    [line] = [line for line in told if line.startswith(f'tsudoi_refused_total{{kind="{kind}"}}')]
    return int(line.split()[1])


@sqlite_only
def test_forged_webhooks_of_line(product: Product) -> None:
    for _ in range(FLOOD):
        assert product.post_raw(b"{}", "forged").status_code == 200
    assert len(product.webhook_lines()) == LINES_PER_MINUTE
    assert counted(product, "line_signature_invalid") == FLOOD
    product.runtime.lines.close()
    last = product.webhook_lines()[-1]
    told = {"kind": "webhook", "result": "IGNORED", "reason": "signature_invalid"}
    assert last == {"ts": last["ts"], **told, "left_out": FLOOD - LINES_PER_MINUTE}
    assert len(product.webhook_lines()) == LINES_PER_MINUTE + 1


@sqlite_only
def test_forged_webhooks_of_stripe(product: Product) -> None:
    with structlog.testing.capture_logs() as logs:
        for _ in range(FLOOD):
            assert product.http.post(STRIPE, json={}, headers={"stripe-signature": "t=1,v1=x"}).status_code == 400
        product.runtime.lines.close()
    assert counted(product, "stripe_signature_invalid") == FLOOD
    events = Counter(line["event"] for line in logs)
    assert events == {"stripe_signature_invalid": LINES_PER_MINUTE, "lines_left_out": 1}
    assert logs[-1]["number"] == FLOOD - LINES_PER_MINUTE


def refused(logs: Lines) -> list[tuple[Any, ...]]:
    names = ("method", "route", "status", "client", "principal")
    return [tuple(line.get(name) for name in names) for line in logs if line["event"] == "request_refused"]


@sqlite_only
def test_a_refused_request_leaves_a_trace(product: Product) -> None:
    event_id = make_event(product.db, make_members(product.db, 101, 102)[:1])
    route = "/api/liff/events/{event_id}/respond"
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logs:
        product.http.get("/api/admin/me")
        with liff_client(product, 102) as phone:
            assert phone.post(f"/api/liff/events/{event_id}/respond", json={"status": "attend"}).status_code == 403
        for _ in range(6):
            product.log_in(password="wrong")
        product.http.get("/api/nothing")
    found = refused(logs)
    assert ("GET", "/api/admin/me", 401, "127.0.0.1", None) in found
    [of_member] = [line for line in found if line[1] == route]
    assert of_member[:4] == ("POST", route, 403, "127.0.0.1")
    assert str(of_member[4]).startswith(("member:", "line:"))
    assert ("POST", "/api/admin/login", 429, "127.0.0.1", None) in found
    assert {line[2] for line in found} == {401, 403, 429}


@sqlite_only
def test_refused_requests_are_sampled_and_leave_room_for_other_clients(make_product: ProductMaker) -> None:
    product = make_product(trusted_proxies="127.0.0.1")
    with structlog.testing.capture_logs() as logs:
        for _ in range(FLOOD):
            product.http.get("/api/admin/me", headers={"x-forwarded-for": "203.0.113.9"})
        product.http.get("/api/admin/me", headers={"x-forwarded-for": "203.0.113.10"})
        product.runtime.lines.close()
    clients = Counter(line[3] for line in refused(logs))
    assert clients == {"203.0.113.9": LINES_PER_SOURCE, "203.0.113.10": 1}
    assert counted(product, "401") == FLOOD + 1
    assert [line["number"] for line in logs if line["event"] == "lines_left_out"] == [FLOOD - LINES_PER_SOURCE]


def test_garbage_that_is_no_http(tmp_path: Path, migrated_sqlite: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    with started(tmp_path, "serve", WORKER_INLINE="0") as server:
        port = server.port
        for _ in range(FLOOD):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as garbage:
                garbage.sendall(b"\x16\x03\x01 garbage\r\n\r\n")
                garbage.recv(1000)
        with server.client() as http:
            counted = f'tsudoi_connections_ended_total{{reason="UNREADABLE_REQUEST"}} {FLOOD}'
            assert counted in http.get("/metrics").text
        server.stop()
        lines = [orjson.loads(line) for line in server.log()]
    assert [line for line in lines if line["level"] in ("warning", "error")] == []


@sqlite_only
class TestIpv6:
    """Somebody with IPv6 has more addresses than anybody can count, all in one network."""

    def test_every_limit_by_address_counts_the_network(self, make_product: ProductMaker) -> None:
        product = make_product(trusted_proxies="127.0.0.1")
        staff = {"staffId": "777", "pin": "9042"}
        new = {"pin": "7391", "staffId": "1", "familyName": "山", "givenName": "太", "departmentId": "X"}
        new |= {"jobTitle": "医師", "dateOfBirth": "1990-04-01", "sexCode": "2"}
        for number in range(2):
            headers = {"x-forwarded-for": f"2001:db8:1:2::{number}"}
            for path, body in (
                ("/api/admin/login", {"username": "nobody", "password": "wrong"}),
                ("/auth/login", staff),
                ("/api/staffs", new),
                ("/api/liff/session", {"id_token": forged_token()}),
            ):
                product.http.post(path, json=body, headers=headers)
        rows = {row["bucket"]: row["hits"] for row in product.rows(RateLimit)}
        by_address = {bucket: hits for bucket, hits in rows.items() if "2001" in bucket}
        assert set(by_address.values()) == {2}, by_address
        assert {bucket.partition(":")[2] for bucket in by_address} == {"2001:db8:1:2::/64"}
        limits = {"login", "staff-login", "staff-login-failures", "staff-registration", "liff-session", "liff-refused"}
        assert {bucket.partition(":")[0] for bucket in by_address} == limits

    def test_one_network_shares_the_limit_of_log_ins(self, make_product: ProductMaker) -> None:
        product = make_product(trusted_proxies="127.0.0.1")
        body = {"staffId": "", "pin": "9042"}
        heard = [
            product.http.post(
                "/auth/login",
                json={**body, "staffId": str(800_000 + n)},
                headers={"x-forwarded-for": f"2001:db8:1:2::{n:x}"},
            ).status_code
            for n in range(31)
        ]
        assert heard == [401] * 30 + [429]
        other = {"x-forwarded-for": "2001:db8:1:3::1"}
        assert product.http.post("/auth/login", json={**body, "staffId": "1"}, headers=other).status_code == 401


@sqlite_only
@pytest.mark.parametrize("given", ["req-12345678", "0" * 32])
def test_an_id_from_outside_does_not_enter_the_audit_trail(product: Product, given: str) -> None:
    product.make_admin()
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logs:
        answer = product.http.post(
            "/api/admin/login", json={"username": ADMIN, "password": "wrong"}, headers={"x-request-id": given}
        )
    assert answer.headers["x-request-id"] == given, "who sent it finds it again"
    row = product.rows(AuditLog)[-1]
    assert row["action"] == "LOGIN_FAIL"
    assert row["request_id"] != given
    [line] = [line for line in logs if line["event"] == "request_refused"]
    assert (line["request_id"], line["outside_request_id"]) == (row["request_id"], given)
