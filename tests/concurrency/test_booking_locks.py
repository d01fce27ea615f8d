"""Bookings, promotions and what the office changes take their locks in one order, and see what they waited for."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Event
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, text

from tests.booking.office import office as the_office
from tests.booking.reservations.conftest import PersonMaker, hospital, person
from tests.booking.reservations.hospital import Hospital, code
from tests.concurrency.threads import at_once
from tests.factories.booking import make_staff
from tests.factories.product import Product
from tests.product_fixtures import box, impatient, make_product, plain_log, postgresql_only, product, shared_box
from tests.servers import eventually
from tests.sizes import size
from tsudoi.booking.accounts.schemas import StaffChange
from tsudoi.booking.accounts.service import change_staff
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.pins.jobs import PinPlace
from tsudoi.booking.reservations.endpoints.own import BookingRoute
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.reservations.service.locking import lock, lock_slots
from tsudoi.booking.reservations.service.waiting import fill
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import Database, Tx

__all__ = ["box", "hospital", "impatient", "make_product", "person", "plain_log", "product", "shared_box"]

ADMIN = "admin:jimukyoku"


def changed(**fields: Any) -> Callable[[Tx, str], None]:
    """The office's change of a person."""
    change = StaffChange.model_validate({"version": 1, "reason": "変更", **fields})
    return lambda tx, uid: change_staff(tx, uid, change, ADMIN)


def someone_waits(db: Database) -> bool:
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    return bool(db.read_now(lambda tx: tx.scalar(waiting)))


@postgresql_only
def test_who_leaves_and_a_booking_do_not_wait_for_each_other(hospital: Hospital, person: PersonMaker) -> None:
    anna, slot_id = person(), hospital.slot(hospital.type(), capacity=2)
    anna.booked(slot_id)
    tries: Counter[str] = Counter()
    slot_is_locked = Event()

    def booking(tx: Tx) -> None:
        tries["booking"] += 1
        lock_slots(tx, (slot_id,))
        slot_is_locked.set()
        eventually(lambda: someone_waits(hospital.db))
        assert lock(tx, slot_id, anna.uid) is not None

    def leaving(tx: Tx) -> None:
        tries["leaving"] += 1
        changed(status="left")(tx, anna.uid)

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(hospital.db.write_now, booking)
        slot_is_locked.wait(20)
        second = threads.submit(hospital.db.write_now, leaving)
        first.result(), second.result()
    # PostgreSQL ends a deadlock by failing one of the two, which is then tried again.
    assert tries == {"booking": 1, "leaving": 1}
    assert hospital.live(slot_id) == []


@postgresql_only
def test_a_promotion_does_not_lock_who_gets_no_seat(hospital: Hospital, person: PersonMaker) -> None:
    """Two people may wait for two slots in opposite orders. The second in line must stay free for the other slot."""
    slot_id, first, second = hospital.slot(hospital.type()), person(), person()
    seat = person().booked(slot_id)
    first.wait(slot_id), second.wait(slot_id)

    def free(tx: Tx) -> None:
        tx.execute(text(f"UPDATE reservations SET canceled_at = created_at WHERE id = {seat}"))
        tx.execute(text("UPDATE reservation_slots SET booked_count = 0"))
        assert len(fill(tx, slot_id)) == 1
        free_person = select(StaffAccount.staff_uid).where(StaffAccount.staff_uid == second.uid)
        hospital.db.write_now(
            lambda other: other.execute(free_person.with_for_update(nowait=True, key_share=True)).one()
        )

    hospital.db.write_now(free)
    assert hospital.live(slot_id) == [first.uid]


