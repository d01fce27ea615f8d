import json
import tempfile

from bench.load import Result, load, request
from bench.serving import serving
from bench.table import Row


def measure() -> list[Row]:
    """A durable one-row write against raw `sqlite3` that commits per request: the layer alone, and the whole house."""
    body = json.dumps({"text": "出席します"}).encode()
    asked = [request("POST", "/notes", body, {"content-type": "application/json"})]
    with tempfile.TemporaryDirectory() as folder:
        with serving("bench.baselines:commit_per_request", BENCH_DATABASE=f"{folder}/bare.sqlite3") as port:
            bare = load(port, asked, clients=64, seconds=5)
        with serving("bench.ours:bare_with_db_write", BENCH_FOLDER=folder) as port:
            layer = load(port, asked, clients=64, seconds=5)
        with serving("bench.ours:with_notes", BENCH_FOLDER=folder) as port:
            house = load(port, asked, clients=64, seconds=5)
    assert not bare.errors + layer.errors + house.errors
    return [
        _row("one-row write through db.write, SQLite FULL, 64 clients (baseline: sqlite3)", layer, bare, "≥ 1.0"),
        _row("the same through the whole house: edge, validation, models", house, bare, ""),
    ]


def _row(what: str, ours: Result, bare: Result, aim: str) -> Row:
    return Row(
        what,
        f"{ours.per_second:,.0f}/s  p99 {ours.p99_ms:.1f} ms",
        f"{bare.per_second:,.0f}/s  p99 {bare.p99_ms:.1f} ms",
        ours.per_second / bare.per_second,
        aim,
    )
