"""G3 and G4 for bookings: a rush for scarce seats, parallel copies of a request, and the controls without the lock."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.booking.reservations.conftest import hospital, person
from tests.booking.reservations.hospital import Hospital
from tests.concurrency.threads import at_once
from tests.factories.processes import started
from tests.factories.product import Product
from tests.product_fixtures import (
    box,
    impatient,
    make_product,
    plain_log,
    postgresql_only,
    product,
    shared_box,
    sqlite_only,
)
from tests.servers import browser, nobody_there
from tests.sizes import size
from tsudoi.booking.reservations.errors import AlreadyBookedThisYear, Overlaps
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.reservations.service import locking, seats
from tsudoi.booking.reservations.service.booking import book
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.errors import Conflict

__all__ = ["box", "hospital", "impatient", "make_product", "person", "plain_log", "product", "shared_box"]

SECRETS = {
    "JWT_SECRET": "b7f0c1d2e3a4958677e6d5c4b3a29180f1e2d3c4",
    "REFRESH_SECRET": "1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
    "SECURITY_PIN_PEPPER": "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c",
}
BOOKINGS, SEATS, CLIENTS = size(120, 10_000), size(10, 100), size(16, 256)
PROCESSES = {"sqlite": 1, "postgresql": size(2, 4)}
FAR_AWAY = "2199-09-10"


@pytest.mark.row("3.5.25", "3.5.4", "3.7.22")
@pytest.mark.timeout(1700)
def test_p0_many_want_few_seats_and_exactly_the_seats_are_taken(
    database_url: str, backend: str, tmp_path: Path
) -> None:
    more = {"DATABASE_URL": database_url, "LINE_API_BASE": nobody_there(), "WORKER_INLINE": "0", **SECRETS}
    # Each client has an address of its own, because there is a limit for all bookings of one address.
    more["TRUSTED_PROXIES"] = "127.0.0.1/32"
    with ExitStack() as stack:
        db = stack.enter_context(closing(open_database(database_url, SystemClock())))
        clinic = Hospital(db, SECRETS["JWT_SECRET"])
        slot_id = clinic.slot(clinic.type(), FAR_AWAY, capacity=SEATS)
        tokens = clinic.tokens(clinic.people(BOOKINGS, first=1))
        servers = [stack.enter_context(started(tmp_path, "serve", **more)) for _ in range(PROCESSES[backend])]

        def client(number: int) -> Counter[tuple[int, str | None]]:
            seen: Counter[tuple[int, str | None]] = Counter()
            with browser(servers[number % len(servers)].url) as http:
                for token in tokens[number::CLIENTS]:
                    headers = {
                        "authorization": f"Bearer {token}",
                        "x-forwarded-for": f"10.0.{number // 250}.{number % 250}",
                    }
                    answer = http.post("/api/reservations", json={"slotId": slot_id}, headers=headers)
                    seen[answer.status_code, answer.json().get("code")] += 1
            return seen

        seen = sum(at_once(CLIENTS, client), Counter())
        assert seen == {(201, None): SEATS, (409, "SLOT_FULL"): BOOKINGS - SEATS}
        assert len(set(clinic.live(slot_id))) == clinic.booked(slot_id) == SEATS
        assert db.read_now(lambda tx: list(flaws(tx))) == []


@pytest.mark.row("3.5.24")
def test_parallel_copies_of_a_booking_have_one_result(product: Product, hospital: Hospital) -> None:
    """Half of the people find the slot full: their refusal is replayed as well."""
    keys, copies, threads = size(20, 1000), 10, 12
    slot_id = hospital.slot(hospital.type(), capacity=keys // 2)
    asked = [token for token in hospital.tokens(hospital.people(keys)) for _ in range(copies)]
    Random(4).shuffle(asked)

    def send(number: int) -> list[tuple[str, int, bytes]]:
        with product.client() as http:
            found = []
            for token in asked[number::threads]:
                headers = {"authorization": f"Bearer {token}", "idempotency-key": "the same for everybody"}
                answer = http.post("/api/reservations", json={"slotId": slot_id}, headers=headers)
                found.append((token, answer.status_code, answer.content))
            return found

    results: dict[str, set[tuple[int, bytes]]] = defaultdict(set)
    for token, status, content in (one for some in at_once(threads, send) for one in some):
        results[token].add((status, content))
    assert all(len(seen) == 1 for seen in results.values())
    assert Counter(status for [(status, _)] in results.values()) == {201: keys // 2, 409: keys // 2}
    assert len(hospital.live(slot_id)) == hospital.booked(slot_id) == keys // 2


def attempt(db: Database, uid: str, slot_id: int) -> str:
    try:
        db.write_now(book, uid, slot_id, f"staff:{uid}")
    except Conflict as refused:
        return refused.code
    return "booked"


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause between the decision and the write, in which everybody else decides too."""
    take = seats.take

    def pausing(*given: Any) -> int | None:
        time.sleep(0.2)
        return take(*given)

    monkeypatch.setattr(seats, "take", pausing)


