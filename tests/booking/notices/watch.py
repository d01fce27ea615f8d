"""Compares what LINE accepted, what is stored and what the office sees with the model, after each step."""

from collections import Counter
from datetime import datetime
from typing import Any

from sqlalchemy import select

from tests.booking.notices.model import JOB, TWO_DAYS, ModelBooking, NoticeModel
from tests.booking.notices.stage import Stage
from tsudoi.booking.notices.queries.cells import notice_page
from tsudoi.booking.notices.schemas import NoticeFilters
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.notices.models import NotificationJob


class NoticeWatch:
    """Looks at the new messages while the model is still as it was when they were sent."""

    def __init__(self, stage: Stage, model: NoticeModel) -> None:
        self.stage, self.model = stage, model
        self.paused = False
        # A person may accept that somebody gets a notice twice.
        self.accepted_duplicates: Counter[int] = Counter()
        # A resend after a day makes a new key; the old one still belongs to its job.
        self.job_of_key: dict[str, int] = {}
        self.seen_pushes, self.seen_deliveries = 0, 0
        self.delivered: Counter[str] = Counter()
        self.revisions: dict[int, int] = {}

    @property
    def now(self) -> datetime:
        return self.stage.clock.now()

    def jobs(self) -> list[Any]:
        return self._rows(NotificationJob)

    def _rows(self, model: Any) -> list[Any]:
        return list(self.stage.db.read_now(lambda tx: tx.execute(select(*model.__table__.c)).all()))

    def look(self) -> None:
        self._learn_of_expired_holds()
        found = {job.job_id: job for job in self.jobs()}
        self.job_of_key |= {job.retry_key: job.job_id for job in found.values()}
        self._check_deliveries(found)
        self._check_statuses(found)
        cells, wrong = self.stage.db.read_now(_stored)
        for booking in self.model.bookings.values():
            assert cells[booking.id] == booking.cells(self.now), booking
        assert wrong == []

    def _learn_of_expired_holds(self) -> None:
        """When a hold is given back is the product's business, but never before its time."""
        rows = {row.id: row for row in self._rows(Reservation)}
        for booking in self.model.bookings.values():
            row = rows[booking.id]
            if booking.state == "hold" and row.canceled_at is not None:
                assert booking.hold_until is not None
                assert (row.canceled_by, self.now >= booking.hold_until) == ("system", True)
                booking.state = "expired"
            booking.hold_until = row.hold_expires_at
            self.revisions[booking.id] = row.revision
            assert (row.canceled_at is None) == (booking.state in ("confirmed", "hold"))
            assert (row.confirmed_at is not None) == booking.was_certain

    def _check_deliveries(self, found: dict[int, Any]) -> None:
        world = self.stage.box.world
        new = list(world.deliveries.after(self.seen_deliveries, None))
        texts = {push.retry_key: push.text for push in self.stage.pushes}
        assert set(texts) <= set(self.job_of_key), "a push without a job"
        pushed = len(self.stage.pushes) > self.seen_pushes
        assert not (self.paused and (pushed or new)), "sent while paused"
        self.seen_deliveries, self.seen_pushes = self.seen_deliveries + len(new), len(self.stage.pushes)
        for one in new:
            key = one.acceptance.retry_key or ""
            self.delivered[key] += 1
            job = found[self.job_of_key[key]]
            times = sum(self.delivered[other] for other, owner in self.job_of_key.items() if owner == job.job_id)
            assert times <= 1 + self.accepted_duplicates[job.job_id], f"{job.kind} arrived {times} times"
            self._check_sense(job, self.model.bookings[job.reservation_id], one.user_id, texts[key])

    def _check_sense(self, job: Any, booking: ModelBooking, user_id: str, text: str) -> None:
        assert user_id == booking.who.linked
        if job.kind == "CANCEL_COMPLETED":
            assert booking.state in ("canceled", "expired")
            return
        assert booking.state == "confirmed", f"{job.kind} of a seat that is not theirs"
        assert job.revision == self.revisions[booking.id], f"{job.kind} of an older time"
        assert booking.slot.begin > self.now
        assert display(booking.slot.begin) in text, f"{job.kind} of another time"
        if job.kind == "REMINDER":
            assert self.now >= booking.slot.begin - TWO_DAYS

    def _check_statuses(self, found: dict[int, Any]) -> None:
        for job in found.values():
            times = self.delivered[job.retry_key]
            certain = not (job.outcome_unknown or job.maybe_sent)
            allowed = {"SENT": (1,), "DASH": (0,), "FAILED": (0,) if certain else (0, 1)}
            allowed["PENDING"] = allowed["FAILED"]
            assert times in allowed[job.status], f"{job.kind} is {job.status}, arrived {times} times"


def _stored(tx: ReadTx) -> tuple[dict[int, list[str]], list[tuple[int, str]]]:
    """What the office sees, and what the checker of seats and years finds."""
    page = notice_page(tx, NoticeFilters.model_validate({"limit": 200}))
    cells = {
        row.reservation_id: [JOB if cell.job_id else f"{cell.reason}" for _, cell in row.cells] for row in page.items
    }
    return cells, list(flaws(tx))
