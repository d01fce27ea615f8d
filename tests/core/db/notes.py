"""A table of the test's own, and a look at it from outside, by a connection that shares nothing with ours."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event

import psycopg
from sqlalchemy import Column, Integer, MetaData, Table, Text, insert, select
from sqlalchemy.engine import make_url

from tsudoi.core.db.interface import ReadTx, Tx

NOTES = Table(
    "notes",
    MetaData(),
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("body", Text, nullable=False, unique=True),
)


class Refused(Exception):
    """What a verb raises in these tests."""


def create_notes(tx: Tx) -> None:
    NOTES.create(tx.connection)


def add(tx: Tx, body: str) -> str:
    tx.execute(insert(NOTES).values(body=body))
    return body


def add_then_fail(tx: Tx, body: str) -> None:
    add(tx, body)
    raise Refused(body)


def bodies(tx: ReadTx) -> list[str]:
    return list(tx.execute(select(NOTES.c.body).order_by(NOTES.c.id)).scalars())


def hold(_tx: Tx, started: Event, release: Event) -> None:
    """Keep the writer (SQLite) or one connection (PostgreSQL) busy until released."""
    started.set()
    assert release.wait(20)


def seen_from_outside(url: str) -> list[str]:
    query = "SELECT body FROM notes ORDER BY id"
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(file_of(url))) as connection:
            return [body for (body,) in connection.execute(query)]
    with psycopg.connect(url) as connection:
        return [body for (body,) in connection.execute(query)]


def file_of(url: str) -> Path:
    return Path(make_url(url).database or "")
