"""An event, who is asked, and who sits in front of a phone: put straight into the tables, as the planning would."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import httpx2
from sqlalchemy import insert, select

from tests.factories.product import ADMIN, PASSWORD_HASH, Product
from tests.factories.webhooks import user_id
from tests.servers import browser
from tsudoi.access.admins import service as admins
from tsudoi.access.admins.models import AdminUser
from tsudoi.core import sessions
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.names import name_key
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.roster.members.models import Member

LIFF_LIFETIME = timedelta(hours=12)


def make_members(db: Database, *ids: int, **more: Any) -> list[int]:
    """Members with these ids, called 会員101 and so on, each linked to the LINE user `user_id(id)`."""
    db.write_now(_make_members, ids, more)
    return list(ids)


def _make_members(tx: Tx, ids: Iterable[int], more: dict[str, Any]) -> None:
    rows = [
        {
            "id": number,
            "name": f"会員{number}",
            "name_key": name_key(f"会員{number}", nfkc=False),
            "display_order": number,
            "line_user_id": user_id(number),
            "is_target": 1,
            "created_at": tx.now,
            "updated_at": tx.now,
            **more,
        }
        for number in ids
    ]
    tx.execute(insert(Member), rows)


def make_event(db: Database, targets: Iterable[int] = (), **more: Any) -> int:
    """In ten days unless said otherwise."""
    return db.write_now(_make_event, list(targets), more)


def _make_event(tx: Tx, targets: list[int], more: dict[str, Any]) -> int:
    admin_id = tx.scalar(select(AdminUser.id)) or admins.create_admin(tx, ADMIN, PASSWORD_HASH)
    row = {"title": "理事会9月", "held_at": tx.now + timedelta(days=10), "created_by_admin": admin_id}
    values = {**row, "created_at": tx.now, "updated_at": tx.now, **more}
    made: int = tx.execute(insert(Event).values(values).returning(Event.id)).scalar_one()
    if targets:
        tx.execute(insert(EventTarget), [{"event_id": made, "member_id": member_id} for member_id in targets])
    return made


def liff_cookie(db: Database, who: str) -> str:
    """A new session of this LINE user, as `POST /api/liff/session` would open it."""
    return db.write_now(sessions.open_session, "liff", who, {"display_name": None, "picture_url": None}, LIFF_LIFETIME)


def liff_client(product: Product, member_id: int) -> httpx2.Client:
    """The phone of the LINE user that `make_members` links to this member; the caller closes it."""
    return browser(product.url, cookies={"tsudoi_liff": liff_cookie(product.db, user_id(member_id))})
