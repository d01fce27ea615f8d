"""G5 and G6 for notices: LINE misbehaves, the command is killed, several run at once, and nobody is told twice.

Each check stands next to mutants that it must find: without them, "no violations" could mean that nothing was checked.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from tests.booking.reservations.hospital import Hospital
from tests.concurrency.test_broadcast_exactly_once import misbehave, silent_after
from tests.concurrency.threads import at_once
from tests.factories.processes import SECRETS, environment
from tests.factories.product import (
    JWT_SECRET,
    PIN_PEPPER,
    REFRESH_SECRET,
    Box,
    runtime_for,
    settings_for,
)
from tests.notifications.senders import CommandProcesses, command_processes
from tests.product_fixtures import box, plain_log, shared_box, sqlite_only
from tests.sizes import size
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.clock import ManualClock, utc_text
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.runtime import Runtime
from tsudoi.notifications.notices import jobs
from tsudoi.notifications.notices.jobs import send_pending_jobs
from tsudoi.notifications.notices.models import NotificationJob
from tsudoi.notifications.notices.rules.deciding import Send
from tsudoi.notifications.notices.rules.judging import NoticeVerdict
from tsudoi.notifications.notices.service import beginning, claiming
from tsudoi.notifications.notices.service.settling import NoticeAttempt, settle

__all__ = ["box", "plain_log", "shared_box"]

JOBS = size(150, 2_000)
SEVERAL = size(120, 2_000)
KILLS = size(4, 60)


@pytest.fixture
def clock() -> ManualClock:
    """The command has the clock of the machine, so that this test has it too. Leases are ended by SQL."""
    return ManualClock(datetime.now(UTC))


class Notices:
    """Many reservations with a notice that is due, and what LINE and the database say about them."""

    def __init__(self, db: Database, box: Box, runtime: Runtime) -> None:
        self.db, self.box, self.runtime = db, box, runtime
        self.hospital = Hospital(db)

    def make(self, number: int) -> None:
        """Rows as other programs write them: with the documented columns alone."""
        users = self.box.http.post("/_sandbox/users/crowd", json={"count": number}).json()["user_ids"]
        people = self.hospital.people(number)
        type_id = self.hospital.type(limit_per_year=None)
        slot_id = self.hospital.slot(type_id, "2099-01-05", capacity=number, booked_count=number)
        self.db.write_now(self._write, dict(zip(people, users, strict=True)), type_id, slot_id)

    def _write(self, tx: Tx, people: dict[str, str], type_id: int, slot_id: int) -> None:
        times = {"created_at": tx.now, "updated_at": tx.now}
        slot = {"slot_id": slot_id, "reservation_type_id": type_id, "service_date_local": "2099-01-05"}
        more = {"start_minute_of_day": 540, "duration_minutes": 15, "period_key": "FY2098", "once_per_year": 0}
        rows = [{"staff_uid": uid, "staff_id": uid, **slot, **more, **times} for uid in people]
        tx.execute(insert(Reservation), rows)
        link = text("UPDATE staffs SET line_user_id = :line WHERE staff_uid = :uid")
        tx.execute(link, [{"line": user_id, "uid": uid} for uid, user_id in people.items()])
        made = tx.execute(select(Reservation.id)).scalars()
        job = {"kind": "REMINDER", "status": "PENDING", "attempt_count": 0, "scheduled_at": tx.now, **times}
        tx.execute(insert(NotificationJob), [{"reservation_id": one, **job} for one in made])

    def sql(self, statement: str, **values: Any) -> None:
        self.db.write_now(lambda tx: tx.execute(text(statement), values))

    def end_leases(self) -> None:
        """As if two minutes had passed since the senders died."""
        past = utc_text(datetime(2020, 1, 1, tzinfo=UTC))
        self.sql("UPDATE notification_jobs SET lease_until = :past WHERE lease_until IS NOT NULL", past=past)

    def rows(self) -> list[Any]:
        return self.hospital.rows(NotificationJob)

    def pending(self) -> int:
        return sum(job.status == "PENDING" for job in self.rows())

    def violations(self) -> list[str]:
        """What must never be: a notice that counts as sent and is not, one that arrived twice, a stranger's key."""
        arrived = Counter(one.acceptance.retry_key for one in self.box.world.deliveries.after(0, None))
        people = Counter(one.user_id for one in self.box.world.deliveries.after(0, None))
        found = [f"somebody was told {times} times" for times in people.values() if times > 1]
        for job in self.rows():
            certain = not (job.outcome_unknown or job.maybe_sent)
            allowed = {"SENT": (1,), "FAILED": (0,) if certain else (0, 1), "DASH": (0,)}.get(job.status, ())
            if (times := arrived.pop(job.retry_key, 0)) not in allowed:
                found.append(f"{job.status}, told {times} times")
        return found + [f"the key {key} belongs to no job" for key in arrived]


