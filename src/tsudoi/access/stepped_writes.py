"""A write that calls other systems between transactions, such as one that sends messages, once per `Idempotency-Key`.

prepare (check, store files) → one transaction: the verb and its result → afterwards (send) → the reply.
If the process dies after the transaction, the same request again goes on from the stored result. What follows may be a
second transaction (`ClosingSteps`), which then keeps the reply with the key: it is never run twice.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, TypeAdapter
from starlette.responses import Response

from tsudoi.access.guard import AdminDep, RuntimeDep
from tsudoi.access.principals import Admin
from tsudoi.access.writes import KeyHeader, as_response, route_of
from tsudoi.core import idempotency
from tsudoi.core.db.interface import Tx
from tsudoi.core.idempotency import KeyScope, Reply
from tsudoi.core.runtime import Runtime

R = TypeVar("R")

# How long a request may be silent before another with the same key takes over.
_LEASE = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class WriteSteps(Generic[R]):
    """The steps of such a write.

    `prepare` yields the verb, and cleans up after the transaction in every case. `result` says how the verb's
    result is stored. `afterwards` does the rest with the result, and may be run again after a crash.
    """

    prepare: Callable[[], AbstractAsyncContextManager[Callable[[Tx], R]]]
    result: TypeAdapter[R]
    afterwards: Callable[[R], Awaitable[BaseModel]]


@dataclass(frozen=True, slots=True)
class ClosingSteps(Generic[R]):
    """The steps of a write with two transactions: one that decides, and one that closes the request.

    `between` may call other systems with the result of the first, and returns the verb of the second. The database
    may be away for that one; the same request again then goes on with `between`.
    """

    prepare: Callable[[], AbstractAsyncContextManager[Callable[[Tx], R]]]
    result: TypeAdapter[R]
    between: Callable[[R], Awaitable[Callable[[Tx], BaseModel]]]


@dataclass(frozen=True, slots=True)
class SteppedWrite:
    """One request of an administrator to such a route."""

    runtime: Runtime
    admin: Admin
    route: str
    key: str | None
    status: int

    async def run(self, content: bytes, steps: WriteSteps[R] | ClosingSteps[R], lease: timedelta = _LEASE) -> Response:
        """`content`: the bytes by which two requests count as the same."""
        if self.key is None:
            return as_response(await self._work(steps, None, None))
        db = self.runtime.db
        scope = idempotency.scope(self.admin.rate_key, self.route, self.key, content)
        before = await db.write(idempotency.begin, scope, lease)
        if before.reply is not None:
            return as_response(before.reply)
        try:
            reply = await self._work(steps, scope, before.result)
        except BaseException:
            await db.write(idempotency.release, scope)
            raise
        if isinstance(steps, WriteSteps):
            await db.write(idempotency.finish, scope, reply)
        return as_response(reply)

    async def _work(self, steps: WriteSteps[R] | ClosingSteps[R], scope: KeyScope | None, stored: str | None) -> Reply:
        """`stored`: the result that an earlier copy of this request left."""
        result = steps.result.validate_json(stored) if stored is not None else await self._decide(steps, scope)
        if isinstance(steps, WriteSteps):
            return self._reply(await steps.afterwards(result))
        closing = await steps.between(result)
        return await self.runtime.db.write(self._close, scope, closing)

    async def _decide(self, steps: WriteSteps[R] | ClosingSteps[R], scope: KeyScope | None) -> R:
        db, dump = self.runtime.db, steps.result.dump_json
        async with steps.prepare() as verb:
            if scope is None:
                return await db.write(verb)
            perform = partial(idempotency.perform, scope=scope, verb=lambda tx: dump(verb(tx)).decode())
            return steps.result.validate_json(await db.write(perform))

    def _close(self, tx: Tx, scope: KeyScope | None, closing: Callable[[Tx], BaseModel]) -> Reply:
        if scope is None:
            return self._reply(closing(tx))
        return idempotency.close(tx, scope, lambda tx: self._reply(closing(tx)))

    def _reply(self, answer: BaseModel) -> Reply:
        return Reply(self.status, answer.model_dump_json().encode())


async def stepped_write_of(
    request: Request, runtime: RuntimeDep, admin: AdminDep, idempotency_key: KeyHeader = None
) -> SteppedWrite:
    status = request.scope["route"].status_code or 200
    return SteppedWrite(runtime, admin, route_of(request), idempotency_key, status)


SteppedWriteDep = Annotated[SteppedWrite, Depends(stepped_write_of)]
