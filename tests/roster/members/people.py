"""Members for tests, put straight into the table as the sync would, and the office that looks at them."""

from typing import Any

import httpx2
from sqlalchemy import insert, select

from tests.factories.product import ADMIN, Product
from tsudoi.access.admins import service as admins
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.models import AuditLog
from tsudoi.core.names import name_key
from tsudoi.roster.members.models import Member


def enrol(db: Database, *members: tuple[int, str], nfkc: bool = False, **more: Any) -> None:
    db.write_now(_enrol, members, nfkc, more)


def _enrol(tx: Tx, members: tuple[tuple[int, str], ...], nfkc: bool, more: dict[str, Any]) -> None:
    for member_id, name in members:
        key = name_key(name, nfkc=nfkc)
        row = {"id": member_id, "name": name, "name_key": key, "created_at": tx.now, "updated_at": tx.now}
        tx.execute(insert(Member).values({**row, **more}))


def member(db: Database, member_id: int) -> dict[str, Any]:
    return dict(db.read_now(lambda tx: tx.execute(select(Member).where(Member.id == member_id)).mappings().one()))


def links(db: Database) -> dict[int, str]:
    """Who is linked to whom."""
    found = select(Member.id, Member.line_user_id).where(Member.line_user_id.is_not(None)).order_by(Member.id)
    return {row.id: row.line_user_id for row in db.read_now(lambda tx: tx.execute(found).all())}


def audited(db: Database) -> list[dict[str, Any]]:
    found = db.read_now(lambda tx: tx.execute(select(AuditLog).order_by(AuditLog.id)).mappings().all())
    return [dict(row) for row in found if row["action"] != "ADMIN_TOKEN"]


def office(product: Product) -> httpx2.Client:
    """The product's own client, from now on with a bearer token of the office."""
    product.make_admin()
    token = product.db.write_now(admins.create_token, ADMIN)
    product.http.headers["authorization"] = f"Bearer {token}"
    return product.http


def code(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]
