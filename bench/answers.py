import json
import tempfile

from bench.gathering import EVENT, gather, log_in, opened
from bench.load import Result, load, request
from bench.serving import serving
from bench.table import Row
from tests.postgres import PostgresServer

# So many people that hardly anybody answers more often than people do, because more is counted and then refused.
PEOPLE, REQUESTS, CLIENTS, SECONDS = 10_000, 40_000, 64, 5


def measure() -> list[Row]:
    """The answer post with all that belongs to it, against raw SQL that commits per request, on both databases."""
    with tempfile.TemporaryDirectory() as folder:
        rows = _measured("SQLite FULL", folder, "", "≥ 0.9", "sqlite")
        for name, durable in (("PostgreSQL", True), ("PostgreSQL that does not wait for its disk", False)):
            with PostgresServer.started(durable=durable) as server, server.database() as url:
                rows += _measured(name, folder, url, "≥ 0.5", "postgres")
    return rows


def _measured(name: str, folder: str, url: str, aim: str, kind: str) -> list[Row]:
    settings, db = opened(folder, url)
    db.write_now(gather, PEOPLE)
    asked = _requests(db.write_now(log_in, PEOPLE))
    db.close()
    raw = settings.database.removeprefix("sqlite:///").replace("+psycopg", "")
    with serving("bench.ours:plain", BENCH_FOLDER=folder, BENCH_URL=url) as port:
        ours = load(port, asked[: REQUESTS // 2], CLIENTS, SECONDS)
    with serving(f"bench.answers_bare:insert_{kind}", BENCH_DATABASE=raw) as port:
        insert = load(port, asked, CLIENTS, SECONDS)
    with serving(f"bench.answers_bare:same_{kind}", BENCH_DATABASE=raw) as port:
        same = load(port, asked[REQUESTS // 2 :], CLIENTS, SECONDS)
    assert not ours.errors, ours
    assert not insert.errors, insert
    return [
        _row(
            f"answer post, {name}, {CLIENTS} clients (baseline: a bare INSERT, no questions asked)", ours, insert, aim
        ),
        _row(f"answer post, {name}, {CLIENTS} clients (baseline: the same transaction)", ours, same, aim),
    ]


def _requests(tokens: list[str]) -> list[bytes]:
    body = json.dumps({"status": "attend", "extra_text": "10分ほど遅れます"}).encode()
    path = f"/api/liff/events/{EVENT}/respond"
    return [
        request(
            "POST",
            path,
            body,
            {
                "content-type": "application/json",
                "cookie": f"tsudoi_liff={tokens[number % len(tokens)]}",
                "idempotency-key": f"bench-{number}",
            },
        )
        for number in range(REQUESTS)
    ]


def _row(what: str, ours: Result, bare: Result, aim: str) -> Row:
    return Row(
        what,
        f"{ours.per_second:,.0f}/s  p50 {ours.p50_ms:.0f} p99 {ours.p99_ms:.0f} ms",
        f"{bare.per_second:,.0f}/s  p50 {bare.p50_ms:.0f} p99 {bare.p99_ms:.0f} ms",
        ours.per_second / bare.per_second,
        f"{aim}, p99 < 100 ms",
    )
