"""Network connections that stop at the deadline of the call that uses them.

The time-outs of httpcore2 start again with every read, so a peer that sends a byte a second could hold a call for
hours, in the headers as well as in the body. A call runs in one thread from its first to its last byte. Its deadline is
therefore kept per thread, and the streams below shorten every time-out to what is left of it.
"""

import math
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

import httpcore2

_LONGEST = 3600.0


class _CallInThisThread(threading.local):
    """The moment, by the monotonic clock, at which the call of this thread has to end."""

    deadline: float = math.inf


_call = _CallInThisThread()


@contextmanager
def ending_at(deadline: float) -> Iterator[None]:
    """All network calls of this thread in this block end at the deadline (monotonic seconds)."""
    _call.deadline = deadline
    try:
        yield
    finally:
        _call.deadline = math.inf


def seconds_left(timeout: float | None, error: type[Exception]) -> float:
    """The shorter of the time-out and what is left of this thread's call. Raises the error when nothing is left."""
    left = _call.deadline - time.monotonic()
    if left <= 0:
        raise error("the deadline of the call is over")
    return min(left, _LONGEST if timeout is None else timeout)


class DeadlineStream(httpcore2.NetworkStream):
    """A connection whose reads and writes end at the deadline of the calling thread."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, seconds_left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Replaces the write of httpcore2, whose time-out starts again for every chunk that the peer accepts."""
        sock: socket.socket = self._stream.get_extra_info("socket")
        rest = memoryview(buffer)
        try:
            while rest:
                sock.settimeout(seconds_left(timeout, httpcore2.WriteTimeout))
                rest = rest[sock.send(rest) :]
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.WriteError(str(error)) from error

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = seconds_left(timeout, httpcore2.ConnectTimeout)
        return DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class DeadlineBackend(httpcore2.SyncBackend):
    """Opens connections, name resolution and all addresses of the name included, within the time-out."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        until = time.monotonic() + seconds_left(timeout, httpcore2.ConnectTimeout)
        try:
            addresses = resolve(host, port, until - time.monotonic())
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        failure: Exception = httpcore2.ConnectError("the name has no address")
        for place, address in enumerate(addresses):
            # Each address gets an equal share of what is left, so that one that is silent leaves time for the next.
            share = max(0.001, (until - time.monotonic()) / (len(addresses) - place))
            try:
                return DeadlineStream(super().connect_tcp(address, port, share, local_address, socket_options))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of a name. Raises OSError, and TimeoutError when the time is over.

    The resolver of the system has no time-out, so it runs in a thread that is left behind when it takes too long.
    """
    answers: SimpleQueue[list[str] | OSError] = SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(address[0]) for *_, address in found])
        except OSError as error:
            answers.put(error)
        except UnicodeError as error:
            answers.put(OSError(str(error)))

    threading.Thread(target=ask, name="resolve", daemon=True).start()
    try:
        found = answers.get(timeout=max(0.001, seconds))
    except Empty:
        raise TimeoutError("the name was not resolved in time") from None
    if isinstance(found, OSError):
        raise found
    return found
