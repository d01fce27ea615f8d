"""Writes rows as fast as it can and names each on standard output once `write` has returned. Meant to be killed."""

import asyncio
import os
import sys
from pathlib import Path

from sqlalchemy import text

from tsudoi.core.clock import SystemClock
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.sqlite import SqliteDatabase

CLIENTS = 32


def _add(tx: Tx, name: str) -> None:
    tx.execute(text("INSERT INTO acknowledged (name) VALUES (:name)"), {"name": name})


async def _client(db: SqliteDatabase, run: str, number: int) -> None:
    for count in range(1_000_000):
        name = f"{run}-{number}-{count}"
        await db.write(_add, name)
        os.write(1, f"{name}\n".encode())


async def _main(path: str, run: str) -> None:
    db = SqliteDatabase(Path(path), SystemClock())
    db.write_now(lambda tx: tx.execute(text("CREATE TABLE IF NOT EXISTS acknowledged (name TEXT PRIMARY KEY)")))
    await asyncio.gather(*(_client(db, run, number) for number in range(CLIENTS)))


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
