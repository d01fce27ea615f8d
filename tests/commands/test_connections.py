"""Clients that send too much, too slowly or nothing, one by one: what each hears, and that the others are served."""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Any, cast

import orjson
import pytest
from prometheus_client import CollectorRegistry

from tests.servers import browser, eventually, listen, serving, url_of
from tsudoi.access.middleware import EdgeMiddleware
from tsudoi.commands.serving import server as server_module
from tsudoi.commands.serving.limits import ConnectionLimits, most_connections
from tsudoi.commands.serving.server import LimitedServer
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings

CHUNKED = b"POST /length HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n"
LARGE = 12_000_000


class Application:
    """Tells what it has received. `/wait` and `/stream` end when released; `/flood` and `/large` fill every buffer.

    `/busy` keeps the event loop from everything else until released.
    """

    def __init__(self) -> None:
        self.released = threading.Event()
        self.seen: list[str] = []
        self.ended: list[str] = []

    def stop(self) -> None:
        self.ended.append("stopped")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"]
        self.seen.append(path)
        answer: dict[str, Any] = {"headers": [name.decode() for name, _ in scope["headers"]]}
        if path == "/length":
            answer["length"] = await self._length(receive)
        if path == "/busy":
            self.released.wait(30)
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if path == "/stream":
            await send({"type": "http.response.body", "body": b"begin", "more_body": True})
        while path in ("/wait", "/stream") and not self.released.is_set():  # noqa: ASYNC110 (set by another thread)
            await asyncio.sleep(0.01)
        for _ in range(200 if path == "/flood" else 0):
            await send({"type": "http.response.body", "body": b"x" * 1_000_000, "more_body": True})
        await send({"type": "http.response.body", "body": orjson.dumps(answer) + b" " * (LARGE * (path == "/large"))})
        self.ended.append(path)

    async def _length(self, receive: Any) -> int:
        length, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.ended.append("disconnected")
                return -1
            length, more = length + len(message["body"]), message["more_body"]
        return length


@pytest.fixture
def app() -> Application:
    return Application()


@contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as caller:
        yield caller


def heard(caller: socket.socket) -> bytes:
    """Everything until the server closes."""
    received = b""
    while part := caller.recv(65536):
        received += part
    return received


def sent_until_cut_off(caller: socket.socket, part: bytes, pause: float = 0) -> int:
    """How many bytes could be sent before the server ended the connection."""
    sent, gives_up = 0, time.monotonic() + 60
    with suppress(OSError):
        while sent < 100_000_000:
            sent += caller.send(part)
            assert time.monotonic() < gives_up, "nobody ended the connection"
            time.sleep(pause)
    return sent


def told(caller: socket.socket) -> tuple[int, str]:
    """Status and code of the refusal; also checks that it has the documented shape and ends the connection."""
    head, _, body = heard(caller).partition(b"\r\n\r\n")
    assert b"\r\nconnection: close" in head.lower()
    assert b"\r\ncontent-type: application/json" in head.lower()
    refusal = orjson.loads(body)
    assert set(refusal) == {"code", "message", "details"}
    return int(head.split()[1]), refusal["code"]


def request_with(value: bytes, lines: int = 1) -> bytes:
    headers = b"".join(b"x-%d: %s\r\n" % (number, value) for number in range(lines))
    return b"GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n" + headers + b"\r\n"


