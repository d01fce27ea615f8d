"""G7: people book, move, cancel and wait while the office resizes and closes slots, the clock jumps and the server
restarts. A model that was written without a look at the rules says what has to happen, and is compared after each step.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select, update

from tests.booking.reservations.hospital import Hospital
from tests.sizes import size
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.reservations.service import changing, waiting
from tsudoi.booking.reservations.service.booking import book
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.core import audit
from tsudoi.core.clock import JST, ManualClock, jst_date
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.errors import Problem

PEOPLE = 4
# Type, days from now, start, capacity, and the days until booking ends. The third is at the same time as the first.
PLAN = (("once", 3, 540, 1, None), ("once", 5, 600, 2, 2), ("free", 3, 545, 1, None), ("free", 7, 540, 1, None))


@dataclass
class ModelSlot:
    """A slot with the people in it and the people in line."""

    id: int
    type_name: str
    begin: datetime
    year: int
    capacity: int
    booking_end: datetime | None
    is_open: bool = True
    inside: dict[str, int] = field(default_factory=dict)
    line: list[str] = field(default_factory=list)

    def meets(self, other: "ModelSlot") -> bool:
        quarter = timedelta(minutes=15)
        return self.begin < other.begin + quarter and other.begin < self.begin + quarter


class Model:
    """What has to happen, in as few words as possible."""

    def __init__(self, slots: list[ModelSlot]) -> None:
        self.slots = slots

    def held(self, who: str, without: ModelSlot | None = None) -> list[ModelSlot]:
        return [slot for slot in self.slots if who in slot.inside and slot is not without]

    def closed(self, slot: ModelSlot, now: datetime) -> str | None:
        if not slot.is_open:
            return "SLOT_NOT_PUBLISHED"
        over = slot.booking_end is not None and now > slot.booking_end
        return "BOOKING_CLOSED" if over or now >= slot.begin else None

    def clash(self, who: str, slot: ModelSlot, without: ModelSlot | None = None) -> str | None:
        held = self.held(who, without)
        if slot.type_name == "once" and any((one.type_name, one.year) == ("once", slot.year) for one in held):
            return "ALREADY_BOOKED_THIS_YEAR"
        return "OVERLAPS" if any(slot.meets(one) for one in held) else None

    def refused(self, who: str, slot: ModelSlot, now: datetime, without: ModelSlot | None = None) -> str | None:
        here = "ALREADY_IN_SLOT" if slot in self.held(who, without) else None
        full = "SLOT_FULL" if len(slot.inside) >= slot.capacity else None
        return self.closed(slot, now) or here or full or self.clash(who, slot, without)

    def last_promotion(self, slot: ModelSlot) -> datetime:
        ends = slot.begin - timedelta(days=1)
        return min(ends, slot.booking_end) if slot.booking_end else ends

    def may_wait(self, who: str, slot: ModelSlot, now: datetime) -> str | None:
        late = "BOOKING_CLOSED" if now > self.last_promotion(slot) else None
        here = "ALREADY_IN_SLOT" if who in slot.inside else None
        free = "NOT_FULL" if len(slot.inside) < slot.capacity else None
        return self.closed(slot, now) or late or here or self.clash(who, slot) or free

    def enter(self, who: str, slot: ModelSlot, reservation_id: int) -> None:
        slot.inside[who] = reservation_id
        for other in self.slots:
            same_year = (other.type_name, other.year) == ("once", slot.year) and slot.type_name == "once"
            if who in other.line and (other is slot or same_year):
                other.line.remove(who)

    def promote(self, slot: ModelSlot, now: datetime) -> None:
        if self.closed(slot, now) or now > self.last_promotion(slot):
            return
        for who in list(slot.line):
            if len(slot.inside) < slot.capacity and self.clash(who, slot) is None:
                self.enter(who, slot, 0)


class BookingMachine(RuleBasedStateMachine):
    """Runs each step in the product and in the model. A subclass names the database."""

    open_again: Callable[[], Database]
    clock: ManualClock

    def __init__(self) -> None:
        super().__init__()
        self.db = self.open_again()
        self.hospital = Hospital(self.db)
        kinds = {"once": self.hospital.type("once"), "free": self.hospital.type("free", limit_per_year=None)}
        self.people = self.hospital.people(PEOPLE)
        self.model = Model([self._slot(kinds[kind], kind, *rest) for kind, *rest in PLAN])

    def _slot(self, type_id: int, kind: str, days: int, start: int, capacity: int, end: int | None) -> ModelSlot:
        day = jst_date(self.now + timedelta(days=days))
        ends = None if end is None else self.now + timedelta(days=end)
        slot_id = self.hospital.slot(type_id, day, start, capacity, booking_end=ends)
        begin = datetime.fromisoformat(day).replace(tzinfo=JST) + timedelta(minutes=start)
        year = begin.year if begin.month >= 4 else begin.year - 1
        return ModelSlot(slot_id, kind, begin, year, capacity, ends)

    def teardown(self) -> None:
        assert self.db.read_now(audit.verify).broken_at is None
        self.db.close()

    @property
    def now(self) -> datetime:
        return self.clock.now()

    def outcome(self, verb: Callable[..., object], *given: object) -> object:
        try:
            return self.db.write_now(verb, *given)
        except Problem as problem:
            return problem.code

    people_in = st.integers(0, PEOPLE - 1)
    slots_in = st.integers(0, len(PLAN) - 1)

    @initialize(order=st.permutations(range(PEOPLE)))
    def everybody_wants_everything(self, order: list[int]) -> None:
        """Begin with full slots and people in line, because few random steps lead there."""
        for who in order:
            for where in range(len(PLAN)):
                self.book(who, where)
                self.wait(who, where)

    @rule(who=people_in, where=slots_in)
    def book(self, who: int, where: int) -> None:
        person, slot = self.people[who], self.model.slots[where]
        expected = self.model.refused(person, slot, self.now)
        found = self.outcome(book, person, slot.id, f"staff:{person}")
        assert (found if isinstance(found, str) else None) == expected
        if not isinstance(found, str):
            self.model.enter(person, slot, found.id)  # type: ignore[attr-defined]

    @rule(who=people_in, where=slots_in, pick=st.integers(0, 3))
    def move(self, who: int, where: int, pick: int) -> None:
        person, slot = self.people[who], self.model.slots[where]
        held = self.model.held(person)
        if not held:
            return
        old = held[pick % len(held)]
        expected = self._move_refused(person, old, slot)
        found = self.outcome(changing.move, self._id(person, old), person, slot.id, f"staff:{person}")
        assert found == expected
        if expected is None and slot is not old:
            self.model.enter(person, slot, old.inside.pop(person))
            self.model.promote(old, self.now)

    def _move_refused(self, person: str, old: ModelSlot, slot: ModelSlot) -> str | None:
        if slot is old:
            return None
        if self.now >= old.begin:
            return "TOO_LATE"
        if slot.type_name != old.type_name:
            return "TYPE_MISMATCH"
        return self.model.refused(person, slot, self.now, without=old)

    @rule(who=people_in, pick=st.integers(0, 3), by_office=st.booleans())
    def cancel(self, who: int, pick: int, by_office: bool) -> None:
        person = self.people[who]
        held = self.model.held(person)
        if not held:
            return
        slot = held[pick % len(held)]
        reservation_id = self._id(person, slot)
        if by_office:
            found = self.outcome(changing.cancel_on_behalf, reservation_id, "電話", "admin:jimukyoku")
        else:
            found = self.outcome(changing.cancel, reservation_id, person, f"staff:{person}")
        late = not by_office and self.now >= slot.begin
        assert found == ("TOO_LATE" if late else None)
        if not late:
            del slot.inside[person]
            self.model.promote(slot, self.now)

    @rule(who=people_in, where=slots_in)
    def wait(self, who: int, where: int) -> None:
        person, slot = self.people[who], self.model.slots[where]
        expected = self.model.may_wait(person, slot, self.now)
        found = self.outcome(waiting.join, person, slot.id, f"staff:{person}")
        assert (found if isinstance(found, str) else None) == expected
        if expected is None and person not in slot.line:
            slot.line.append(person)

    @rule(who=people_in)
    def leave_the_hospital_and_return(self, who: int) -> None:
        person = self.people[who]
        freed = [slot for slot in self.model.slots if person in slot.inside and slot.begin > self.now]
        found = self.db.write_now(changing.cancel_future, person, "admin:jimukyoku", "退職")
        assert sorted(found) == sorted(self._id(person, slot, live=False) for slot in freed)
        for slot in self.model.slots:
            if person in slot.line:
                slot.line.remove(person)
        for slot in freed:
            del slot.inside[person]
        for slot in sorted(freed, key=lambda slot: slot.id):
            self.model.promote(slot, self.now)

    @rule(where=slots_in, capacity=st.integers(1, 3))
    def resize(self, where: int, capacity: int) -> None:
        slot = self.model.slots[where]
        slot.capacity = max(capacity, len(slot.inside))
        self._change(slot, capacity=slot.capacity)
        self.model.promote(slot, self.now)

    @rule(where=slots_in, is_open=st.booleans())
    def close_or_open(self, where: int, is_open: bool) -> None:
        slot = self.model.slots[where]
        slot.is_open = is_open
        self._change(slot, status="published" if is_open else "closed")
        self.model.promote(slot, self.now)

    def _change(self, slot: ModelSlot, **values: object) -> None:
        def change(tx: Tx) -> None:
            tx.execute(update(ReservationSlot).where(ReservationSlot.id == slot.id).values(**values))
            waiting.fill(tx, slot.id)

        self.db.write_now(change)

    @rule(hours=st.integers(1, 40))
    def jump(self, hours: int) -> None:
        self.clock.advance(timedelta(hours=hours))

    @rule()
    def expire(self) -> None:
        self.db.write_now(waiting.expire)
        for slot in self.model.slots:
            if self.now > self.model.last_promotion(slot):
                slot.line.clear()

    @rule()
    def restart(self) -> None:
        self.db.close()
        self.db = self.hospital.db = self.open_again()

    def _id(self, person: str, slot: ModelSlot, *, live: bool = True) -> int:
        rows = self.hospital.reservations(slot_id=slot.id, staff_uid=person)
        return int(next(row.id for row in reversed(rows) if row.canceled_at is None or not live))

    @invariant()
    def agrees_with_the_model(self) -> None:
        live, booked, lines, wrong = self.db.read_now(_stored)
        for slot in self.model.slots:
            assert sorted(live[slot.id]) == sorted(slot.inside)
            assert booked[slot.id] == len(slot.inside) <= slot.capacity
            assert lines[slot.id] == slot.line
        assert wrong == []


def _stored(
    tx: ReadTx,
) -> tuple[dict[int, list[str]], dict[int, int], dict[int, list[str]], list[tuple[int, str]]]:
    """Who has a seat and who waits, by slot; the counts of the slots; and what the checker finds."""
    live: dict[int, list[str]] = defaultdict(list)
    lines: dict[int, list[str]] = defaultdict(list)
    columns = (Reservation.slot_id, Reservation.staff_uid)
    for row in tx.execute(select(*columns).where(Reservation.canceled_at.is_(None))):
        live[row.slot_id].append(row.staff_uid)
    places = select(WaitingPlace.slot_id, WaitingPlace.staff_uid).where(WaitingPlace.ended_at.is_(None))
    for row in tx.execute(places.order_by(WaitingPlace.id)):
        lines[row.slot_id].append(row.staff_uid)
    booked = {row.id: row.booked_count for row in tx.execute(select(ReservationSlot.id, ReservationSlot.booked_count))}
    return live, booked, lines, list(flaws(tx))


@pytest.mark.row("3.5.28", "3.5.17", "3.5.13", "3.4.15")
@pytest.mark.timeout(1700)
def test_the_product_agrees_with_the_model(database_url: str, clock: ManualClock) -> None:
    class Machine(BookingMachine):
        """On this test's database; `restart` opens it again."""

        def open_again(self) -> Database:
            return open_database(database_url, clock)

    Machine.clock = clock
    Machine.__name__ = "BookingMachine"
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=size(20, 400), stateful_step_count=25, deadline=None, suppress_health_check=checks
        ),
    )
