"""Drains the inbox, sends broadcasts and runs the clockwork: `tsudoi worker`, or a thread inside `tsudoi serve`."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Row

from tsudoi.access.health import WORKER, beat
from tsudoi.core import idempotency, lockout, outbox, rate_limit, sessions
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.media import DirectoryStore
from tsudoi.core.outbox import Outcome
from tsudoi.events.broadcast import jobs as broadcast
from tsudoi.events.pictures.jobs import sweep_orphans
from tsudoi.line.friends import jobs as friends
from tsudoi.line.inbox.jobs import INBOX_POLICY, Handler, Told, Tools
from tsudoi.line.inbox.service import INBOX
from tsudoi.roster.linking import jobs as linking

_log = structlog.stdlib.get_logger(__name__)

# What flows upwards from LINE is registered here, in plain sight.
HANDLERS: dict[str, Handler] = {"follow": linking.link_follow, "unfollow": friends.on_unfollow}

LEASE = timedelta(minutes=2)
AT_A_TIME = 16
THREADS = 4
IDLE = timedelta(seconds=1)
HEARTBEAT_EVERY = timedelta(seconds=15)
LOG_EVERY = timedelta(minutes=1)
HOUSEKEEPING_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Something to be done every so often."""

    every: timedelta
    job: Callable[[Tools], object]


def writing(verb: Callable[[Tx], object]) -> Callable[[Tools], object]:
    """For a part that needs nothing but a transaction."""
    return lambda tools: tools.db.write_now(verb)


CLOCKWORK: tuple[Clockwork, ...] = (
    Clockwork(HEARTBEAT_EVERY, writing(lambda tx: beat(tx, WORKER))),
    Clockwork(LOG_EVERY, broadcast.finish_log),
    Clockwork(HOUSEKEEPING_EVERY, writing(sessions.forget_expired)),
    Clockwork(HOUSEKEEPING_EVERY, writing(idempotency.forget_expired)),
    Clockwork(HOUSEKEEPING_EVERY, writing(rate_limit.forget_old)),
    Clockwork(HOUSEKEEPING_EVERY, writing(lockout.forget_old)),
    Clockwork(HOUSEKEEPING_EVERY, lambda tools: sweep_orphans(tools.db, DirectoryStore(tools.settings.media_dir))),
)


class Worker:
    """Two threads: a broadcast that LINE keeps waiting must not delay an answer to "hello", nor the other way round."""

    def __init__(self, db: Database, tools: Tools) -> None:
        self._db = db
        self._tools = tools
        self._wake, self._wake_sender = threading.Event(), threading.Event()
        self._stopping = threading.Event()
        self.asked_to_stop_at = 0.0
        self._last: dict[Clockwork, datetime] = {}
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="worker")

    def nudge(self) -> None:
        """Something was put into an inbox or outbox just now: look at once instead of at the next tick."""
        self._wake.set()
        self._wake_sender.set()

    def stop(self) -> None:
        if not self._stopping.is_set():
            self.asked_to_stop_at = time.monotonic()
        self._stopping.set()
        self.nudge()

    def run(self) -> None:
        sender = threading.Thread(target=self._send, name="worker-sender", daemon=True)
        sender.start()
        self._repeat(self._receive, self._wake)
        sender.join()
        self._pool.shutdown(wait=True)

    def drain(self) -> int:
        """Handle what is due now, of the inbox and of the broadcasts; returns how many rows were taken."""
        return self._drain_inbox() + broadcast.drain(self._tools, self._stopping)

    def _repeat(self, step: Callable[[], int], wake: threading.Event) -> None:
        """Until told to stop; as long as there is something to do without a pause."""
        while not self._stopping.is_set():
            wake.clear()
            try:
                if step() == 0:
                    wake.wait(IDLE.total_seconds())
            except Exception:  # noqa: BLE001 (a database that is away comes back; the worker waits for it)
                _log.exception("worker_tick_failed")
                self._stopping.wait(IDLE.total_seconds())

    def _receive(self) -> int:
        self._tick()
        return self._drain_inbox()

    def _send(self) -> None:
        self._repeat(lambda: broadcast.drain(self._tools, self._stopping), self._wake_sender)

    def _drain_inbox(self) -> int:
        rows = self._db.write_now(outbox.take, INBOX, INBOX_POLICY, LEASE, AT_A_TIME)
        list(self._pool.map(self._handle, rows))
        return len(rows)

    def _handle(self, row: Row[Any]) -> None:
        try:
            outcome, error = HANDLERS[row.type](self._tools, _told(row))
        except Exception as unexpected:  # noqa: BLE001 (one bad event must not stop the others)
            _log.exception("inbox_event_failed", event_id=row.id, type=row.type)
            outcome, error = Outcome.NOT_NOW, type(unexpected).__name__
        kept = self._db.write_now(outbox.settle, INBOX, row, outcome, INBOX_POLICY, error)
        if not kept:
            _log.warning("inbox_lease_lost", event_id=row.id)

    def _tick(self) -> None:
        now = self._db.clock.now()
        for part in due(CLOCKWORK, self._last, now):
            self._last[part] = now
            try:
                part.job(self._tools)
            except Exception:  # noqa: BLE001 (one part that fails must not stop the others, nor the inbox)
                _log.exception("clockwork_part_failed")


def due(clockwork: Sequence[Clockwork], last: dict[Clockwork, datetime], now: datetime) -> list[Clockwork]:
    return [part for part in clockwork if part not in last or now - last[part] >= part.every]


def _told(row: Row[Any]) -> Told:
    return Told(
        event_id=row.id,
        event_key=row.event_key,
        kind=row.type,
        user_id=row.user_id,
        event_ms=row.event_ms,
        attempt=row.attempt_count,
        reply=row.reply,
        payload=row.payload,
    )
