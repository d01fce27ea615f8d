"""The office's list of notices: filters, pages, Japanese times, and who can be reached."""

from datetime import timedelta

import pytest

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import code
from tests.factories.product import Box
from tests.product_fixtures import sqlite_only
from tsudoi.booking.notices.schemas import NoticeRow
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.clock import ManualClock
from tsudoi.notifications.notices.models import NotificationJob


def ids(screen: Screen, **asked: object) -> list[int]:
    return [row["reservation_id"] for row in screen.rows(**asked)]


@pytest.mark.row("2.4.7")
def test_times_are_japanese(silent_screen: Screen) -> None:
    hospital, anna = silent_screen.hospital, silent_screen.somebody()
    reservation_id = anna.booked(hospital.slot(hospital.type(), "2026-12-10", 8 * 60))
    row = silent_screen.row(reservation_id)
    assert (row["begins_at"], row["cells"]["REMINDER"]["scheduled_at"]) == ("2026/12/10 08:00", "2026/12/08 08:00")
    assert row["cells"]["REMINDER"]["message"].startswith("2026/12/08 08:00 に送る予定です。")
    assert "+00:00" not in silent_screen.office.get("/api/admin/notifications").text


def test_pages_and_days(silent_screen: Screen) -> None:
    hospital, type_id = silent_screen.hospital, silent_screen.hospital.type(limit_per_year=None)
    anna = silent_screen.somebody()
    made = [anna.booked(hospital.slot(type_id, f"2025-09-{10 + day}")) for day in range(5)]
    assert ids(silent_screen) == made[::-1]
    assert ids(silent_screen, **{"from": "2025-09-11", "to": "2025-09-13"}) == made[3:0:-1]
    seen, page = list[int](), None
    while True:
        asked = {"limit": 2, **({"page": page} if page else {})}
        answer = silent_screen.office.get("/api/admin/notifications", params=asked).json()
        seen += [row["reservation_id"] for row in answer["items"]]
        page = answer["next_cursor"]
        if page is None:
            break
    assert seen == made[::-1]


def test_searching(silent_screen: Screen) -> None:
    screen, hospital = silent_screen, silent_screen.hospital
    slot_id = hospital.slot(hospital.type(), capacity=9)
    takahashi = screen.somebody(number=446_752, family_name="髙橋", given_name="一郎", search_text="高橋一郎446752")
    suzuki = screen.somebody(number=91, family_name="鈴木", given_name="花子", search_text="鈴木花子91")
    first, second = takahashi.booked(slot_id), suzuki.booked(slot_id)
    assert ids(screen, query="高橋") == ids(screen, query="髙橋 一郎") == [first]
    assert ids(screen, query=str(second)) == ids(screen, query="91") == ids(screen, query="９１") == [second]
    assert ids(screen, query="446752") == [first]
    assert ids(screen, query="4467") == ids(screen, query="9" * 30) == ids(screen, query="%") == []
    assert set(ids(screen, query=" ")) == {first, second}


def test_by_kind(silent_screen: Screen) -> None:
    hospital, type_id = silent_screen.hospital, silent_screen.hospital.type(limit_per_year=None)
    anna = silent_screen.somebody()
    kept, canceled, soon = (
        anna.booked(hospital.slot(type_id, day)) for day in ("2025-09-10", "2025-09-11", "2025-08-17")
    )
    anna.cancel(canceled)
    assert set(ids(silent_screen, kind="CONFIRMATION")) == {kept, canceled, soon}
    assert set(ids(silent_screen, kind="REMINDER")) == {kept, canceled}
    assert ids(silent_screen, kind="CANCEL_COMPLETED") == [canceled]
    assert ids(silent_screen, kind="REMINDER", status="PENDING") == [kept]


@sqlite_only
def test_what_is_asked_wrongly(silent_screen: Screen) -> None:
    for asked in ({"status": "SENDING"}, {"kind": "OTHER"}, {"from": "2025-02-30"}, {"page": "x"}, {"limit": 0}):
        answer = silent_screen.office.get("/api/admin/notifications", params=asked)
        assert code(answer) == (400, "INVALID_INPUT"), asked


def test_who_can_be_reached(screen: Screen, box: Box) -> None:
    """LINE takes messages to somebody who has blocked the account: SENT, and nobody sees it."""
    hospital, type_id = screen.hospital, screen.hospital.type()
    anna, ben, carl = screen.somebody(), screen.somebody(), screen.somebody(linked=False)
    user_id = screen.line_user(anna)
    box.does(user_id, "block")
    screen.product.drain()
    rows = [screen.row(person.booked(hospital.slot(type_id))) for person in (anna, ben, carl)]
    assert [(row["line_linked"], row["reachable"]) for row in rows] == [(True, False), (True, True), (False, False)]
    cell = rows[0]["cells"]["CONFIRMATION"]
    assert (cell["status"], cell["reachable"]) == ("SENT", False)
    assert "ブロック" in cell["message"]


def test_a_hold_and_a_cancellation_have_their_state(silent_screen: Screen) -> None:
    hospital, type_id = silent_screen.hospital, silent_screen.hospital.type(limit_per_year=None)
    anna = silent_screen.somebody()
    kept, canceled, held = (anna.booked(hospital.slot(type_id, f"2025-09-1{day}")) for day in range(3))
    anna.cancel(canceled)
    still = hospital.now + timedelta(minutes=30)
    hospital.change(Reservation, held, confirmed_at=None, hold_expires_at=still)
    states = {row["reservation_id"]: row["state"] for row in silent_screen.rows()}
    assert states == {kept: "confirmed", canceled: "canceled", held: "hold"}
    assert set(silent_screen.row(kept)) == set(NoticeRow.model_fields)


@pytest.mark.row("2.11.2", "2.11.4")
def test_the_summary(screen: Screen, box: Box, clock: ManualClock) -> None:
    hospital, anna, ben = screen.hospital, screen.somebody(), screen.somebody()
    type_id = hospital.type()
    box.http.put("/_sandbox/quota", json={"type": "limited", "value": 100}).raise_for_status()
    anna.booked(hospital.slot(type_id, "2025-08-20"))
    found = screen.summary()
    assert found["counts"] == {"PENDING": 1, "SENT": 1, "FAILED": 0, "UNKNOWN": 0, "DASH": 1, "NONE": 0}
    assert (found["oldest_due"], found["failures_in_a_row"], found["paused"]) == (None, 0, None)
    assert (found["dry_run"], found["last_run"]) == (False, None)
    # The reminder goes out on the 18th, and so it counts for this month.
    assert found["quota"] == {"limit": 100, "used": 1, "left": 98, "promised": 1}
    box.breaks("quota_exhausted", "push")
    failed = ben.booked(hospital.slot(type_id))
    hospital.change(NotificationJob, screen.job(failed, "REMINDER").job_id, scheduled_at=hospital.now)
    clock.advance(timedelta(minutes=11))
    found = screen.summary()
    assert found["causes"] == [{"reason": "QUOTA", "count": 1, "resendable": 1}]
    assert (found["oldest_due"], found["failures_in_a_row"]) == ("2025/08/16 12:00", 1)
    paused = screen.office.post("/api/admin/notifications/pause", json={"reason": "文面を確認するため"})
    assert paused.status_code == 200
    assert screen.summary()["paused"]["reason"] == "文面を確認するため"
    box.breaks("timeout_before_accept", "quota", seconds=5)
    assert screen.summary()["quota"] is None
