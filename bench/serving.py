"""Starting an application in one process: ours behind our own server, every other behind plain uvicorn."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(factory: str, cpu: list[float] | None = None, **environment: str) -> Iterator[int]:
    """`factory` is `module:function`; the function returns the ASGI application.

    `cpu` receives the seconds of processor time that the server used from its start to the end of the measurement: on
    a shared machine they vary less than the clock.
    """
    port = free_port()
    process = subprocess.Popen(_command(factory, port), env={**os.environ, **environment})
    try:
        wait_for(port, process)
        before = _cpu_seconds(process.pid)
        yield port
        if cpu is not None:
            cpu.append(_cpu_seconds(process.pid) - before)
    finally:
        process.terminate()
        process.wait(15)


def _command(factory: str, port: int) -> list[str]:
    if factory.startswith("bench.ours:"):
        return [sys.executable, "-m", "bench.own_server", factory, str(port)]
    command = [sys.executable, "-m", "uvicorn", factory, "--factory", "--port", str(port), "--no-access-log"]
    return [*command, "--log-level", "warning", "--lifespan", "off", "--no-proxy-headers", "--backlog", "2048"]


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(port: int, process: subprocess.Popen[bytes], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError("the server did not start")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.005)
        else:
            return
    raise RuntimeError("the server does not listen")
