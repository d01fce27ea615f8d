"""The `tsudoi` command as a process of its own: started, watched, killed and asked what it said."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from tests.servers import browser, eventually, free_port

SECRETS = {
    "LINE_CHANNEL_SECRET": "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "LINE_CHANNEL_ACCESS_TOKEN": "Zm9ydHktY2hhcmFjdGVycy1vZi1hLXRva2VuLWZvci1jaGFubmVs",
    "LINE_LOGIN_CHANNEL_ID": "1657001234",
    "LIFF_ID": "1657001234-AbcdEfgh",
}


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Nothing of the caller's own settings: only where to find programs and modules, and what the test says."""
    names = ("PATH", "PYTHONPATH", "HOME", "LANG", "TMPDIR")
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    defaults = {"DATA_DIR": str(folder / "data"), "COLUMNS": "200", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    return {**inherited, **defaults, **SECRETS, **more}


def tsudoi(folder: Path, *arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a folder without a `.env`."""
    return subprocess.run(
        [sys.executable, "-m", "tsudoi", *arguments],
        cwd=folder,
        env=environment(folder, **more),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )


@dataclass
class Server:
    process: subprocess.Popen[bytes]
    url: str
    stderr: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def client(self) -> httpx2.Client:
        return browser(self.url)

    def said(self) -> str:
        return self.stderr.read_text(encoding="utf-8")

    def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = 60) -> int:
        self.process.send_signal(number)
        return self.process.wait(seconds)


def _with_open_files(limit: str) -> list[str]:
    """The beginning of a command whose program may open so many files: the soft limit, a comma, and the hard one."""
    set_it = f"resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}))"
    return [sys.executable, "-c", f"import os, resource, sys; {set_it}; os.execv(sys.argv[1], sys.argv[1:])"]


@contextmanager
def started(
    folder: Path, *arguments: str, alive: str = "/livez", open_files: str = "", **more: str
) -> Iterator[Server]:
    """A server process that answers; it is gone when the block ends, whatever happened."""
    port = more.pop("PORT", None) or str(free_port())
    url, stderr = f"http://127.0.0.1:{port}", folder / "stderr.ndjson"
    with stderr.open("ab") as sink:
        process = subprocess.Popen(
            [*(_with_open_files(open_files) if open_files else []), sys.executable, "-m", "tsudoi", *arguments],
            cwd=folder,
            env=environment(folder, PORT=port, PUBLIC_BASE_URL=url, **more),
            stdout=subprocess.DEVNULL,
            stderr=sink,
        )
    server = Server(process, url, stderr)
    try:
        eventually(lambda: _answers(server, alive), seconds=90)
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _answers(server: Server, path: str) -> bool:
    assert server.process.poll() is None, f"it ended with {server.process.returncode}: {server.said()}"
    try:
        return httpx2.get(f"{server.url}{path}", timeout=10, trust_env=False).status_code == 200
    except httpx2.HTTPError:
        return False
