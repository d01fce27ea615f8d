"""One broadcast to 10,000 and 100,000 people, against what the sandbox itself takes for the same calls."""

import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx2
from pydantic import SecretStr

from bench.gathering import EVENT, gather, opened
from bench.serving import free_port, wait_for
from bench.table import Row
from tsudoi.core.db.interface import Tx
from tsudoi.events.broadcast import jobs, queries, service
from tsudoi.events.broadcast.service import Recipient
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.http import Outlet
from tsudoi.line.inbox.jobs import Tools

SIZES = (10_000, 100_000)
CHUNK = 500
TEXT = {"type": "text", "text": "出欠のご回答をお願いします。\nhttps://liff.line.me/1650000000-bench/events/1"}


def measure() -> list[Row]:
    rows: list[Row] = []
    for size in SIZES:
        with _sandbox() as http:
            user_ids = http.post("/_sandbox/users/crowd", json={"count": size}).json()["user_ids"]
            floor = _floor(http, user_ids)
            rows += _ours(http, user_ids, floor)
    return rows


def _floor(http: httpx2.Client, user_ids: list[str]) -> float:
    """The same calls from as many threads, with nothing around them."""

    def post(start: int) -> None:
        headers = {"authorization": "Bearer bench", "x-line-retry-key": str(uuid.uuid4())}
        body = {"to": user_ids[start : start + CHUNK], "messages": [TEXT]}
        http.post("/v2/bot/message/multicast", json=body, headers=headers).raise_for_status()

    started = time.perf_counter()
    with ThreadPoolExecutor(jobs.THREADS) as pool:
        list(pool.map(post, range(0, len(user_ids), CHUNK)))
    return time.perf_counter() - started


def _ours(http: httpx2.Client, user_ids: list[str], floor: float) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        settings, db = opened(folder)
        db.write_now(gather, len(user_ids))
        db.write_now(_rename, user_ids)
        settings = settings.model_copy(
            update={"line_api_base": str(http.base_url).rstrip("/"), "line_channel_access_token": SecretStr("bench")}
        )
        outlet = Outlet(db)
        tools = Tools(db, LineClient(LineConfig.of(settings), outlet), settings)
        tools.line.profile(user_ids[0])  # The first call loads LINE's SDK.
        recipients = [Recipient(number, user_id) for number, user_id in enumerate(user_ids, 1)]
        started = time.perf_counter()
        broadcast_id = db.write_now(service.enqueue, EVENT, "invite", [TEXT], recipients, "bench")
        written = time.perf_counter()
        jobs.send(tools, broadcast_id, until=time.monotonic() + 600, stopping=threading.Event())
        sent = time.perf_counter()
        result = db.read_now(queries.result, broadcast_id)
        outlet.close()
        db.close()
    assert result.success == len(user_ids), result
    what = f"broadcast to {len(user_ids):,} (baseline: the same calls, nothing around them)"
    sending = sent - written
    return [
        Row(what, f"{sending:.2f} s", f"{floor:.2f} s", floor / sending, "≥ 0.77 (1.3 times the floor)"),
        Row(f"writing it down before: {len(user_ids):,} rows with their retry keys", f"{written - started:.2f} s"),
    ]


def _rename(tx: Tx, user_ids: list[str]) -> None:
    """The sandbox chooses the ids of its people."""
    rows: list[dict[str, Any]] = [{"who": number, "user": user} for number, user in enumerate(user_ids, 1)]
    tx.connection.exec_driver_sql("UPDATE members SET line_user_id = :user WHERE id = :who", rows)


@contextmanager
def _sandbox() -> Iterator[httpx2.Client]:
    port = free_port()
    environment = {**os.environ, "SANDBOX_PORT": str(port), "TSUDOI_DEMO": "1", "LINE_CHANNEL_ACCESS_TOKEN": "bench"}
    process = subprocess.Popen([sys.executable, "-m", "tsudoi", "sandbox"], env=environment)
    try:
        wait_for(port, process)
        limits = httpx2.Limits(max_connections=jobs.THREADS)
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False, limits=limits) as http:
            yield http
    finally:
        process.terminate()
        process.wait(15)
