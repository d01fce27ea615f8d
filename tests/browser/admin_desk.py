"""What somebody else in the office does meanwhile, through the product's own API."""

import csv
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.browser.conftest import Demo
from tsudoi.commands.demo_people import roster


@dataclass(frozen=True)
class Colleague:
    client: httpx2.Client

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/admin/{path}").raise_for_status().json()

    def send(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.client.request(method, f"/api/admin/{path}", json=body).raise_for_status()
        return answer.json() if answer.content else None

    def group(self, *member_ids: int, sort_order: int | None = None) -> tuple[int, str]:
        """A group of its own for each test: the demo is shared."""
        name = f"会 {uuid.uuid4().hex[:8]}"
        made: int = self.send("POST", "audiences", {"name": name, "sort_order": sort_order})["id"]
        if member_ids:
            self.send("PUT", f"audiences/{made}/members", {"member_ids": list(member_ids)})
        return made, name

    def members_of(self, audience_id: int) -> list[int]:
        return [row["member_id"] for row in self.get(f"audiences/{audience_id}/members")["items"]]


@contextmanager
def colleague(demo: Demo) -> Iterator[Colleague]:
    headers = demo.session("colleague").headers
    with httpx2.Client(base_url=demo.product, headers=headers, timeout=60, trust_env=False) as client:
        yield Colleague(client)


def big_roster(folder: Path, members: int, wrong: int = 0) -> Path:
    """The demo's sheet and many more people, as a file; `wrong` rows at the end have no name."""
    rows = roster()
    first = len(rows)
    rows += [
        [number, f"会員 {number:04}号", number * 10, "member", "", "", "", "", ""]
        for number in range(first, members + 1)
    ]
    rows += [[members + 1 + number, "", "", "member", "", "", "", "", ""] for number in range(wrong)]
    path = folder / "roster.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path
