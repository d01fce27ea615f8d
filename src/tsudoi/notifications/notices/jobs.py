"""The one function that sends notices, and its two callers: the command, and the attempt right after a booking.

The worker never calls it.
"""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from datetime import timedelta
from math import inf

import structlog

from tsudoi.core.heartbeats import require_database_clock
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.gateway.http import CallPolicy, HttpGateway
from tsudoi.line.delivery.jobs import guarded_call, write_push_log
from tsudoi.line.delivery.rules import CalledOff, PushLogEntry
from tsudoi.notifications.notices.rules.judging import NoticeVerdict, is_worth_another_call, judge_notice
from tsudoi.notifications.notices.service import sending
from tsudoi.notifications.notices.service.attempts import Caller
from tsudoi.notifications.notices.service.beginning import NoticeCall
from tsudoi.notifications.notices.service.claiming import BATCH, ClaimedNotice, Wanted, release
from tsudoi.notifications.notices.service.making import TABLE
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.notices.service.sending import StepRequest, StepResult
from tsudoi.notifications.notices.service.settling import NoticeAttempt, SettledNotice

_log = structlog.stdlib.get_logger(__name__)

THREADS = 8
# Calls of one attempt of the command: with the same key and body, as LINE asks for after an error of its server.
_CALLS, _PAUSES = 3, (0.3, 0.9)
# Answers that arrive within this time of each other are written in one transaction.
_MOMENT = 0.05
# So that no thread waits for that transaction, as many calls are begun ahead as were made in this time, and no more: a
# reservation that is cancelled now must not be told of its old time. A call that LINE holds up for longer than the
# second time is given back, and the next run decides about it again.
_AHEAD, _LONGEST_AHEAD = 0.1, timedelta(seconds=3)
# How long to wait for a reservation that somebody changes at this moment.
_BUSY_PAUSE, _BUSY_TRIES = 0.05, 40
# The first attempt: a request tries as many jobs, at the same time, within a second in all. A call that could not last
# this long is not begun.
_TRIED_AT_ONCE = 8
_FIRST_ATTEMPT, _TO_SETTLE, _SHORTEST_CALL = 1.0, 0.1, 0.15


@dataclass(slots=True)
class SendResult:
    """What a run came to. `unknown`: without a certain answer, so that the job is asked about again or given up."""

    candidates: int = 0
    sent: int = 0
    failed: int = 0
    unknown: int = 0
    paused: bool = False


def send_pending_jobs(
    runtime: Runtime, *, only: Sequence[int] | None = None, limit: int | None = None, caller: Caller, until: float = inf
) -> SendResult:
    """Send the jobs that are due: all of them, the oldest first, or `only` these; `limit` at most.

    `until`: the moment (of `time.monotonic`) at which the caller has to be done. Nothing happens while notices are
    paused, in a dry run, and where no context has reservations.
    """
    reader = runtime.find(NoticeReader)
    if reader is None or runtime.settings.notification_cron_dry_run:
        return SendResult()
    run = _SendingRun(runtime, reader, caller, Wanted(runtime.db.clock.now(), only=only), limit, until)
    return run.inline() if caller == "initial" else run.threaded()


async def initial_attempt(runtime: Runtime, ids: Sequence[int]) -> None:
    """Try these new jobs once, all at the same time, within a second. Never raises; the command does the rest."""
    if not ids or runtime.find(NoticeReader) is None or runtime.settings.notification_cron_dry_run:
        return
    until = time.monotonic() + _FIRST_ATTEMPT
    pool, threads = runtime.part(LineClient).policies.notice_now.pool, runtime.part(HttpGateway).threads
    await asyncio.gather(
        *(threads.run(pool, _try_now, runtime, job_id, until, if_busy=None) for job_id in ids[:_TRIED_AT_ONCE])
    )


def _try_now(runtime: Runtime, job_id: int, until: float) -> None:
    try:
        runtime.db.read_now(require_database_clock, runtime.db.clock)
        if until - time.monotonic() > _TO_SETTLE + _SHORTEST_CALL:
            send_pending_jobs(runtime, only=[job_id], caller="initial", until=until)
    except Exception:  # noqa: BLE001 (the booking is committed, and the command tries the job again)
        _log.exception("initial_attempt_failed", job_id=job_id)


def job_ids(enqueued: Sequence[tuple[str, int]]) -> list[int]:
    """The jobs among the rows of work that a transaction wrote (`Tx.enqueued`)."""
    return [row_id for table, row_id in enqueued if table == TABLE]


