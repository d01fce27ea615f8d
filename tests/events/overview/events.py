"""Events, people and answers for tests, put straight into the tables."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert, select

from tests.conftest import NOON
from tests.factories.product import ADMIN, PASSWORD_HASH
from tsudoi.access.admins import service as admins
from tsudoi.access.admins.models import AdminUser
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.names import name_key
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.broadcast.models import EventPushStats
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.roster.members.models import Member

HELD_AT = NOON + timedelta(days=25)
URL = "/api/admin/events"


def people(db: Database, *named: str, first: int = 101, **more: Any) -> list[int]:
    """Members 101, 102, … in the order of the roster."""
    ids = range(first, first + len(named))
    db.write_now(_enrol, list(zip(ids, named, strict=True)), more)
    return list(ids)


def _enrol(tx: Tx, named: list[tuple[int, str]], more: dict[str, Any]) -> None:
    rows = [
        {
            "id": number,
            "name": name,
            "name_key": name_key(name, nfkc=False),
            "display_order": number,
            "created_at": tx.now,
            "updated_at": tx.now,
            **more,
        }
        for number, name in named
    ]
    tx.execute(insert(Member), rows)


def event(db: Database, targets: Iterable[int] = (), title: str = "理事会9月", **more: Any) -> int:
    return db.write_now(_event, list(targets), {"title": title, "held_at": HELD_AT, **more})


def _event(tx: Tx, targets: list[int], values: dict[str, Any]) -> int:
    admin_id = tx.scalar(select(AdminUser.id)) or admins.create_admin(tx, ADMIN, PASSWORD_HASH)
    row = {"created_by_admin": admin_id, "created_at": tx.now, "updated_at": tx.now, **values}
    made: int = tx.execute(insert(Event).values(row).returning(Event.id)).scalar_one()
    if targets:
        tx.execute(insert(EventTarget), [{"event_id": made, "member_id": member_id} for member_id in targets])
    return made


def answer(
    db: Database,
    event_id: int,
    member_id: int,
    status: str = "attend",
    extra_text: str | None = None,
    at: datetime | None = None,
    via: str = "liff",
) -> int:
    [made] = answers(db, event_id, [(member_id, status, extra_text, at, via)])
    return made


def answers(
    db: Database, event_id: int, given: Sequence[tuple[int, str, str | None, datetime | None, str]]
) -> list[int]:
    def write(tx: Tx) -> list[int]:
        rows = [
            {
                "event_id": event_id,
                "member_id": member_id,
                "status": status,
                "extra_text": extra_text,
                "via": via,
                "responded_at": at or tx.now,
            }
            for member_id, status, extra_text, at, via in given
        ]
        return list(tx.execute(insert(EventResponse).returning(EventResponse.id), rows).scalars())

    return db.write_now(write)


def pushed(db: Database, event_id: int, success: int, fail: int) -> None:
    db.write_now(
        lambda tx: tx.execute(
            insert(EventPushStats).values(
                event_id=event_id, success_count=success, fail_count=fail, last_sent_at=tx.now
            )
        )
    )
