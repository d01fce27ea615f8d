"""One broadcast to 10,000 and 100,000 people, against what the sandbox itself takes for the same calls."""

import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median
from typing import Any

import httpx2
from pydantic import SecretStr

from bench.gathering import EVENT, gather, opened
from bench.serving import free_port, wait_for
from bench.table import Row
from tsudoi.contexts import open_runtime
from tsudoi.core.db.interface import Tx
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import jobs, queries
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue

# How often each size is measured, the floor and ours in turn: a single run of a tenth of a second says little. Each
# goes first as often as the other.
ROUNDS = {10_000: 16, 100_000: 6}
CHUNK = 500
# The sandbox keeps every message. Looking for garbage among a million takes it a third of a second now and then, which
# falls on the one or the other by chance.
_NO_PAUSES = "import gc, runpy; gc.disable(); runpy.run_module('tsudoi', run_name='__main__', alter_sys=True)"
TEXT = {"type": "text", "text": "出欠のご回答をお願いします。\nhttps://liff.line.me/1650000000-bench/events/1"}


def measure() -> list[Row]:
    rows: list[Row] = []
    for size, rounds in ROUNDS.items():
        with sandbox(jobs.THREADS) as http:
            user_ids = http.post("/_sandbox/users/crowd", json={"count": size}).json()["user_ids"]
            rows += _rows(http, user_ids, rounds)
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


def _rows(http: httpx2.Client, user_ids: list[str], rounds: int) -> list[Row]:
    floors: list[float] = []
    writings: list[float] = []
    sendings: list[float] = []
    recipients = [Recipient(number, user_id) for number, user_id in enumerate(user_ids, 1)]
    with _house(http, user_ids) as runtime:
        # A server that has sent before, as the sandbox has been called before: first uses compile statements.
        _send(runtime, _enqueue(runtime, recipients[:1]))
        for number in range(rounds):
            if number % 2:
                floors.append(_floor(http, user_ids))
            started = time.perf_counter()
            broadcast_id = _enqueue(runtime, recipients)
            written = time.perf_counter()
            _send(runtime, broadcast_id)
            sendings.append(time.perf_counter() - written)
            writings.append(written - started)
            result = runtime.db.read_now(queries.result, broadcast_id)
            assert result.success == len(user_ids), result
            if not number % 2:
                floors.append(_floor(http, user_ids))
    floor, writing, sending = median(floors), median(writings), median(sendings)
    size = f"{len(user_ids):,}"
    what = f"broadcast to {size}, median of {rounds} (baseline: the same calls, nothing around them)"
    return [
        Row(what, f"{sending:.2f} s", f"{floor:.2f} s", floor / sending, "≥ 0.5 (twice the floor)"),
        Row(f"writing it down before: {size} rows with their retry keys", f"{writing:.2f} s"),
    ]


@contextmanager
def _house(http: httpx2.Client, user_ids: list[str]) -> Iterator[Runtime]:
    with tempfile.TemporaryDirectory() as folder:
        settings, db = opened(folder)
        db.write_now(gather, len(user_ids))
        db.write_now(_rename, user_ids)
        settings = settings.model_copy(
            update={"line_api_base": str(http.base_url).rstrip("/"), "line_channel_access_token": SecretStr("bench")}
        )
        with open_runtime(settings, db) as runtime:
            yield runtime
        db.close()


def _enqueue(runtime: Runtime, recipients: list[Recipient]) -> int:
    return runtime.db.write_now(enqueue, EVENT, "invite", [TEXT], recipients, "bench").broadcast_id


def _send(runtime: Runtime, broadcast_id: int) -> None:
    jobs.send(runtime, broadcast_id, until=time.monotonic() + 600)


def _rename(tx: Tx, user_ids: list[str]) -> None:
    """The sandbox chooses the ids of its people."""
    rows: list[dict[str, Any]] = [{"who": number, "user": user} for number, user in enumerate(user_ids, 1)]
    tx.connection.exec_driver_sql("UPDATE members SET line_user_id = :user WHERE id = :who", rows)


@contextmanager
def sandbox(connections: int) -> Iterator[httpx2.Client]:
    """The sandbox in a process of its own, and a client with as many connections."""
    port = free_port()
    environment = {**os.environ, "SANDBOX_PORT": str(port), "TSUDOI_DEMO": "1", "LINE_CHANNEL_ACCESS_TOKEN": "bench"}
    environment["SANDBOX_SMTP_PORT"] = str(free_port())
    process = subprocess.Popen([sys.executable, "-c", _NO_PAUSES, "sandbox"], env=environment)
    try:
        wait_for(port, process)
        limits = httpx2.Limits(max_connections=connections)
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False, limits=limits) as http:
            yield http
    finally:
        process.terminate()
        process.wait(15)
