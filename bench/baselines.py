"""What we compare with: the least code that does the same, without any of the product's care."""

import os
import sqlite3

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


def hello() -> Starlette:
    async def livez(_request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    return Starlette(routes=[Route("/livez", livez)])


def commit_per_request() -> Starlette:
    """One connection, one commit per request, `synchronous=FULL`: durable like ours, and nothing else."""
    connection = sqlite3.connect(os.environ["BENCH_DATABASE"], isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")

    async def note(request: Request) -> JSONResponse:
        body = await request.json()
        made = connection.execute("INSERT INTO notes (text) VALUES (?)", (body["text"],)).lastrowid
        return JSONResponse({"id": made}, 201)

    return Starlette(routes=[Route("/notes", note, methods=["POST"])])
