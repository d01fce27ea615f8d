"""The office at its desk: people in the sandbox, a logged-in browser, and the form that makes an event."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import orjson
from PIL import Image
from sqlalchemy import insert, select

from tests.conftest import NOON
from tests.events.broadcast.crowd import people
from tests.factories.product import ADMIN, JSON, LIFF_ID, Box, Product
from tsudoi.access.admins.models import AdminUser
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.base import Base
from tsudoi.core.models import AuditLog, IdempotencyKey
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery, EventPushStats
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.roster.members.models import Member

URL = "/api/admin/events"
HELD_AT = "2025-09-10T19:00:00+09:00"
FIRST = 101
# What an event leaves behind, wherever that is.
TRACES: tuple[type[Base], ...] = (Event, EventTarget, EventBroadcast, EventChunk, EventDelivery)
TRACES += (EventPushStats, EventResponse, IdempotencyKey)

Fields = dict[str, Any]


def picture(width: int = 64, height: int = 48, **options: Any) -> bytes:
    target = BytesIO()
    Image.new("RGB", (width, height), "#335577").save(target, "JPEG", **options)
    return target.getvalue()


JPEG = picture()


@dataclass
class Desk:
    product: Product
    box: Box
    clock: ManualClock
    # LINE user ids of the members 101, 102, …
    users: dict[int, str] = field(default_factory=dict)

    @property
    def http(self) -> httpx2.Client:
        return self.product.http

    def enrol(self, count: int, *, first: int = FIRST, linked: bool = True, **more: Any) -> list[int]:
        """Members with these numbers; linked ones are friends in the sandbox."""
        ids = list(range(first, first + count))
        users: list[str | None] = [None] * count
        if linked:
            users = self.box.http.post("/_sandbox/users/crowd", json={"count": count}).json()["user_ids"]
            self.users |= dict(zip(ids, [user for user in users if user], strict=True))
        now = {"created_at": NOON, "updated_at": NOON}
        rows = [
            {"id": one, "name": f"会員 {one}", "name_key": f"会員{one}", "display_order": one, "line_user_id": user}
            | {"is_target": 1, **now, **more}
            for one, user in zip(ids, users, strict=True)
        ]
        self.product.db.write_now(lambda tx: tx.execute(insert(Member), rows))
        return ids

    def form(self, **changes: Any) -> Fields:
        """A good form; None leaves a field out."""
        good = {"title": "理事会9月", "held_at": HELD_AT, "target_member_ids": orjson.dumps(list(self.users)).decode()}
        return {name: value for name, value in {**good, **changes}.items() if value is not None}

    def create(
        self, key: str | None = None, *, image: bytes | None = JPEG, wait: int | None = None, **changes: Any
    ) -> httpx2.Response:
        files: dict[str, Any] = {} if image is None else {"image": ("notice.jpg", image, "image/jpeg")}
        files |= {name: (None, value) for name, value in self.form(**changes).items()}
        query = {} if wait is None else {"wait": wait}
        return self.http.post(URL, files=files, headers=_keyed(key), params=query)

    def made(self, **more: Any) -> int:
        answer = self.create(**more)
        assert answer.status_code == 201, answer.text
        return int(answer.json()["event_id"])

    def post(self, path: str, key: str | None = None, **body: Any) -> httpx2.Response:
        return self._say("POST", path, key, body)

    def change(self, event_id: int, key: str | None = None, **body: Any) -> httpx2.Response:
        return self._say("PATCH", f"/{event_id}", key, body)

    def _say(self, method: str, path: str, key: str | None, body: Fields) -> httpx2.Response:
        """Every character escaped, so that what cannot be written in UTF-8 can be sent too."""
        return self.http.request(method, f"{URL}{path}", content=json.dumps(body), headers={**JSON, **_keyed(key)})

    def log_in(self) -> None:
        """Also when the clock went past the end of the session."""
        self.http.headers["x-csrf-token"] = self.product.log_in().json()["csrf_token"]

    def detail(self, event_id: int) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get(f"{URL}/{event_id}").raise_for_status().json()
        return found

    def rows(self, model: type[Base]) -> list[dict[str, Any]]:
        return self.product.rows(model)

    def traces(self) -> dict[str, int]:
        """How much there is of everything that an event leaves behind, its files and its key included."""
        counted = {model.__tablename__: len(self.rows(model)) for model in TRACES}
        return {**counted, "files": len(self.files())}

    def files(self) -> list[Path]:
        """The pictures; the stamp of the folder is none."""
        found = self.product.settings.media_dir.rglob("*")
        return [path for path in found if path.is_file() and not path.name.startswith(".")]

    def audit(self) -> list[dict[str, Any]]:
        kept = [row for row in self.rows(AuditLog) if row["action"].startswith("EVENT_")]
        return [{**row, "old": _loaded(row["old"]), "new": _loaded(row["new"])} for row in kept]

    def heard(self, member_id: int) -> list[dict[str, Any]]:
        """What stands in this member's chat."""
        return [row["message"] for row in self.box.chat(self.users[member_id])]

    def texts(self, member_id: int) -> list[str]:
        return [message["text"] for message in self.heard(member_id) if message["type"] == "text"]

    def told(self) -> dict[int, int]:
        """How many calls of ours reached each member, whoever was reached at all."""
        rows = self.box.http.get("/_sandbox/deliveries").json()["deliveries"]
        by_user = {user: member_id for member_id, user in self.users.items()}
        counted: dict[int, int] = {}
        for row in rows:
            member_id = by_user[row["user_id"]]
            counted[member_id] = counted.get(member_id, 0) + 1
        return dict(sorted(counted.items()))

    def answer(self, event_id: int, member_id: int, status: str = "attend") -> httpx2.Response:
        return self.post(f"/{event_id}/answers", member_id=member_id, status=status)

    def quota(self, limit: int | None, used: int = 0) -> None:
        told = {"type": "none"} if limit is None else {"type": "limited", "value": limit}
        self.box.http.put("/_sandbox/quota", json={**told, "total_usage": used}).raise_for_status()

    def set(self, member_id: int, **values: Any) -> None:
        self.product.db.write_now(
            lambda tx: tx.execute(Member.__table__.update().where(Member.id == member_id).values(**values))  # type: ignore[attr-defined]
        )

    def worker_finishes(self) -> None:
        for _ in range(20):
            self.product.drain()
            if not self._waiting():
                return
            self.clock.advance(timedelta(minutes=16))
        raise AssertionError("something stays unfinished")

    def _waiting(self) -> bool:
        return any(row["status"] == "PENDING" for row in people(self.product.db))


def link(event_id: int | str) -> str:
    return f"https://liff.line.me/{LIFF_ID}/events/{event_id}"


def faults(answer: httpx2.Response) -> dict[str, str]:
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_INPUT"), answer.text
    return {detail["field"]: detail["reason"] for detail in answer.json()["details"]}


def refusal(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def jst(year: int, month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime.fromisoformat(f"{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:00+09:00")


def desk_at(product: Product, box: Box, clock: ManualClock, people: int = 3) -> Desk:
    product.make_admin()
    desk = Desk(product, box, clock)
    desk.log_in()
    desk.enrol(people)
    return desk


def admin_id(desk: Desk) -> int:
    found: int = desk.product.db.read_now(lambda tx: tx.scalar(select(AdminUser.id).where(AdminUser.username == ADMIN)))
    return found


def _keyed(key: str | None) -> dict[str, str]:
    return {} if key is None else {"idempotency-key": key}


def _loaded(text: str | None) -> Any:
    return None if text is None else orjson.loads(text)


def listed(ids: Sequence[int]) -> str:
    return orjson.dumps(list(ids)).decode()
