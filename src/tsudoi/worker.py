"""Drains the inbox and the outboxes and runs the clockwork: `tsudoi worker`, or a thread inside `tsudoi serve`."""

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
from tsudoi.core.outbox import Outcome
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
HOUSEKEEPING_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Something to be done every so often."""

    every: timedelta
    verb: Callable[[Tx], object]


CLOCKWORK: tuple[Clockwork, ...] = (
    Clockwork(HEARTBEAT_EVERY, lambda tx: beat(tx, WORKER)),
    Clockwork(HOUSEKEEPING_EVERY, sessions.forget_expired),
    Clockwork(HOUSEKEEPING_EVERY, idempotency.forget_expired),
    Clockwork(HOUSEKEEPING_EVERY, rate_limit.forget_old),
    Clockwork(HOUSEKEEPING_EVERY, lockout.forget_old),
)


class Worker:
    def __init__(self, db: Database, tools: Tools) -> None:
        self._db = db
        self._tools = tools
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self.asked_to_stop_at = 0.0
        self._last: dict[Clockwork, datetime] = {}
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="worker")

    def nudge(self) -> None:
        """Something was put into an inbox or outbox just now: look at once instead of at the next tick."""
        self._wake.set()

    def stop(self) -> None:
        if not self._stopping.is_set():
            self.asked_to_stop_at = time.monotonic()
        self._stopping.set()
        self._wake.set()

    def run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                self._tick()
                if self.drain() == 0:
                    self._wake.wait(IDLE.total_seconds())
            except Exception:  # noqa: BLE001 (a database that is away comes back; the worker waits for it)
                _log.exception("worker_tick_failed")
                self._stopping.wait(IDLE.total_seconds())
        self._pool.shutdown(wait=True)

    def drain(self) -> int:
        """Handle what is due now; returns how many rows were taken."""
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
            self._db.write_now(part.verb)
            self._last[part] = now


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
