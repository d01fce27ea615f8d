"""Real parts for every test: both databases, the sandbox over HTTP, the product behind a real server."""

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpcore2
import orjson
import pytest
from fastapi import applications
from fastapi.openapi import utils as openapi_utils
from fastapi.routing import APIRoute

from tests.databases import ReusedDatabase, ReusedPostgres, ReusedSqlite
from tests.postgres import PostgresServer
from tests.servers import NO_TLS
from tsudoi.core import settings_file
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.db.schema import migrate

BACKENDS = ("sqlite", "postgresql")
# They start processes, kill them, or try thousands of inputs: `make test` runs them, `make check` does not.
SLOW_FOLDERS = ("attacks", "browser", "commands", "concurrency", "gateway", "packaging", "sandbox")
# They take longest of all.
LONG_FOLDERS = ("attacks", "commands", "concurrency")
TESTS = Path(__file__).parent
# A test with one of these starts servers. `make check` runs it only if it is marked as `quick` or `found`.
SERVER_FIXTURES = frozenset({"box", "product", "make_product"})
NOON = datetime(2025, 8, 16, 3, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer.started() as server:
        yield server


@pytest.fixture(scope="session")
def own_postgres(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """A server that nobody else uses at the same time: this worker's own, unless a common one was given."""
    if "TEST_DATABASE_URL" not in os.environ:
        yield request.getfixturevalue("postgres")
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("TEST_DATABASE_URL")
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


@pytest.fixture(scope="session")
def reused_sqlite(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReusedDatabase]:
    database = ReusedSqlite(migrated_sqlite, tmp_path_factory.mktemp("reused"))
    yield database
    database.close()


@pytest.fixture(scope="session")
def reused_postgresql(postgres: PostgresServer) -> Iterator[ReusedDatabase]:
    database = ReusedPostgres(postgres)
    yield database
    database.close()


@pytest.fixture
def reused_database(backend: str, request: pytest.FixtureRequest) -> ReusedDatabase:
    database: ReusedDatabase = request.getfixturevalue(f"reused_{backend}")
    return database


@pytest.fixture
def database_url(reused_database: ReusedDatabase) -> str:
    """A migrated database with nothing in it. The tests of one worker use it one after the other."""
    return reused_database.emptied()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def db(database_url: str, reused_database: ReusedDatabase, clock: ManualClock) -> Iterator[Database]:
    with reused_database.opened(database_url, clock) as database:
        yield database


@pytest.fixture(scope="session", autouse=True)
def no_installation() -> Iterator[None]:
    """What is installed on this machine is none of the tests' business."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(settings_file, "SYSTEM_FILE", Path(os.devnull, "tsudoi.env"))
        patched.delenv(settings_file.VARIABLE, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_certificates() -> Iterator[None]:
    """Reading the system's certificates takes longer than most tests, for each client. Nothing here speaks TLS."""
    with patch.object(httpcore2, "default_ssl_context", lambda **_options: NO_TLS):
        yield


@pytest.fixture(scope="session", autouse=True)
def one_description() -> Iterator[None]:
    """To describe all routes takes a second, for each application. The same routes are described once."""
    describe = openapi_utils.get_openapi
    known: dict[tuple[int, ...], tuple[list[APIRoute], bytes]] = {}

    def described(**options: Any) -> Any:
        routes = [route for route in options["routes"] if isinstance(route, APIRoute) and route.include_in_schema]
        key = tuple(map(id, routes))
        if key not in known:
            known[key] = (routes, orjson.dumps(describe(**options)))
        return orjson.loads(known[key][1])

    with patch.object(applications, "get_openapi", described):
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many tests each database saw: a back end that quietly dropped out would show here."""
    seen: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", []):
        seen.update(name for name in BACKENDS if f"[{name}" in report.nodeid or f"-{name}" in report.nodeid)
    if seen:
        terminalreporter.write_line("databases: " + ", ".join(f"{name} {seen[name]} tests" for name in BACKENDS))


def pytest_configure() -> None:
    # Nothing that is imported or collected is garbage: to look through all of it again and again takes a fifth of the
    # whole time. See `pytest_collection_finish`.
    gc.disable()
    # A shell that starts a command in the background lets it ignore Ctrl-C, and so would every process of a test.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(5000, 20, 50)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="without PostgreSQL, servers and slow suites")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("CI") == "true":
        skipped = [item.nodeid for item in items if item.get_closest_marker("skip")]
        assert not skipped, f"nothing is skipped in CI: {skipped}"
    if workers := getattr(config, "workerinput", {}).get("workercount"):
        items[:] = _spread(items, workers)
    if config.getoption("--quick"):
        config.hook.pytest_deselected(items=[item for item in items if _is_slow(item)])
        items[:] = [item for item in items if not _is_slow(item)]


def _spread(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Each worker gets an equal run of neighbours first, so each of the long suites stands at the beginning of one.

    One after the other, they would keep a single worker busy when the others have nothing left to take from it.
    """
    long: dict[str, list[pytest.Item]] = {folder: [] for folder in LONG_FOLDERS}
    others: list[pytest.Item] = []
    for item in items:
        long.get(item.path.relative_to(TESTS).parts[0], others).append(item)
    parts = list(long.values())
    left = iter([item for part in parts[workers:] for item in part] + others)
    run = len(items) // workers
    spread = [item for part in parts[:workers] for item in (*part, *islice(left, max(0, run - len(part))))]
    return [*spread, *left]


def _is_slow(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    on = callspec.params.get("backend") if callspec is not None else None
    folder = item.path.relative_to(TESTS).parts[0]
    if on == "postgresql" or folder in SLOW_FOLDERS:
        return True
    # A few tests of every context go the whole way over HTTP, because many faults lie between the parts.
    wanted = item.get_closest_marker("quick") or item.get_closest_marker("found")
    return wanted is None and bool(SERVER_FIXTURES.intersection(getattr(item, "fixturenames", ())))
