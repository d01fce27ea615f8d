"""Notices under load: a cancellation meets a sender, many cancel at once, and the server dies before it has told."""

import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Event

import httpx2
import pytest
from sqlalchemy import text

from tests.booking.notices.conftest import patient_first_attempt
from tests.booking.notices.screen import Screen
from tests.booking.reservations.conftest import hospital
from tests.booking.reservations.hospital import Hospital, Person
from tests.concurrency.test_booking_rush import FAR_AWAY, SECRETS
from tests.concurrency.threads import at_once
from tests.factories.processes import started
from tests.factories.product import Box, Product, runtime_for, settings_for
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box
from tests.servers import browser, eventually, silent_peer
from tests.sizes import size
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.notifications.notices.jobs import THREADS, send_pending_jobs
from tsudoi.notifications.notices.models import NotificationJob

__all__ = [
    "box",
    "hospital",
    "impatient",
    "make_product",
    "patient_first_attempt",
    "plain_log",
    "product",
    "shared_box",
]

LONG_AGO = "2025-08-01T00:00:00.000000+00:00"


@pytest.fixture
def screen(product: Product, hospital: Hospital, box: Box) -> Iterator[Screen]:
    with closing(Screen(product, hospital, box)) as found:
        yield found


def remind_now(hospital: Hospital) -> None:
    hospital.sql(
        f"UPDATE notification_jobs SET scheduled_at = '{LONG_AGO}' WHERE kind = 'REMINDER' AND status = 'PENDING'"
    )


def booked(screen: Screen, people: int) -> list[tuple[Person, int]]:
    slot_id = screen.hospital.slot(screen.hospital.type(), capacity=people)
    return [(one, one.booked(slot_id)) for one in (screen.somebody() for _ in range(people))]


@pytest.mark.row("2.6.12")
def test_cancelled_while_the_sender_holds_it(screen: Screen, hospital: Hospital, box: Box) -> None:
    """The sender has claimed nine reminders, and eight calls hang. The ninth is cancelled in the meantime."""
    people = booked(screen, THREADS + 1)
    remind_now(hospital)
    before = len(screen.keys())
    box.breaks("slow", "push", seconds=1.5)
    last, reservation_id = people[-1]
    with ThreadPoolExecutor(1) as threads:
        run = threads.submit(screen.cron)
        eventually(lambda: len(_reminders(hospital, maybe_sent=1)) == THREADS)
        job = screen.job(reservation_id, "REMINDER")
        assert (job.lease_token is not None, job.maybe_sent) == (True, 0)
        assert last.cancel(reservation_id).status_code == 204
        assert screen.cells(reservation_id)[1] == "DASH CANCELLED"
        run.result()
    sent = {job.retry_key for job in _reminders(hospital, status="SENT")}
    assert len(sent) == THREADS
    assert screen.job(reservation_id, "REMINDER").status == "DASH"
    keys = screen.keys()[before:]
    assert job.retry_key not in keys
    assert sent <= set(keys)


def _reminders(hospital: Hospital, **only: object) -> list[NotificationJob]:
    return hospital.rows(NotificationJob, kind="REMINDER", **only)


@pytest.mark.row("2.6.13", "2.13.1")
def test_cancelled_ten_times_at_once(screen: Screen, hospital: Hospital) -> None:
    [(anna, reservation_id)] = booked(screen, 1)
    answers = at_once(10, lambda _: _cancel(screen, anna, reservation_id))
    assert {answer.status_code for answer in answers} == {204}
    [job] = hospital.rows(NotificationJob, kind="CANCEL_COMPLETED")
    assert job.status == "SENT"
    assert screen.keys().count(job.retry_key) == 1
    assert len(screen.texts(anna)) == 2
    assert hospital.booked(1) == 0


def _cancel(screen: Screen, person: Person, reservation_id: int) -> httpx2.Response:
    """With a client of its own, because one client does not send ten requests at once."""
    with browser(screen.product.url, headers=dict(person.http.headers)) as http:
        return Person(http, person.uid).cancel(reservation_id)


