"""The hospital of the demo: something of everything, counts that are right, and nothing new at the second start."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from tests.booking.office import office
from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.pins.rules import INITIAL_PIN
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.staffs.rules import full_name, person_name, staff_number
from tsudoi.commands.demo_booking import make_hospital
from tsudoi.commands.demo_environment import BOOKING_SECRETS
from tsudoi.commands.demo_people import make_friends
from tsudoi.commands.demo_staff import PIN, STAFF_ID, make_staff_friends, staff_rows
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.notifications.notices.models import NotificationJob, NotificationSkip

TABLES = (StaffAccount, ReservationSlot, SlotQuota, Reservation, WaitingPlace)
# A working day, a Sunday, the last days of a fiscal year, and the turn of a year.
MOMENTS = ("2025-08-20T03:00", "2025-08-24T03:00", "2026-03-30T14:59", "2025-12-31T15:01")


def everything(tx: ReadTx) -> list[list[tuple[object, ...]]]:
    return [[tuple(row) for row in tx.execute(select(*table.__table__.c))] for table in TABLES]


@sqlite_only
@pytest.mark.parametrize("moment", [*MOMENTS, "2025-08-20T14:19", "2025-08-20T14:21", "2025-08-20T14:59"])
def test_somebody_with_line_is_reminded_in_some_minutes(db: Database, clock: ManualClock, moment: str) -> None:
    clock.advance(datetime.fromisoformat(moment).replace(tzinfo=UTC) - clock.now())
    db.write_now(make_hospital)
    jobs = db.read_now(lambda tx: tx.execute(select(NotificationJob.__table__)).all())
    pending = [job for job in jobs if job.status == "PENDING"]
    first = min(pending, key=lambda job: job.scheduled_at)
    assert first.kind == "REMINDER"
    assert timedelta(minutes=5) < first.scheduled_at - clock.now() < timedelta(minutes=50)


@sqlite_only
def test_most_people_are_told_by_line(db: Database) -> None:
    db.write_now(make_hospital)
    jobs = db.read_now(lambda tx: tx.execute(select(NotificationJob.__table__)).all())
    skips = db.read_now(lambda tx: tx.execute(select(NotificationSkip.__table__)).all())
    assert {job.status for job in jobs} == {"SENT", "PENDING"}
    assert len(jobs) > len(skips) > 0
    reservations = db.read_now(lambda tx: set(tx.execute(select(Reservation.id)).scalars()))
    assert {row.reservation_id for row in (*jobs, *skips)} == reservations


@sqlite_only
def test_the_linked_staff_have_phones(db: Database, box: Box) -> None:
    db.write_now(make_hospital)
    make_friends(box.url)
    before = len(box.http.get("/_sandbox/webhooks").json()["webhooks"])
    for _ in range(2):
        make_staff_friends(box.url)
    linked = db.read_now(lambda tx: set(tx.execute(select(StaffAccount.line_user_id)).scalars())) - {None}
    people = box.http.get("/_sandbox/users").json()["users"]
    assert linked <= {person["user_id"] for person in people if person["following"]}
    assert len(people) == len({person["user_id"] for person in people})
    assert len(box.http.get("/_sandbox/webhooks").json()["webhooks"]) == before


@sqlite_only
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_counts_are_right_on_every_day(db: Database, clock: ManualClock, moment: str) -> None:
    clock.advance(datetime.fromisoformat(moment).replace(tzinfo=UTC) - clock.now())
    db.write_now(make_hospital)
    assert db.read_now(lambda tx: list(flaws(tx))) == []
    shown = db.read_now(lambda tx: tx.execute(select(ReservationSlot.status, ReservationSlot.booking_start)).all())
    assert {slot.status for slot in shown} == {"draft", "published", "closed"}
    assert sum(slot.booking_start is not None for slot in shown) == 1


def test_a_second_start_changes_nothing(db: Database) -> None:
    db.write_now(make_hospital)
    first = db.read_now(everything)
    db.write_now(make_hospital)
    assert db.read_now(everything) == first
    assert list(map(len, first[:1])) == [60]


def test_the_people_are_as_the_product_makes_them(clock: ManualClock) -> None:
    people = staff_rows(clock.now())
    names = [full_name(row["family_name"], row["given_name"]) for row in people]
    assert [row["staff_id"] for row in people if staff_number(row["staff_id"]) != row["staff_id"]] == []
    for row in people:
        assert person_name(row["family_name"]) == row["family_name"]
    assert [name for name, times in Counter(names).items() if times > 1] == []
    assert [len(name) for name in names if len(name) > 20] == [40, 40]
    assert all(any(letter in name for name in names) for letter in "髙﨑𠮷")


def test_its_hashes_belong_to_its_pins(clock: ManualClock) -> None:
    people = {row["pin_must_change"]: row for row in staff_rows(clock.now()) if row["source"] != "self"}
    hasher = PinHasher(BOOKING_SECRETS["SECURITY_PIN_PEPPER"])
    try:
        assert hasher.compute_match(PIN, people[0]["pin_hash"])
        assert hasher.compute_match(INITIAL_PIN, people[1]["pin_hash"])
    finally:
        hasher.close()


@pytest.fixture
def hospital(make_product: ProductMaker, database_url: str, db: Database, impatient: None) -> Product:
    db.write_now(make_hospital)
    secrets = {name.lower(): value for name, value in BOOKING_SECRETS.items()}
    return make_product(database_url=database_url, tsudoi_demo=True, **secrets)


@sqlite_only
def test_the_person_who_is_printed_can_log_in_and_book(hospital: Product) -> None:
    tokens = hospital.http.post("/auth/login", json={"staffId": STAFF_ID, "pin": PIN}).raise_for_status().json()
    assert (tokens["pinMustChange"], tokens["profileComplete"]) == (False, True)
    own = {"authorization": f"Bearer {tokens['accessToken']}"}
    items = (
        hospital.http.get("/api/slots?from=2025-08-01&to=2025-09-30", headers=own).raise_for_status().json()["items"]
    )
    assert {"SLOT_FULL", "BOOKING_NOT_OPEN"} < {item["reason"] for item in items}
    assert next(item["waitingCount"] for item in items if item["reason"] == "SLOT_FULL") == 3
    slot_id = next(item["id"] for item in items if item["bookable"])
    assert hospital.http.post("/api/reservations", json={"slotId": slot_id}, headers=own).status_code == 201
    reservations = hospital.http.get("/api/reservations/me", headers=own).json()["items"]
    assert sorted(str(one["attendance"]) for one in reservations) == ["None", "came"]


@sqlite_only
def test_the_office_finds_somebody_in_every_state(hospital: Product) -> None:
    lists = {
        "staffs": ("state=locked", "state=initialPin", "state=incomplete", "state=unconfirmed", "status=suspended"),
        "reservations": ("state=live", "state=canceled", "state=came", "state=absent"),
    }
    asked = [f"/api/admin/{name}?{words}" for name, each in lists.items() for words in each]
    with office(hospital) as http:
        found = {each: http.get(each).raise_for_status().json()["items"] for each in asked}
    assert [each for each, items in found.items() if not items] == []
