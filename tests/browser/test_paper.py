"""What people print: every sheet has its head, nobody's name is covered, and nothing of the frame is on paper."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital, day
from tests.browser.member_desk import open_desk
from tests.browser.paper import printed
from tests.browser.thread_form import ThreadDesk, by_mail, slot
from tests.factories.threads import BY_HAND

OpenPage = Callable[..., Page]
MANY = 70
# The roster gets people who belong to nobody's sheet.
OWN_DEMO = True


@dataclass(frozen=True)
class Filled:
    """A demo with more people everywhere than fit on a sheet of paper."""

    event: int
    thread: str
    token: str
    slot: int
    type: int
    staff: str


def fill(demo: Demo) -> Filled:
    with colleague(demo) as somebody:
        hospital = Hospital(somebody)
        full = hospital.slot(ahead=3, capacity=MANY)
        people = [hospital.person(f"職員{number:02}") for number in range(MANY)]
        for person in people:
            hospital.book(person, full)
        threads = ThreadDesk(somebody.client, demo.data_dir)
        slots = [slot(days, hour) for days in range(4, 11) for hour in (10, 14)]
        names = [f"委員 {number:02}" for number in range(MANY)]
        thread = threads.make("地域連携協議会", invitees=by_mail(*names), slots=slots, rule=BY_HAND)
        for name in names[::3]:
            threads.answer(thread.tokens[name], *thread.slots[::2], comment="午後は外来があります。")
    _crowd(demo)
    with open_desk(demo.product, demo.phones, demo.data_dir) as desk:
        event = desk.invite("臨時総会", extra_text_enabled="true")
        desk.answer_for(event, "会員 00", "attend", "懇親会にも出席します。")
        desk.repeat(event, MANY)
    return Filled(event, thread.id, thread.tokens[names[0]], full, hospital.type_id, people[0].staff_uid)


def _crowd(demo: Demo) -> None:
    """Members whom LINE reaches."""
    answer = httpx2.post(f"{demo.phones}/_sandbox/users/crowd", json={"count": MANY}, timeout=60, trust_env=False)
    rows = [(10_000 + at, f"会員 {at:02}", user_id) for at, user_id in enumerate(answer.json()["user_ids"])]
    with closing(sqlite3.connect(demo.data_dir / "tsudoi.sqlite3", timeout=30)) as database, database:
        database.executemany(
            "INSERT INTO members (id, name, name_key, line_user_id, is_target, created_at, updated_at)"
            " VALUES (?, ?, '', ?, 1, '2025-08-16T12:00:00+09:00', '2025-08-16T12:00:00+09:00')",
            rows,
        )
