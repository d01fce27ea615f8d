"""Senders as processes of their own, to be killed. One process imports everything once; its forks do the sending.

Commands on standard input, one JSON object per line: one with a `count` starts so many senders and answers with their
numbers; `{}` waits until all of them have ended. Until then no number can belong to anybody else.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import structlog

from tests.factories.product import sending_within, settings_for
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import jobs
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.gateway.http import HttpGateway

ROOT = Path(__file__).parents[3]


class DyingClient(LineClient):
    """LINE has taken it, and before anything is written down the process is gone."""

    def multicast(self, *args: Any) -> SendOutcome:
        super().multicast(*args)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("dead")


def _send(order: dict[str, Any]) -> None:
    settings = settings_for("http://127.0.0.1:1", Path(order["folder"]), order["box_url"])
    db = open_database(order["database_url"], ManualClock(datetime.fromisoformat(order["now"])), connections=6)
    client = DyingClient if order["dies"] else LineClient
    line = client(LineConfig.of(settings), HttpGateway(db), sending_within(timedelta(seconds=0.3)))
    runtime = Runtime.of(settings, db)
    runtime.add(line, LineClient)
    runtime.add(jobs.BroadcastSender(runtime))
    while jobs.drain(runtime):
        pass
    db.close()


def main() -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    for line in sys.stdin:
        order = orjson.loads(line)
        numbers = [_fork(order) for _ in range(order.get("count", 0))]
        if not order:
            _wait_for_all()
        print(orjson.dumps(numbers).decode(), flush=True)  # noqa: T201


def _fork(order: dict[str, Any]) -> int:
    number = os.fork()
    if number == 0:
        try:
            _send(order)
        finally:
            os._exit(0)
    return number


def _wait_for_all() -> None:
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return


class Nursery:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def order(self, order: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(orjson.dumps(order).decode() + "\n")
        self._process.stdin.flush()
        return orjson.loads(self._process.stdout.readline())


@dataclass(frozen=True)
class Senders:
    nursery: Nursery
    database_url: str
    box_url: str
    folder: Path

    def start(self, now: datetime, count: int, *, dies: bool = False) -> Sequence[int]:
        where = {"database_url": self.database_url, "box_url": self.box_url, "folder": str(self.folder)}
        numbers: list[int] = self.nursery.order({"now": now.isoformat(), "count": count, "dies": dies, **where})
        return numbers

    def wait(self) -> None:
        self.nursery.order({})

    def kill(self, numbers: Sequence[int]) -> None:
        """None of them has been waited for, so that each number is still its own."""
        for number in numbers:
            os.kill(number, signal.SIGKILL)
        self.wait()


@contextmanager
def nursery() -> Iterator[Nursery]:
    command = [sys.executable, "-m", "tests.events.broadcast.senders"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Nursery(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(90)


if __name__ == "__main__":
    main()
