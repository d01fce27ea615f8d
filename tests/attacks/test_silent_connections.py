"""`tsudoi serve` as a process, beside more silent clients than it may open files."""

import resource
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.factories.processes import Server, started
from tests.factories.product import ADMIN, PASSWORD
from tests.sizes import size
from tsudoi.commands.serving.limits import most_connections, raise_open_files

SILENT = size(300, 1_100)
OPEN_FILES = size(300, 1_024)
FIRST_ADMIN = {"ADMIN_USERNAME": ADMIN, "ADMIN_PASSWORD": PASSWORD}
# What each third of them sends.
BEGINNINGS = (
    b"",
    b"GET /livez HTTP/1.1\r\nhost: x\r\n",
    b"POST /api/line/webhook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf",
)


@pytest.fixture
def folder(tmp_path: Path, migrated_sqlite: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    return tmp_path


def fill(server: Server, stack: ExitStack) -> None:
    port = int(server.url.rpartition(":")[2])
    for number in range(SILENT):
        caller = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
        caller.sendall(BEGINNINGS[number % 3])


def opened(server: Server) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def metric(server: Server, name: str) -> float:
    with server.client() as new:
        told = new.get("/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in told if line.startswith(name)), 0)


def test_the_office_and_newcomers_are_served_within_the_open_files_that_there_are(folder: Path) -> None:
    raise_open_files()  # Of this process, which holds the other ends.
    few = f"{OPEN_FILES},{OPEN_FILES}"
    with ExitStack() as stack:
        server = stack.enter_context(started(folder, "serve", open_files=few, **FIRST_ADMIN))
        office = stack.enter_context(server.client())
        logged_in = office.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD})
        fill(server, stack)
        assert metric(server, 'tsudoi_connections_ended_total{reason="MADE_ROOM"}') > 0
        assert metric(server, "tsudoi_connections ") <= most_connections(2_000, OPEN_FILES)
        assert opened(server) < OPEN_FILES
        for _ in range(10):
            assert office.get("/api/admin/me").json()["username"] == ADMIN
        token = {"x-csrf-token": logged_in.json()["csrf_token"]}
        assert office.post("/api/admin/logout", headers=token).status_code == 204, "it can write too"
        with server.client() as new:
            body = {"username": ADMIN, "password": PASSWORD}
            assert new.post("/api/admin/login", json=body).status_code == 200
    assert "Too many open files" not in server.said()


def test_it_allows_itself_as_many_open_files_as_the_system_does(folder: Path) -> None:
    with started(folder, "serve", open_files="1024,3000") as server:
        assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE) == (3_000, 3_000)
