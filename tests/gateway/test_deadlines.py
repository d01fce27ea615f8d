"""Peers that are slow, silent or talkative: every call ends at its deadline and keeps to its size."""

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.product_fixtures import sqlite_only
from tests.servers import listen, serving, silent_peer, sipping_peer, trickling_peer, url_of
from tsudoi.core.db.interface import Database
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest, NoResponse, Pool
from tsudoi.gateway.models import ApiCallLog

pytestmark = sqlite_only
# The peers below are never silent for as long as the time-out, and talk for longer than the deadline.
POLICY = CallPolicy(Pool("test", 2), timeout=timedelta(seconds=2), deadline=timedelta(seconds=1))
PATIENT = replace(POLICY, timeout=timedelta(seconds=20), deadline=timedelta(seconds=20), largest_response=1000)
HEAD, LONG = b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n", b"x" * 60


def post(url: str, policy: CallPolicy = POLICY, content: bytes = b"{}") -> HttpRequest:
    return HttpRequest("test", "operation", "POST", url, policy, content=content)


def silence(gateway: HttpGateway, request: HttpRequest) -> NoResponse:
    with pytest.raises(NoResponse) as found:
        gateway.send(request)
    return found.value


class TestTrickle:
    @pytest.mark.parametrize(
        ("at_once", "slowly"),
        [
            (HEAD + b"\r\n", LONG),
            (HEAD, b"x-slow: " + LONG + b"\r\n\r\n" + LONG),
            (b"", b"HTTP/1.1 200 OK\r\n" + HEAD[17:] + b"\r\n" + LONG),
            (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + HEAD + b"\r\n" + LONG),
        ],
        ids=["body", "headers", "all", "interim"],
    )
    def test_ends_at_the_deadline(self, gateway: HttpGateway, at_once: bytes, slowly: bytes) -> None:
        """Each byte comes within the time-out, and the response would be complete in the end."""
        with trickling_peer(at_once, slowly) as url:
            assert silence(gateway, post(url)).kind == "unknown"
            good = gateway.send(post(url, replace(POLICY, deadline=timedelta(seconds=60))))
        assert (good.status, good.body) == (200, LONG)

    def test_of_a_peer_that_takes_the_request_slowly(self, gateway: HttpGateway) -> None:
        content = b"x" * 10_000_000
        with sipping_peer(len(content)) as url:
            patient = replace(POLICY, timeout=timedelta(seconds=60))
            assert silence(gateway, post(url, patient, content)).kind == "unknown"

    def test_does_not_spoil_the_connection_pool(self, gateway: HttpGateway) -> None:
        with trickling_peer(HEAD + b"\r\n", LONG) as url:
            for _ in range(POLICY.pool.size + 1):
                assert silence(gateway, post(url)).reason != "PoolTimeout"