@pytest.fixture
def notices(
    db: Database, box: Box, tmp_path: Path, plain_log: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Notices]:
    monkeypatch.setattr(jobs, "_PAUSES", (0.0, 0.0))
    box.http.post("/_sandbox/clock", json={"now": datetime.now(UTC).isoformat()}).raise_for_status()
    # The command refuses the short token of the other tests.
    token = SECRETS["LINE_CHANNEL_ACCESS_TOKEN"]
    monkeypatch.setattr(box.world, "config", replace(box.world.config, channel_access_token=token))
    settings = settings_for("http://127.0.0.1:1", tmp_path / "data", box.url, line_channel_access_token=token)
    with runtime_for(settings, db) as runtime:
        yield Notices(db, box, runtime)


@pytest.fixture
def commands(notices: Notices, database_url: str, tmp_path: Path) -> Iterator[CommandProcesses]:
    settings = environment(
        tmp_path,
        DATABASE_URL=database_url,
        LINE_API_BASE=notices.box.url,
        LINE_DATA_API_BASE=notices.box.url,
        JWT_SECRET=JWT_SECRET,
        REFRESH_SECRET=REFRESH_SECRET,
        SECURITY_PIN_PEPPER=PIN_PEPPER,
    )
    with command_processes(tmp_path, settings) as found:
        yield found


class TestG5:
    def test_with_faults_and_kills_each_is_told_once_or_shown(
        self, notices: Notices, commands: CommandProcesses
    ) -> None:
        seed, killed_at_work = random.randrange(10**6), 0
        moments = random.Random(seed)
        notices.make(JOBS)
        misbehave(notices.box, seed)
        while killed_at_work < KILLS:
            assert notices.pending(), f"all was sent after {killed_at_work} kills (seed {seed})"
            with silent_after(notices.box, moments.randint(1, 12)) as silent:
                commands.start(2)
                assert silent.wait(20), commands.said()
                killed_at_work += 1
                time.sleep(moments.uniform(0, 0.03))
                commands.kill()
            notices.end_leases()
        for _ in range(60):
            if not notices.pending():
                break
            assert commands.run(2) == [0, 0]
        assert notices.violations() == [], f"seed {seed}"
        counted = Counter(job.status for job in notices.rows())
        assert (counted.total(), counted["PENDING"]) == (JOBS, 0)
        assert counted["SENT"] > JOBS * 0.9


class TestG6:
    def test_several_at_once(self, notices: Notices, database_url: str, clock: ManualClock) -> None:
        notices.make(SEVERAL)
        misbehave(notices.box, 3, kinds=("error_500_after", "rate_limited", "conflict", "drop_connection"))
        other = open_database(database_url, clock)
        try:
            with runtime_for(notices.runtime.settings, other) as second:
                runtimes = (notices.runtime, second)
                for _ in range(40):
                    at_once(4, lambda number: send_pending_jobs(runtimes[number % 2], caller="command"))
                    if not notices.pending():
                        break
        finally:
            other.close()
        assert notices.violations() == []
        assert notices.pending() == 0


@sqlite_only
class TestMutants:
    """The same faults and the same check, without kills: one thing is done wrongly, and it is found."""

    def run(
        self,
        notices: Notices,
        percent: float = 70.0,
        kinds: tuple[str, ...] = ("timeout_after_accept", "drop_connection"),
    ) -> list[str]:
        """Most calls are silent, and half of these after LINE has taken the message."""
        notices.make(40)
        misbehave(notices.box, 11, percent=percent, kinds=kinds)
        for _ in range(15):
            send_pending_jobs(notices.runtime, caller="command")
        return notices.violations()

    def test_as_it_is_nothing_is_found(self, notices: Notices) -> None:
        assert self.run(notices) == []

    def test_a_new_key_per_try_tells_people_twice(self, notices: Notices, monkeypatch: pytest.MonkeyPatch) -> None:
        real = claiming._claimed
        monkeypatch.setattr(claiming, "_claimed", lambda row, token: replace(real(row, token), retry_key=None))
        assert "somebody was told 2 times" in self.run(notices)

    def test_marking_before_sending_leaves_people_out(self, notices: Notices, monkeypatch: pytest.MonkeyPatch) -> None:
        real = jobs._SendingRun._attempt

        def too_early(self: Any, call: Any) -> NoticeAttempt:
            self.runtime.db.write_now(settle, [NoticeAttempt(call, NoticeVerdict("SENT"))], "command")
            return real(self, call)

        monkeypatch.setattr(jobs._SendingRun, "_attempt", too_early)
        assert "SENT, told 0 times" in self.run(notices, 95.0, ("drop_connection",))

    def test_without_a_look_at_the_reservation_a_cancelled_one_is_told(
        self, notices: Notices, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another program has cancelled everything, and does not know of our jobs."""
        notices.make(10)
        notices.sql("UPDATE reservations SET canceled_at = created_at")
        if_it_looked = notices.rows()
        send_pending_jobs(notices.runtime, caller="command", limit=5)
        assert not list(notices.box.world.deliveries.after(0, None))
        monkeypatch.setattr(beginning, "decide", lambda _job, facts, _now: Send(facts.line_user_id))
        send_pending_jobs(notices.runtime, caller="command")
        assert len(list(notices.box.world.deliveries.after(0, None))) == len(if_it_looked) - 5
