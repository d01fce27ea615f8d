import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from bench.serving import free_port, wait_for
from bench.table import Row

TRIES = 5


def measure() -> list[Row]:
    """From the command typed to its end, or to the first connection taken. Median of five."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATA_DIR": folder, "TSUDOI_DEMO": "1", "LOG_LEVEL": "ERROR"}
        subprocess.run([sys.executable, "-m", "tsudoi", "migrate"], env=environment, check=True, capture_output=True)
        return [
            Row("cold start: tsudoi --help", _median(lambda: _run(environment, "--help")), aim="< 400 ms"),
            Row("cold start: tsudoi audit verify (cron-like)", _median(lambda: _run(environment, "audit", "verify"))),
            Row("cold start: tsudoi serve to first connection", _median(lambda: _serve(environment))),
        ]


def _median(measure_once: Callable[[], float]) -> str:
    return f"{statistics.median(measure_once() for _ in range(TRIES)) * 1000:,.0f} ms"


def _run(environment: dict[str, str], *arguments: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "tsudoi", *arguments], env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def _serve(environment: dict[str, str]) -> float:
    port = free_port()
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "tsudoi", "serve"], env={**environment, "PORT": str(port)})
    wait_for(port, process)
    taken = time.perf_counter() - started
    process.terminate()
    process.wait(15)
    return taken