class TestOneDeadline:
    def test_covers_all_attempts(self, gateway: HttpGateway, db: Database) -> None:
        policy = replace(POLICY, timeout=timedelta(seconds=0.5), attempts=9)
        with silent_peer() as url:
            assert silence(gateway, post(url, policy)).kind == "unknown"
        attempts = db.read_now(lambda tx: tx.scalar(select(func.count()).select_from(ApiCallLog)))
        assert attempts in (1, 2)

    def test_covers_the_pauses(self, gateway: HttpGateway, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.gateway.http._FIRST_PAUSE", timedelta(hours=1))
        with listen() as nobody:
            away = url_of(nobody)
        assert silence(gateway, post(away, replace(POLICY, attempts=3))).kind == "not_sent"

    def test_covers_the_handshake_which_comes_before_the_request(self, gateway: HttpGateway) -> None:
        with silent_peer() as url:
            assert silence(gateway, post(url.replace("http:", "https:"))).kind == "not_sent"


class TestNames:
    """Names are resolved by the system, which has no time-out that we could set."""

    @pytest.fixture
    def resolver(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], None]:
        real = socket.getaddrinfo

        def use(answer: Callable[[], Any]) -> None:
            monkeypatch.setattr(
                socket, "getaddrinfo", lambda host, *a, **k: answer() if host == "line.test" else real(host, *a, **k)
            )

        return use

    def test_a_resolver_that_hangs(self, gateway: HttpGateway, resolver: Any) -> None:
        awake = threading.Event()
        resolver(lambda: awake.wait(60) and [])
        assert silence(gateway, post("http://line.test/")).kind == "not_sent"
        awake.set()

    def test_a_name_that_nobody_knows(self, gateway: HttpGateway, resolver: Any) -> None:
        def unknown() -> Any:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")

        for answer in (unknown, list):
            resolver(answer)
            found = silence(gateway, post("http://line.test/"))
            assert (found.kind, found.reason) == ("not_sent", "ConnectError")

    def test_the_next_address_is_tried(self, gateway: HttpGateway, resolver: Any) -> None:
        with trickling_peer(HEAD + b"\r\n" + LONG, b"") as url:
            port = int(url.rpartition(":")[2])
            family = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
            resolver(lambda: [(*family, ("127.0.0.2", port)), (*family, ("127.0.0.1", port))])
            assert gateway.send(post(f"http://line.test:{port}/", PATIENT)).body == LONG


class TestSize:
    @pytest.fixture
    def saying(self) -> Iterator[Callable[[bytes, str | None], str]]:
        said: dict[str, Any] = {}

        async def answer(_request: Request) -> Response:
            return Response(said["body"], headers={"content-encoding": said["as"]} if said["as"] else {})

        with serving(Starlette(routes=[Route("/", answer, methods=["POST"])])) as url:

            def say(body: bytes, encoding: str | None = None) -> str:
                said.update({"body": body, "as": encoding})
                return url

            yield say

    def test_up_to_the_limit_it_is_read(self, gateway: HttpGateway, saying: Any) -> None:
        body = b"x" * 1000
        assert gateway.send(post(saying(body), PATIENT)).body == body
        for encoding in ("gzip", "x-gzip", "GZIP"):
            assert gateway.send(post(saying(gzip.compress(body), encoding), PATIENT)).body == body
        assert gateway.send(post(saying(b"", "gzip"), PATIENT)).body == b""

    def test_beyond_it_is_not(self, gateway: HttpGateway, saying: Any) -> None:
        assert silence(gateway, post(saying(b"x" * 1001), PATIENT)).reason == "ResponseTooLarge"
        for size in (1001, 10_000_000):
            bomb = gzip.compress(b"x" * size)
            found = silence(gateway, post(saying(bomb, "gzip"), replace(PATIENT, largest_response=1000)))
            assert (found.kind, found.reason) == ("unknown", "ResponseTooLarge")

    @pytest.mark.parametrize(
        ("body", "encoding"),
        [(b"not gzip", "gzip"), (gzip.compress(b"cut off", mtime=0)[:-9], "gzip"), (b"x", "br"), (b"x", "gzip, gzip")],
    )
    def test_what_cannot_be_unpacked(self, gateway: HttpGateway, saying: Any, body: bytes, encoding: str) -> None:
        assert silence(gateway, post(saying(body, encoding), PATIENT)).kind == "unknown"


class TestPools:
    def test_a_silent_target_holds_up_its_own_pool_only(self, gateway: HttpGateway) -> None:
        busy = replace(PATIENT, pool=Pool("busy", 1), deadline=timedelta(seconds=3))
        with listen() as silent, trickling_peer(HEAD + b"\r\n" + LONG, b"") as good:
            holding = threading.Thread(target=lambda: silence(gateway, post(url_of(silent), busy)))
            holding.start()
            # From now on the only connection of the pool is in use.
            taken, _ = silent.accept()
            found = silence(gateway, post(good, replace(busy, timeout=timedelta(seconds=0.5))))
            assert (found.kind, found.reason) == ("not_sent", "PoolTimeout")
            assert gateway.send(post(good, PATIENT)).body == LONG
            holding.join()
            taken.close()
