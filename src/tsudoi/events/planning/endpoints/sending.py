"""What every decision that sends something has in common: within the quota, sent at once, reported."""

import asyncio
import time
from dataclasses import asdict
from typing import Annotated

from fastapi import Query

from tsudoi.access.registration import ActiveContexts
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import jobs
from tsudoi.events.broadcast import queries as broadcast
from tsudoi.events.planning.errors import QuotaExceeded
from tsudoi.events.planning.rules.notices import Links
from tsudoi.events.planning.rules.reach import Cost, cost_of
from tsudoi.events.planning.schemas import NoticeSent, PushCounts
from tsudoi.events.planning.service import Decision
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_account import LineAccount

# How long the office waits for LINE. The worker goes on with what is left.
LONGEST_WAIT = 20
Wait = Annotated[int, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for LINE; 0: answer at once.")]


async def cost(runtime: Runtime, people: int) -> Cost:
    line = runtime.part(LineClient)
    account = LineAccount(line.config, line.outlet, runtime.db.clock)
    # First ours, then LINE's count: what goes out in between is counted twice rather than not at all.
    promised = await runtime.db.read(runtime.part(ActiveContexts).promised_messages)
    return cost_of(people, await asyncio.to_thread(account.quota), promised)


async def require_quota(runtime: Runtime, people: int, *, confirmed: bool) -> None:
    """LINE that cannot be asked is no reason to refuse: what it does not take is tried again, and shown."""
    if confirmed or people == 0:
        return
    found = await cost(runtime, people)
    if found.enough is False:
        raise QuotaExceeded(found.cost, found.left or 0)


async def send(runtime: Runtime, decision: Decision, wait: int) -> PushCounts | None:
    """Send it now as far as the wait allows, and say how far that was."""
    runtime.feeds.nudge(("event", decision.event_id))
    if decision.broadcast_id is None:
        return None
    if wait:
        until = time.monotonic() + wait
        await asyncio.to_thread(jobs.send, runtime, decision.broadcast_id, until=until)
    result = await runtime.db.read(broadcast.result, decision.broadcast_id)
    if result.pending:
        runtime.work.send()
    runtime.feeds.nudge(("event", decision.event_id))
    return PushCounts(**asdict(result))


async def notice_sent(runtime: Runtime, decision: Decision, wait: int) -> NoticeSent:
    return NoticeSent(ok=True, targets=decision.recipients, push=await send(runtime, decision, wait))


def links_of(runtime: Runtime) -> Links:
    return Links(runtime.settings.liff_base, runtime.settings.liff_id)
