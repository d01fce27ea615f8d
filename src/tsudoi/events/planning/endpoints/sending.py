"""What all decisions that send messages share: the quota check, sending at once, and reporting the results."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from datetime import timedelta
from functools import partial
from typing import Annotated

from fastapi import Query
from pydantic import TypeAdapter

from tsudoi.access.stepped_writes import SteppedWrite, WriteSteps
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Problem
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import jobs
from tsudoi.events.broadcast import queries as broadcast
from tsudoi.events.broadcast.service.claiming import give_back
from tsudoi.events.broadcast.service.tasks import SendTask
from tsudoi.events.event.rules import Links
from tsudoi.events.planning.schemas import NoticeSent, PushCounts
from tsudoi.events.planning.service import Decision, Dispatch
from tsudoi.gateway.http import HttpGateway, Pool
from tsudoi.line.delivery.jobs import ask_room

# How many seconds a request waits for LINE. The worker sends the rest.
LONGEST_WAIT = 20
Wait = Annotated[int, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for LINE; 0: respond at once.")]
RESULT = TypeAdapter(Decision)
# Threads for requests that send at once. What they do not finish in this time is left to the worker.
_SENDING = Pool("office-send", 8, longest_wait=timedelta(seconds=LONGEST_WAIT + 15))


def notice_steps(
    write: SteppedWrite,
    wait: int,
    count: Callable[[ReadTx], int],
    verb: Callable[[Tx, Dispatch], Decision],
    *,
    confirmed: bool,
) -> WriteSteps[Decision]:
    """The steps of a notice about an event. `count`: how many people it would be sent to, for the quota."""
    dispatch = dispatch_of(write, wait)

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], Decision]]:
        people = await write.runtime.db.read(count)
        allowed = await within_quota(write.runtime, dispatch, people, confirmed=confirmed)
        yield lambda tx: verb(tx, allowed)

    return WriteSteps(prepare, RESULT, partial(notice_sent, write.runtime, dispatch, wait))


def dispatch_of(write: SteppedWrite, wait: int) -> Dispatch:
    """With a wait the request sends what it writes; without one the worker does."""
    return Dispatch(write.admin, links_of(write.runtime), claimed=[] if wait else None)


async def within_quota(runtime: Runtime, dispatch: Dispatch, people: int, *, confirmed: bool) -> Dispatch:
    """The dispatch with `quota_left` filled in. Raises 409 if the limit is too low and the office has not confirmed."""
    return replace(dispatch, quota_left=await ask_room(runtime, people, confirmed=confirmed))


async def send(runtime: Runtime, decision: Decision, wait: int, claimed: Sequence[SendTask]) -> PushCounts | None:
    """Send now as far as the wait allows, and return the results so far."""
    runtime.feeds.nudge(("event", decision.event_id))
    if decision.broadcast_id is None:
        return None
    if wait:
        until = time.monotonic() + wait
        sending = partial(jobs.send, runtime, decision.broadcast_id, until=until, claimed=claimed)
        try:
            await runtime.part(HttpGateway).threads.run(_SENDING, sending, if_busy=None)
        except Exception:
            with suppress(Problem):  # The database may be away; then the leases run out by themselves.
                await runtime.db.write(give_back, claimed)
            raise
    result = await runtime.db.read(broadcast.result, decision.broadcast_id)
    if result.pending:
        runtime.work.send()
    runtime.feeds.nudge(("event", decision.event_id))
    return PushCounts(**asdict(result))


async def notice_sent(runtime: Runtime, dispatch: Dispatch, wait: int, decision: Decision) -> NoticeSent:
    push = await send(runtime, decision, wait, dispatch.claimed or ())
    return NoticeSent(ok=True, targets=decision.recipients, push=push)


def links_of(runtime: Runtime) -> Links:
    return Links(runtime.settings.liff_base, runtime.settings.liff_id)
