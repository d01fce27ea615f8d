"""The product below the HTTP interface, with a LINE client that is watched and can take its process with it."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.factories.product import Box, sending_within, settings_for
from tsudoi.contexts import open_runtime
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.errors import Problem
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.gateway.http import HttpGateway
from tsudoi.notifications.notices.jobs import job_ids, send_pending_jobs


class ProcessKilled(BaseException):
    """The process is gone: nothing after this moment happens, and nobody can catch it."""


@dataclass(frozen=True)
class SeenPush:
    """What LINE was asked to send."""

    to: str
    text: str
    retry_key: str


class WatchedClient(LineClient):
    """Notes every push. `dies`: the process is killed before LINE hears of it, or after LINE has taken it."""

    def watch(self, pushes: list[SeenPush]) -> "WatchedClient":
        self.pushes = pushes
        self.dies: str | None = None
        return self

    def push(self, to: str, messages: Any, retry_key: str, **more: Any) -> SendOutcome:
        self.pushes.append(SeenPush(to, messages[0]["text"], retry_key))
        if self.dies == "before":
            raise ProcessKilled
        outcome = super().push(to, messages, retry_key, **more)
        if self.dies == "after":
            raise ProcessKilled
        return outcome


class Stage:
    """Runs verbs and senders; can be restarted."""

    def __init__(self, open_database: Callable[[], Database], box: Box, clock: ManualClock, folder: Path) -> None:
        self._open, self.box, self.clock, self._folder = open_database, box, clock, folder
        self._opened = ExitStack()
        self.pushes: list[SeenPush] = []
        self.db: Database
        self.runtime: Runtime
        self.line: WatchedClient
        self._start()

    def _start(self) -> None:
        self.db = self._open()
        settings = settings_for("http://127.0.0.1:1", self._folder, self.box.url)
        gateway = HttpGateway(self.db)
        self.runtime = self._opened.enter_context(open_runtime(settings, self.db, replacements=[gateway]))
        policies = sending_within(timedelta(seconds=1.5))
        self.line = WatchedClient(LineConfig.of(settings), gateway, policies).watch(self.pushes)
        self.runtime.add(self.line, LineClient)

    def close(self) -> None:
        self._opened.close()
        self.db.close()

    def restart(self) -> None:
        self.close()
        self._start()

    def do(self, verb: Callable[..., Any], *given: Any, **named: Any) -> tuple[Any, list[int]]:
        """The result, or the code of the refusal; and the notices that a request would try after the commit."""

        def run(tx: Any) -> tuple[Any, list[int]]:
            return verb(tx, *given, **named), job_ids(tx.enqueued)

        try:
            return self.db.write_now(run)
        except Problem as problem:
            return problem.code, []

    def try_now(self, ids: list[int]) -> None:
        """The attempt right after the commit."""
        for one in ids:
            send_pending_jobs(self.runtime, only=[one], caller="initial", until=time.monotonic() + 5)

    def command(self, dies: str | None = None, limit: int | None = None) -> None:
        self.line.dies = dies
        try:
            send_pending_jobs(self.runtime, caller="command", limit=limit)
        except ProcessKilled:
            self.restart()
        self.line.dies = None

    def advance(self, delta: timedelta) -> None:
        """Time passes, here and at LINE."""
        self.clock.advance(delta)
        self.tell_the_time()

    def tell_the_time(self) -> None:
        self.box.world.clock.move_to(int(self.clock.now().timestamp() * 1000))

    def misbehave(self, kind: str | None, percent: int) -> None:
        rules = [] if kind is None else [{"kind": kind, "endpoint": "push", "percent": percent, "seconds": 0}]
        self.box.http.put("/_sandbox/faults", json={"rules": rules}).raise_for_status()
