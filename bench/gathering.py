"""A filled house for the measurements of events: members with LINE, one event that asks them all, sessions."""

from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr
from sqlalchemy import insert

from tsudoi.access.admins import service as admins
from tsudoi.core import sessions
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.schema import migrate
from tsudoi.core.settings import Settings
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.roster.members.models import Member

EVENT = 1


def opened(folder: str, url: str = "") -> tuple[Settings, Database]:
    settings = Settings(
        data_dir=Path(folder), database_url=url, line_channel_access_token=SecretStr("bench"), _env_file=None
    )
    migrate(settings.database)
    return settings, open_database(settings.database, SystemClock())


def gather(tx: Tx, people: int) -> str:
    """Members, the event and its targets; gives a bearer token of the office."""
    admin_id = admins.create_admin(tx, "bench", "$2b$04$unused")
    now = {"created_at": tx.now, "updated_at": tx.now}
    members = [
        {
            "id": n,
            "name": f"会員 {n:06}",
            "name_key": f"会員{n:06}",
            # In another order than the ids, some without a place.
            "display_order": None if n % 9 == 0 else (n * 7919) % people,
            "line_user_id": user_id(n),
            "is_target": 1,
            **now,
        }
        for n in range(1, people + 1)
    ]
    tx.execute(insert(Member), members)
    event = {"id": EVENT, "title": "総会", "held_at": tx.now + timedelta(days=30), "extra_text_enabled": 1, **now}
    tx.execute(insert(Event).values(created_by_admin=admin_id or 1, body="出欠のご回答をお願いします。", **event))
    tx.execute(insert(EventTarget), [{"event_id": EVENT, "member_id": n} for n in range(1, people + 1)])
    token = admins.create_token(tx, "bench")
    assert token is not None
    return token


def answered(tx: Tx, people: int) -> None:
    """Two of three have answered, a third of these twice."""
    answers = [
        {
            "event_id": EVENT,
            "member_id": n,
            "status": "attend" if (n + again) % 3 else "absent",
            "extra_text": "10分ほど遅れます" if n % 5 == 0 else None,
            "via": "liff",
            "responded_at": tx.now + timedelta(milliseconds=n, seconds=again),
        }
        for again in range(2)
        for n in range(1, people + 1)
        if n % 3 and (not again or n % 9 == 1)
    ]
    tx.execute(insert(EventResponse), answers)


def log_in(tx: Tx, people: int) -> list[str]:
    return [sessions.open_session(tx, "liff", user_id(n), {}, timedelta(hours=1)) for n in range(1, people + 1)]


def user_id(number: int) -> str:
    return f"U{number:032x}"
