"""Lists of a filled hospital: the calendar of a month, the slots that staff see, coverage, and the sheet of a day."""

import tempfile
import time
from urllib.request import Request as Asking
from urllib.request import urlopen

from bench.hospital import (
    analyze,
    fill_masters,
    fill_reservations,
    fill_slots,
    fill_staff,
    next_month,
    open_sessions,
    opened,
)
from bench.load import load, request
from bench.serving import serving
from bench.table import Row
from tests.postgres import PostgresServer

STAFF, SLOTS, CAPACITY, TAKEN = 3_000, 1_000, 4, 2


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        rows = _measured("SQLite", folder, "")
    with (
        tempfile.TemporaryDirectory() as folder,
        PostgresServer.started(durable=True) as server,
        server.database() as url,
    ):
        return rows + _measured("PostgreSQL", folder, url)


def _measured(name: str, folder: str, url: str) -> list[Row]:
    _, db = opened(folder, url)
    office = db.write_now(fill_masters)
    db.write_now(fill_staff, STAFF)
    db.write_now(fill_slots, SLOTS, CAPACITY)
    db.write_now(fill_reservations, SLOTS, TAKEN)
    staff = db.write_now(open_sessions, 1)[0]
    db.write_now(analyze)
    month = next_month(db.clock.now())
    db.close()
    pages = (
        (f"calendar of a month with {SLOTS:,} slots", office, f"/api/admin/slots/calendar?month={month}", "< 50 ms"),
        ("slots as staff see them, 200 rows", staff, "/api/slots?limit=200", ""),
        ("slots as the office sees them, 200 rows", office, f"/api/admin/slots?from={month}-01&limit=200", ""),
        (f"coverage of {STAFF:,} staff", office, "/api/admin/coverage?reservationTypeId=1", ""),
        (
            "sheet of a day, up to 200 rows",
            office,
            f"/api/admin/reservations?from={month}-01&to={month}-01&state=live&limit=200",
            "",
        ),
    )
    return [_page(f"{what}, {name}", token, path, aim, folder, url) for what, token, path, aim in pages]


def _page(what: str, token: str, path: str, aim: str, folder: str, url: str) -> Row:
    """The first request of a new process, a second after its start, and then many."""
    headers = {"authorization": f"Bearer {token}"}
    with serving("bench.ours:plain", BENCH_FOLDER=folder, BENCH_URL=url) as port:
        time.sleep(1)
        started = time.perf_counter()
        with urlopen(Asking(f"http://127.0.0.1:{port}{path}", headers=headers)) as response:
            length = len(response.read())
        first = (time.perf_counter() - started) * 1000
        later = load(port, [request("GET", path, headers=headers)], clients=1, seconds=2)
    assert not later.errors, later
    shown = f"first {first:.0f} ms  then p50 {later.p50_ms:.1f} p99 {later.p99_ms:.1f} ms  {length / 1000:.0f} kB"
    return Row(what, shown, aim=aim)
