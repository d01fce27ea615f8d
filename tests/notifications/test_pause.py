"""The pause switch: nothing is sent, nothing is lost, and it is seen."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.booking.office import audited, office
from tests.factories.line_stand_in import Answer, Push
from tests.factories.product import Product
from tests.notifications.clinic import Clinic
from tsudoi.core.installation import become_copy, confirm_copy, identity
from tsudoi.notifications.pause.queries import current_pause, is_paused
from tsudoi.notifications.pause.service import pause, resume


@pytest.fixture
def desk(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as http:
        yield http


def test_paused_and_resumed_with_a_reason(desk: httpx2.Client, product: Product) -> None:
    first = desk.post("/api/admin/notifications/pause", json={"reason": "文面の確認"})
    assert first.json()["paused"]["reason"] == "文面の確認"
    again = desk.post("/api/admin/notifications/pause", json={"reason": "もう一度"})
    assert again.json() == first.json()
    assert desk.post("/api/admin/notifications/resume", json={"reason": "確認できた"}).json() == {"paused": None}
    assert desk.post("/api/admin/notifications/resume", json={"reason": "もう一度"}).json() == {"paused": None}
    assert [row["reason"] for row in audited(product.db, "NOTICE_PAUSE")] == ["文面の確認"]
    assert [row["reason"] for row in audited(product.db, "NOTICE_RESUME")] == ["確認できた"]
    assert desk.post("/api/admin/notifications/pause", json={}).status_code == 400


def test_while_paused_nothing_is_sent_and_jobs_stay_as_they_are(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    before = clinic.jobs()
    clinic.db.write_now(pause, "文面の確認", "test")
    result = clinic.run()
    assert (result.paused, result.candidates, clinic.line.pushes) == (True, 0, [])
    clinic.try_now(clinic.job(reservation).job_id)
    assert clinic.jobs() == before
    clinic.db.write_now(resume, "確認できた", "test")
    assert clinic.run().sent == 1
    assert clinic.db.read_now(current_pause) is None


@pytest.mark.found("24.E4")
@pytest.mark.row("8.C.24")
def test_a_restored_copy_sends_nothing_until_it_is_confirmed(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    before = clinic.jobs()
    original = clinic.db.read_now(identity).database_id
    clinic.db.write_now(become_copy)
    result = clinic.run()
    assert (result.paused, result.candidates, clinic.line.pushes) == (True, 0, [])
    clinic.try_now(clinic.job(reservation).job_id)
    assert clinic.jobs() == before
    shown = clinic.db.read_now(current_pause)
    assert shown is not None
    assert "復元" in shown.reason
    clinic.db.write_now(confirm_copy, original[:8])
    assert clinic.run().sent == 1
    assert clinic.db.read_now(current_pause) is None


def test_a_pause_during_a_run_stops_what_has_not_begun(clinic: Clinic) -> None:
    clinic.reserve_many(40)

    def pause_now(_push: Push, number: int) -> Answer:
        if number == 1:
            clinic.db.write_now(pause, "急いで停止", "test")
        return Answer(seconds=0.05)

    clinic.line.answer = pause_now
    result = clinic.run()
    assert result.paused
    assert result.sent <= 16
    assert clinic.db.read_now(is_paused)
    rest = [job for job in clinic.jobs(kind="CONFIRMATION") if job.status == "PENDING"]
    assert len(rest) == 40 - result.sent
    assert all(job.lease_until is None and job.maybe_sent == 0 for job in rest)
