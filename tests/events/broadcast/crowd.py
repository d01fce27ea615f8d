"""An event, a crowd in the sandbox that is to be told of it, and the check that every exactly-once test ends with."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import insert, select

from tests.factories.product import Box, runtime_for, settings_for
from tsudoi.access.admins import service as admins
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import jobs, queries
from tsudoi.events.broadcast.models import EventChunk, EventDelivery, EventPushStats
from tsudoi.events.broadcast.queries import PushResult
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.event.models import Event
from tsudoi.roster.members.models import Member

HELLO = [{"type": "text", "text": "出欠のご回答をお願いします。"}]
# A well-formed id that the channel has never met.
STRANGER = "U" + "0" * 32
ALLOWED = {"DONE": (1,), "FAILED": (0,), "UNKNOWN": (0, 1)}


@dataclass
class Hall:
    runtime: Runtime
    clock: ManualClock
    box: Box
    event_id: int

    @property
    def db(self) -> Database:
        return self.runtime.db

    def enqueue(self, recipients: Sequence[Recipient], kind: str = "invite", **more: Any) -> int:
        messages = more.pop("messages", HELLO)
        actor = "admin:jimukyoku"
        return self.db.write_now(enqueue, self.event_id, kind, messages, recipients, actor, **more).broadcast_id

    def invite(self, count: int = 5, **more: Any) -> int:
        return self.enqueue(gather(self.db, self.box, count), **more)

    def send(self, broadcast_id: int) -> PushResult:
        jobs.send(self.runtime, broadcast_id, until=time.monotonic() + 60)
        return self.result(broadcast_id)

    def send_all(self, broadcast_id: int, tries: int = 40) -> PushResult:
        """Until all is final, with the clock moved on whenever nothing is due."""
        for _ in range(tries):
            if self.send(broadcast_id).pending == 0:
                break
            self.clock.advance(timedelta(minutes=16))
        return self.result(broadcast_id)

    def result(self, broadcast_id: int) -> PushResult:
        return self.db.read_now(queries.result, broadcast_id)

    def rows(self, model: type[Base]) -> list[dict[str, Any]]:
        return rows(self.db, model)

    def chunks(self) -> list[dict[str, Any]]:
        return self.rows(EventChunk)

    def people(self) -> list[dict[str, Any]]:
        return people(self.db)

    def statuses(self) -> list[str]:
        return [row["status"] for row in self.people()]

    def stats(self) -> tuple[int, int] | None:
        found = self.rows(EventPushStats)
        return (found[0]["success_count"], found[0]["fail_count"]) if found else None

    def refuse_strangers(self) -> None:
        self.box.http.put("/_sandbox/behaviour", json={"multicast_unknown_id": "reject"}).raise_for_status()

    def calls(self, what: str) -> list[dict[str, Any]]:
        return self.box.calls(f"/v2/bot/message/{what}")

    def lines(self) -> list[dict[str, Any]]:
        return lines(self.runtime)

    def violations(self, broadcast_id: int) -> list[str]:
        return violations(self.db, self.box, broadcast_id)


@contextmanager
def hall(db: Database, clock: ManualClock, box: Box, folder: Path, **settings: Any) -> Iterator[Hall]:
    with runtime_for_sending(db, folder, box.url, **settings) as runtime:
        yield Hall(runtime, clock, box, db.write_now(make_event))


@contextmanager
def runtime_for_sending(db: Database, folder: Path, box_url: str, **more: Any) -> Iterator[Runtime]:
    with runtime_for(settings_for("http://127.0.0.1:1", folder, box_url, **more), db) as runtime:
        yield runtime


def make_event(tx: Tx) -> int:
    admin_id = admins.create_admin(tx, "jimukyoku", "hash")
    values = {"title": "総会", "held_at": tx.now, "created_at": tx.now, "updated_at": tx.now}
    made: int = tx.execute(insert(Event).values(created_by_admin=admin_id, **values)).inserted_primary_key[0]  # type: ignore[index]
    return made


def gather(db: Database, box: Box, count: int, *, strangers: Sequence[int] = ()) -> list[Recipient]:
    """So many members who are friends in the sandbox; at these places of the list stand ids that LINE does not know."""
    users: list[str] = box.http.post("/_sandbox/users/crowd", json={"count": count}).json()["user_ids"]
    for place in strangers:
        users[place] = f"U{place:032x}"
    found = [Recipient(number, user) for number, user in enumerate(users, 1)]
    db.write_now(_enrol, found)
    return found


def _enrol(tx: Tx, recipients: Sequence[Recipient]) -> None:
    base = {"created_at": tx.now, "updated_at": tx.now}
    tx.execute(
        insert(Member),
        [
            {"id": one.member_id, "name": f"会員{one.member_id}", "name_key": f"会員{one.member_id}"}
            | {"line_user_id": one.line_user_id, **base}
            for one in recipients
        ],
    )


def rows(db: Database, model: type[Base]) -> list[dict[str, Any]]:
    key = model.__table__.primary_key
    found = db.read_now(lambda tx: tx.execute(select(model).order_by(*key)).mappings().all())
    return [dict(row) for row in found]


def people(db: Database) -> list[dict[str, Any]]:
    """The deliveries, each with what is known of it or, as long as the chunk speaks for it, of its chunk."""
    chunks = {chunk["id"]: chunk for chunk in rows(db, EventChunk)}
    names = ("status", "last_error", "request_id")
    return [
        row | ({name: chunks[row["chunk_id"]][name] for name in names} if row["status"] == "WAITING" else {})
        for row in rows(db, EventDelivery)
    ]


def lines(runtime: Runtime) -> list[dict[str, Any]]:
    files = sorted((runtime.settings.log_dir / "push").glob("*.ndjson"))
    return [orjson.loads(line) for file in files for line in file.read_bytes().splitlines()]


def violations(db: Database, box: Box, broadcast_id: int) -> list[str]:
    """What is wrong: told twice, not told and called sent, told and called failed, or not final at all."""
    got = box.http.get("/_sandbox/deliveries/summary?by_user=1").json()["by_user"]
    found: list[str] = []
    for row in people(db):
        times = got.pop(row["line_user_id"], 0)
        if row["broadcast_id"] == broadcast_id and times not in ALLOWED.get(row["status"], ()):
            found.append(f"member {row['member_id']}: {row['status']}, told {times} times")
    return found + [f"{user} was told and is on no list" for user in got]
