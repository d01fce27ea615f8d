"""Sending: claim tasks that are due, call LINE from a few threads, settle the outcomes.

If a sender dies, its leases run out and another sender takes over.
"""

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from threading import Lock

import structlog

from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.service import claiming, logging, settling
from tsudoi.events.broadcast.service.tasks import NOBODY, TASKS_HELD, AttemptResult, Recipients, SendAttempt, SendTask
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import QuotaExhausted, SendOutcome
from tsudoi.line.delivery.jobs import ask_quota, guarded_call, write_missing_lines, write_push_log
from tsudoi.line.delivery.rules import QUOTA

_log = structlog.stdlib.get_logger(__name__)

THREADS = 6
# Outcomes that arrive within this time of each other are written in one transaction: a commit per call costs more.
_MOMENT = 0.01
# How long to wait for a call to end before looking for new work.
_PATIENCE = 0.25
# The worker's step returns after this time at the latest, so that its heartbeat goes on; calls under way go on too.
_STEP = 5.0


def drain(runtime: Runtime) -> int:
    """Send all tasks that are due, of any broadcast; returns how many calls were made or are under way."""
    return runtime.part(BroadcastSender).run(time.monotonic() + _STEP)


def send(runtime: Runtime, broadcast_id: int, *, until: float, claimed: Sequence[SendTask] = ()) -> None:
    """Send one broadcast until none of its tasks is due, or `until` (of `time.monotonic`); the worker does the rest.

    `claimed`: tasks that this request claimed in the transaction that created the broadcast.
    """
    sender = BroadcastSender(runtime, broadcast_id, deadline=until)
    try:
        sender.run(until, claimed)
    finally:
        sender.leave()


