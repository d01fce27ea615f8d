"""The roster: links per second through the worker, and who would be invited out of 100,000 members."""

import os
import sqlite3
import tempfile
import time
from pathlib import Path

import orjson
from pydantic import SecretStr
from sqlalchemy import func, select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench import webhook
from bench.load import load, request
from bench.serving import serving
from bench.table import Row
from tsudoi.access.admins import service as admins
from tsudoi.contexts import open_runtime
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.schema import migrate
from tsudoi.core.settings import Settings
from tsudoi.line.inbox import rules, service
from tsudoi.roster.members.models import Member
from tsudoi.worker import Worker

FRIENDS, MEMBERS = 2_000, 100_000
# What the product asks for `all=1` with its filters at their defaults.
_CANDIDATES = """
SELECT id AS member_id, name, display_order FROM members
WHERE withdrawn_at IS NULL AND is_target = 1 AND line_user_id IS NOT NULL
ORDER BY display_order ASC NULLS LAST, id ASC
"""


def measure() -> list[Row]:
    return [*_links(), *_candidates(), *_webhook()]


def profiles() -> Starlette:
    """LINE's profiles and nothing else, so that the worker is measured and not the simulator."""

    async def profile(asked: Request) -> Response:
        who = asked.path_params["who"]
        return Response(
            orjson.dumps({"userId": who, "displayName": f"会員{int(who[1:], 16)}"}), media_type="application/json"
        )

    return Starlette(routes=[Route("/v2/bot/profile/{who}", profile)])


def raw_candidates() -> Starlette:
    connection = sqlite3.connect(os.environ["BENCH_DATABASE"])

    async def answer(_request: Request) -> Response:
        cursor = connection.execute(_CANDIDATES)
        names = [column[0] for column in cursor.description]
        body = orjson.dumps({"items": [dict(zip(names, row, strict=True)) for row in cursor]})
        return Response(body, media_type="application/json")

    return Starlette(routes=[Route("/candidates", answer)])


def empty() -> Starlette:
    async def answer(asked: Request) -> Response:
        await asked.body()
        return Response(b'{"ok":true}', media_type="application/json")

    return Starlette(routes=[Route("/api/line/webhook", answer, methods=["POST"])])


def _opened(folder: str) -> tuple[Settings, Database]:
    settings = Settings(data_dir=Path(folder), line_channel_access_token=SecretStr("bench"), _env_file=None)
    migrate(settings.database)
    return settings, open_database(settings.database, SystemClock())


def _enrol(tx: Tx, count: int, *, linked: bool) -> None:
    rows = [
        {
            "id": n,
            "name": f"会員{n}",
            "name_key": f"会員{n}",
            "display_order": n % 1000 or None,
            "line_user_id": f"U{n:032x}" if linked else None,
            "is_target": int(linked),
            "created_at": tx.now,
            "updated_at": tx.now,
        }
        for n in range(1, count + 1)
    ]
    tx.execute(Member.__table__.insert(), rows)  # type: ignore[attr-defined]


def _links() -> list[Row]:
    """Follow events in the inbox, to linked members: profile over HTTP, link, audit row, NDJSON line, settled."""
    with tempfile.TemporaryDirectory() as folder, serving("bench.roster:profiles") as port:
        settings, db = _opened(folder)
        settings = settings.model_copy(update={"line_api_base": f"http://127.0.0.1:{port}"})
        db.write_now(_enrol, FRIENDS, linked=False)
        db.write_now(service.store, rules.parse_webhook(_follows(), db.clock.now()).keep, ("follow",))
        with open_runtime(settings, db) as runtime:
            worker = Worker(runtime)
            worker.drain()  # The first events load what is loaded lazily.
            before, started = _linked(db), time.perf_counter()
            while worker.drain():
                pass
            seconds, done = time.perf_counter() - started, _linked(db) - before
        db.close()
    return [Row("links in the worker, one process, SQLite", f"{done / seconds:,.0f}/s")]


def _linked(db: Database) -> int:
    linked = select(func.count()).select_from(Member).where(Member.line_user_id.is_not(None))
    found: int = db.read_now(lambda tx: tx.scalar(linked))
    return found


def _follows() -> bytes:
    now = int(time.time() * 1000)
    events = [
        {
            "type": "follow",
            "timestamp": now,
            "source": {"type": "user", "userId": f"U{n:032x}"},
            "webhookEventId": f"01LINKS{n:019d}",
        }
        for n in range(1, FRIENDS + 1)
    ]
    return orjson.dumps({"destination": "U" + "0" * 32, "events": events})


def _candidates() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        settings, db = _opened(folder)
        db.write_now(_enrol, MEMBERS, linked=True)
        db.write_now(admins.create_admin, "bench", "$2b$04$unused")
        token = db.write_now(admins.create_token, "bench")
        db.close()
        path = settings.database.removeprefix("sqlite:///")
        with serving("bench.roster:raw_candidates", BENCH_DATABASE=path) as port:
            bare = load(port, [request("GET", "/candidates")], clients=1, seconds=5)
        asked = request("GET", "/api/admin/recipients/candidates?all=1", headers={"authorization": f"Bearer {token}"})
        with serving("bench.ours:plain", BENCH_FOLDER=folder) as port:
            mine = load(port, [asked], clients=1, seconds=5)
    assert not bare.errors + mine.errors
    return [
        Row(
            "candidates of 100,000 members (baseline: Starlette + sqlite3 + orjson)",
            f"{mine.p50_ms:,.0f} ms",
            f"{bare.p50_ms:,.0f} ms",
            bare.p50_ms / mine.p50_ms,
        )
    ]


def _webhook() -> list[Row]:
    """What safety costs LINE's 200: signature, de-duplication and a durable row against a route that does nothing."""
    asked = [webhook.signed(number) for number in range(20_000)]
    with serving("bench.roster:empty") as port:
        bare = load(port, asked, clients=32, seconds=4)
    with tempfile.TemporaryDirectory() as folder, serving("bench.ours:plain", BENCH_FOLDER=folder) as port:
        mine = load(port, asked, clients=32, seconds=4)
    assert not bare.errors + mine.errors
    return [
        Row(
            "webhook post, 32 clients (baseline: a route that does nothing)",
            f"{mine.per_second:,.0f}/s  p99 {mine.p99_ms:.1f} ms",
            f"{bare.per_second:,.0f}/s  p99 {bare.p99_ms:.1f} ms",
            mine.per_second / bare.per_second,
        )
    ]
