"""Answers that nobody reads: their connections make room, and what waits in memory is bounded."""

import socket
from contextlib import ExitStack, suppress
from functools import partial

import httpx2
import pytest
from prometheus_client import CollectorRegistry

from tests.commands.test_connections import LARGE, Application, app, connected, heard
from tests.servers import browser, eventually, serving
from tsudoi.commands.serving.limits import ConnectionLimits

__all__ = ["app"]


class TestUnreadAnswers:
    @pytest.mark.found("24.E6")
    def test_answers_that_nobody_reads_make_room_too(self, app: Application) -> None:
        limits = ConnectionLimits(connections=10, reader_seconds=600, unread_seconds=0.2)
        with serving(app, limits=limits) as url, ExitStack() as stack:
            readers = [stack.enter_context(connected(url)) for _ in range(10)]
            for one in readers:
                one.sendall(b"GET /flood HTTP/1.1\r\nhost: x\r\n\r\n")
            eventually(lambda: len(app.seen) == 10)

            def got_in() -> bool:
                with suppress(httpx2.HTTPError), browser(url) as office:
                    return office.get("/small").status_code == 200
                return False

            eventually(got_in)
            assert all(got_in() for _ in range(5))

    @pytest.mark.found("24.E6")
    def test_what_waits_in_memory_for_readers_is_bounded(self, app: Application) -> None:
        limits = ConnectionLimits(reader_seconds=600, unread_bytes_of_address=3 * LARGE)
        registry = CollectorRegistry()
        with serving(app, limits=limits, registry=registry) as url, ExitStack() as stack:
            for _ in range(12):
                one = stack.enter_context(connected(url))
                one.sendall(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n")
            ended = partial(registry.get_sample_value, "tsudoi_connections_ended_total", {"reason": "UNREAD"})
            eventually(lambda: (ended() or 0) >= 8)
            assert (ended() or 0) < 12

    @pytest.mark.found("24.E6")
    def test_an_address_with_more_than_half_of_all_makes_room_first(self, app: Application) -> None:
        with serving(app, limits=ConnectionLimits(connections=10)) as url, ExitStack() as stack:
            host, port = url.removeprefix("http://").split(":")
            other = stack.enter_context(socket.create_connection((host, int(port)), 10, ("127.0.0.2", 0)))
            silent = [stack.enter_context(connected(url)) for _ in range(30)]
            assert silent[0].recv(10) == b""
            other.sendall(b"GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            assert heard(other).startswith(b"HTTP/1.1 200"), "the oldest, and of another address"
