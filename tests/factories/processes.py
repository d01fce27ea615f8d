"""The `tsudoi` command as a process of its own: started, watched, killed and asked what it said."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from tests.factories.forks import FORKS
from tests.servers import browser, eventually, free_port
from tsudoi import cli
from tsudoi.core import settings_file

SECRETS = {
    "LINE_CHANNEL_SECRET": "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "LINE_CHANNEL_ACCESS_TOKEN": "Zm9ydHktY2hhcmFjdGVycy1vZi1hLXRva2VuLWZvci1jaGFubmVs",
    "LINE_LOGIN_CHANNEL_ID": "1657001234",
    "LIFF_ID": "1657001234-AbcdEfgh",
}

_WHERE = "tsudoi: database "
# A process of a test takes this file of its folder for `/etc/tsudoi.env`.
SYSTEM_FILE = "etc-tsudoi.env"


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Nothing of the caller's own settings: only where to find programs and modules, and what the test says."""
    names = ("PATH", "PYTHONPATH", "HOME", "LANG", "TMPDIR")
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    defaults = {"DATA_DIR": str(folder / "data"), "COLUMNS": "200", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    return {**inherited, **defaults, **SECRETS, **more}


def without_where(stderr: str) -> tuple[str, str]:
    """The line that says whose data a command uses, and what else it said."""
    lines = stderr.splitlines(keepends=True)
    return "".join(each for each in lines if each.startswith(_WHERE)), "".join(
        each for each in lines if not each.startswith(_WHERE)
    )


class Command:
    """The command in a process of its own. What it says goes to the files."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        variables: Mapping[str, str],
        files: tuple[Path, Path, Path],
        open_files: str = "",
    ) -> None:
        """`files`: standard input, output and errors. `open_files`: the soft limit, a comma, and the hard one."""
        given = (list(arguments), folder, dict(variables), files, open_files)
        self._process = FORKS.Process(target=_run, args=given, daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The negative number of the signal that ended it; None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def wait(self, seconds: float) -> int:
        self._process.join(seconds)
        if self.returncode is None:
            raise TimeoutError(f"the command still runs after {seconds} seconds")
        return self.returncode


def _run(
    arguments: list[str],
    folder: Path,
    variables: dict[str, str],
    files: tuple[Path, Path, Path],
    open_files: str,
) -> None:
    """In the new process: become what a shell would have started."""
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    settings_file.SYSTEM_FILE = folder / SYSTEM_FILE
    for number, path in enumerate(files):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
    if open_files:
        soft, hard = map(int, open_files.split(","))
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    sys.argv = [str(Path(cli.__file__).with_name("__main__.py")), *arguments]
    cli.main()


def tsudoi(folder: Path, *arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a folder without a `.env`. `stderr` is what follows the line about the data."""
    return run(arguments, folder, environment(folder, **more), stdin)


def run(
    arguments: Sequence[str], folder: Path, variables: Mapping[str, str], stdin: str
) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as kept:
        typed, said, complained = (Path(kept) / name for name in ("stdin", "stdout", "stderr"))
        typed.write_text(stdin, encoding="utf-8")
        command = Command(arguments, folder, variables, (typed, said, complained))
        try:
            code = command.wait(110)
        finally:
            command.kill()
        stderr = without_where(complained.read_text("utf-8"))[1]
        return subprocess.CompletedProcess(arguments, code, said.read_text("utf-8"), stderr)


@dataclass
class Server:
    process: Command
    url: str
    stderr: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def client(self) -> httpx2.Client:
        return browser(self.url)

    def said(self) -> str:
        return self.stderr.read_text(encoding="utf-8")

    def log(self) -> list[str]:
        """The structured log: a JSON object per line, after the one that says whose data these are."""
        where, *log = self.said().splitlines()
        assert json.loads(where)["event"].startswith(_WHERE)
        return log

    def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = 60) -> int:
        self.process.send_signal(number)
        return self.process.wait(seconds)


@contextmanager
def started(
    folder: Path, *arguments: str, alive: str = "/livez", open_files: str = "", **more: str
) -> Iterator[Server]:
    """A server process that answers; it is gone when the block ends, whatever happened."""
    port = more.pop("PORT", None) or str(free_port())
    url, stderr = f"http://127.0.0.1:{port}", folder / "stderr.ndjson"
    nowhere = Path(os.devnull)
    variables = environment(folder, **{"PORT": port, "PUBLIC_BASE_URL": url, **more})
    process = Command(arguments, folder, variables, (nowhere, nowhere, stderr), open_files)
    server = Server(process, url, stderr)
    try:
        eventually(lambda: _answers(server, alive), seconds=90)
        yield server
    finally:
        process.kill()
        process.wait(60)


def _answers(server: Server, path: str) -> bool:
    code = server.process.returncode
    assert code is None, f"it ended with {code}: {server.said()}"
    try:
        return httpx2.get(f"{server.url}{path}", timeout=10, trust_env=False).status_code == 200
    except httpx2.HTTPError:
        return False
