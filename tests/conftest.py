"""Real parts for every test: both databases, the sandbox over HTTP, the product behind a real server."""

import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.postgres import PostgresServer
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.db.schema import migrate

BACKENDS = ("sqlite", "postgresql")
NOON = datetime(2025, 8, 16, 3, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer.started() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrated once; each test gets a copy of the file."""
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def empty_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with nothing in it, not even the schema."""
    if backend == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.sqlite3'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database() as url:
        yield url


@pytest.fixture
def database_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A migrated database of the test's own."""
    if backend == "sqlite":
        template: Path = request.getfixturevalue("migrated_sqlite")
        path = tmp_path / "test.sqlite3"
        path.write_bytes(template.read_bytes())
        yield f"sqlite:///{path}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.migrated_database() as url:
        yield url


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def db(database_url: str, clock: ManualClock) -> Iterator[Database]:
    database = open_database(database_url, clock)
    yield database
    database.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many tests each database saw: a back end that quietly dropped out would show here."""
    seen: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", []):
        seen.update(name for name in BACKENDS if f"[{name}" in report.nodeid or f"-{name}" in report.nodeid)
    if seen:
        terminalreporter.write_line("databases: " + ", ".join(f"{name} {seen[name]} tests" for name in BACKENDS))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("CI") == "true":
        skipped = [item.nodeid for item in items if item.get_closest_marker("skip")]
        assert not skipped, f"nothing is skipped in CI: {skipped}"
