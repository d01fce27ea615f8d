"""Bookings per second, end to end with tokens and keys, against bare Starlette with the same transaction in raw SQL."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit

from bench.hospital import analyze, fill_masters, fill_slots, fill_staff, open_sessions, opened
from bench.load import Result, load, request
from bench.serving import serving
from bench.table import Row
from tests.postgres import PostgresServer
from tsudoi.core.db.interface import Tx

PEOPLE, SLOTS, CLIENTS, SECONDS, ROUNDS = 20_000, 200, 64, 3, 2
# Few seats for all: after the first second nearly everybody is refused. Or a seat for everybody.
PHASES = (("a rush for 200 seats, the others get 409", 1), ("a seat for everybody", 1_000))
# A copy of a filled database: the folder and URL for the product, and the place for the baseline.
Copy = tuple[str, str, str]


@dataclass(frozen=True)
class Prepared:
    """A filled database, from which every measurement gets a copy of its own, and the requests."""

    database: str
    requests: list[bytes]


@dataclass(frozen=True)
class Run:
    """One measurement: what the clients saw, and the processor time of the server for each request."""

    result: Result
    cpu_ms: float


def measure() -> list[Row]:
    rows: list[Row] = []
    for what, capacity in PHASES:
        with tempfile.TemporaryDirectory() as folder:
            rows += _on_sqlite(what, capacity, folder)
        with PostgresServer.started(durable=True) as server, server.database() as url:
            rows += _on_postgres(what, capacity, server, url)
    return rows


def _on_sqlite(what: str, capacity: int, folder: str) -> list[Row]:
    prepared = _prepare(folder, "", capacity)

    @contextmanager
    def copy() -> Iterator[Copy]:
        with tempfile.TemporaryDirectory() as place:
            shutil.copy(prepared.database, Path(place) / "tsudoi.sqlite3")
            yield place, "", f"{place}/tsudoi.sqlite3"

    ours, bare = _interleaved(copy, prepared, "book_sqlite", 1)
    return [_row(f"booking, SQLite FULL, {what}", ours, bare, "≥ 0.8")]


def _on_postgres(what: str, capacity: int, server: PostgresServer, url: str) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        prepared = _prepare(folder, url, capacity)
        template = urlsplit(url).path.lstrip("/")

        @contextmanager
        def copy() -> Iterator[Copy]:
            with server.database(template) as made:
                yield folder, made, made

        rows = []
        for processes in (1, 4):
            ours, bare = _interleaved(copy, prepared, "book_postgres", processes)
            rows.append(_row(f"booking, PostgreSQL, {processes} process(es), {what}", ours, bare, "≥ 0.5"))
    return rows


def _prepare(folder: str, url: str, capacity: int) -> Prepared:
    settings, db = opened(folder, url)
    db.write_now(fill_masters)
    tokens = db.write_now(_fill, capacity)
    db.write_now(analyze)
    db.close()
    return Prepared(settings.database.removeprefix("sqlite:///"), _requests(tokens))


def _fill(tx: Tx, capacity: int) -> list[str]:
    fill_staff(tx, PEOPLE)
    fill_slots(tx, SLOTS, capacity)
    return open_sessions(tx, PEOPLE)


def _interleaved(
    copy: Callable[[], AbstractContextManager[Copy]], prepared: Prepared, kind: str, processes: int
) -> tuple[list[Run], list[Run]]:
    """Ours, bare, ours, bare: what else runs on the machine slows both."""
    ours: list[Run] = []
    bare: list[Run] = []
    for _ in range(ROUNDS):
        for runs, factory in ((ours, "bench.ours:plain"), (bare, f"bench.bookings_bare:{kind}")):
            with copy() as (folder, url, raw):
                places = {"BENCH_FOLDER": folder, "BENCH_URL": url, "BENCH_DATABASE": raw}
                cpu: list[float] = []
                with ExitStack() as stack:
                    ports = [stack.enter_context(serving(factory, cpu, **places)) for _ in range(processes)]
                    result = load(ports, prepared.requests, CLIENTS, SECONDS, addresses=True)
                assert set(result.statuses) <= {"201", "409"}, result
                runs.append(Run(result, sum(cpu) / sum(result.statuses.values()) * 1000))
    return ours, bare


def _requests(tokens: list[str]) -> list[bytes]:
    """One request for each person, because a person may book ten times a minute, and once a year."""
    return [
        request(
            "POST",
            "/api/reservations",
            json.dumps({"slotId": number % SLOTS + 1}).encode(),
            {
                "content-type": "application/json",
                "authorization": f"Bearer {token}",
                "idempotency-key": f"bench-{number}",
            },
        )
        for number, token in enumerate(tokens)
    ]


def _row(what: str, ours: list[Run], bare: list[Run], aim: str) -> Row:
    mine, theirs = (mean(run.result.per_second for run in runs) for runs in (ours, bare))
    return Row(what, _shown(ours), _shown(bare), mine / theirs, f"{aim} (CPU {_cpu(bare) / _cpu(ours):.2f})")


def _cpu(runs: list[Run]) -> float:
    return mean(run.cpu_ms for run in runs)


def _shown(runs: list[Run]) -> str:
    each, last = " ".join(f"{run.result.per_second:,.0f}" for run in runs), runs[-1].result
    refused = last.statuses.get("409", 0) / sum(last.statuses.values())
    return f"{each}/s  p99 {last.p99_ms:.0f} ms  CPU {_cpu(runs):.2f} ms  409 {refused:.0%}"
