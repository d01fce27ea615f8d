"""What every decision that tells people something has in common: once per key, within the quota, sent, reported."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import Depends, Header, Query, Request
from starlette.responses import Response

from tsudoi.access.guard import Admin, AdminDep, RuntimeDep
from tsudoi.access.rendering import as_response
from tsudoi.core import idempotency
from tsudoi.core.db.interface import Tx
from tsudoi.core.idempotency import Reply, Scope
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import jobs as sending
from tsudoi.events.broadcast import queries as sent
from tsudoi.events.planning.rules.notices import Links
from tsudoi.events.planning.service import Made, Office
from tsudoi.gateway.clients.line import POLICIES
from tsudoi.gateway.http import HttpGateway
from tsudoi.gateway.pools import Pool
from tsudoi.line.delivery.jobs import quota
from tsudoi.line.delivery.rules import Cost

# How long the office waits for LINE. The worker goes on with what is left.
LONGEST_WAIT = timedelta(seconds=20)
# Requests that send at once. What they do not begin or finish in this time is left to the worker.
_SENDING = Pool("office-send", 8, longest_wait=LONGEST_WAIT + timedelta(seconds=15))
# How long a request may be silent before another with the same key takes over.
_LEASE = timedelta(minutes=2)

T = TypeVar("T")
Work = Callable[[Office], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Desk:
    admin: Admin
    runtime: Runtime
    route: str
    key: str | None
    wait: timedelta

    async def once(self, request_content: bytes, work: Work) -> Response:
        """With a key: the same request again gets the same bytes, and one that was cut off is finished."""
        if self.key is None:
            return as_response(await work(self._office(None)))
        scope = idempotency.scope(f"admin:{self.admin.admin_id}", self.route, self.key, request_content)
        stored = await self.runtime.db.write(idempotency.begin, scope, _LEASE)
        if stored is not None:
            return as_response(stored)
        try:
            reply = await work(self._office(scope))
        except BaseException:
            await self.runtime.db.write(_let_go, scope)
            raise
        await self.runtime.db.write(idempotency.finish, scope, reply)
        return as_response(reply)

    async def cost(self, people: int) -> Cost:
        return await self._ask_line(partial(quota.cost, self.runtime, people), Cost(people, None))

    async def within_quota(self, office: Office, people: int, *, confirmed: bool) -> Office:
        """The office with what the monthly limit leaves for it, or 409 where nobody confirmed that it is too little."""
        left = await self._ask_line(partial(quota.require_quota, self.runtime, people, confirmed=confirmed), None)
        return replace(office, quota_left=left)

    async def _ask_line(self, ask: Callable[[], T], if_busy: T) -> T:
        """In the threads for questions about the account, so that a silent LINE keeps nothing else waiting."""
        threads = self.runtime.part(HttpGateway).threads
        return await threads.run(POLICIES.account.pool, ask, if_busy=if_busy)

    async def send(self, made: Made) -> dict[str, int] | None:
        """Send it now as far as the wait allows, and say how far that was."""
        if made.broadcast_id is None:
            return None
        until = time.monotonic() + self.wait.total_seconds()
        if self.wait:
            send = partial(sending.send, self.runtime, made.broadcast_id, until=until, claimed=made.claimed)
            await self.runtime.part(HttpGateway).threads.run(_SENDING, send, if_busy=None)
        result = await self.runtime.db.read(sent.result, made.broadcast_id)
        if result.pending:
            self.runtime.work.send()
        self.runtime.feeds.nudge(("event", made.event_id))
        return asdict(result)

    def _office(self, scope: Scope | None) -> Office:
        settings = self.runtime.settings
        links = Links(settings.liff_base, settings.liff_id)
        return Office(self.admin.actor, self.admin.admin_id, links, scope, sends=bool(self.wait))


async def desk_of(
    request: Request,
    runtime: RuntimeDep,
    admin: AdminDep,
    idempotency_key: Annotated[
        str | None, Header(description="The same key again has no second effect and gets the same bytes back.")
    ] = None,
    wait: Annotated[
        int,
        Query(ge=0, le=int(LONGEST_WAIT.total_seconds()), description="Seconds to wait for LINE; 0: answer at once."),
    ] = int(LONGEST_WAIT.total_seconds()),
) -> Desk:
    route = f"{request.method} {request.url.path}"
    return Desk(admin, runtime, route, idempotency_key, timedelta(seconds=wait))


DeskDep = Annotated[Desk, Depends(desk_of)]


def _let_go(tx: Tx, scope: Scope) -> None:
    """Refused before it had any effect: the key is free. Otherwise it stays that request's, which may be repeated."""
    idempotency.hold(tx, scope)
    nothing_made = sent.by_request_key(tx, scope.name) is None
    (idempotency.abandon if nothing_made else idempotency.release)(tx, scope)


def reply_of(status: int, body: dict[str, Any]) -> Reply:
    return Reply(status, orjson.dumps(body))
