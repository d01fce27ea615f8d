"""A thread, its slots and the people who are asked: put straight into the tables, as its creation would."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import insert, select, update

from tests.factories.product import ADMIN, PASSWORD_HASH
from tsudoi.access.admins import service as admins
from tsudoi.access.admins.models import AdminUser
from tsudoi.core.clock import JST
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.tokens import new_token
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadInvite,
    ThreadSelection,
)

ANY: dict[str, Any] = {
    "version": "1.0",
    "type": "ANY",
    "slot_policy": {"multiple_slots_allowed": True},
    "invitee_scope": {"allow_unregistered": True},
    "rule": {},
    "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
}
ALL: dict[str, Any] = {**ANY, "type": "ALL", "participants": []}
ONE_SLOT: dict[str, Any] = {**ALL, "slot_policy": {"multiple_slots_allowed": False}}
BY_HAND: dict[str, Any] = {**ANY, "finalize_policy": {"auto_finalize": False, "policy": "EARLIEST_VALID"}}


@dataclass(frozen=True)
class MadeInvite:
    id: str
    key: str
    name: str
    token: str

    @property
    def path(self) -> str:
        return f"/i/{self.token}"

    @property
    def respond(self) -> str:
        return f"/i/{self.token}/respond"


@dataclass(frozen=True)
class MadeThread:
    id: str
    slots: list[str]
    invites: list[MadeInvite]


def key_of(email: str) -> str:
    return f"e:{hashlib.sha256(email.lower().encode()).hexdigest()[:16]}"


def make_thread(
    db: Database,
    *people: str | int,
    rule: dict[str, Any] | None = None,
    slots: int = 3,
    expires: timedelta = timedelta(hours=72),
    **columns: Any,
) -> MadeThread:
    """Asks addresses such as `raj@example.com`, and members by their ids.

    The slots are at 14:00 in Japan, tomorrow and the days after, for an hour. `columns` are those of the thread.
    """
    return db.write_now(_make_thread, people, rule or ANY, slots, expires, columns)


def _make_thread(
    tx: Tx, people: tuple[str | int, ...], rule: dict[str, Any], slots: int, expires: timedelta, columns: dict[str, Any]
) -> MadeThread:
    thread_id = str(uuid4())
    admin_id = tx.scalar(select(AdminUser.id)) or admins.create_admin(tx, ADMIN, PASSWORD_HASH)
    row = {"id": thread_id, "organizer_user_id": f"admin:{admin_id}", "title": "臨時理事会", "status": "active"}
    times = {"created_at": tx.now, "updated_at": tx.now}
    tx.execute(insert(SchedulingThread).values({**row, **times, **columns}))
    tx.execute(insert(AttendanceRule).values(thread_id=thread_id, rule_json=rule, **times))
    made = [add_slot_in(tx, thread_id, first_slot(tx.now) + timedelta(days=day)) for day in range(slots)]
    invites = [_invite(tx, thread_id, number, person, expires) for number, person in enumerate(people)]
    return MadeThread(thread_id, made, invites)


def first_slot(now: datetime) -> datetime:
    return (now.astimezone(JST) + timedelta(days=1)).replace(hour=14, minute=0, second=0, microsecond=0)


def add_slot_in(tx: Tx, thread_id: str, start: datetime, **columns: Any) -> str:
    slot_id = str(uuid4())
    row = {"slot_id": slot_id, "thread_id": thread_id, "start_at": start, "end_at": start + timedelta(hours=1)}
    tx.execute(insert(SchedulingSlot).values({**row, "timezone": "Asia/Tokyo", "created_at": tx.now, **columns}))
    return slot_id


def add_slot(db: Database, thread_id: str, start: datetime, **columns: Any) -> str:
    return db.write_now(lambda tx: add_slot_in(tx, thread_id, start, **columns))


def change(db: Database, model: Any, where: Any, **values: Any) -> None:
    """What another program, or time, has changed in the table."""
    db.write_now(lambda tx: tx.execute(update(model).where(where).values(**values)))


def _invite(tx: Tx, thread_id: str, number: int, person: str | int, expires: timedelta) -> MadeInvite:
    """The order of the invitations is that of their times."""
    member, email = (person, "") if isinstance(person, int) else (None, person)
    key = f"lm:{member}" if member is not None else key_of(email)
    name = f"会員{member}" if member is not None else email.partition("@")[0]
    made = MadeInvite(str(uuid4()), key, name, new_token())
    row = {"id": made.id, "thread_id": thread_id, "token": made.token, "email": email, "candidate_name": name}
    more = {"invitee_key": key, "member_id": member, "expires_at": tx.now + expires}
    more["created_at"] = tx.now + timedelta(microseconds=number)
    tx.execute(insert(ThreadInvite).values({**row, **more}))
    answer = {"selection_id": str(uuid4()), "thread_id": thread_id, "invitee_key": key, "created_at": tx.now}
    tx.execute(insert(ThreadSelection).values(answer))
    return made