@dataclass(slots=True)
class _SendingRun:
    """One pass through the jobs that are due."""

    runtime: Runtime
    reader: NoticeReader
    caller: Caller
    wanted: Wanted
    limit: int | None
    until: float
    result: SendResult = field(default_factory=SendResult)
    held: list[ClaimedNotice] = field(default_factory=list)
    finished: list[NoticeAttempt] = field(default_factory=list)
    # Whether there may be more to claim.
    more: bool = True
    # How many calls ended in a second lately, and until when they were counted.
    pace: float = 0
    counted_at: float = field(default_factory=time.monotonic)

    def inline(self) -> SendResult:
        """In the thread of the caller: claim and begin, call, settle."""
        self.finished = [self._attempt(call) for call in self._step(BATCH)]
        if self.finished:
            self._step(0)
        self._release()
        return self.result

    def threaded(self) -> SendResult:
        """With a small pool. A call that hangs holds up neither the settlement of the others nor the next calls."""
        in_flight: set[Future[NoticeAttempt]] = set()
        busy = 0
        with ThreadPoolExecutor(THREADS, thread_name_prefix="notices") as pool:
            while busy <= _BUSY_TRIES:
                try:
                    calls = self._step(max(0, THREADS + int(self.pace * _AHEAD) - len(in_flight)))
                except Exception:
                    self._settle_at_least(in_flight)
                    raise
                in_flight |= {pool.submit(copy_context().run, self._attempt, call) for call in calls}
                if in_flight:
                    in_flight, busy = self._collect(in_flight), 0
                elif self.held:
                    busy += 1
                    if self.runtime.stopping.wait(_BUSY_PAUSE):
                        break
                elif not self._may_claim():
                    break
        self._release()
        return self.result

    def _settle_at_least(self, in_flight: set[Future[NoticeAttempt]]) -> None:
        """The database failed. If it is away for good, the leases run out and LINE is asked with the same keys."""
        self.finished += [future.result() for future in in_flight]
        with suppress(Exception):
            self.runtime.db.write_now(sending.step, self.reader, StepRequest(self.caller, self.finished))

    def _collect(self, in_flight: set[Future[NoticeAttempt]]) -> set[Future[NoticeAttempt]]:
        wait(in_flight, return_when=FIRST_COMPLETED)
        done, pending = wait(in_flight, _MOMENT)
        self.finished += [future.result() for future in done]
        before, self.counted_at = self.counted_at, time.monotonic()
        self.pace = len(done) / (self.counted_at - before)
        return pending

    def _may_claim(self) -> bool:
        left = self.limit is None or self.result.candidates < self.limit
        return self.more and left and not self.runtime.stopping.is_set()

    def _step(self, room: int) -> list[NoticeCall]:
        """Settle, claim and begin in one transaction; returns the calls to make."""
        stopping = self.runtime.stopping.is_set()
        wanted = self._wanted() if room > len(self.held) and self._may_claim() else None
        request = StepRequest(self.caller, self.finished, self.held, 0 if stopping else room, wanted)
        done = self.runtime.db.write_now(sending.step, self.reader, request)
        self.finished, self.held = [], done.held
        if wanted is not None:
            self._claimed(wanted, done)
        self._count(done)
        self._log(done.settled)
        return done.begun.calls

    def _wanted(self) -> Wanted:
        left = BATCH if self.limit is None else min(BATCH, self.limit - self.result.candidates)
        return replace(self.wanted, most=left)

    def _claimed(self, wanted: Wanted, done: StepResult) -> None:
        self.result.candidates += len(done.claimed)
        self.more = len(done.claimed) == wanted.most and wanted.only is None
        if done.claimed:
            self.wanted = replace(self.wanted, after=(done.claimed[-1].scheduled_at, done.claimed[-1].job_id))

    def _count(self, done: StepResult) -> None:
        result, begun = self.result, done.begun
        verdicts = [one.attempt.verdict for one in done.settled if one.kept and one.attempt.verdict is not None]
        result.sent += sum(verdict.result == "SENT" for verdict in verdicts)
        result.failed += sum(verdict.result == "FAILED" for verdict in verdicts) + begun.failed
        result.unknown += sum(verdict.result == "NO_ANSWER" for verdict in verdicts) + begun.unknown
        if done.paused:
            result.paused, self.more = True, False

    def _release(self) -> None:
        if self.held:
            self.runtime.db.write_now(release, self.held)

    def _attempt(self, call: NoticeCall) -> NoticeAttempt:
        """Call LINE; the command up to three times. Never raises."""
        verdict: NoticeVerdict | None = None
        if self.runtime.db.clock.now() - call.begun_at > _LONGEST_AHEAD:
            return NoticeAttempt(call, None)
        for number in range(_CALLS if self.caller == "command" else 1):
            if number and self.runtime.stopping.wait(_PAUSES[number - 1]):
                break
            outcome = self._call(call)
            if outcome is None or isinstance(outcome, CalledOff):
                break
            earlier = verdict is not None and verdict.maybe_sent
            verdict = judge_notice(outcome)
            verdict = replace(verdict, maybe_sent=verdict.maybe_sent or earlier)
            if not is_worth_another_call(outcome):
                break
        return NoticeAttempt(call, verdict)

    def _call(self, call: NoticeCall) -> SendOutcome | CalledOff | None:
        policy = self._policy()
        if policy is None:
            return None
        return guarded_call(
            self.runtime,
            lambda line: line.push(call.line_user_id, call.messages, call.retry_key, silent=call.silent, policy=policy),
            lease_until=call.lease_until,
        )

    def _policy(self) -> CallPolicy | None:
        """None: there is no time left for a call."""
        policies = self.runtime.part(LineClient).policies
        if self.caller == "command":
            return policies.notice
        left = self.until - time.monotonic() - _TO_SETTLE
        if left < _SHORTEST_CALL:
            return None
        return replace(policies.notice_now, deadline=min(policies.notice_now.deadline, timedelta(seconds=left)))

    def _log(self, settled: Sequence[SettledNotice]) -> None:
        for one in settled:
            if not one.kept:
                _log.warning("notice_lease_lost", job_id=one.attempt.call.claimed.job_id)
        final = [
            one for one in settled if one.attempt.verdict is not None and one.attempt.verdict.result != "NO_ANSWER"
        ]
        if final:
            write_push_log(self.runtime, [(_entry(one), [one.attempt.call.claimed.job_id]) for one in final])


def _entry(settled: SettledNotice) -> PushLogEntry:
    claimed, verdict = settled.attempt.call.claimed, settled.attempt.verdict
    assert verdict is not None  # noqa: S101 (see `_log`)
    return PushLogEntry(
        settled.at,
        claimed.due.kind,
        "DONE" if verdict.result == "SENT" else "FAILED",
        {"reservation_id": claimed.reservation_id},
        "job_id",
        request_id=verdict.request_id,
        reason=verdict.error,
    )
