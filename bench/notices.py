"""Notices: jobs per second with one and four senders against the sandbox's own floor, and against a peer's queue."""

import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import httpx2
from sqlalchemy import func, insert, select, text

from bench.broadcast import sandbox
from bench.hospital import fill_masters, fill_reservations, fill_slots, fill_staff, opened
from bench.ours import JWT_SECRET, PIN_PEPPER, REFRESH_SECRET
from bench.table import Row
from tests.postgres import PostgresServer
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.notifications.notices.jobs import THREADS
from tsudoi.notifications.notices.models import NotificationJob

JOBS, ROUNDS, SENDERS = 3_000, 3, 4
EMPTY_RUNS = 7
TEXT = {"type": "text", "text": "予約が確定しました。\n2026/12/10 08:00\n職員健診"}
_COMMAND = [sys.executable, "-m", "tsudoi", "notifications", "send"]
_PEER = Path(__file__).with_name("peer_post_office.py")


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, sandbox(THREADS) as http:
        user_ids = http.post("/_sandbox/users/crowd", json={"count": JOBS}).json()["user_ids"]
        rows = _measured("SQLite", f"{folder}/sqlite", "", http, user_ids)
        with PostgresServer.started(durable=True) as server, server.database() as url:
            rows += _measured("PostgreSQL", f"{folder}/postgres", url, http, user_ids)
        return [*rows, *_against_peer(folder, http, user_ids)]


def _measured(name: str, folder: str, url: str, http: httpx2.Client, user_ids: list[str]) -> list[Row]:
    with _hospital(folder, url, http, user_ids) as (db, environment):
        floors: list[float] = []
        taken: dict[int, list[float]] = {1: [], SENDERS: []}
        for _ in range(ROUNDS):
            floors.append(_floor(http, user_ids))
            for senders, times in taken.items():
                db.write_now(_make_jobs)
                times.append(_send(environment, senders))
                assert db.read_now(_sent) == JOBS
        empty = median(_send(environment, 1) for _ in range(EMPTY_RUNS))
    floor = JOBS / median(floors)
    rows = [
        Row(
            f"notices, {name}, {senders} sender(s), {JOBS:,} jobs with the start of the command "
            "(baseline: the same pushes, nothing around them)",
            f"{JOBS / median(times):,.0f}/s",
            f"{floor:,.0f}/s",
            JOBS / median(times) / floor,
            "≥ 0.5" if senders == 1 else "",
        )
        for senders, times in taken.items()
    ]
    return [*rows, Row(f"notices, {name}, a run that finds nothing", f"{empty * 1000:,.0f} ms", aim="< 500 ms")]


def _against_peer(folder: str, http: httpx2.Client, user_ids: list[str]) -> list[Row]:
    """Both queues on SQLite, with the same calls to the same sandbox, and both with the start of their command."""
    given = [str(http.base_url).rstrip("/"), f"{folder}/peer", *user_ids]
    fill, send = ([str(_peer_environment()), str(_PEER), step, *given] for step in ("fill", "send"))
    with _hospital(f"{folder}/peer", "", http, user_ids) as (db, environment):
        ours, theirs = [], []
        for _ in range(ROUNDS):
            db.write_now(_make_jobs)
            ours.append(_send(environment, 1))
            subprocess.run(fill, check=True, capture_output=True)
            started = time.perf_counter()
            subprocess.run(send, check=True, capture_output=True)
            theirs.append(time.perf_counter() - started)
    # It reads nothing again before a call, has no retry key, keeps no log of its calls, and writes what became of a
    # message when its batch of 100 is done: whoever kills it sends up to 100 twice.
    what = (
        f"notices, SQLite, {JOBS:,} jobs with the start of the command (baseline: django-post-office's cron, which "
        "looks at nothing before a call and writes the outcomes of 100 at a time, so that a kill sends up to 100 twice)"
    )
    pace, peer = JOBS / median(ours), JOBS / median(theirs)
    return [Row(what, f"{pace:,.0f}/s", f"{peer:,.0f}/s", pace / peer)]


def _peer_environment() -> Path:
    """The peer and Django in an environment beside ours, made once."""
    folder = Path(sys.prefix) / "peers"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "django-post-office>=3.12"], check=True)
    return python


@contextmanager
def _hospital(
    folder: str, url: str, http: httpx2.Client, user_ids: list[str]
) -> Iterator[tuple[Database, dict[str, str]]]:
    Path(folder).mkdir()
    _, db = opened(folder, url)
    db.write_now(_fill, user_ids)
    environment = {
        **os.environ,
        "DATA_DIR": folder,
        "DATABASE_URL": url,
        "LINE_API_BASE": str(http.base_url).rstrip("/"),
        "LINE_CHANNEL_ACCESS_TOKEN": "bench",
        "LINE_CHANNEL_SECRET": "bench-channel-secret-0123456789",
        "JWT_SECRET": JWT_SECRET,
        "REFRESH_SECRET": REFRESH_SECRET,
        "SECURITY_PIN_PEPPER": PIN_PEPPER,
        "NOTIFICATION_CRON_DRY_RUN": "false",
        "LOG_LEVEL": "ERROR",
    }
    try:
        yield db, environment
    finally:
        db.close()


def _fill(tx: Tx, user_ids: list[str]) -> None:
    fill_masters(tx)
    fill_staff(tx, len(user_ids))
    fill_slots(tx, 100, capacity=len(user_ids) // 100)
    fill_reservations(tx, 100, per_slot=len(user_ids) // 100)
    tx.execute(
        text("UPDATE staffs SET line_user_id = :user_id WHERE staff_id = :staff_id"),
        [{"user_id": user_id, "staff_id": f"{100_001 + n}"} for n, user_id in enumerate(user_ids)],
    )


def _make_jobs(tx: Tx) -> None:
    """One confirmation for each reservation, due now, in place of those of the round before."""
    tx.execute(text("DELETE FROM notification_attempts"))
    tx.execute(text("DELETE FROM notification_jobs"))
    ids = tx.execute(text("SELECT id FROM reservations ORDER BY id")).scalars()
    same = {"kind": "CONFIRMATION", "scheduled_at": tx.now, "created_at": tx.now, "updated_at": tx.now}
    tx.execute(
        insert(NotificationJob), [{"reservation_id": found, "retry_key": str(uuid.uuid4()), **same} for found in ids]
    )


def _sent(tx: ReadTx) -> int:
    found: int = tx.scalar(select(func.count()).where(NotificationJob.status == "SENT"))
    return found


def _send(environment: dict[str, str], senders: int) -> float:
    """From the commands typed to the end of the last one."""
    started = time.perf_counter()
    running = [subprocess.Popen(_COMMAND, env=environment, stdout=subprocess.DEVNULL) for _ in range(senders)]
    codes = [process.wait(300) for process in running]
    assert codes == [0] * senders, codes
    return time.perf_counter() - started


def _floor(http: httpx2.Client, user_ids: list[str]) -> float:
    def push(user_id: str) -> None:
        headers = {"authorization": "Bearer bench", "x-line-retry-key": str(uuid.uuid4())}
        http.post("/v2/bot/message/push", json={"to": user_id, "messages": [TEXT]}, headers=headers).raise_for_status()

    started = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(push, user_ids))
    return time.perf_counter() - started
