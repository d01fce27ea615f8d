"""An event's page for the office with 100 to 100,000 people, and its CSV: how the cost grows, and the memory."""

import os
import sqlite3
import tempfile
import time
from urllib.request import Request as Asking
from urllib.request import urlopen

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.gathering import EVENT, answered, gather, opened
from bench.load import load, request
from bench.serving import serving
from bench.table import Row

SIZES = (100, 1_000, 10_000, 100_000)
_STATUS = """SELECT m.id, m.name, coalesce(r.status, 'pending'), r.extra_text, r.responded_at, r.via
FROM event_targets t JOIN members m ON m.id = t.member_id
LEFT JOIN event_responses r ON r.id = (SELECT x.id FROM event_responses x
    WHERE x.event_id = t.event_id AND x.member_id = t.member_id ORDER BY x.responded_at DESC, x.id DESC LIMIT 1)
WHERE t.event_id = ? ORDER BY m.display_order ASC NULLS LAST, m.id"""
_NAMES = ("member_id", "name", "status", "extra_text", "responded_at", "via")


def raw_status() -> Starlette:
    connection = sqlite3.connect(os.environ["BENCH_DATABASE"])

    async def answer(_request: Request) -> Response:
        rows = [dict(zip(_NAMES, row, strict=True)) for row in connection.execute(_STATUS, (EVENT,))]
        return Response(orjson.dumps({"current_status": rows}), media_type="application/json")

    return Starlette(routes=[Route("/status", answer)])


def measure() -> list[Row]:
    rows: list[Row] = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            rows += _sized(folder, size)
    return rows


def _sized(folder: str, size: int) -> list[Row]:
    settings, db = opened(folder)
    token = db.write_now(gather, size)
    db.write_now(answered, size)
    db.close()
    headers = {"authorization": f"Bearer {token}"}
    with serving("bench.status:raw_status", BENCH_DATABASE=settings.database.removeprefix("sqlite:///")) as port:
        bare = load(port, [request("GET", "/status")], clients=1, seconds=3)
    with serving("bench.ours:plain", BENCH_FOLDER=folder) as port:
        ours = load(port, [request("GET", f"/api/admin/events/{EVENT}", headers=headers)], clients=1, seconds=3)
        exported = [_export(port, headers)] if size == SIZES[-1] else []
    assert not ours.errors
    row = Row(
        f"event page, {size:,} people (baseline: sqlite3 + orjson)",
        f"p50 {ours.p50_ms:.1f} ms",
        f"p50 {bare.p50_ms:.1f} ms",
        bare.p50_ms / ours.p50_ms,
        "≥ 0.67" if size == 10_000 else "",
    )
    return [row, *exported]


def _export(port: int, headers: dict[str, str]) -> Row:
    before = _resident(port)
    started, length, peak = time.perf_counter(), 0, before
    address = f"http://127.0.0.1:{port}/api/admin/events/{EVENT}/export/latest.csv"
    with urlopen(Asking(address, headers=headers)) as answer:
        while piece := answer.read(65_536):
            length += len(piece)
            if length % 1_048_576 < len(piece):
                peak = max(peak, _resident(port))
    seconds = time.perf_counter() - started
    peak = max(peak, _resident(port))
    return Row("CSV of 100,000 people", f"{seconds:.2f} s  {length / 1e6:.1f} MB  memory +{peak - before:.0f} MB")


def _resident(port: int) -> float:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        line = next(line for line in answer if line.startswith(b"process_resident_memory_bytes"))
    return float(line.split()[1]) / 1e6
