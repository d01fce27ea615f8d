"""The office in the tests of people and master data: its client, and what it reads in the tables."""

import uuid
from typing import Any

import httpx2
from sqlalchemy import insert, select

from tests.factories.booking import Person
from tests.factories.product import ADMIN, Product
from tsudoi.access.admins import service as admins
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.models import AuditLog


def office(product: Product) -> httpx2.Client:
    """Another client, with a bearer token of the office."""
    product.make_admin()
    token = product.db.write_now(admins.create_token, ADMIN)
    return product.client(headers={"authorization": f"Bearer {token}"})


def code(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def fault(answer: httpx2.Response) -> tuple[int, str, str]:
    """The status, and field and reason of the first detail."""
    detail = answer.json()["details"][0]
    return answer.status_code, detail["field"], detail["reason"]


def audited(db: Database, action: str) -> list[dict[str, Any]]:
    found = select(AuditLog).where(AuditLog.action == action).order_by(AuditLog.id)
    return [dict(row) for row in db.read_now(lambda tx: tx.execute(found).mappings().all())]


def reserve(db: Database, person: Person, slot_id: int, **more: Any) -> int:
    """A reservation straight in the table."""
    return db.write_now(_reserve, person, slot_id, more)


def _reserve(tx: Tx, person: Person, slot_id: int, more: dict[str, Any]) -> int:
    slot = tx.execute(select(ReservationSlot).where(ReservationSlot.id == slot_id)).mappings().one()
    copied = ("reservation_type_id", "service_date_local", "start_minute_of_day", "duration_minutes")
    row = {
        "staff_uid": person.staff_uid,
        "staff_id": person.staff_id,
        "slot_id": slot_id,
        "period_key": "FY2025",
        "created_at": tx.now,
        "updated_at": tx.now,
        **{name: slot[name] for name in copied},
    }
    made: int = tx.execute(insert(Reservation).values({**row, **more}).returning(Reservation.id)).scalar_one()
    return made


def key() -> dict[str, str]:
    return {"idempotency-key": uuid.uuid4().hex}
