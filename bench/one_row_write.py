import json
import tempfile

from bench.load import load, request
from bench.serving import serving
from bench.table import Row


def measure() -> list[Row]:
    """A validated, durable one-row write through `db.write` against raw `sqlite3` that commits per request."""
    body = json.dumps({"text": "出席します"}).encode()
    asked = [request("POST", "/notes", body, {"content-type": "application/json"})]
    with tempfile.TemporaryDirectory() as folder:
        with serving("bench.baselines:commit_per_request", BENCH_DATABASE=f"{folder}/bare.sqlite3") as port:
            bare = load(port, asked, clients=64, seconds=5)
        with serving("bench.ours:with_notes", BENCH_FOLDER=folder) as port:
            ours = load(port, asked, clients=64, seconds=5)
    assert not bare.errors + ours.errors
    return [
        Row(
            "one-row write, SQLite FULL, 64 clients (baseline: Starlette + sqlite3)",
            f"{ours.per_second:,.0f}/s  p99 {ours.p99_ms:.1f} ms",
            f"{bare.per_second:,.0f}/s  p99 {bare.p99_ms:.1f} ms",
            ours.per_second / bare.per_second,
            "≥ 1.0",
        )
    ]
