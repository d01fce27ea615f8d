"""One connection of a client, with limits that uvicorn does not have.

uvicorn's protocol gives every byte to its parser at once, waits for ever for what is missing, and lets anybody connect.
This one counts the bytes of a head before they are parsed, and remembers when it began to wait for something. Nothing
here starts a timer: the server looks at all connections once a second.
"""

import asyncio
import fcntl
import termios
from collections import Counter as Counts
from itertools import count
from typing import Any

import httptools
from prometheus_client import CollectorRegistry, Counter, Gauge
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from tsudoi.commands.serving.limits import ConnectionLimits
from tsudoi.commands.serving.refusing import (
    HeadTooLarge,
    RequestTooSlow,
    TooManyConnections,
    UnreadableRequest,
    response_bytes,
)
from tsudoi.core.errors import Problem

# The parser gets its bytes in pieces of this size, so that a count is never wrong by more.
_PIECE = 8 * 1024
# The bytes of chunk headers that one byte of a body pays for. A client that sends single bytes needs five.
_PAID_BY_A_BODY_BYTE = 8
# The part of the connections that is closed at once to make room, because looking for the oldest takes time.
_ROOM = 16
_SLOW_READER = "SLOW_READER"


class ServingState(ServerState):
    """What all connections of one server share: the limits, the counters, and whether the server is about to stop."""

    def __init__(self, limits: ConnectionLimits, registry: CollectorRegistry) -> None:
        super().__init__()
        self.limits = limits
        self.draining = False
        self.numbers = count()
        open_ones = Gauge("tsudoi_connections", "Open connections of clients.", registry=registry)
        open_ones.set_function(lambda: len(self.connections))
        # The log has nothing about them, because anybody can cause thousands.
        self.ended = Counter(
            "tsudoi_connections_ended", "Connections that we have ended, by reason.", ["reason"], registry=registry
        )

    def admit(self, newcomer: "LimitedConnection") -> None:
        """Let it in, and where there are too many, close those that have been silent longest.

        A connection that has not asked for anything yet goes first, then one between two requests. So somebody who
        asks for something gets in while thousands are silent. Where one address has more than half of all, it makes
        room first; behind a proxy they all have the proxy's, and nothing changes. Only requests that are being answered
        are never closed, unless nobody reads the answer.
        """
        connections: set[Any] = self.connections
        if len(connections) <= self.limits.connections:
            return
        waiting = [one for one in connections if one is not newcomer and one.waits_for_client]
        address, number = Counts(one.address for one in connections).most_common(1)[0]
        loudest = address if number * 2 > len(connections) else None
        in_order = sorted(waiting, key=lambda one: (one.address != loudest, *_keep_longest(one)))
        for one in in_order[: max(1, self.limits.connections // _ROOM)]:
            connections.discard(one)
            one.abort("MADE_ROOM")
        if len(connections) > self.limits.connections * 5 // 4:
            newcomer.abort(TooManyConnections.code)
        elif len(connections) > self.limits.connections:
            newcomer.refuse(TooManyConnections())

    def bound_unread(self) -> None:
        """End the connections whose answers have waited longest, where too much waits in memory for its readers."""
        connections: set[Any] = self.connections
        sizes = {one: one.unread_bytes for one in connections if one.unread_since is not None}
        of_address: Counts[str] = Counts()
        for one, size in sizes.items():
            of_address[one.address] += size
        everything = sum(sizes.values())
        for one in sorted(sizes, key=lambda one: one.unread_since):
            of_one = of_address[one.address]
            if everything <= self.limits.unread_bytes and of_one <= self.limits.unread_bytes_of_address:
                continue
            everything -= sizes[one]
            of_address[one.address] -= sizes[one]
            connections.discard(one)
            one.abort("UNREAD")

    def check_all(self, now: float) -> None:
        connections: set[Any] = self.connections
        for one in list(connections):
            one.check(now)


def _keep_longest(one: "LimitedConnection") -> tuple[bool, float, int]:
    # The clock of the loop counts milliseconds. Of the connections of one millisecond the number says which is older.
    return one.was_answered, one.heard_at, one.number


class LimitedConnection(HttpToolsProtocol):
    """A connection that is closed when its client sends too much of a head, or takes too long."""

    def __init__(
        self,
        config: Config,
        server_state: ServingState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._state, self._limits = server_state, server_state.limits
        self._refusal: Problem | None = None
        self._discarded = 0
        # Since when the client owes us the rest of a request; None between two requests.
        self._reading_since: float | None = None
        self._in_body, self._body_bytes = False, 0
        # Bytes that the parser got since it was last at the end of a head, in a body, or at the end of a message.
        self._unparsed = 0
        # Since when an answer waits for its reader, and how much of it waited then.
        self._blocked_since: float | None = None
        self._blocked_bytes = 0
        self._closing_since: float | None = None
        self._closing_bytes = 0
        self.heard_at, self.was_answered, self.number = 0.0, False, next(server_state.numbers)
        # Of the peer: behind a proxy it is the proxy's.
        self.address = ""

    @property
    def is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    @property
    def waits_for_client(self) -> bool:
        """Whether nothing can happen before the client sends something, or reads what we send."""
        blocked = self._blocked_since
        unread = blocked is not None and self.loop.time() - blocked > self._limits.unread_seconds
        return unread or self._in_body or not self.is_answering

    @property
    def unread_since(self) -> float | None:
        return self._blocked_since

    @property
    def unread_bytes(self) -> int:
        return int(self.transport.get_write_buffer_size())

    @property
    def is_idle(self) -> bool:
        """Whether it is between two requests, or before the first, and no byte of the next one has come."""
        return not self.is_answering and not self._in_body and not self._unparsed

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.heard_at = self._reading_since = self.loop.time()
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        self._state.admit(self)

    def data_received(self, data: bytes) -> None:
        if self._refusal is not None:
            self._discard(data)
            return
        self.heard_at = self.loop.time()
        if self._reading_since is None:
            self._reading_since = self.heard_at
        if len(data) <= _PIECE:
            self._parse(data)
            return
        for start in range(0, len(data), _PIECE):
            if self._refusal is None:
                self._parse(data[start : start + _PIECE])

    def _parse(self, piece: bytes) -> None:
        self._unparsed += len(piece)
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            pass  # There are no websockets here, so it is answered like any other request.
        except httptools.HttpParserError:
            # uvicorn would write a line into the log for each, and anybody can send thousands.
            self.refuse(UnreadableRequest())
        if self._unparsed > self._limits.head_bytes:
            self.refuse(HeadTooLarge())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._reading_since is None:
            self._reading_since = self.heard_at

    def on_headers_complete(self) -> None:
        # The count may be too small by one piece, and a shorter head has no line that is too long.
        if self._unparsed > self._limits.line_bytes - _PIECE:
            self._require_short_head()
        if len(self.pipeline) >= self._limits.pipelined:
            raise httptools.HttpParserError("too many requests were sent ahead")
        super().on_headers_complete()
        if self._state.draining:
            self.cycle.keep_alive = False
        self._reading_since, self._unparsed = self.heard_at, 0
        self._in_body, self._body_bytes = True, 0
        # The request keeps its list. Trailers go into another one, because a proxy may not have checked them.
        self.headers = []

    def _require_short_head(self) -> None:
        # What stands between the parts: "GET", "HTTP/1.1", ": ", the line breaks.
        lines = [len(self.url) + 16, *(len(name) + len(value) + 4 for name, value in self.headers)]
        if max(lines) > self._limits.line_bytes or sum(lines) > self._limits.head_bytes:
            self.refuse(HeadTooLarge())
            raise httptools.HttpParserError("the head is too large")

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._body_bytes += len(body)
        self._unparsed = max(0, self._unparsed - _PAID_BY_A_BODY_BYTE * len(body))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._reading_since, self._in_body, self._unparsed = None, False, 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.heard_at, self.was_answered = self.loop.time(), True
        if self._reading_since is not None:
            # The beginning of the next request, or the rest of a body that nobody wants. The time for it begins here.
            self._reading_since, self._body_bytes = self.heard_at, 0

    def pause_writing(self) -> None:
        super().pause_writing()
        self._blocked_since, self._blocked_bytes = self.loop.time(), self.transport.get_write_buffer_size()
        if self._blocked_bytes > self._limits.unread_bytes_of_address // self._limits.connections:
            # Less than this of each connection is within the bounds, however many there are.
            self._state.bound_unread()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._blocked_since = None

    def refuse(self, problem: Problem) -> None:
        """Tell the client why, unless an answer has begun, and end the connection.

        A connection that is closed while bytes of the client are still on their way is reset, and the client would not
        read the answer. So only our side is closed, and what comes is discarded for a moment.
        """
        if self._refusal is not None or self.transport.is_closing():
            return
        self._refusal = problem
        self._state.ended.labels(problem.code).inc()
        if self.pipeline or ((self.is_answering or self._in_body) and self.cycle.response_started):
            self.transport.close()
        else:
            self.transport.write(response_bytes(problem, self.server_state.default_headers))
            self.transport.write_eof()
            self.flow.resume_reading()
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def abort(self, reason: str) -> None:
        """End the connection at once, whatever is still to be sent."""
        self._state.ended.labels(reason).inc()
        self.transport.abort()

    def _discard(self, data: bytes) -> None:
        self._discarded += len(data)
        if self._discarded > self._limits.linger_bytes:
            self.transport.abort()

    def answer_last(self) -> None:
        """The server is about to stop, so the answers that have not begun yet say that they are the last."""
        cycles: list[RequestResponseCycle | None] = [self.cycle, *(cycle for cycle, _ in self.pipeline)]
        for cycle in cycles:
            if cycle is not None and not cycle.response_started:
                cycle.keep_alive = False

    def close_if_silent(self, since: float) -> None:
        """Close it, unless a request is under way or has arrived in the buffer of the system."""
        if self.is_idle and self.heard_at <= since and not self.transport.is_closing():
            waiting = fcntl.ioctl(self.transport.get_extra_info("socket").fileno(), termios.FIONREAD, bytes(4))
            if waiting == bytes(4):
                self.transport.close()

    def check(self, now: float) -> None:
        """Called once a second: end the connection when the client has had its time."""
        if self._refusal is not None or self.transport.is_closing():
            self._check_closing(now)
        elif self._blocked_since is not None:
            if now - self._blocked_since > self._allowed(self._limits.reader_seconds, self._blocked_bytes):
                self.abort(_SLOW_READER)
        elif self._reading_since is not None:
            self._check_reading(now, self._reading_since)

    def _check_closing(self, now: float) -> None:
        """A close waits for the reader of the last answer, so it may never happen by itself."""
        if self._closing_since is None:
            self._closing_since, self._closing_bytes = now, self.transport.get_write_buffer_size()
        if self._refusal is not None:
            if now - self._closing_since > self._limits.linger_seconds:
                self.transport.abort()
        elif now - self._closing_since > self._allowed(self._limits.reader_seconds, self._closing_bytes):
            self.abort(_SLOW_READER)

    def _check_reading(self, now: float, since: float) -> None:
        if self.flow.read_paused:
            self._reading_since = now  # We do not read, so the client cannot send.
        elif self._in_body:
            # Once the answer is complete, the rest of a body has no use, however fast it comes.
            wanted = self._body_bytes if self.is_answering else 0
            if now - since > self._allowed(self._limits.body_seconds, wanted):
                self.refuse(RequestTooSlow())
        elif not self.is_answering and now - since > self._limits.head_seconds:
            if self._unparsed:
                self.refuse(RequestTooSlow())
            else:
                self.transport.close()  # Browsers open connections that they may need, and ask for nothing.

    def _allowed(self, seconds: float, size: int) -> float:
        return seconds + size / self._limits.bytes_per_second
