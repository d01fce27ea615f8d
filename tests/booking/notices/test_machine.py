"""People book, pay, move, cancel and link LINE in any order while LINE fails, senders die and the clock jumps.

Nobody gets a reminder of a cancelled or moved time, nor the same notice twice, nor the confirmation of a seat that is
not theirs; and each cell shows what the document's truth table says.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.booking.notices.model import ModelBooking, ModelPage, ModelPerson, ModelSlot, NoticeModel
from tests.booking.notices.stage import Stage
from tests.booking.notices.watch import NoticeWatch
from tests.booking.reservations.hospital import Hospital
from tests.databases import ReusedDatabase
from tests.factories.product import Box
from tests.product_fixtures import sqlite_only
from tests.sizes import size
from tsudoi.booking.checkout.rules.events import COMPLETED, EventFacts
from tsudoi.booking.checkout.service.paying import PayingPerson, pay
from tsudoi.booking.checkout.service.receiving import receive
from tsudoi.booking.payments.models import Payment
from tsudoi.booking.payments.service.opening import record_page
from tsudoi.booking.profile.service import link_line, unlink_line
from tsudoi.booking.reservations.service import changing, holds
from tsudoi.booking.reservations.service.booking import book, book_on_behalf
from tsudoi.core import audit
from tsudoi.core.clock import JST, ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.gateway.clients.stripe_outcomes import StripeSession
from tsudoi.notifications.notices import jobs
from tsudoi.notifications.notices.rules import deciding
from tsudoi.notifications.notices.service import making
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.notices.service.resending import ResendDecision, resend
from tsudoi.notifications.pause.service import pause, resume

PEOPLE, PRICE = 3, 3000
# Hours from now, seats, and whether the seat has a price. Two slots are near the 48 hours of the reminder.
PLAN = ((47, 1, False), (49, 2, False), (120, 1, False), (200, 2, False), (30, 1, True), (72, 1, True), (150, 1, True))
FAULTS = (
    None,
    "drop_connection",
    "timeout_after_accept",
    "error_500_before",
    "error_500_after",
    "rate_limited",
    "quota_exhausted",
    "conflict",
)
# Around the lease, the hold, and the day for which LINE remembers a retry key.
JUMPS = (1, 3, 36, 300, 22 * 60, 23 * 60 + 30, 25 * 60)
# The first slots are in one year, and the last ones in the next.
# A failing run is short enough to read, and to shrink it would take minutes.
PHASES = (Phase.generate,)
START = datetime(2025, 12, 28, 3, 0, tzinfo=JST)


class NoticeMachine(RuleBasedStateMachine):
    """Runs each step in the product and in the model. A subclass names database, sandbox and clock."""

    make_stage: Callable[[], Stage]

    def __init__(self) -> None:
        super().__init__()
        self.stage = self.make_stage()
        self.stage.box.http.post("/_sandbox/reset").raise_for_status()
        self.stage.tell_the_time()
        self.hospital = Hospital(self.stage.db)
        same = {"limit_per_year": 1, "overlap_allowed": 1, "cancel_until_hours": 0}
        self.types = [self.hospital.type("健診", **same), self.hospital.type("ドック", price_jpy=PRICE, **same)]
        people = [ModelPerson(uid, [self.stage.box.friend(), f"U{n:032x}"]) for n, uid in enumerate(self._uids())]
        self.model = NoticeModel(people, [self._slot(*plan) for plan in PLAN])
        self.mail: list[tuple[ModelBooking, ModelPage, EventFacts]] = []
        self.watch = NoticeWatch(self.stage, self.model)

    def _uids(self) -> list[str]:
        return self.hospital.people(PEOPLE)

    def _slot(self, hours: int, capacity: int, priced: bool) -> ModelSlot:
        begin = (self.now + timedelta(hours=hours, minutes=7)).astimezone(JST).replace(second=0, microsecond=0)
        minute = begin.hour * 60 + begin.minute
        slot_id = self.hospital.slot(self.types[priced], begin.strftime("%Y-%m-%d"), minute, capacity)
        return ModelSlot(slot_id, begin, capacity, priced)

    def teardown(self) -> None:
        assert self.stage.db.read_now(audit.verify).broken_at is None
        self.stage.close()

    @property
    def now(self) -> datetime:
        return self.stage.clock.now()

    people_in, slots_in, picks = st.integers(0, PEOPLE - 1), st.integers(0, len(PLAN) - 1), st.integers(0, 50)

    def _some(self, pick: int, *states: str) -> ModelBooking | None:
        found = [one for one in self.model.bookings.values() if one.state in states]
        return found[pick % len(found)] if found else None

    @initialize(linked=st.lists(st.booleans(), min_size=PEOPLE, max_size=PEOPLE))
    def everybody_has_something(self, linked: list[bool]) -> None:
        for number, wanted in enumerate(linked):
            if wanted:
                self.link(number, 0)
            self.book(number, number + 1, by_office=False, at_once=False)
            self.book(number, number + 4, by_office=False, at_once=False)

    @rule(who=people_in, where=slots_in, by_office=st.booleans(), at_once=st.booleans())
    def book(self, who: int, where: int, by_office: bool, at_once: bool) -> None:
        person, slot = self.model.people[who], self.model.slots[where]
        if by_office:
            made, ids = self.stage.do(book_on_behalf, person.uid, slot.id, "電話", "admin:jimukyoku")
        else:
            made, ids = self.stage.do(book, person.uid, slot.id, f"staff:{person.uid}", "http://127.0.0.1:1")
        if isinstance(made, str):
            return
        booking = self.model.bookings[made.id] = ModelBooking(made.id, person, slot)
        if slot.priced and not by_office:
            booking.hold_until = made.hold_expires_at
            self._open_page(booking, 1)
        else:
            booking.confirm(self.now)
        self.first_attempt(ids, at_once=at_once)

    def first_attempt(self, ids: list[int], *, at_once: bool) -> None:
        """Or the process ended right after the commit."""
        if at_once:
            self.stage.try_now(ids)

    @rule(pick=picks, where=slots_in, by_office=st.booleans(), at_once=st.booleans())
    def move(self, pick: int, where: int, by_office: bool, at_once: bool) -> None:
        booking, slot = self._some(pick, "confirmed", "hold"), self.model.slots[where]
        if booking is None or booking.slot is slot:
            return
        if by_office:
            code, ids = self.stage.do(changing.move_on_behalf, booking.id, slot.id, "電話", "admin:jimukyoku")
        else:
            code, ids = self.stage.do(changing.move, booking.id, booking.who.uid, slot.id, f"staff:{booking.who.uid}")
        if code is not None:
            return
        booking.slot = slot
        if booking.state == "confirmed":
            booking.confirm(self.now)
        self.first_attempt(ids, at_once=at_once)

    @rule(pick=picks, by_office=st.booleans(), at_once=st.booleans())
    def cancel(self, pick: int, by_office: bool, at_once: bool) -> None:
        booking = self._some(pick, "confirmed", "hold")
        if booking is None:
            return
        if by_office:
            code, ids = self.stage.do(changing.cancel_on_behalf, booking.id, "電話", "admin:jimukyoku")
        else:
            code, ids = self.stage.do(changing.cancel, booking.id, booking.who.uid, f"staff:{booking.who.uid}")
        if code is None:
            booking.cancel()
        self.first_attempt(ids, at_once=at_once)

    @rule(who=people_in)
    def leave_the_hospital_and_return(self, who: int) -> None:
        person = self.model.people[who]
        ended, ids = self.stage.do(changing.cancel_future, person.uid, "admin:jimukyoku", "退職")
        for reservation_id in ended:
            self.model.bookings[reservation_id].cancel()
        self.first_attempt(ids, at_once=True)

    @rule(who=people_in, account=st.integers(0, 1))
    def link(self, who: int, account: int) -> None:
        """The second account is one that LINE does not know: it answers 400."""
        person = self.model.people[who]
        code, ids = self.stage.do(link_line, person.uid, person.accounts[account])
        if code is None and person.linked is None:
            person.linked = person.accounts[account]
            for booking in self.model.bookings.values():
                if booking.who is person:
                    booking.link(self.now)
        assert ids == []

    @rule(who=people_in)
    def unlink(self, who: int) -> None:
        self.stage.do(unlink_line, self.model.people[who].uid)
        self.model.people[who].linked = None

    def _open_page(self, booking: ModelBooking, sequence: int) -> None:
        [row] = self.hospital.rows(Payment, reservation_id=booking.id, sequence=sequence)
        page = ModelPage(row.idempotency_key, f"cs_{booking.id}_{sequence}", row.session_expires_at)
        known = {"reservation_id": str(booking.id), "payment_key": row.idempotency_key}
        at = (page.expires_at, False)
        opened = StripeSession(page.session_id, "open", "unpaid", None, "https://x/", PRICE, "jpy", known, None, *at)
        self.stage.do(record_page, row.id, opened)
        booking.pages.append(page)

    @rule(pick=picks)
    def pay_again(self, pick: int) -> None:
        booking = self._some(pick, "hold")
        if booking is None:
            return
        person = PayingPerson(booking.who.uid, booking.id, "http://127.0.0.1:1")
        sequence, _ = self.stage.do(pay, person)
        if isinstance(sequence, int) and sequence > len(booking.pages):
            for page in booking.pages:
                page.heard = "paid" if page.heard == "paid" else "ended"
            self._open_page(booking, sequence)

    @rule(pick=picks, with_slip=st.booleans())
    def pay_at_stripe(self, pick: int, with_slip: bool) -> None:
        """Stripe's webhooks come later, in any order and any number."""
        pages = [(one, page) for one in self.model.bookings.values() for page in one.pages]
        open_ones = [(one, page) for one, page in pages if self._can_pay(page)]
        if not open_ones:
            return
        booking, page = open_ones[pick % len(open_ones)]
        if page.state == "open" and with_slip:
            page.state = "slip"
            self._post(booking, page, COMPLETED, "unpaid")
        else:
            kind = COMPLETED if page.state == "open" else "checkout.session.async_payment_succeeded"
            page.state = "paid"
            self._post(booking, page, kind, "paid")
            self._post(booking, page, "payment_intent.succeeded", None)

    def _can_pay(self, page: ModelPage) -> bool:
        return page.state == "slip" or (page.state == "open" and self.now < page.expires_at)

    @rule(pick=picks)
    def stripe_closes_a_page(self, pick: int) -> None:
        pages = [(one, page) for one in self.model.bookings.values() for page in one.pages if page.state == "open"]
        if pages:
            booking, page = pages[pick % len(pages)]
            page.state = "expired"
            self._post(booking, page, "checkout.session.expired", "unpaid")

    def _post(self, booking: ModelBooking, page: ModelPage, kind: str, status: str | None) -> None:
        of_page = kind.startswith("checkout")
        facts = EventFacts(
            event_id=f"evt_{page.session_id}_{kind}",
            type=kind,
            created_at=self.now,
            livemode=False,
            session_id=page.session_id if of_page else None,
            payment_intent_id=None if kind == "checkout.session.expired" else f"pi_{page.session_id}",
            reservation_id=booking.id,
            payment_key=page.key,
            amount=PRICE,
            currency="jpy",
            payment_status=status,
        )
        self.mail.append((booking, page, facts))

    @rule(pick=picks, at_once=st.booleans())
    def stripe_tells(self, pick: int, at_once: bool) -> None:
        """One of the events so far, perhaps not for the first time."""
        if not self.mail:
            return
        booking, page, facts = self.mail[pick % len(self.mail)]
        has_seat = self.model.has_seat_for(booking, self.now)
        _, ids = self.stage.do(lambda tx: receive(tx, facts, live=False))
        if facts.meaning == "PAID" and page.heard != "paid":
            page.heard = "paid"
            self._paid(booking, has_seat=has_seat)
        elif facts.meaning == "EXPIRED" and page.heard == "nothing":
            page.heard = "ended"
            if booking.state == "hold" and all(one.heard == "ended" for one in booking.pages):
                booking.state = "expired"
        self.first_attempt(ids, at_once=at_once)

    def _paid(self, booking: ModelBooking, *, has_seat: bool) -> None:
        if booking.state == "hold" or (booking.state == "expired" and has_seat):
            booking.confirm(self.now)
        elif booking.state != "confirmed":
            booking.refund_late()

    @rule()
    def give_back_holds(self) -> None:
        self.stage.do(holds.give_back_expired)

    @rule(kind=st.sampled_from(FAULTS), percent=st.sampled_from((40, 100)))
    def line_misbehaves(self, kind: str | None, percent: int) -> None:
        self.stage.misbehave(kind, percent)

    @rule(dies=st.sampled_from((None, None, "before", "after")), limit=st.sampled_from((None, None, 1)))
    def command(self, dies: str | None, limit: int | None) -> None:
        self.stage.command(dies, limit)
        self.hospital.db = self.stage.db

    @rule(pick=picks, accept_duplicate=st.booleans())
    def send_again(self, pick: int, accept_duplicate: bool) -> None:
        failed = [job for job in self.watch.jobs() if job.status == "FAILED"]
        if not failed:
            return
        job = failed[pick % len(failed)]
        decision = ResendDecision("直ったため", "admin:jimukyoku", accept_duplicate=accept_duplicate)
        found, _ = self.stage.do(resend, self.stage.runtime.part(NoticeReader), job.job_id, decision)
        if not isinstance(found, str):
            booking = self.model.bookings[job.reservation_id]
            assert (booking.state, job.kind != "CANCEL_COMPLETED") == ("confirmed", True)
            self.watch.accepted_duplicates[job.job_id] += accept_duplicate

    @rule()
    def pause_or_resume(self) -> None:
        self.stage.do(resume if self.watch.paused else pause, "点検", "admin:jimukyoku")
        self.watch.paused = not self.watch.paused

    @rule(minutes=st.sampled_from(JUMPS))
    def jump(self, minutes: int) -> None:
        self.stage.advance(timedelta(minutes=minutes))

    @rule()
    def restart(self) -> None:
        self.stage.restart()
        self.hospital.db = self.stage.db

    @invariant()
    def agrees_with_the_model(self) -> None:
        self.watch.look()


