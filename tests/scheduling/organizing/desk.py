"""The office at its desk: an organiser with a bearer token, members and groups in the roster, and the tables."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
import orjson
from sqlalchemy import insert, select, text

from tests.conftest import NOON
from tests.factories.product import ADMIN, Product
from tsudoi.access.admins import service as admins
from tsudoi.access.admins.models import AdminUser
from tsudoi.core.clock import ManualClock, jst_text
from tsudoi.core.db.base import Base
from tsudoi.core.models import AuditLog
from tsudoi.line.friends.service import record_following
from tsudoi.roster.audiences.models import Audience, AudienceMember
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
)

URL = "/api/threads"
RAJ, MEI = {"name": "Raj Patel", "email": "raj.patel@example.com"}, {"name": "林 芽衣", "email": "mei@example.jp"}
# What a thread leaves behind, wherever that is.
TRACES: tuple[type[Base], ...] = (SchedulingThread, AttendanceRule, SchedulingSlot, ThreadInvite, ThreadSelection)
TRACES += (ThreadFinalize, ThreadMessage)


@dataclass
class Desk:
    product: Product
    clock: ManualClock
    admin_id: int
    bearer: dict[str, str]

    @property
    def user_id(self) -> str:
        return f"admin:{self.admin_id}"

    def post(self, path: str = "", body: Any = None, **headers: str) -> httpx2.Response:
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.product.http.post(URL + path, json={} if body is None else body, headers=self.bearer | more)

    def get(self, path: str = "", **query: Any) -> httpx2.Response:
        return self.product.http.get(URL + path, params=query, headers=self.bearer)

    def delete(self, path: str) -> httpx2.Response:
        return self.product.http.delete(URL + path, headers=self.bearer)

    def put(self, path: str, body: Any) -> httpx2.Response:
        return self.product.http.put(URL + path, json=body, headers=self.bearer)

    def patch(self, path: str, body: Any) -> httpx2.Response:
        return self.product.http.patch(URL + path, json=body, headers=self.bearer)

    def create(self, **body: Any) -> dict[str, Any]:
        """A thread without suggestions of a model, unless the test wants them."""
        answer = self.post(body={"title": "役員会", "invitees": [], **body})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def respond(self, candidate: dict[str, Any], *slot_ids: str, **more: Any) -> httpx2.Response:
        answer = {"status": "selected", "selected_slot_ids": list(slot_ids)} if slot_ids else {"status": "declined"}
        return self.product.http.post(f"/i/{candidate['invite_token']}/respond", json={**answer, **more})

    def rows(self, model: type[Base], **where: Any) -> list[dict[str, Any]]:
        return [row for row in self.product.rows(model) if all(row[name] == value for name, value in where.items())]

    def traces(self) -> dict[str, int]:
        return {model.__tablename__: len(self.product.rows(model)) for model in TRACES}

    def sql(self, statement: str, **given: Any) -> list[tuple[Any, ...]]:
        return self.product.db.read_now(lambda tx: [tuple(row) for row in tx.execute(text(statement), given)])

    def run(self, *statements: str) -> None:
        self.product.db.write_now(lambda tx: [tx.execute(text(one)) for one in statements])

    def refuse(self, table: str, when: str = "1 = 1") -> None:
        """From now on the database refuses such rows, with a text that nobody outside may see."""
        if self.product.db.dialect == "sqlite":
            body = "BEGIN SELECT RAISE(ABORT, 'secret of the database'); END"
            self.run(f"CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table} WHEN {when} {body}")
            return
        body = "BEGIN RAISE EXCEPTION 'secret of the database'; END"
        self.run(
            f"CREATE FUNCTION refuse_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$",
            f"CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table} FOR EACH ROW WHEN ({when}) "
            f"EXECUTE FUNCTION refuse_{table}()",
        )

    def audit(self, thread_id: str) -> list[dict[str, Any]]:
        rows = self.rows(AuditLog, subject=f"thread:{thread_id}")
        return [{**row, **{name: orjson.loads(row[name] or "null") for name in ("old", "new")}} for row in rows]

    def actions(self, thread_id: str) -> list[str]:
        return [row["action"] for row in self.audit(thread_id)]

    def enrol(self, *ids: int, **more: Any) -> None:
        row = {"is_target": 1, "created_at": NOON, "updated_at": NOON, **more}
        rows = [{"id": one, "name": f"会員 {one}", "name_key": f"会員{one}", "display_order": one} | row for one in ids]
        self.product.db.write_now(lambda tx: tx.execute(insert(Member), rows))
        if more.get("line_user_id"):
            self.follows(more["line_user_id"])

    def follows(self, user_id: str) -> None:
        """A friend of the sandbox has added our account."""
        self.product.db.write_now(record_following, user_id, 0, following=True)

    def group(self, audience_id: int, *member_ids: int) -> int:
        named = {"id": audience_id, "name": f"グループ{audience_id}", "created_at": NOON, "updated_at": NOON}
        people = [{"audience_id": audience_id, "member_id": one} for one in member_ids]
        self.product.db.write_now(lambda tx: tx.execute(insert(Audience), [named]))
        if people:
            self.product.db.write_now(lambda tx: tx.execute(insert(AudienceMember), people))
        return audience_id

    def slot(self, days: float = 1, hours: float = 1, **more: Any) -> dict[str, Any]:
        start = self.clock.now() + timedelta(days=days)
        return {"start_at": jst_text(start), "end_at": jst_text(start + timedelta(hours=hours)), **more}


def desk_at(product: Product, clock: ManualClock) -> Desk:
    known = product.db.read_now(lambda tx: tx.scalar(select(AdminUser.id).where(AdminUser.username == ADMIN)))
    admin_id = known or product.make_admin()
    token = product.db.write_now(admins.create_token, ADMIN)
    return Desk(product, clock, admin_id, {"authorization": f"Bearer {token}"})
