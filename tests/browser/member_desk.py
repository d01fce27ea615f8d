"""What the office does so that members have something to answer, through the product's own API."""

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
from PIL import Image, ImageDraw

from tsudoi.commands.demo import ADMIN, PASSWORD
from tsudoi.commands.demo_people import FRIENDS
from tsudoi.core.clock import JST

LIFF = "/liff/1650000000-tsudoiDM"
USER_IDS = {friend.name: friend.user_id for friend in FRIENDS}


def flyer(width: int = 840, height: int = 1188) -> bytes:
    image = Image.new("RGB", (width, height), "#fffdf5")
    draw = ImageDraw.Draw(image)
    draw.rectangle((30, 30, width - 30, height - 30), outline="#1f5f57", width=8)
    draw.rectangle((90, 120, width - 90, 260), fill="#1f5f57")
    for line in range(360, height - 160, 60):
        draw.line((110, line, width - 110, line), fill="#b9c8c4", width=10)
    draw.ellipse((width - 300, height - 300, width - 120, height - 120), fill="#d9765a")
    data = io.BytesIO()
    image.save(data, "JPEG", quality=80)
    return data.getvalue()


@dataclass(frozen=True)
class Desk:
    product: str
    phones: str
    data_dir: Path
    client: httpx2.Client
    headers: dict[str, str]

    def member_ids(self) -> dict[str, int]:
        """Those whom LINE reaches, by name."""
        found = self.client.get("/api/admin/recipients/candidates", params={"all": 1}).json()["items"]
        return {row["name"]: row["member_id"] for row in found}

    def invite(self, title: str, names: tuple[str, ...] = (), days: float = 7, **fields: Any) -> int:
        """A new event, sent to these members or to everybody."""
        everybody = self.member_ids()
        ids = [everybody[name] for name in names] or list(everybody.values())
        held_at = (datetime.now(JST) + timedelta(days=days)).replace(minute=0, second=0, microsecond=0)
        data = {"title": title, "held_at": held_at.isoformat(), "target_member_ids": json.dumps(ids), **fields}
        files = {"image": ("flyer.jpg", flyer(), "image/jpeg")}
        made = self.client.post("/api/admin/events", data=data, files=files, headers=self.headers)
        assert made.status_code == httpx2.codes.CREATED, made.text
        event_id: int = made.json()["event_id"]
        return event_id

    def cancel(self, event_id: int, reason: str) -> None:
        body = {"reason": reason, "notify": False}
        made = self.client.post(f"/api/admin/events/{event_id}/cancellation", json=body, headers=self.headers)
        assert made.is_success, made.text

    def answer_for(self, event_id: int, name: str, status: str, memo: str | None = None) -> None:
        body = {"member_id": self.member_ids()[name], "status": status, "extra_text": memo}
        made = self.client.post(f"/api/admin/events/{event_id}/answers", json=body, headers=self.headers)
        assert made.is_success, made.text

    def set_time(self, event_id: int, column: str, days: float) -> None:
        """Nobody can make an event in the past or give it a deadline by the API; time does."""
        at = (datetime.now(JST) + timedelta(days=days)).isoformat(timespec="seconds")
        self._sql(f"UPDATE events SET {column} = ? WHERE id = ?", at, event_id)

    def add_target(self, event_id: int, name: str) -> None:
        """Somebody who is asked although LINE does not reach them yet."""
        self._sql(
            "INSERT INTO event_targets (event_id, member_id) SELECT ?, id FROM members WHERE name = ?", event_id, name
        )

    def repeat(self, event_id: int, count: int) -> None:
        """The same event again and again, for the same people."""
        columns = "body, held_at, image_url, image_preview_url, created_by_admin, created_at, updated_at"
        copy = f"INSERT INTO events (title, {columns}) SELECT ?, {columns} FROM events WHERE id = ?"
        for number in range(1, count + 1):
            self._sql(copy, f"定例会 第{number}回", event_id)
        asked = """INSERT INTO event_targets (event_id, member_id)
            SELECT e.id, t.member_id FROM events e, event_targets t
            WHERE e.title LIKE '定例会 第%' AND t.event_id = ?"""
        self._sql(asked, event_id)

    def answers(self, event_id: int) -> list[tuple[str, str | None]]:
        """Every row of the event in the order of its coming."""
        return self._sql("SELECT status, extra_text FROM event_responses WHERE event_id = ? ORDER BY id", event_id)

    def _sql(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.data_dir / "tsudoi.sqlite3", timeout=10)) as database, database:
            return database.execute(statement, values).fetchall()

    def link(self, name: str, path: str = "") -> str:
        """The LIFF address as somebody's phone opens it."""
        return f"{self.phones}{LIFF}/{path}?as={USER_IDS.get(name, name)}"


@contextmanager
def open_desk(product: str, phones: str, data_dir: Path) -> Iterator[Desk]:
    with httpx2.Client(base_url=product, timeout=60, trust_env=False) as client:
        token = client.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).json()["csrf_token"]
        yield Desk(product, phones, data_dir, client, {"x-csrf-token": token})
