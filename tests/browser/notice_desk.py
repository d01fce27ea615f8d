"""What the tests about notices do behind the screens: people with LINE, LINE's faults, the command, and the rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.browser.admin_desk import colleague
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital, Person


@dataclass(frozen=True)
class NoticeDesk:
    """A hospital, the sandbox as LINE, and the database behind it for what only days bring about."""

    demo: Demo
    hospital: Hospital
    box: httpx2.Client

    def linked(self, family_name: str, **more: Any) -> Person:
        """A staff person who has linked LINE."""
        person = self.hospital.person(family_name, **more)
        user_id = self.box.post("/_sandbox/users", json={"display_name": person.name}).json()["user_id"]
        self.box.post(f"/_sandbox/users/{user_id}/follow").raise_for_status()
        self.sql("UPDATE staffs SET line_user_id = ? WHERE staff_uid = ?", user_id, person.staff_uid)
        return person

    def booked(self, family_name: str, ahead: int = 9, **slot: Any) -> int:
        """A reservation of somebody with LINE, whose confirmation has been tried."""
        return self.hospital.book(self.linked(family_name), self.hospital.slot(ahead, **slot))

    def failed(self, family_name: str, kind: str = "quota_exhausted") -> int:
        """A reservation whose confirmation LINE has refused."""
        self.breaks(kind, times=1)
        reservation_id = self.booked(family_name)
        self.mends()
        return reservation_id

    def breaks(self, kind: str, **more: Any) -> None:
        rule = {"kind": kind, "endpoint": "push", **more}
        self.box.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()

    def mends(self) -> None:
        self.box.delete("/_sandbox/faults").raise_for_status()

    def send(self) -> None:
        """The command that a server runs each minute."""
        self.demo.command("notifications", "send")

    def cell(self, reservation_id: int, kind: str = "CONFIRMATION") -> dict[str, Any]:
        [row] = self.hospital.office.get(f"notifications?query={reservation_id}")["items"]
        found: dict[str, Any] = row["cells"][kind]
        return found

    def chat(self, person: Person) -> list[str]:
        """What stands on the person's phone."""
        [(user_id,)] = self.sql("SELECT line_user_id FROM staffs WHERE staff_uid = ?", person.staff_uid)
        entries = self.box.get(f"/_sandbox/users/{user_id}/chat").json()["messages"]
        return [str(entry["message"].get("text") or entry["message"].get("altText")) for entry in entries]

    def sql(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.demo.data_dir / "tsudoi.sqlite3", timeout=30)) as database, database:
            return database.execute(statement, values).fetchall()


@contextmanager
def open_notice_desk(demo: Demo) -> Iterator[NoticeDesk]:
    with colleague(demo) as somebody, httpx2.Client(base_url=demo.phones, timeout=60, trust_env=False) as box:
        desk = NoticeDesk(demo, Hospital(somebody), box)
        yield desk
        desk.mends()
