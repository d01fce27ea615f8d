"""Real servers for tests: any ASGI application behind uvicorn, and peers that do not behave."""

import asyncio
import contextlib
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, TypeVar

import httpx2
from prometheus_client import CollectorRegistry

from tsudoi.commands.serving.limits import ConnectionLimits
from tsudoi.commands.serving.server import LimitedServer

T = TypeVar("T")

# Much longer than anything takes: on a busy machine a thread may not run for seconds.
_START_SECONDS = 60.0
_STOP_SECONDS = 7.0
_POLL_SECONDS = 0.01
# Reading the system's certificates takes longer than most tests; nothing here speaks TLS anyway.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class _QuickServer(LimitedServer):
    """The server of `tsudoi serve`, except that it looks at everything a hundred times a second, and does not drain."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.is_up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        while not self.should_exit:
            await asyncio.sleep(_POLL_SECONDS)
            self._state.check_all(asyncio.get_running_loop().time())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002 (`serving` closes it)
        """Without the tenth of a second that uvicorn always waits: thousands of tests stop a server."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        loop = asyncio.get_running_loop()
        ends = loop.time() + _STOP_SECONDS
        while (self.server_state.connections or self.server_state.tasks) and loop.time() < ends:  # noqa: ASYNC110 (uvicorn has no event for it)
            await asyncio.sleep(0.001)
        for task in self.server_state.tasks:
            task.cancel()


def browser(url: str, **options: Any) -> httpx2.Client:
    return httpx2.Client(base_url=url, trust_env=False, timeout=60, verify=NO_TLS, **options)


def listen() -> socket.socket:
    """Bound before the application exists, because the application has to know its own address."""
    return socket.create_server(("127.0.0.1", 0), backlog=2048)


def url_of(listening: socket.socket) -> str:
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextlib.contextmanager
def serving(
    app: Any,
    listening: socket.socket | None = None,
    limits: ConnectionLimits | None = None,
    registry: CollectorRegistry | None = None,
) -> Iterator[str]:
    """The application in a thread of its own until the block ends; gives its address."""
    bound = listening or listen()
    server = _QuickServer(app, limits or ConnectionLimits(), registry or CollectorRegistry(), begin_stop=lambda: None)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, name="test-server", daemon=True)
    url = url_of(bound)
    thread.start()
    try:
        assert server.is_up.wait(_START_SECONDS), "the server did not start"
        yield url
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        bound.close()
        assert not thread.is_alive(), "the server did not stop"


@contextlib.contextmanager
def silent_peer() -> Iterator[str]:
    """Accepts every connection (the system does that for a listening socket) and never says a word."""
    with listen() as bound:
        yield url_of(bound)


@contextlib.contextmanager
def hanging_up_peer() -> Iterator[str]:
    """Takes the request and closes the connection instead of answering."""
    with _peer(lambda connection, _stopping: connection.recv(65536)) as url:
        yield url


@contextlib.contextmanager
def trickling_peer(at_once: bytes, slowly: bytes) -> Iterator[str]:
    """Takes the request, sends the first part of its response at once and the rest byte by byte, 20 a second."""

    def answer(connection: socket.socket, stopping: threading.Event) -> None:
        connection.recv(65536)
        connection.sendall(at_once)
        for byte in slowly:
            if stopping.wait(0.05):
                return
            connection.sendall(bytes([byte]))

    with _peer(answer) as url:
        yield url


@contextlib.contextmanager
def sipping_peer(size: int) -> Iterator[str]:
    """Takes so many bytes of a request at 1.3 MB a second, and then answers."""

    def sip(connection: socket.socket, stopping: threading.Event) -> None:
        left = size
        while left > 0 and not stopping.wait(0.05):
            left -= len(connection.recv(65536)) or left
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        while connection.recv(65536):
            pass

    with _peer(sip) as url:
        yield url


@contextlib.contextmanager
def _peer(talk: Callable[[socket.socket, threading.Event], object]) -> Iterator[str]:
    """Talks to one caller after another, without a web server that would put a bad response right."""
    stopping = threading.Event()

    def run() -> None:
        while not stopping.is_set():
            with contextlib.suppress(TimeoutError, ConnectionError):
                connection, _ = bound.accept()
                with connection:
                    talk(connection, stopping)

    with listen() as bound:
        bound.settimeout(0.05)
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            yield url_of(bound)
        finally:
            stopping.set()
            thread.join()


def nobody_there() -> str:
    """An address where nothing listens."""
    with listen() as bound:
        return url_of(bound)


def free_port() -> int:
    """A port for a server that starts later. The system gives ports from 32768 on to whoever asks for any port, and a
    parallel test could get this one meanwhile; so it is a lower one, from a range of this worker's own.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    for port in _PORTS:
        chosen = 20_000 + worker * 1_000 + port % 1_000
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", chosen)):
            return chosen
    raise AssertionError("there is always a next port")


# Each second one, because a sandbox has the port above its own for mails.
_PORTS = count(os.getpid() % 500 * 2, 2)


def eventually(look: Callable[[], T], seconds: float = _START_SECONDS) -> T:
    """The first truthy thing that `look` gives; fails when the time is over."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(_POLL_SECONDS)
    return found