@pytest.fixture
def machine(
    reused_database: ReusedDatabase,
    clock: ManualClock,
    box: Box,
    tmp_path: Path,
    plain_log: None,
    monkeypatch: pytest.MonkeyPatch,
) -> type[NoticeMachine]:
    monkeypatch.setattr(jobs, "_PAUSES", (0.0, 0.0))

    class Machine(NoticeMachine):
        """On this test's database, which is empty at the begin of each run."""

        def make_stage(self) -> Stage:
            url = reused_database.emptied()
            clock.advance(START - clock.now())
            return Stage(lambda: open_database(url, clock), box, clock, tmp_path / "data")

    Machine.__name__ = "NoticeMachine"
    return Machine


@pytest.mark.row("2.11.1", "2.1.2", "2.5.6", "2.5.7")
@pytest.mark.timeout(1700)
def test_nobody_hears_of_what_is_not(machine: type[NoticeMachine]) -> None:
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=size(6, 300),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=checks,
            phases=PHASES,
        ),
    )


@sqlite_only
@pytest.mark.parametrize(("change", "found"), [("cancel", "not theirs"), ("move", "of an older time")])
def test_a_notice_that_outlives_its_reservation_is_found(
    machine: type[NoticeMachine], change: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: neither the change nor the sender looks at the notices that are open."""
    monkeypatch.setattr(making, "_close", lambda *_: None)
    monkeypatch.setattr(deciding, "_dashed", lambda *_: None)
    run = machine()
    run.everybody_has_something([True, True, True])
    if change == "cancel":
        run.cancel(0, by_office=False, at_once=False)
    else:
        run.move(0, 3, by_office=False, at_once=False)
    run.command(None, None)
    with pytest.raises(AssertionError, match=found):
        run.watch.look()
    run.teardown()
