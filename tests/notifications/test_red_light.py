"""The red light: `/readyz`, `/metrics`, the doctor, and what the quota keeps for notices."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.factories.line_stand_in import MONTHLY, Answer, LineStandIn
from tests.factories.product import Product, running_product
from tests.notifications.clinic import Clinic, clinic_at
from tests.product_fixtures import sqlite_only
from tsudoi.access import health
from tsudoi.access.health import CLOCKWORK_LOOP, heartbeat_name
from tsudoi.access.registration import ActiveContexts
from tsudoi.commands.checks import notifications as check
from tsudoi.commands.checks.findings import DoctorContext, Finding, Level
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.heartbeats import beat
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.http import HttpGateway
from tsudoi.notifications.notices.queries import promised_messages, pulse
from tsudoi.notifications.pause.service import pause


@pytest.fixture(autouse=True)
def always_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PROBE_AGAIN_SECONDS", 0)


@pytest.fixture
def server(db: Database, line: LineStandIn, tmp_path: Path, clinic: Clinic) -> Iterator[Product]:
    """A product beside the clinic, on the same database, whose worker is well."""
    with running_product(db, tmp_path / "served", box_url=line.url) as found:
        yield found


def alive(product: Product) -> None:
    active = product.runtime.part(ActiveContexts)
    for loop in (CLOCKWORK_LOOP, *(sender.name for sender in active.senders)):
        product.db.write_now(beat, heartbeat_name(loop))


def light(product: Product) -> str:
    alive(product)
    ready = product.http.get("/readyz")
    assert ready.status_code == 200, "another process would not help"
    found: str = ready.json()["work"]["notices"]
    return found


def test_red_when_nothing_has_run_while_something_is_due(server: Product, clinic: Clinic, clock: ManualClock) -> None:
    assert light(server) == "ok"
    clinic.reserve()
    assert light(server) == "ok"
    clock.advance(timedelta(minutes=10, seconds=1))
    assert light(server) == "last run: never; 1 due"
    clinic.run()
    assert light(server) == "ok"
    clock.advance(timedelta(minutes=11))
    assert light(server) == "ok", "nothing is due"
    clinic.reserve()
    assert light(server).endswith("; 1 due")


@pytest.mark.row("2.11.4")
def test_the_monthly_limit_does_not_make_the_server_unready(server: Product, clinic: Clinic) -> None:
    clinic.reserve_many(4)
    clinic.line.always(Answer(429, MONTHLY))
    clinic.run()
    alive(server)
    assert server.http.get("/readyz").status_code == 200
    assert clinic.db.read_now(pulse).failures_in_a_row == 4


def test_the_metrics_have_the_numbers(server: Product, clinic: Clinic, clock: ManualClock) -> None:
    clinic.reserve_many(2)
    clinic.line.always(Answer(400, {"message": "no"}))
    clinic.run(limit=1)
    clock.advance(timedelta(seconds=90))
    lines = server.http.get("/metrics").text.splitlines()
    numbers = {line.split()[0]: line.split()[1] for line in lines if line.startswith("tsudoi_notices_")}
    assert numbers == {
        "tsudoi_notices_due": "1",
        "tsudoi_notices_oldest_due_age_seconds": "90",
        "tsudoi_notices_failures_in_a_row": "1",
        "tsudoi_notices_last_run_age_seconds": "90",
    }


def test_what_is_due_this_month_is_promised(clinic: Clinic) -> None:
    """2025-08-16: the reminder of the 12th of September belongs to another month."""
    clinic.reserve(timedelta(days=10))
    clinic.reserve(timedelta(days=27))
    assert clinic.db.read_now(promised_messages) == 3
    assert clinic.db.read_now(clinic.runtime.part(ActiveContexts).promised_messages) == 3
    clinic.run()
    assert clinic.db.read_now(promised_messages) == 1


def findings(clinic: Clinic, **settings: Any) -> list[Finding]:
    gateway = clinic.runtime.part(HttpGateway)
    account = LineAccount(clinic.runtime.part(LineClient), clinic.db.clock)
    changed = clinic.runtime.settings.model_copy(update=settings)
    return list(check.notices(DoctorContext(changed, clinic.db.clock, clinic.db, gateway, account)))


@sqlite_only
def test_the_doctor_says_what_is_wrong(clinic: Clinic, clock: ManualClock) -> None:
    [fine] = findings(clinic)
    assert fine.level is Level.OK
    clinic.reserve_many(3)
    clock.advance(timedelta(minutes=11))
    [silent] = findings(clinic)
    assert silent.level is Level.PROBLEM
    assert "notifications send --every 60" in silent.advice
    clinic.line.always(Answer(401, {"message": "Authentication failed"}))
    clinic.run()
    failing, runs = findings(clinic)
    assert (failing.level, runs.level) == (Level.PROBLEM, Level.OK)
    assert "Authentication failed" in failing.message
    clinic.db.write_now(pause, "文面の確認", "test")
    assert [found.level for found in findings(clinic, notification_cron_dry_run=True)][:2] == [Level.WARNING] * 2
    assert findings(clinic, features=("events",)) == []


@sqlite_only
@pytest.mark.row("2.10.2")
def test_the_worker_never_sends(server: Product, clinic: Clinic, clock: ManualClock) -> None:
    """All its senders and all its jobs by the clock, a day long."""
    reservation = clinic.reserve(timedelta(days=5))
    clinic.due(reservation, "REMINDER")
    for _ in range(3):
        server.worker.drain()
        server.worker._run_due_jobs()
        clock.advance(timedelta(hours=8))
    assert clinic.line.pushes == []
    assert clinic.statuses(reservation) == {"CONFIRMATION": "PENDING", "REMINDER": "PENDING"}


@sqlite_only
@pytest.mark.row("2.10.2")
def test_no_context_registers_a_sender_of_notices(tmp_path: Path, db: Database, line: LineStandIn) -> None:
    with clinic_at(db, line, tmp_path) as clinic:
        active = clinic.runtime.part(ActiveContexts)
        assert "notification_jobs" not in [outbox.table.name for outbox in active.outboxes.values()]