@postgresql_only
@pytest.mark.parametrize("wish", ["book", "move", "wait"])
def test_who_was_suspended_while_the_request_waited_gets_nothing(
    hospital: Hospital, person: PersonMaker, wish: str
) -> None:
    anna, type_id = person(), hospital.type()
    full, free, old = (hospital.slot(type_id, f"2025-09-{day}") for day in (10, 11, 12))
    person().booked(full)
    seat = anna.booked(old) if wish == "move" else 0
    wishes: dict[str, Callable[[], httpx2.Response]] = {
        "book": partial(anna.book, free),
        "move": partial(anna.move, seat, free),
        "wait": partial(anna.wait, full),
    }
    person_is_locked = Event()

    def suspend(tx: Tx) -> None:
        changed(status="suspended")(tx, anna.uid)
        person_is_locked.set()
        eventually(lambda: someone_waits(hospital.db))

    with ThreadPoolExecutor(1) as threads:
        suspension = threads.submit(hospital.db.write_now, suspend)
        person_is_locked.wait(20)
        answer = wishes[wish]()
        suspension.result()
    assert code(answer) == (403, "STAFF_NOT_ACTIVE")
    assert (hospital.live(free), hospital.places()) == ([], [])


@pytest.mark.row("3.7.8", "3.7.12")
@pytest.mark.parametrize(
    ("change", "expected"),
    [({"status": "suspended"}, (403, "STAFF_NOT_ACTIVE")), ({"staffId": "4711"}, (401, "WRONG_PIN"))],
)
def test_a_log_in_sees_what_the_office_changed_while_the_pin_was_hashed(
    product: Product, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], expected: tuple[int, str]
) -> None:
    someone, verify = make_staff(product.db), PinPlace.verify

    async def slow(place: PinPlace, pin: str, stored: str | None) -> bool:
        await product.db.write(changed(**change), someone.staff_uid)
        return await verify(place, pin, stored)

    monkeypatch.setattr(PinPlace, "verify", slow)
    assert code(product.http.post("/auth/login", json=someone.log_in)) == expected
    assert product.rows(RefreshSession) == []


@pytest.mark.row("3.5.25", "3.5.28", "3.4.3")
def test_everything_at_once_keeps_every_count_right(
    product: Product, hospital: Hospital, person: PersonMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bookings, moves, cancellations, waiting, leaving, capacities, statuses and limits of the year, in parallel."""
    monkeypatch.setattr(BookingRoute, "limits_per_principal", ())
    type_id = hospital.type(overlap_allowed=1)
    slots = [hospital.slot(type_id, f"2025-09-{day}", capacity=2) for day in range(10, 14)]
    people = [person() for _ in range(8)]
    all_slots = {"select": {"slotIds": slots}, "expect": len(slots), "skipRefused": True}
    seen: Counter[int] = Counter()
    with the_office(product) as office:

        def staff(number: int, dice: Random) -> httpx2.Response:
            anna, slot_id = people[number % len(people)], dice.choice(slots)
            mine = anna.http.get("/api/reservations/me").json().get("items", [])
            live = [one["id"] for one in mine if one["canceledAt"] is None]
            wishes = [lambda: anna.book(slot_id), lambda: anna.wait(slot_id)]
            if live:
                wishes += [lambda: anna.move(live[0], slot_id), lambda: anna.cancel(live[0])]
            return dice.choice(wishes)()

        def change(dice: Random) -> httpx2.Response:
            slot_id = dice.choice(slots)
            changes: list[tuple[str, str, dict[str, Any]]] = [
                ("PATCH", f"/api/admin/slots/{slot_id}", {"capacity": dice.randint(1, 4)}),
                ("PATCH", f"/api/admin/reservation-types/{type_id}", {"limitPerYear": dice.choice([1, 2, None])}),
                ("POST", "/api/admin/slots/status", {"slotIds": slots, "status": dice.choice(["closed", "published"])}),
                ("POST", "/api/admin/slots/status", {"slotIds": slots, "status": "published"}),
                ("POST", "/api/admin/slots/change", {**all_slots, "change": {"capacity": dice.randint(1, 4)}}),
                (
                    "PATCH",
                    f"/api/admin/staffs/{dice.choice(people).uid}",
                    {"version": 1, "reason": "退職", "status": "left"},
                ),
            ]
            method, path, body = dice.choice(changes)
            return office.request(method, path, json=body)

        def act(number: int) -> None:
            dice = Random(number)
            for _ in range(size(8, 60)):
                answer = change(dice) if number % 4 == 0 else staff(number, dice)
                seen[answer.status_code] += 1
                assert answer.status_code < 500, answer.text

        at_once(8, act)
    assert seen[201] > 0
    assert product.db.read_now(lambda tx: list(flaws(tx))) == []
