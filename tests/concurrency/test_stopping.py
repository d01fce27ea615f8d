"""SIGTERM under load: every request that was sent is answered, and the server is gone within ten seconds."""

import asyncio
import signal
import socket
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.factories.processes import Server, started
from tests.postgres import PostgresServer, frozen
from tests.sizes import size

REQUEST = b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n"
CLOSING = b"GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
# Seconds between the answer and the next request of a client. None: a new connection for each request.
PAUSES = (0.0, 0.0, 0.0, 0.003, 0.03, 0.3, None, None)


@pytest.fixture
def folder(tmp_path: Path, migrated_sqlite: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    return tmp_path


@dataclass
class Clients:
    """Each asks again as soon as it has its answer, until nobody listens any more."""

    port: int
    outcomes: Counter[str] = field(default_factory=Counter)

    async def run(self, pause: float | None) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                self.outcomes["nobody listens"] += 1
                return
            await self._ask(reader, writer, pause)
            writer.close()

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pause: float | None) -> None:
        while not reader.at_eof():
            writer.write(CLOSING if pause is None else REQUEST)
            try:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]))
            except (asyncio.IncompleteReadError, OSError) as error:
                self.outcomes[f"lost: {type(error).__name__}"] += 1
                return
            self.outcomes["answered" if head.startswith(b"HTTP/1.1 200") else "refused"] += 1
            if b"connection: close" in head.lower():
                return
            await asyncio.sleep(pause or 0)


HANGING = (b"", b"GET /livez HT", b"POST /api/line/webhook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf")


async def stop_under_load(server: Server, answers: int, each: int, hanging: int) -> tuple[Counter[str], float]:
    clients = Clients(server.port)
    silent = [(await asyncio.open_connection("127.0.0.1", clients.port))[1] for _ in HANGING * hanging]
    for writer, sent in zip(silent, HANGING * hanging, strict=True):
        writer.write(sent)
    tasks = [asyncio.create_task(clients.run(pause)) for pause in PAUSES * each]
    while clients.outcomes["answered"] < answers:  # noqa: ASYNC110 (the counter has no event)
        await asyncio.sleep(0.01)
    asked = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    await asyncio.wait_for(asyncio.gather(*tasks), 60)
    await asyncio.to_thread(server.process.wait, 60)
    seconds = time.monotonic() - asked
    for writer in silent:
        writer.close()
    return clients.outcomes, seconds


def test_under_load_nothing_is_reset(folder: Path) -> None:
    for _ in range(size(1, 8)):
        with started(folder, "serve") as server:
            load = stop_under_load(server, size(300, 5_000), each=size(2, 16), hanging=size(0, 1))
            outcomes, seconds = asyncio.run(load)
        assert set(outcomes) == {"answered", "nobody listens"}, outcomes
        assert seconds < 10
        assert server.process.returncode == 0


def test_while_the_database_is_frozen_it_leaves_all_the_same(folder: Path, own_postgres: PostgresServer) -> None:
    """Its threads wait in calls to the database, which nothing can interrupt, and so does its worker."""
    url, body = own_postgres.create_migrated(), b'{"username": "x", "password": "y"}'
    head = b"POST /api/admin/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    with started(folder, "serve", DATABASE_URL=url, WORKER_INLINE="1") as server, frozen(url), ExitStack() as stack:
        address = ("127.0.0.1", int(server.url.rpartition(":")[2]))
        callers = [stack.enter_context(socket.create_connection(address, timeout=60)) for _ in range(3)]
        for caller in callers:
            caller.sendall(head % len(body) + body)
        asked = time.monotonic()
        assert server.stop() == 0
        seconds = time.monotonic() - asked
        heard = [caller.recv(65536)[:12] for caller in callers]
    own_postgres.drop(url)
    assert seconds < 20, "ten are promised, on a machine that is not busy"
    assert heard == [b"HTTP/1.1 503"] * 3
