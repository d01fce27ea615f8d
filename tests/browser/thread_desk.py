"""What the office does so that members have a date to find, through the product's own API."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx2

from tests.browser.conftest import Demo
from tests.browser.member_desk import Desk, open_desk
from tests.factories.threads import BY_HAND
from tsudoi.core.clock import JST

SELECTION = "SELECT s.status, s.comment FROM thread_selections s WHERE s.thread_id = ? AND s.status <> 'pending'"
MARKS = """SELECT m.answer FROM thread_selection_slots m JOIN thread_selections s ON s.selection_id = m.selection_id
    JOIN scheduling_slots o ON o.slot_id = m.slot_id WHERE s.thread_id = ? ORDER BY o.start_at"""


def slot(days: int, hour: int = 14, **more: Any) -> dict[str, Any]:
    day = (datetime.now(JST) + timedelta(days=days)).replace(hour=hour, minute=0, second=0, microsecond=0)
    return {"start_at": day.isoformat(), "end_at": (day + timedelta(minutes=90)).isoformat(), **more}


@dataclass(frozen=True)
class ThreadDesk:
    desk: Desk

    def ask(self, title: str, names: tuple[str, ...], **fields: Any) -> str:
        """A thread with three slots for these members; nothing decides it but the office, unless `rule` says so."""
        # The tests make more threads in a minute than the office may.
        self.sql("DELETE FROM rate_limits WHERE bucket LIKE 'threads:%'")
        body = {
            "title": title,
            "slots": [slot(5), slot(6, 19), slot(7, 10)],
            "audience_ids": [self._group(title, names)],
            "rule": BY_HAND,
            **fields,
        }
        made = self.desk.client.post("/api/threads", json=body, headers=self.desk.headers)
        assert made.status_code == httpx2.codes.CREATED, made.text
        thread_id: str = made.json()["thread"]["id"]
        return thread_id

    def _group(self, title: str, names: tuple[str, ...]) -> int:
        ids = self.desk.member_ids()
        made = self.desk.client.post("/api/admin/audiences", json={"name": title}, headers=self.desk.headers)
        assert made.is_success, made.text
        group: int = made.json()["id"]
        body = {"member_ids": [ids[name] for name in names]}
        put = self.desk.client.put(f"/api/admin/audiences/{group}/members", json=body, headers=self.desk.headers)
        assert put.is_success, put.text
        return group

    def act(self, thread_id: str, verb: str, **body: Any) -> Any:
        made = self.desk.client.post(f"/api/threads/{thread_id}/{verb}", json=body, headers=self.desk.headers)
        assert made.is_success, made.text
        return made.json()

    def slots(self, thread_id: str) -> list[str]:
        rows = self.sql("SELECT slot_id FROM scheduling_slots WHERE thread_id = ? ORDER BY start_at", thread_id)
        return [row[0] for row in rows]

    def answer_for(self, thread_id: str, name: str, yes: list[str], maybe: list[str] | None = None) -> None:
        key = f"lm:{self.desk.member_ids()[name]}"
        marks = {"selected_slot_ids": yes, "maybe_slot_ids": maybe or []}
        self.act(thread_id, "answers", invitee_key=key, status="selected", **marks)

    def let_lapse(self, thread_id: str) -> None:
        """Time does this; nobody can do it by the API."""
        past = "2025-01-01T00:00:00.000000+00:00"
        self.sql("UPDATE thread_invites SET expires_at = ? WHERE thread_id = ?", past, thread_id)

    def stored(self, thread_id: str) -> tuple[list[tuple[str, str | None]], list[str], int]:
        """The selections with their comments, the marks in the order of time, and the number of answers."""
        selections = [tuple(row) for row in self.sql(SELECTION, thread_id)]
        marks = [row[0] for row in self.sql(MARKS, thread_id)]
        return selections, marks, self.sql("SELECT count(*) FROM thread_answers WHERE thread_id = ?", thread_id)[0][0]

    def sql(self, statement: str, *values: object) -> list[Any]:
        path = self.desk.data_dir / "tsudoi.sqlite3"
        with closing(sqlite3.connect(path, timeout=10)) as database, database:
            return database.execute(statement, values).fetchall()

    def link(self, name: str, thread_id: str) -> str:
        return self.desk.link(name, f"threads/{thread_id}")


@contextmanager
def open_thread_desk(demo: Demo) -> Iterator[ThreadDesk]:
    with open_desk(demo.product, demo.phones, demo.data_dir) as desk:
        yield ThreadDesk(desk)
