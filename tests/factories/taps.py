"""A tap in front of an outside system: it lets everything through, or makes the system hang in one of four ways."""

import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Literal

from tests.servers import free_port

Manner = Literal["works", "drips", "keeps silent", "closes", "refuses"]
HANGING: tuple[Manner, ...] = ("drips", "keeps silent", "closes", "refuses")
# How each protocol begins to answer. After all of it, a minute and a half later, the connection is closed: a caller
# without a deadline must not keep a test for ever.
HTTP = b"HTTP/1.1 200 OK\r\nx-slow: " + b"x" * 900
SMTP = b"220-" + b"x" * 900
_TICK, _DRIP_EVERY = 0.02, 0.1


class Tap:
    """One address of an outside system. Whatever hangs here hangs until the caller ends it."""

    def __init__(self, upstream: int, words: bytes) -> None:
        self.port = free_port()
        self._upstream, self._words = upstream, words
        self._lock, self._stopping = threading.Lock(), threading.Event()
        self._manner: Manner = "works"
        self._listening: socket.socket | None = self._listen()
        # Both ends of each connection that is passed on, and the bytes that each connection that hangs has got.
        self._passed: dict[socket.socket, socket.socket] = {}
        self._held: dict[socket.socket, int] = {}
        self._dripped_at = 0.0
        self._thread = threading.Thread(target=self._run, name="tap", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def held(self) -> int:
        """How many connections hang at this moment."""
        with self._lock:
            return len(self._held)

    def turn(self, manner: Manner) -> None:
        """From now on it behaves like this. The connections that there are end."""
        with self._lock:
            self._manner = manner
            self._end_all()
            if manner == "refuses" and self._listening is not None:
                self._listening.close()
                self._listening = None
            elif manner != "refuses" and self._listening is None:
                self._listening = self._listen()

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        self._end_all()
        if self._listening is not None:
            self._listening.close()

    def _listen(self) -> socket.socket:
        return socket.create_server(("127.0.0.1", self.port), backlog=256)

    def _end_all(self) -> None:
        for connection in (*self._passed, *self._held):
            # While another thread watches it, closing alone would not end it.
            with connection, contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._passed.clear()
        self._held.clear()

    def _run(self) -> None:
        while not self._stopping.is_set():
            with self._lock:
                watched = [*self._passed, *([self._listening] if self._listening else [])]
                watched += [*self._held] if self._manner == "closes" else []
            # A connection may be closed by another thread while it is watched.
            with contextlib.suppress(OSError, ValueError):
                readable, _, _ = select.select(watched, [], [], _TICK)
                with self._lock:
                    for one in readable:
                        self._handle(one)
                    self._drip()

    def _handle(self, one: socket.socket) -> None:
        if one is self._listening:
            self._accept(one)
        elif one in self._passed:
            self._pass_on(one)
        elif one in self._held:
            one.recv(65536)
            self._break_off(one)

    def _accept(self, listening: socket.socket) -> None:
        connection, _ = listening.accept()
        if self._manner == "works":
            other = socket.create_connection(("127.0.0.1", self._upstream))
            self._passed.update({connection: other, other: connection})
            return
        self._held[connection] = 0
        if self._manner == "closes" and self._words == SMTP:  # A mail server speaks first.
            self._break_off(connection)

    def _pass_on(self, one: socket.socket) -> None:
        other = self._passed[one]
        with contextlib.suppress(OSError):
            data = one.recv(65536)
            if data:
                other.sendall(data)
                return
        for each in (one, other):
            del self._passed[each]
            each.close()

    def _break_off(self, one: socket.socket) -> None:
        del self._held[one]
        with one, contextlib.suppress(OSError):
            one.sendall(self._words[:40])

    def _drip(self) -> None:
        if time.monotonic() - self._dripped_at < _DRIP_EVERY:
            return
        self._dripped_at = time.monotonic()
        for one, said in list(self._held.items()):
            self._held[one] = said + 1
            if not self._say(one, said):
                del self._held[one]
                one.close()

    def _say(self, one: socket.socket, place: int) -> bool:
        """Say the next byte, or nothing. False: the caller has hung up, or has waited for long enough."""
        try:
            one.sendall(self._words[place : place + 1] if self._manner == "drips" else b"")
        except OSError:
            return False
        return place < len(self._words)


@contextlib.contextmanager
def taps_for(systems: Mapping[str, tuple[int, bytes]]) -> Iterator[dict[str, Tap]]:
    """A tap for each system, by its name: the port of the real one, and how its protocol begins to answer."""
    with contextlib.ExitStack() as stack:
        made: dict[str, Tap] = {}
        for name, (port, words) in systems.items():
            made[name] = Tap(port, words)
            stack.callback(made[name].close)
        yield made