def test_a_sender_and_changes_do_not_wait_for_each_other(screen: Screen, hospital: Hospital, backend: str) -> None:
    """Two senders, cancellations, moves, links and resends on the same rows, in parallel."""
    people = booked(screen, size(16, 120))
    other = hospital.slot(1, "2025-10-01", capacity=len(people))
    remind_now(hospital)
    deadlocks = _deadlocks(screen, backend)
    seen: Counter[int] = Counter()

    def act(number: int) -> None:
        if number < 2:
            for _ in range(4):
                screen.cron()
            return
        for at, (person, reservation_id) in enumerate(people):
            if at % 4 == number % 4:
                seen[_change(screen, number, person, reservation_id, other).status_code] += 1

    at_once(8, act)
    screen.cron()
    assert set(seen) <= {200, 202, 204, 409}
    assert _deadlocks(screen, backend) == deadlocks
    assert screen.product.db.read_now(lambda tx: list(flaws(tx))) == []
    for job in hospital.rows(NotificationJob):
        assert job.lease_token is None
        assert screen.keys().count(job.retry_key) == (job.status == "SENT")
    canceled = [row.id for row in hospital.reservations() if row.canceled_at is not None]
    assert all(screen.job(one, "REMINDER", revision=0).status != "PENDING" for one in canceled)


def _change(screen: Screen, number: int, person: Person, reservation_id: int, slot_id: int) -> httpx2.Response:
    if number < 4:
        return person.cancel(reservation_id)
    if number < 6:
        return person.move(reservation_id, slot_id)
    return screen.resend(screen.jobs(reservation_id)[0].job_id)


def _deadlocks(screen: Screen, backend: str) -> int:
    if backend == "sqlite":
        return 0
    statement = text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    return int(screen.product.db.read_now(lambda tx: tx.scalar(statement)))


@pytest.mark.row("2.13.5")
def test_killed_before_it_has_told(tmp_path: Path, database_url: str, box: Box) -> None:
    """The server dies after the commit of a cancellation. The command finishes what it began."""
    db = open_database(database_url, SystemClock())
    clinic = Hospital(db, SECRETS["JWT_SECRET"])
    anna = clinic.staff(line_user_id=box.friend())
    slot_id = clinic.slot(clinic.type(), FAR_AWAY)
    dead = Event()
    with silent_peer() as line, ThreadPoolExecutor(1) as threads:
        settings = {"DATABASE_URL": database_url, "WORKER_INLINE": "0", "LINE_API_BASE": line, **SECRETS}
        with started(tmp_path, "serve", **settings) as server:
            headers = {"authorization": f"Bearer {clinic.token(anna)}"}
            person = Person(browser(server.url, headers=headers), anna)
            cancellation = threads.submit(_ignored, person, person.booked(slot_id), dead)
            eventually(lambda: clinic.rows(NotificationJob, kind="CANCEL_COMPLETED"))
            server.stop(signal.SIGKILL)
            dead.set()
            cancellation.result()
    assert clinic.rows(NotificationJob, kind="CANCEL_COMPLETED")[0].status == "PENDING"
    clinic.sql(f"UPDATE notification_jobs SET lease_until = '{LONG_AGO}' WHERE lease_until IS NOT NULL")
    with runtime_for(settings_for("http://127.0.0.1:1", tmp_path / "data", box.url), db) as runtime:
        assert [send_pending_jobs(runtime, caller="command").sent for _ in range(2)] == [1, 0]
    [job] = clinic.rows(NotificationJob, kind="CANCEL_COMPLETED")
    rows = box.http.get("/_sandbox/deliveries").json()["deliveries"]
    assert (job.status, [row["retry_key"] for row in rows].count(job.retry_key)) == ("SENT", 1)
    db.close()


def _ignored(person: Person, reservation_id: int, dead: Event) -> None:
    """Nobody hears the answer."""
    with closing(person.http), suppress(httpx2.HTTPError):
        person.cancel(reservation_id)
    assert dead.wait(20)
