"""Lists of a filled hospital: the calendar of a month, the slots that staff see, coverage, and the sheet of a day.

At the end the office publishes as many slots at once as it may.
"""

import json
import tempfile
import time
from typing import Any
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
from tsudoi.booking.planning.rules.drafts import MOST_SLOTS

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
    rows = [_page(f"{what}, {name}", token, path, aim, folder, url) for what, token, path, aim in pages]
    return [*rows, _publishing(f"{MOST_SLOTS:,} drafts published in one request, {name}", office, folder, url)]


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


def _publishing(what: str, token: str, folder: str, url: str) -> Row:
    """Far ahead, where nobody else has slots: a hundred a day for fifty days."""
    days = {"from": "2030-06-03", "to": "2030-07-22"}
    times = [{"startMinuteOfDay": minute, "durationMinutes": 5} for minute in range(0, 1000, 10)]
    slots = {"reservationTypeId": 1, **days, "weekdays": [1, 2, 3, 4, 5, 6, 7], "times": times, "capacity": 4}
    change = {"select": {"filter": {"reservationTypeId": 1, **days}}, "change": {"status": "published"}}
    with serving("bench.ours:plain", BENCH_FOLDER=folder, BENCH_URL=url) as port:

        def post(path: str, body: dict[str, Any]) -> tuple[float, Any]:
            headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
            address = f"http://127.0.0.1:{port}/api/admin/slots/{path}"
            started = time.perf_counter()
            with urlopen(Asking(address, json.dumps(body).encode(), headers)) as response:
                answer = json.load(response)
            return time.perf_counter() - started, answer

        made, _ = post("bulk", {**slots, "skipHolidays": False})
        looked, preview = post("change", {**change, "dryRun": True})
        written, done = post("change", {**change, "expect": preview["matched"]})
    assert done["changed"] == MOST_SLOTS, done["changed"]
    return Row(what, f"{written:.2f} s  preview {looked:.2f} s  creation {made:.2f} s", aim="< 3 s")
