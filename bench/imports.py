"""The import of 10,000 staff over HTTP: the dry run and the real one, on both databases."""

import tempfile
import time
from urllib.request import Request as Asking
from urllib.request import urlopen

import orjson

from bench.hospital import DEPARTMENTS, fill_masters, opened
from bench.serving import serving
from bench.table import Row
from tests.postgres import PostgresServer

ROWS = 10_000


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        rows = _measured("SQLite FULL", folder, "")
    with (
        tempfile.TemporaryDirectory() as folder,
        PostgresServer.started(durable=True) as server,
        server.database() as url,
    ):
        return rows + _measured("PostgreSQL", folder, url)


def _measured(name: str, folder: str, url: str) -> list[Row]:
    _, db = opened(folder, url)
    token = db.write_now(fill_masters)
    db.close()
    cpu: list[float] = []
    with serving("bench.ours:plain", cpu, BENCH_FOLDER=folder, BENCH_URL=url) as port:
        dry = _seconds(port, token, "true")
        applied = _seconds(port, token, "false")
    shown = f"dry run {dry:.2f} s  import {applied:.2f} s  CPU of both {cpu[0]:.2f} s"
    return [Row(f"import of {ROWS:,} staff, {name}", shown, aim="< 5 s")]


def _seconds(port: int, token: str, dry_run: str) -> float:
    headers = {"authorization": f"Bearer {token}", "content-type": "text/csv"}
    address = f"http://127.0.0.1:{port}/api/admin/staffs/import?dryRun={dry_run}"
    started = time.perf_counter()
    with urlopen(Asking(address, _file(), headers, method="POST")) as response:
        created = orjson.loads(response.read())["summary"]["created"]
    assert created == ROWS, created
    return time.perf_counter() - started


def _file() -> bytes:
    people = (f"山田 太郎{n},{200_000 + n},{n % DEPARTMENTS + 1}A,看護師\r\n" for n in range(ROWS))
    return ("名前(漢字),本部ID(staffId),部署(コード),職種\r\n" + "".join(people)).encode()
