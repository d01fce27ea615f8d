"""Reservations with notices, the sender, and a LINE that answers as the test says."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text

from tests.booking.reservations.hospital import Hospital
from tests.factories.line_stand_in import LineStandIn
from tests.factories.product import settings_for
from tests.factories.webhooks import user_id
from tsudoi.booking.reservations.service.booking import book
from tsudoi.booking.reservations.service.changing import cancel_on_behalf, move_on_behalf
from tsudoi.contexts import open_runtime
from tsudoi.core.clock import JST, utc_text
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients import line as line_module
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.http import HttpGateway
from tsudoi.notifications.notices.jobs import SendResult, send_pending_jobs
from tsudoi.notifications.notices.models import NotificationAttempt, NotificationJob, NotificationSkip

IN_TEN_DAYS = timedelta(days=10)
_LAST_START = 24 * 60 - 15
DOCUMENTED = "reservation_id, kind, scheduled_at, status, attempt_count, created_at, updated_at"


class Clinic:
    """One type of reservation; each reservation has a person and a slot of its own."""

    def __init__(self, db: Database, line: LineStandIn, runtime: Runtime) -> None:
        self.db, self.line, self.runtime = db, line, runtime
        self.hospital = Hospital(db)
        self.type_id = self.hospital.type("職員健診", place="本館2階", cancel_until_hours=0)
        self._people = 0

    @property
    def now(self) -> datetime:
        return self.db.clock.now()

    def slot(self, begins_in: timedelta = IN_TEN_DAYS, **more: Any) -> int:
        """A slot ends on its day: where too little of that day is left, it begins some minutes earlier."""
        at = (self.now + begins_in).astimezone(JST)
        start = min(at.hour * 60 + at.minute, _LAST_START)
        return self.hospital.slot(self.type_id, at.strftime("%Y-%m-%d"), start, **more)

    def person(self, *, linked: bool = True, **more: Any) -> str:
        self._people += 1
        return self.hospital.staff(line_user_id=user_id(self._people) if linked else None, **more)

    def reserve(self, begins_in: timedelta = IN_TEN_DAYS, *, linked: bool = True, slot_id: int | None = None) -> int:
        """Booked by the verb of the product, which writes the jobs too. Nothing is sent by that."""
        slot_id = self.slot(begins_in) if slot_id is None else slot_id
        person = self.person(linked=linked)
        return int(self.db.write_now(book, person, slot_id, "test").id)

    def reserve_many(self, number: int, begins_in: timedelta = IN_TEN_DAYS) -> list[int]:
        slot_id = self.slot(begins_in, capacity=number)
        return [self.reserve(slot_id=slot_id) for _ in range(number)]

    def cancel(self, reservation_id: int) -> None:
        self.db.write_now(cancel_on_behalf, reservation_id, "都合により", "test")

    def move(self, reservation_id: int, begins_in: timedelta) -> None:
        self.db.write_now(move_on_behalf, reservation_id, self.slot(begins_in), "都合により", "test")

    def run(self, **options: Any) -> SendResult:
        """The command, as a function."""
        return send_pending_jobs(self.runtime, caller="command", **options)

    def try_now(self, *job_ids: int, **options: Any) -> SendResult:
        """The attempt right after a booking, as a function."""
        return send_pending_jobs(self.runtime, only=job_ids, caller="initial", **options)

    def jobs(self, **only: Any) -> list[Any]:
        return self.hospital.rows(NotificationJob, **only)

    def job(self, reservation_id: int, kind: str = "CONFIRMATION", **more: Any) -> Any:
        [found] = self.jobs(reservation_id=reservation_id, kind=kind, **more)
        return found

    def statuses(self, reservation_id: int) -> dict[str, str]:
        return {job.kind: job.status for job in self.jobs(reservation_id=reservation_id)}

    def attempts(self, job_id: int) -> list[Any]:
        return self.hospital.rows(NotificationAttempt, job_id=job_id)

    def skips(self, reservation_id: int) -> dict[str, str]:
        return {row.kind: row.reason for row in self.hospital.rows(NotificationSkip, reservation_id=reservation_id)}

    def sql(self, statement: str, **values: Any) -> Sequence[Any]:
        def run(tx: Any) -> Sequence[Any]:
            result = tx.execute(text(statement), values)
            return result.all() if result.returns_rows else []

        return self.db.write_now(run)

    def change(self, job_id: int, **values: Any) -> None:
        self.hospital.change(NotificationJob, job_id, **values)

    def due(self, reservation_id: int, kind: str, ago: timedelta = timedelta(minutes=1)) -> Any:
        """Moves the time of a job, as tests move time: by its row."""
        job = self.job(reservation_id, kind)
        self.change(job.job_id, scheduled_at=self.now - ago)
        return self.job(reservation_id, kind)

    def by_hand(self, reservation_id: int, kind: str, at: datetime | str, status: str = "PENDING") -> int:
        """A row with the documented columns alone."""
        times = {"at": at if isinstance(at, str) else utc_text(at), "now": utc_text(self.now)}
        self.sql(
            f"INSERT INTO notification_jobs ({DOCUMENTED}) VALUES (:r, :kind, :at, :status, 0, :now, :now)",
            r=reservation_id,
            kind=kind,
            status=status,
            **times,
        )
        return int(max(job.job_id for job in self.jobs()))

    def without_jobs(self, reservation_id: int) -> int:
        self.sql("DELETE FROM notification_jobs WHERE reservation_id = :r", r=reservation_id)
        return reservation_id


@contextmanager
def clinic_at(db: Database, line: LineStandIn, data_dir: Path, **settings: Any) -> Iterator[Clinic]:
    more = {"line_api_base": line.url, "line_data_api_base": line.url, **settings}
    found = settings_for("http://127.0.0.1:8000", data_dir, line.url, **more)
    gateway = HttpGateway(db)
    # Less patient than in production, so that a test of silence does not take eight seconds.
    soon = timedelta(seconds=3)
    notice = replace(line_module.POLICIES.notice, timeout=soon, deadline=soon)
    client = LineClient(LineConfig.of(found), gateway, replace(line_module.POLICIES, notice=notice))
    with open_runtime(found, db, replacements=[gateway, client]) as runtime:
        yield Clinic(db, line, runtime)
