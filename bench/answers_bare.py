"""What the answer post is compared with: bare Starlette and raw SQL, one commit per request, durable like ours.

`insert_*` only writes the row, for anybody who asks. `same_*` does the transaction that the product does: who is
asking, may they, was it asked before, write it down.
"""

import asyncio
import hashlib
import os
import sqlite3
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import asyncpg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

INSERT = "INSERT INTO event_responses (event_id, member_id, status, extra_text, via, responded_at) VALUES "
WHO = """SELECT m.id FROM sessions s JOIN members m ON m.line_user_id = s.subject
JOIN event_targets t ON t.event_id = {} AND t.member_id = m.id
WHERE s.id_hash = {} AND s.kind = 'liff' AND s.revoked_at IS NULL AND s.expires_at > {}"""
KEEP = """INSERT INTO idempotency_keys
(principal, route, key, request_hash, status, body, lease_until, created_at, expires_at) VALUES """
JST = timezone(timedelta(hours=9))
REPLY = {"ok": True, "current": "attend"}


def _answer(asked: dict[str, Any], member_id: int, event_id: int) -> tuple[Any, ...]:
    now = datetime.now(JST).isoformat(timespec="microseconds")
    return event_id, member_id, asked["status"], asked.get("extra_text"), "liff", now


def _kept(request: Request, body: bytes) -> tuple[Any, ...]:
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    digest = hashlib.sha256(body).hexdigest()
    key = request.headers["idempotency-key"]
    return "line", request.url.path, key, digest, 201, b'{"ok":true,"current":"attend"}', now, now, now


def _token_hash(request: Request) -> str:
    return hashlib.sha256(request.cookies["tsudoi_liff"].encode()).hexdigest()


def connect_sqlite() -> sqlite3.Connection:
    connection = sqlite3.connect(os.environ["BENCH_DATABASE"], isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def insert_sqlite() -> Starlette:
    connection = connect_sqlite()

    async def respond(request: Request) -> JSONResponse:
        row = _answer(await request.json(), 1, int(request.path_params["event_id"]))
        connection.execute(INSERT + "(?, ?, ?, ?, ?, ?)", row)
        return JSONResponse(REPLY, 201)

    return _app(respond)


def same_sqlite() -> Starlette:
    connection = connect_sqlite()
    who = WHO.format("?", "?", "?")

    async def respond(request: Request) -> JSONResponse:
        body, event_id = await request.json(), int(request.path_params["event_id"])
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        connection.execute("BEGIN IMMEDIATE")
        found = connection.execute(who, (event_id, _token_hash(request), now)).fetchone()
        connection.execute(KEEP + "(?, ?, ?, ?, ?, ?, ?, ?, ?)", _kept(request, await request.body()))
        connection.execute(INSERT + "(?, ?, ?, ?, ?, ?)", _answer(body, found[0], event_id))
        connection.execute("COMMIT")
        return JSONResponse(REPLY, 201)

    return _app(respond)


class Pool:
    """Made at the first request: asyncpg wants the loop that serves."""

    def __init__(self) -> None:
        self._pool: asyncio.Task[Any] | None = None

    async def get(self) -> Any:
        if self._pool is None:
            self._pool = asyncio.create_task(self._make())
        return await self._pool

    async def _make(self) -> Any:
        return await asyncpg.create_pool(os.environ["BENCH_DATABASE"], min_size=10, max_size=10)


def insert_postgres() -> Starlette:
    pool = Pool()

    async def respond(request: Request) -> JSONResponse:
        row = _answer(await request.json(), 1, int(request.path_params["event_id"]))
        await (await pool.get()).execute(INSERT + "($1, $2, $3, $4, $5, $6)", *row)
        return JSONResponse(REPLY, 201)

    return _app(respond)


def same_postgres() -> Starlette:
    pool, who = Pool(), WHO.format("$1", "$2", "$3")

    async def respond(request: Request) -> JSONResponse:
        body, event_id = await request.json(), int(request.path_params["event_id"])
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        async with (await pool.get()).acquire() as connection, connection.transaction():
            member_id = await connection.fetchval(who, event_id, _token_hash(request), now)
            kept = _kept(request, await request.body())
            await connection.execute(KEEP + "($1, $2, $3, $4, $5, $6, $7, $8, $9)", *kept)
            await connection.execute(INSERT + "($1, $2, $3, $4, $5, $6)", *_answer(body, member_id, event_id))
        return JSONResponse(REPLY, 201)

    return _app(respond)


def _app(respond: Any) -> Starlette:
    return Starlette(routes=[Route("/api/liff/events/{event_id}/respond", respond, methods=["POST"])])
