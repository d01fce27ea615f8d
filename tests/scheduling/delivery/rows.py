"""A thread and its people as rows, for tests of what is told: no route has to exist for them."""

import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import delete, insert, select, update

from tests.factories.product import Product
from tsudoi.core.db.interface import Database, Tx
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageKind, MessageSettings, ToldPerson
from tsudoi.scheduling.delivery.service.enqueueing import message_settings, tell
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
)
from tsudoi.scheduling.thread.rules.links import ThreadLinks

T = TypeVar("T")
# An installation with a mail server and LINE, for tests that need no product.
COMMON = MessageSettings(
    links=ThreadLinks("https://tsudoi.example.jp", "https://liff.line.me", "liff"),
    organisation="みなと町会",
    mail_host="example.jp",
    mail_is_on=True,
    line_is_on=True,
    mail_address="office@example.jp",
)
DAY = timedelta(days=1)
RULE = {
    "version": "1.0",
    "type": "ANY",
    "slot_policy": {"multiple_slots_allowed": True},
    "invitee_scope": {"allow_unregistered": True},
    "rule": {},
    "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
}


@dataclass
class Asked:
    """A thread with two slots, and its people by key."""

    db: Database
    common: MessageSettings
    thread_id: str
    slots: list[str] = field(default_factory=list)

    def write(self, model: Any, **values: Any) -> None:
        self.db.write_now(lambda tx: tx.execute(insert(model).values(**values)))

    def change(self, model: Any, where: Any, **values: Any) -> None:
        self.db.write_now(lambda tx: tx.execute(update(model).where(where).values(**values)))

    def thread(self, **values: Any) -> None:
        self.change(SchedulingThread, SchedulingThread.id == self.thread_id, **values)

    def revision(self) -> int:
        own = select(SchedulingThread.revision).where(SchedulingThread.id == self.thread_id)
        return self.db.read_now(lambda tx: int(tx.scalar(own) or 0))

    def invite(self, key: str, name: str, email: str = "", **more: Any) -> str:
        """Returns the token."""
        now, token = self.db.clock.now(), uuid.uuid4().hex
        more = {"expires_at": now + 3 * DAY, "created_at": now, **more}
        self.write(
            ThreadInvite,
            id=f"i-{key}",
            thread_id=self.thread_id,
            token=token,
            email=email,
            candidate_name=name,
            **{"invitee_key": key, **more},
        )
        self.write(ThreadSelection, selection_id=f"s-{key}", thread_id=self.thread_id, invitee_key=key, created_at=now)
        return token

    def member(self, member_id: int, name: str, line: str | None, email: str | None = None, **more: Any) -> str:
        """A member who is invited; returns the key."""
        now = self.db.clock.now()
        names = {"name": name, "name_key": name, "line_user_id": line, "email": email}
        self.write(Member, id=member_id, **names, created_at=now, updated_at=now, **more)
        self.invite(f"lm:{member_id}", name, member_id=member_id)
        return f"lm:{member_id}"

    def follows(self, line: str, *, following: bool) -> None:
        now = self.db.clock.now()
        times = {"first_contact_at": now, "last_contact_at": now, "updated_at": now}
        self.write(LineFriend, user_id=line, following=following, state_ms=1, **times)

    def answers(self, key: str, status: str, slot: str | None = None) -> None:
        answer = ThreadSelection.selection_id == f"s-{key}"
        self.change(ThreadSelection, answer, status=status, selected_slot_id=slot, responded_at=self.db.clock.now())

    def decide(self, slot: str, *participants: str) -> None:
        self.write(
            ThreadFinalize,
            thread_id=self.thread_id,
            selected_slot_id=slot,
            finalized_at=self.db.clock.now(),
            final_participants=list(participants),
        )
        self.thread(status="finalized", sequence=SchedulingThread.sequence + 1)

    def undo(self, status: str) -> None:
        def undone(tx: Tx) -> None:
            tx.execute(delete(ThreadFinalize))

        self.db.write_now(undone)
        self.thread(status=status, sequence=SchedulingThread.sequence + 1)

    def tell(self, kind: MessageKind, keys: Any = None, **more: Any) -> list[ToldPerson]:
        return self.db.write_now(tell, self.common, self.thread_id, Announcement(kind, **more), keys)

    def messages(self) -> list[dict[str, Any]]:
        return self._rows(ThreadMessage)

    def mails(self) -> list[dict[str, Any]]:
        return self._rows(MailMessage)

    def _rows(self, model: Any) -> list[dict[str, Any]]:
        found = self.db.read_now(lambda tx: tx.execute(select(model).order_by(model.id)).mappings().all())
        return [dict(row) for row in found]


def asked_in(product: Product, title: str = "役員会", **more: Any) -> Asked:
    return asked_at(product.db, message_settings(product.settings), title, **more)


def asked_at(db: Database, common: MessageSettings, title: str = "役員会", **more: Any) -> Asked:
    now, asked = db.clock.now(), Asked(db, common, str(uuid.uuid4()))
    common_values = {"created_at": now, "updated_at": now, "status": "active", "organizer_user_id": "admin:1", **more}
    asked.write(SchedulingThread, id=asked.thread_id, title=title, **common_values)
    asked.write(AttendanceRule, thread_id=asked.thread_id, rule_json=RULE)
    for number in (1, 2):
        asked.slots.append(slot_of(asked, now + number * DAY))
    return asked


def slot_of(asked: Asked, starts_at: datetime, zone: str = "Asia/Tokyo") -> str:
    slot_id = str(uuid.uuid4())
    times = {"start_at": starts_at, "end_at": starts_at + timedelta(hours=1), "timezone": zone}
    asked.write(SchedulingSlot, slot_id=slot_id, thread_id=asked.thread_id, **times)
    return slot_id
