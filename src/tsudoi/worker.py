"""The worker's loops: one thread per registered sender, one for the clockwork, one for the heartbeats.

`tsudoi worker` runs them in a process of their own, `tsudoi serve` on SQLite inside its own process. Each loop has its
own thread, so that a broadcast that LINE keeps waiting delays neither a greeting nor the housekeeping.
"""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

import structlog

from tsudoi.access.health import CLOCKWORK_LOOP, heartbeat_name
from tsudoi.access.registration import ActiveContexts, Clockwork, Sender
from tsudoi.core.clock import TOLERATED, ClockWatch, SystemClock, WrongClock
from tsudoi.core.db.interface import Tx
from tsudoi.core.heartbeats import beat, require_database_clock
from tsudoi.core.runtime import Runtime

_log = structlog.stdlib.get_logger(__name__)

IDLE = timedelta(seconds=1)
CLOCK_SECONDS = 5.0
HEARTBEAT_EVERY = timedelta(seconds=15)


class _Loop:
    """One step, repeated in a thread of its own until the worker stops."""

    def __init__(self, name: str, step: Callable[[], int], runtime: Runtime) -> None:
        self.name = name
        self._step = step
        self._runtime = runtime
        self._wake = runtime.work.listen()
        # When the last step began or ended. A step that hangs lets it grow old, and /readyz says which loop it is.
        self.alive_at = runtime.db.clock.now()
        self.thread = threading.Thread(target=self._run, name=f"worker-{name}", daemon=True)

    def _run(self) -> None:
        stopping, clock = self._runtime.stopping, self._runtime.db.clock
        while not stopping.is_set():
            self._wake.clear()
            self.alive_at = clock.now()
            try:
                done = self._step()
            except Exception:  # noqa: BLE001 (the database may be unavailable; the loop tries again)
                _log.exception("worker_step_failed", loop=self.name)
                stopping.wait(IDLE.total_seconds())
                continue
            self.alive_at = clock.now()
            if done == 0 and not stopping.is_set():
                self._wake.wait(IDLE.total_seconds())


class Worker:
    """All loops of one process. `drain` runs each sender once, for tests and commands."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._active = runtime.part(ActiveContexts)
        self._last_run: dict[str, datetime] = {}
        self.asked_to_stop_at = 0.0
        # The clock of a test jumps as it likes.
        self._watch = ClockWatch(runtime.db.clock) if isinstance(runtime.db.clock, SystemClock) else None
        self._looking, self._was_right = threading.Lock(), True
        self._look_again_at = self._say_again_at = 0.0

    def stop(self) -> None:
        if not self._runtime.stopping.is_set():
            self.asked_to_stop_at = time.monotonic()
        self._runtime.begin_stop()

    def run(self) -> None:
        """Run all loops until `stop`."""
        loops = [_Loop(CLOCKWORK_LOOP, self._run_due_jobs, self._runtime)]
        loops += [_Loop(one.name, partial(self._send, one), self._runtime) for one in self._active.senders]
        for loop in loops:
            loop.thread.start()
        self._send_heartbeats(loops)
        for loop in loops:
            loop.thread.join()

    def _send(self, sender: Sender) -> int:
        """Nothing while the clock is wrong: what is due, and what is too late, is told by the clock."""
        return sender.step(self._runtime) if self._clock_is_right() else 0

    def _clock_is_right(self) -> bool:
        """Asked by all loops, and found out every few seconds. A clock that is wrong is logged once a minute."""
        now = time.monotonic()
        with self._looking:
            if now < self._look_again_at:
                return self._was_right
            self._look_again_at = now + CLOCK_SECONDS
            try:
                if self._watch is not None:
                    self._watch.require_no_jump()
                self._runtime.db.read_now(require_database_clock, self._runtime.db.clock)
            except WrongClock as wrong:
                self._was_right = False
                if now >= self._say_again_at:
                    self._say_again_at = now + TOLERATED.total_seconds()
                    _log.error("wrong_clock", seconds=round(wrong.ahead.total_seconds()))
            else:
                self._was_right = True
            return self._was_right

    def drain(self) -> int:
        """Let every sender do what is due now, and return how much work that was."""
        return sum(sender.step(self._runtime) for sender in self._active.senders)

    def _send_heartbeats(self, loops: list[_Loop]) -> None:
        while True:
            try:
                self._runtime.db.write_now(_beat_all, {loop.name: loop.alive_at for loop in loops})
            except Exception:  # noqa: BLE001 (the database may be unavailable; the next round tries again)
                _log.exception("heartbeat_failed")
            if self._runtime.stopping.wait(HEARTBEAT_EVERY.total_seconds()):
                return

    def _run_due_jobs(self) -> int:
        now = self._runtime.db.clock.now()
        for job in self._active.clockwork:
            if is_due(job, self._last_run.get(job.name), now):
                self._last_run[job.name] = now
                try:
                    job.job(self._runtime)
                except Exception:  # noqa: BLE001 (one job that fails must not stop the others)
                    _log.exception("clockwork_job_failed", job=job.name)
        return 0


def is_due(job: Clockwork, last_run: datetime | None, now: datetime) -> bool:
    return last_run is None or now - last_run >= job.every


def _beat_all(tx: Tx, alive_at: dict[str, datetime]) -> None:
    for loop, at in alive_at.items():
        beat(tx, heartbeat_name(loop), at)