class BroadcastSender:
    """Sends broadcasts in one loop: claim a batch, call LINE with a small pool of threads, settle the outcomes.

    A call that hangs holds up neither the settlement of the others nor the next claims. Calls that are still under way
    when `run` returns are settled by the next `run`, or after `leave` by their own threads.
    """

    def __init__(self, runtime: Runtime, broadcast_id: int | None = None, deadline: float = float("inf")) -> None:
        self._runtime = runtime
        self._broadcast_id = broadcast_id
        # No further call begins after this time.
        self._deadline = deadline
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="broadcast")
        self._one_run = Lock()
        self._in_flight: set[Future[SendAttempt]] = set()
        self._finished: list[SendAttempt] = []
        # Broadcasts that reached the monthly limit, and the number of the claim in which they did: their tasks of that
        # claim or an earlier one are not tried any more. The part that fits is claimed later, see `settling`.
        self._over_quota: dict[int, int] = {}
        self._claims = 0
        # A thread could not read, or outcomes could not be written: then nothing more is called or claimed.
        self._failure: Exception | None = None
        self._database_away = False

    def run(self, until: float, claimed: Sequence[SendTask] = ()) -> int:
        """Run until nothing is due and no call is under way, or until that time."""
        with self._one_run:
            self._failure, self._database_away = None, False
            self._start(claimed)
            if not self._must_end():
                self._runtime.db.write_now(settling.give_up)
            started = len(claimed)
            while True:
                started += self._start(self._settle_and_claim())
                if not self._in_flight or (time.monotonic() >= until and not self._runtime.stopping.is_set()):
                    break
                self._collect()
            if self._finished:  # The database was away; this is the last try before the leases run out.
                self._start(self._settle_and_claim())
            if self._failure is not None:
                raise self._failure
            return started or len(self._in_flight)

    def leave(self) -> None:
        """Do not wait for the calls under way: each is settled by its own thread when LINE has answered."""
        for future in self._in_flight:
            future.add_done_callback(lambda done: self._settle_each([done.result()]))
        self._pool.shutdown(wait=False)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _must_end(self) -> bool:
        return (
            self._failure is not None
            or self._database_away
            or self._runtime.stopping.is_set()
            or time.monotonic() >= self._deadline
        )

    def _start(self, tasks: Sequence[SendTask]) -> int:
        self._claims += 1
        for task in tasks:
            self._in_flight.add(self._pool.submit(copy_context().run, self._attempt, task, self._claims))
        return len(tasks)

    def _collect(self) -> None:
        done, _ = wait(self._in_flight, _PATIENCE, return_when=FIRST_COMPLETED)
        if done:
            done, _ = wait(self._in_flight, _MOMENT)
        self._in_flight -= done
        self._finished += [future.result() for future in done]

    def _attempt(self, task: SendTask, claimed_in: int) -> SendAttempt:
        """Runs in a thread of the pool, and never raises."""
        if self._must_end():
            return SendAttempt(task, NOBODY, None)
        try:
            recipients = self._runtime.db.read_now(claiming.recipients_of, task)
        except Exception as failure:  # noqa: BLE001 (raised by `run`, when the other calls have ended)
            self._failure = failure
            return SendAttempt(task, NOBODY, None)
        outcome = guarded_call(
            self._runtime,
            lambda line: _call(line, task, recipients),
            lease_until=task.row.lease_until,
            called_off=self._called_off(task, claimed_in),
        )
        if not isinstance(outcome, QuotaExhausted):
            return SendAttempt(task, recipients, outcome)
        broadcast_id = task.content.broadcast_id
        self._over_quota[broadcast_id] = max(claimed_in, self._over_quota.get(broadcast_id, 0))
        quota = None if task.alone or task.row.uncertain else ask_quota(self._runtime)
        return SendAttempt(task, recipients, outcome, quota.left if quota else None)

    def _called_off(self, task: SendTask, claimed_in: int) -> str | None:
        """The reason not to call LINE, or None.

        When the quota is used up, an uncertain task is still called: the retry key shows whether it had gone through.
        It is not called after a cancellation, because this call could be the one that sends the invitation.
        """
        if task.content.obsolete:
            return rules.CANCELLED
        over_quota = claimed_in <= self._over_quota.get(task.content.broadcast_id, 0)
        return QUOTA if over_quota and not task.row.uncertain else None

    def _settle_and_claim(self) -> list[SendTask]:
        held = len(self._in_flight)
        room = TASKS_HELD - held if held <= TASKS_HELD // 2 and not self._must_end() else 0
        if not self._finished and not room:
            return []
        try:
            results, tasks = self._runtime.db.write_now(
                claiming.settle_and_claim, self._finished, room, self._broadcast_id
            )
        except Exception as failure:
            if not self._finished:
                raise
            _log.exception("broadcast_settlement_failed")
            self._database_away = isinstance(failure, DatabaseUnavailable)
            if not self._database_away:
                attempts, self._finished = self._finished, []
                self._settle_each(attempts)
            # Otherwise the outcomes are kept until the database is back.
            return []
        self._finished, self._database_away = [], False
        self._log_results(results)
        return tasks

    def _settle_each(self, attempts: Iterable[SendAttempt]) -> None:
        """One outcome that cannot be written must not stop the others; its lease runs out and it is tried again."""
        for one in attempts:
            try:
                results, _ = self._runtime.db.write_now(claiming.settle_and_claim, [one], 0)
            except Exception:  # noqa: BLE001 (see above)
                _log.exception("broadcast_attempt_not_settled", **_named(one.task))
            else:
                self._log_results(results)

    def _log_results(self, results: Sequence[tuple[SendAttempt, AttemptResult]]) -> None:
        for attempt, result in results:
            if not result.kept:
                _log.warning("broadcast_lease_lost", **_named(attempt.task))
            if isinstance(attempt.outcome, QuotaExhausted):
                _log.warning("broadcast_stopped_by_quota", **_named(attempt.task))
        final = [(attempt, result) for attempt, result in results if result.state is not None]
        entries = [(logging.entry_of(attempt, result), attempt.recipients.member_ids) for attempt, result in final]
        if final and write_push_log(self._runtime, entries):
            # Nothing waits for this write. Rows that a crash leaves unmarked are compared with the file later.
            self._runtime.db.write_soon(logging.mark_tasks, [attempt.task for attempt, _ in final])


def _call(line: LineClient, task: SendTask, recipients: Recipients) -> SendOutcome:
    users, messages, retry_key = recipients.line_user_ids, task.content.messages, task.row.retry_key
    return line.push(users[0], messages, retry_key) if task.alone else line.multicast(users, messages, retry_key)


def _named(task: SendTask) -> dict[str, int]:
    return {"broadcast_id": task.content.broadcast_id, "row_id": task.row.id}


def finish_log(runtime: Runtime) -> int:
    """Write the lines that are missing after a crash, a full disk or a withdrawal; returns how many."""
    number = 0
    while unlogged := runtime.db.write_now(logging.claim_unlogged):
        written = write_missing_lines(runtime, unlogged.entries)
        if written is None:
            return number
        runtime.db.write_now(logging.mark_logged, unlogged.chunk_ids, unlogged.delivery_ids)
        number += written
    return number