class TestHeads:
    def test_up_to_the_limit_is_answered(self, app: Application) -> None:
        with serving(app) as url:
            for request in (request_with(b"v" * 16_000), request_with(b"v" * 7_000, lines=4)):
                with connected(url) as caller:
                    caller.sendall(request)
                    assert heard(caller).startswith(b"HTTP/1.1 200"), len(request)

    def test_above_it_is_431(self, app: Application) -> None:
        requests = {
            "one line": request_with(b"v" * 17_000),
            "all lines": request_with(b"v" * 7_000, lines=5),
            "many short lines": request_with(b"v", lines=6_000),
            "the address": b"GET /" + b"a" * 17_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
            "the name of a header": b"GET / HTTP/1.1\r\n" + b"n" * 17_000 + b": v\r\n\r\n",
            "without an end": request_with(b"v" * 50_000)[:-20],
            "a second request": b"GET /small HTTP/1.1\r\nhost: x\r\n\r\n" + request_with(b"v" * 17_000),
        }
        with serving(app) as url:
            for name, request in requests.items():
                with connected(url) as caller:
                    caller.sendall(request)
                    received = heard(caller)
                    assert b"HTTP/1.1 431 " in received, name
                    assert b"HEADERS_TOO_LARGE" in received, name
        assert app.seen in ([], ["/small"])

    def test_it_makes_no_difference_in_how_many_pieces_it_comes(self, app: Application) -> None:
        with serving(app) as url, connected(url) as caller:
            request = request_with(b"v" * 40_000)
            for start in range(0, 34_000, 1_000):
                caller.sendall(request[start : start + 1_000])
            assert told(caller) == (431, "HEADERS_TOO_LARGE")

    def test_an_endless_one_is_cut_off_and_stalls_nobody(self, app: Application) -> None:
        """Each piece of a header used to be copied together with all that came before it."""
        with serving(app) as url, connected(url) as caller, browser(url) as other:
            caller.sendall(b"GET / HTTP/1.1\r\nx: ")
            assert sent_until_cut_off(caller, b"v" * 65_536) < 20_000_000, (
                "what does not fit into the buffers of the system is not read"
            )
            assert other.get("/small").status_code == 200

    def test_extensions_of_chunks_and_trailers_count_too(self, app: Application) -> None:
        bodies = {
            "one extension": b"1;" + b"e" * 50_000 + b"\r\nx\r\n0\r\n\r\n",
            "many extensions": b"".join(b"1;" + b"e" * 1_000 + b"\r\nx\r\n" for _ in range(50)) + b"0\r\n\r\n",
            "one trailer": b"1\r\nx\r\n0\r\nt: " + b"v" * 50_000 + b"\r\n\r\n",
            "many trailers": b"1\r\nx\r\n0\r\n" + b"t: v\r\n" * 9_000 + b"\r\n",
        }
        with serving(app) as url:
            for name, body in bodies.items():
                with connected(url) as caller:
                    caller.sendall(CHUNKED + b"\r\n" + body)
                    assert b"HTTP/1.1 431 " in heard(caller), name

    def test_a_body_in_very_small_chunks_is_read(self, app: Application) -> None:
        with serving(app) as url, connected(url) as caller:
            caller.sendall(CHUNKED + b"connection: close\r\n\r\n" + b"1\r\nx\r\n" * 30_000 + b"0\r\n\r\n")
            assert b'"length":30000' in heard(caller)

    def test_trailers_do_not_become_headers(self, app: Application) -> None:
        """A proxy that cleans the headers may pass trailers on."""
        with serving(app) as url, connected(url) as caller:
            caller.sendall(
                CHUNKED + b"connection: close\r\n\r\n1\r\nx\r\n0\r\nx-forwarded-for: 10.0.0.1\r\nt: v\r\n\r\n"
            )
            received = heard(caller)
        assert b'"length":1' in received
        assert b"x-forwarded-for" not in received

    def test_few_requests_may_be_sent_ahead_and_not_thousands(self, app: Application) -> None:
        request = b"GET /small HTTP/1.1\r\nhost: x\r\n\r\n"
        with serving(app) as url:
            with connected(url) as caller:
                caller.sendall(request * 10 + request.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n"))
                assert heard(caller).count(b"HTTP/1.1 200") == 11
            with connected(url) as caller:
                caller.sendall(request * 5_000)
                with suppress(ConnectionResetError):
                    assert heard(caller).count(b"HTTP/1.1 200") < 100
        assert len(app.seen) < 100

    def test_what_is_no_request_gets_an_error_of_ours(self, app: Application) -> None:
        with serving(app) as url, connected(url) as caller:
            caller.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
            assert told(caller) == (400, "UNREADABLE_REQUEST")


SOON = ConnectionLimits(head_seconds=0.4, body_seconds=0.4, reader_seconds=0.4, linger_seconds=0.2)


class TestDeadlines:
    def test_a_silent_connection_is_closed_without_a_word(self, app: Application) -> None:
        with serving(app, limits=SOON) as url, connected(url) as caller:
            assert heard(caller) == b""

    @pytest.mark.parametrize("sent", [b"G", b"GET / HTTP/1.1\r\nhost: x\r\n", b"\r\n"])
    def test_half_a_head_is_408(self, app: Application, sent: bytes) -> None:
        with serving(app, limits=SOON) as url, connected(url) as caller:
            caller.sendall(sent)
            assert told(caller) == (408, "REQUEST_TOO_SLOW")

    def test_dripping_does_not_help(self, app: Application) -> None:
        with serving(app, limits=SOON) as url, connected(url) as caller:
            caller.sendall(b"GET / HTTP/1.1\r\n")
            sent_until_cut_off(caller, b"x: v\r\n", pause=0.01)

    def test_nor_do_line_breaks_between_two_requests(self, app: Application) -> None:
        with serving(app, limits=SOON) as url, connected(url) as caller:
            caller.sendall(b"GET /small HTTP/1.1\r\nhost: x\r\n\r\n")
            sent_until_cut_off(caller, b"\r\n", pause=0.01)

    def test_half_a_body_is_408_and_the_application_hears_that_the_client_is_gone(self, app: Application) -> None:
        with serving(app, limits=SOON) as url, connected(url) as caller:
            caller.sendall(b"POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf")
            assert told(caller) == (408, "REQUEST_TOO_SLOW")
            eventually(lambda: "disconnected" in app.ended)

    def test_a_long_body_may_take_longer_at_a_decent_pace(self, app: Application) -> None:
        limits = ConnectionLimits(body_seconds=0.4, bytes_per_second=1_000)
        with serving(app, limits=limits) as url, connected(url) as caller:
            caller.sendall(b"POST /length HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 100000\r\n\r\n")
            for _ in range(20):
                caller.sendall(b"x" * 5_000)
                time.sleep(0.05)
            assert b'"length":100000' in heard(caller)

    def test_the_rest_of_a_body_that_nobody_reads_has_an_end_too(self, app: Application) -> None:
        with serving(app, limits=SOON) as url, connected(url) as caller:
            caller.sendall(b"POST /small HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n")
            assert caller.recv(65536).startswith(b"HTTP/1.1 200")
            sent_until_cut_off(caller, b"x" * 100, pause=0.001)

    def test_an_answer_may_take_as_long_as_it_likes(self, app: Application) -> None:
        """An event stream, or a request that waits for LINE. A line break after the request changes nothing."""
        with serving(app, limits=SOON) as url, connected(url) as waiting, connected(url) as streaming:
            waiting.sendall(b"GET /wait HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            streaming.sendall(b"GET /stream HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n\r\n")
            eventually(lambda: sorted(app.seen) == ["/stream", "/wait"])
            time.sleep(3 * SOON.head_seconds)
            app.released.set()
            assert b"headers" in heard(waiting)
            assert b"headers" in heard(streaming)

    def test_a_reader_who_does_not_read_is_cut_off(self, app: Application) -> None:
        with serving(app, limits=replace(SOON, bytes_per_second=1_000_000)) as url, connected(url) as caller:
            caller.sendall(b"GET /flood HTTP/1.1\r\nhost: x\r\n\r\n")
            eventually(lambda: "/flood" in app.ended)
            with suppress(OSError):
                assert len(heard(caller)) < 150_000_000

    def test_also_where_the_answer_is_complete_and_only_waits_for_its_reader(self, app: Application) -> None:
        with serving(app, limits=replace(SOON, bytes_per_second=100_000_000)) as url, connected(url) as caller:
            caller.sendall(b"GET /large HTTP/1.0\r\nhost: x\r\n\r\n")
            eventually(lambda: "/large" in app.ended)
            time.sleep(4 * SOON.reader_seconds)
            with suppress(OSError):
                assert len(heard(caller)) < LARGE

    def test_a_slow_reader_gets_the_whole_answer(self, app: Application) -> None:
        limits = replace(SOON, reader_seconds=60)
        with serving(app, limits=limits) as url, connected(url) as old, connected(url) as new:
            old.sendall(b"GET /large HTTP/1.0\r\nhost: x\r\n\r\n")
            new.sendall(b"GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            eventually(lambda: app.ended == ["/large", "/large"])
            time.sleep(4 * SOON.linger_seconds)
            assert len(heard(old)) > LARGE
            assert len(heard(new)) > LARGE


class TestNumberOfConnections:
    def test_somebody_who_asks_gets_in_while_silent_ones_fill_every_place(self, app: Application) -> None:
        limits = ConnectionLimits(connections=20)
        with serving(app, limits=limits) as url, ExitStack() as stack, browser(url) as office:
            assert office.get("/small").status_code == 200, "a session that was there before"
            silent = [stack.enter_context(connected(url)) for _ in range(100)]
            assert office.get("/small").status_code == 200
            for _ in range(5):
                with browser(url) as stranger:
                    assert stranger.get("/small").status_code == 200
            assert silent[0].recv(10) == b"", "the oldest was closed"
            silent[-1].sendall(b"GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            assert heard(silent[-1]).startswith(b"HTTP/1.1 200"), "the newest was not"

    def test_of_many_that_come_in_one_moment_the_last_ones_stay(self, app: Application) -> None:
        with serving(app, limits=ConnectionLimits(connections=20)) as url, ExitStack() as stack:
            busy = stack.enter_context(connected(url))
            busy.sendall(b"GET /busy HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            eventually(lambda: app.seen == ["/busy"])
            silent = [stack.enter_context(connected(url)) for _ in range(100)]
            app.released.set()
            assert heard(busy).startswith(b"HTTP/1.1 200")
            assert [heard(old) for old in silent[:-20]] == [b""] * 80
            for last in silent[-19:]:
                last.sendall(b"GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
                assert heard(last).startswith(b"HTTP/1.1 200")

    def test_half_a_request_is_as_good_as_silence(self, app: Application) -> None:
        for half in (b"GET / HTTP/1.1\r\n", b"POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n"):
            with serving(app, limits=ConnectionLimits(connections=20)) as url, ExitStack() as stack:
                for _ in range(40):
                    stack.enter_context(connected(url)).sendall(half)
                with browser(url) as office:
                    assert office.get("/small").status_code == 200

    def test_where_every_place_is_answered_the_next_one_is_told_to_come_back(self, app: Application) -> None:
        limits = ConnectionLimits(connections=8)
        with serving(app, limits=limits) as url, ExitStack() as stack:
            for _ in range(8):
                stack.enter_context(connected(url)).sendall(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n")
            eventually(lambda: app.seen == ["/wait"] * 8)
            with browser(url) as office:
                refused = office.get("/small")
            assert (refused.status_code, refused.json()["code"]) == (503, "TOO_MANY_CONNECTIONS")
            assert refused.headers["retry-after"] == "5"
            app.released.set()
            eventually(lambda: len(app.ended) == 8)
            with browser(url) as office:
                assert office.get("/small").status_code == 200

    def test_who_is_ended_is_counted(self, app: Application) -> None:
        """The only trace: no line is written for a connection that never became a request."""
        registry = CollectorRegistry()

        def count(reason: str) -> float | None:
            return registry.get_sample_value("tsudoi_connections_ended_total", {"reason": reason})

        with serving(app, limits=replace(SOON, connections=4), registry=registry) as url, ExitStack() as stack:
            callers = [stack.enter_context(connected(url)) for _ in range(6)]
            callers[-1].sendall(b"no request\r\n\r\n")
            assert told(callers[-1]) == (400, "UNREADABLE_REQUEST")
            assert count("UNREADABLE_REQUEST") == 1
            assert (count("MADE_ROOM") or 0) >= 1
            assert registry.get_sample_value("tsudoi_connections") is not None

    def test_there_is_room_for_everything_else_that_needs_files(self) -> None:
        assert most_connections(2_000, open_files=65_536) == 2_000
        assert most_connections(2_000, open_files=1_024) == 614
        assert most_connections(2_000, open_files=100) == 1


class TestStopping:
    def test_waits_for_nobody_longer_than_it_may_and_tells_who_is_not_answered(
        self, app: Application, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def hang(scope: Any, receive: Any, send: Any) -> None:
            app.seen.append(scope["path"])
            await asyncio.sleep(600)

        monkeypatch.setattr(server_module, "_SECONDS_TO_FINISH", 1.5)
        # The layer needs the settings and nothing else of a runtime.
        runtime = Runtime(Settings(_env_file=None), cast("Any", None), cast("Any", None))
        with listen() as bound, ExitStack() as stack:
            registry = CollectorRegistry()
            server = LimitedServer(EdgeMiddleware(hang, runtime, registry), ConnectionLimits(), registry, app.stop)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
            thread.start()
            eventually(lambda: server.started)
            silent, half, caller = (stack.enter_context(connected(url_of(bound))) for _ in range(3))
            half.sendall(b"GET / HT")
            caller.sendall(b"GET /hangs HTTP/1.1\r\nhost: x\r\n\r\n")
            eventually(lambda: app.seen == ["/hangs"])
            server.should_exit = True
            assert told(caller) == (503, "UNAVAILABLE")
            assert heard(silent) == b""
            thread.join(60)
        assert not thread.is_alive()
        assert app.ended == ["stopped"]

    def test_a_process_that_hangs_leaves_all_the_same(self) -> None:
        """Its thread cannot be interrupted, and Python waits for it at the end."""
        hangs = (
            "import threading, time; from tsudoi.commands import leaving; leaving._SECONDS_IN_ALL = 0.5;"
            "threading.Thread(target=time.sleep, args=(600,)).start(); leaving.leave_in_time()"
        )
        assert subprocess.run([sys.executable, "-c", hangs], timeout=60, check=False).returncode == 0