@pytest.fixture
def without_lock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: monkeypatch.setattr(locking, "LOCKED", locking.UNLOCKED)


@postgresql_only
@pytest.mark.usefixtures("slowly")
class TestTheLock:
    @pytest.mark.row("3.5.25")
    def test_of_the_slot_decides_and_without_it_the_slot_is_overbooked(
        self, db: Database, hospital: Hospital, without_lock: Callable[[], None]
    ) -> None:
        people, type_id = hospital.people(6), hospital.type(limit_per_year=None)
        first, second = hospital.slot(type_id, capacity=2), hospital.slot(type_id, "2025-09-11", capacity=2)
        outcomes = Counter(at_once(6, lambda number: attempt(db, people[number], first)))
        assert outcomes == {"booked": 2, "SLOT_FULL": 4}
        without_lock()
        hospital.sql("ALTER TABLE reservation_slots DROP CONSTRAINT ck_reservation_slots_booked_count")
        at_once(6, lambda number: attempt(db, people[number], second))
        assert len(hospital.live(second)) > 2

    @pytest.mark.row("3.5.9", "3.7.22")
    def test_of_the_person_decides_and_without_it_the_constraint_of_the_year_does(
        self, db: Database, hospital: Hospital, without_lock: Callable[[], None]
    ) -> None:
        expected = {"booked": 1, AlreadyBookedThisYear.code: 3}
        for locked in (True, False):
            if not locked:
                without_lock()
            anna, type_id = hospital.staff(), hospital.type()
            slots = [hospital.slot(type_id, f"2025-09-1{number}") for number in range(4)]
            outcomes = Counter(at_once(4, lambda number: attempt(db, anna, slots[number])))  # noqa: B023 (runs at once)
            assert outcomes == expected, locked
            assert [hospital.booked(slot_id) for slot_id in slots].count(1) == 1

    def test_of_the_person_keeps_two_times_apart_and_without_it_they_overlap(
        self, db: Database, hospital: Hospital, without_lock: Callable[[], None]
    ) -> None:
        anna, ben = hospital.people(2)
        slots = [hospital.slot(hospital.type(f"{number}"), capacity=2) for number in range(3)]
        outcomes = Counter(at_once(3, lambda number: attempt(db, anna, slots[number])))
        assert outcomes == {"booked": 1, Overlaps.code: 2}
        without_lock()
        outcomes = Counter(at_once(3, lambda number: attempt(db, ben, slots[number])))
        assert outcomes["booked"] > 1


@sqlite_only
def test_on_sqlite_one_writer_takes_turns(db: Database, hospital: Hospital) -> None:
    people, slot_id = hospital.people(8), hospital.slot(hospital.type(), capacity=3)
    outcomes = Counter(at_once(8, lambda number: attempt(db, people[number], slot_id)))
    assert outcomes == {"booked": 3, "SLOT_FULL": 5}
