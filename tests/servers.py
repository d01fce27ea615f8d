"""Real servers for tests: any ASGI application behind uvicorn, and peers that do not behave."""

import asyncio
import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import httpx2
import uvicorn

T = TypeVar("T")

# Much longer than anything takes: on a busy machine a thread may not run for seconds.
_START_SECONDS = 60.0
_POLL_SECONDS = 0.01
# Reading the system's certificates takes longer than most tests; nothing here speaks TLS anyway.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class _QuickServer(uvicorn.Server):
    """Looks a hundred times a second whether it should stop and whether everybody has left; the original, ten times."""

    async def main_loop(self) -> None:
        await self.on_tick(0)
        while not self.should_exit:  # noqa: ASYNC110 (the flag is set from another thread)
            await asyncio.sleep(_POLL_SECONDS)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for connection in list(self.server_state.connections):
            connection.shutdown()
        for _ in range(5):
            await asyncio.sleep(0)
        await super().shutdown(sockets)


def browser(url: str, **options: Any) -> httpx2.Client:
    return httpx2.Client(base_url=url, trust_env=False, timeout=60, verify=NO_TLS, **options)


def listen() -> socket.socket:
    """Bound before the application exists, because the application has to know its own address."""
    return socket.create_server(("127.0.0.1", 0), backlog=2048)


def url_of(listening: socket.socket) -> str:
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextlib.contextmanager
def serving(app: Any, listening: socket.socket | None = None) -> Iterator[str]:
    """The application in a thread of its own until the block ends; gives its address."""
    bound = listening or listen()
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    server = _QuickServer(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, name="test-server", daemon=True)
    url = url_of(bound)
    thread.start()
    try:
        eventually(lambda: server.started or not thread.is_alive())
        assert server.started, "the server did not start"
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
    with listen() as bound:
        bound.settimeout(0.05)
        stopping = threading.Event()
        thread = threading.Thread(target=_hang_up, args=(bound, stopping), daemon=True)
        thread.start()
        yield url_of(bound)
        stopping.set()
        thread.join()


def _hang_up(bound: socket.socket, stopping: threading.Event) -> None:
    while not stopping.is_set():
        with contextlib.suppress(TimeoutError):
            connection, _ = bound.accept()
            with connection:
                connection.recv(65536)


def nobody_there() -> str:
    """An address where nothing listens."""
    with listen() as bound:
        return url_of(bound)


def free_port() -> int:
    with listen() as bound:
        port: int = bound.getsockname()[1]
        return port


def eventually(look: Callable[[], T], seconds: float = _START_SECONDS) -> T:
    """The first truthy thing that `look` gives; fails when the time is over."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(_POLL_SECONDS)
    return found
