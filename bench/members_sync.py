import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from bench.serving import free_port, wait_for
from bench.table import Row

SIZES = ((10_000, 5), (100_000, 60))
HEADERS = ["id", "氏名", "表示順", "role", "line_user_id", "is_target", "email"]
# In a process of its own, so that its memory is its own too. Linux begins to count `ru_maxrss` with what the process
# that started it had, which is the largest of all here; `VmHWM` begins at nothing.
CHILD = """
import json, sys, time
started = time.perf_counter()
from tsudoi.commands.members import SyncArguments, run_sync
code = run_sync(SyncArguments())
peak = int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) / 1024
print(json.dumps({"code": code, "seconds": time.perf_counter() - started, "peak": peak}), file=sys.stderr)
"""


def measure() -> list[Row]:
    """From the command typed to its end: everybody new, then nobody changed, then every tenth one changed."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, _sandbox(folder) as (http, environment):
        for size, most in SIZES:
            rows += _sized(http, {**environment, "DATA_DIR": f"{folder}/{size}"}, size, most)
    return rows


def _sized(http: httpx2.Client, environment: dict[str, str], size: int, most: int) -> list[Row]:
    subprocess.run([sys.executable, "-m", "tsudoi", "migrate"], env=environment, check=True, capture_output=True)
    _put(http, size, "")
    new, same = _sync(environment), _sync(environment)
    _put(http, size, "改")
    changed = _sync(environment)
    aim = f"< {most} s"
    return [
        Row(f"members sync, {size:,} rows: all new", _told(new), aim=aim),
        Row(f"members sync, {size:,} rows: nothing changed", _told(same), aim=aim),
        Row(f"members sync, {size:,} rows: a tenth changed", _told(changed), aim=aim),
    ]


def _put(http: httpx2.Client, size: int, mark: str) -> None:
    rows: list[list[Any]] = [HEADERS]
    for number in range(1, size + 1):
        name = f"会員 {number:06}" + (mark if number % 10 == 0 else "")
        rows.append([number, name, number * 10, "member", f"U{number:032x}", "", f"member{number}@example.jp"])
    http.put("/_sandbox/sheets/bench/Members", json={"rows": rows}).raise_for_status()


def _sync(environment: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", CHILD], env=environment, check=True, capture_output=True, text=True)
    told: dict[str, Any] = json.loads(done.stderr.splitlines()[-1])
    assert told["code"] == 0, done.stdout[:2000]
    return told


def _told(run: dict[str, Any]) -> str:
    return f"{run['seconds']:.2f} s  {run['peak']:.0f} MB"


@contextmanager
def _sandbox(folder: str) -> Iterator[tuple[httpx2.Client, dict[str, str]]]:
    port, key = free_port(), Path(folder) / "key.json"
    box = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "SANDBOX_PORT": str(port), "TSUDOI_DEMO": "1", "MEMBERS_SHEET_ID": "bench"}
    environment["SANDBOX_SMTP_PORT"] = str(free_port())
    environment |= {"SHEETS_API_BASE": box, "GOOGLE_SERVICE_ACCOUNT_FILE": str(key)}
    process = subprocess.Popen([sys.executable, "-m", "tsudoi", "sandbox"], env=environment)
    try:
        wait_for(port, process)
        with httpx2.Client(base_url=box, timeout=60, trust_env=False) as http:
            key.write_bytes(http.get("/_sandbox/sheets/service-account.json").content)
            yield http, environment
    finally:
        process.terminate()
        process.wait(15)
