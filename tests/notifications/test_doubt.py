"""Jobs that may have been sent: after a crash, after silence, and when the reservation changes meanwhile."""

from datetime import timedelta

import pytest

from tests.factories.line_stand_in import OK, SILENT, Answer, Push
from tests.factories.webhooks import user_id
from tests.notifications.clinic import Clinic
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.notifications.notices.models import NotificationJob
from tsudoi.notifications.notices.rules.judging import NoticeVerdict
from tsudoi.notifications.notices.service import claiming, sending
from tsudoi.notifications.notices.service.claiming import Wanted
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.notices.service.resending import ResendDecision, resend
from tsudoi.notifications.notices.service.sending import StepRequest, StepResult
from tsudoi.notifications.notices.service.settling import NoticeAttempt


def begun(clinic: Clinic) -> StepResult:
    """Claimed and begun, and then the sender dies."""
    reader = clinic.runtime.part(NoticeReader)
    return clinic.db.write_now(sending.step, reader, StepRequest("command", room=8, wanted=Wanted(clinic.now)))


def silent(clinic: Clinic, reservation: int) -> NotificationJob:
    clinic.line.always(SILENT)
    clinic.run()
    clinic.line.always(OK)
    clinic.line.pushes.clear()
    found: NotificationJob = clinic.job(reservation)
    return found


def test_a_sender_that_died_during_the_call_is_asked_about_with_the_same_key(
    clinic: Clinic, clock: ManualClock
) -> None:
    reservation = clinic.reserve()
    [call] = begun(clinic).begun.calls
    clinic.line.receive(Push({"to": call.line_user_id, "messages": call.messages}, call.retry_key, ""))
    assert clinic.run().candidates == 0, "the lease still runs"
    clock.advance(claiming.LEASE)
    assert clinic.run().sent == 1
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count) == ("SENT", 0)
    assert clinic.line.keys == [call.retry_key] * 2
    assert clinic.line.pushes[0].body == clinic.line.pushes[1].body


def test_a_lost_lease_is_not_settled(clinic: Clinic, clock: ManualClock) -> None:
    """A sender that slept must not write over what another one has found out."""
    reservation = clinic.reserve()
    first = begun(clinic)
    clock.advance(claiming.LEASE)
    clinic.run()
    late = NoticeAttempt(first.begun.calls[0], NoticeVerdict("FAILED", error="HTTP 400"))
    request = StepRequest("command", finished=[late])
    done = clinic.db.write_now(sending.step, clinic.runtime.part(NoticeReader), request)
    assert [one.kept for one in done.settled] == [False]
    assert clinic.job(reservation).status == "SENT"


def test_after_23_hours_it_is_unknown_and_line_is_not_asked(clinic: Clinic, clock: ManualClock) -> None:
    reservation = clinic.reserve()
    silent(clinic, reservation)
    clock.advance(timedelta(hours=22, minutes=59))
    clinic.line.always(SILENT)
    clinic.run()
    assert clinic.job(reservation).status == "PENDING"
    asked = len(clinic.line.pushes)
    clock.advance(timedelta(minutes=1))
    result = clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.outcome_unknown, job.attempt_count) == ("FAILED", 1, 1)
    assert job.last_error.startswith("UNKNOWN:")
    assert (result.unknown, len(clinic.line.pushes)) == (1, asked)
    assert clinic.attempts(job.job_id)[-1].outcome == "UNKNOWN"


def test_cancelled_before_it_was_tried_is_a_dash(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.cancel(reservation)
    assert clinic.statuses(reservation) == {
        "CONFIRMATION": "DASH",
        "REMINDER": "DASH",
        "CANCEL_COMPLETED": "PENDING",
    }
    assert clinic.job(reservation).dash_reason == "CANCELLED"
    clinic.run()
    assert [push.text.splitlines()[0] for push in clinic.line.pushes] == ["【キャンセル完了】"]


def test_cancelled_in_doubt_is_unknown_and_not_asked_again(clinic: Clinic) -> None:
    """Asking could deliver a confirmation of what is cancelled."""
    reservation = clinic.reserve()
    silent(clinic, reservation)
    clinic.cancel(reservation)
    job = clinic.job(reservation)
    assert (job.status, job.outcome_unknown, job.attempt_count) == ("FAILED", 1, 1)
    assert job.last_error.startswith("UNKNOWN:")
    clinic.run()
    assert [push.text.splitlines()[0] for push in clinic.line.pushes] == ["【キャンセル完了】"]


def test_cancelled_while_a_sender_has_claimed_it(clinic: Clinic, clock: ManualClock) -> None:
    """Claimed and not begun: the cancellation comes first, and the sender finds the job closed."""
    reservation = clinic.reserve()
    claimed = clinic.db.write_now(claiming.claim, Wanted(clinic.now))
    clinic.cancel(reservation)
    request = StepRequest("command", held=claimed, room=8)
    done = clinic.db.write_now(sending.step, clinic.runtime.part(NoticeReader), request)
    assert done.begun.calls == []
    assert clinic.job(reservation).status == "DASH"


def test_cancelled_while_the_call_is_under_way(clinic: Clinic) -> None:
    """It may arrive, and the cell says so; the notice of the cancellation follows."""
    reservation = clinic.reserve()

    def cancel_meanwhile(push: Push, _number: int) -> Answer:
        if "予約確定" in push.text:
            clinic.cancel(reservation)
        return OK

    clinic.line.answer = cancel_meanwhile
    clinic.run()
    assert clinic.statuses(reservation) == {"CONFIRMATION": "SENT", "REMINDER": "DASH", "CANCEL_COMPLETED": "PENDING"}
    clinic.run()
    assert clinic.statuses(reservation)["CANCEL_COMPLETED"] == "SENT"


def test_cancelled_while_the_call_is_under_way_and_silent(clinic: Clinic) -> None:
    reservation = clinic.reserve()

    def cancel_meanwhile(push: Push, _number: int) -> Answer:
        if clinic.hospital.rows(Reservation, id=reservation)[0].canceled_at is None:
            clinic.cancel(reservation)
        return SILENT

    clinic.line.answer = cancel_meanwhile
    clinic.run()
    asked = len(clinic.line.pushes)
    clinic.line.always(OK)
    clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.outcome_unknown) == ("FAILED", 1)
    assert [push.text.splitlines()[0] for push in clinic.line.pushes[asked:]] == ["【キャンセル完了】"]


def test_a_move_closes_the_jobs_of_the_old_time(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.run()
    clinic.due(reservation, "REMINDER")
    clinic.move(reservation, timedelta(days=20))
    clinic.run()
    old = clinic.job(reservation, "REMINDER", revision=0)
    assert (old.status, old.dash_reason) == ("DASH", "MOVED")
    assert clinic.job(reservation, "CONFIRMATION", revision=1).status == "SENT"
    assert clinic.line.pushes[-1].text.startswith("【予約変更】")
    assert clinic.job(reservation, "REMINDER", revision=1).status == "PENDING"


def test_an_old_revision_that_is_due_is_a_dash(clinic: Clinic) -> None:
    """Also when the row says otherwise: it was written by hand, or the move did not see it."""
    reservation = clinic.reserve()
    clinic.hospital.change(Reservation, reservation, revision=1)
    clinic.run()
    assert (clinic.job(reservation).status, clinic.job(reservation).dash_reason) == ("DASH", "MOVED")
    assert clinic.line.pushes == []


@pytest.mark.parametrize("kind", ["CONFIRMATION", "REMINDER"])
def test_what_has_begun_is_expired(clinic: Clinic, clock: ManualClock, kind: str) -> None:
    reservation = clinic.reserve(timedelta(days=3))
    clock.advance(timedelta(days=3))
    result = clinic.run()
    job = clinic.job(reservation, kind)
    assert (job.status, job.attempt_count, job.outcome_unknown) == ("FAILED", 1, 0)
    assert job.last_error.startswith("EXPIRED:")
    assert (result.failed, clinic.line.pushes) == (2, [])


def test_a_cancellation_of_yesterday_is_expired(clinic: Clinic, clock: ManualClock) -> None:
    reservation = clinic.reserve()
    clinic.cancel(reservation)
    clock.advance(timedelta(hours=24, seconds=1))
    clinic.run()
    job = clinic.job(reservation, "CANCEL_COMPLETED")
    assert (job.status, job.attempt_count) == ("FAILED", 1)
    assert job.last_error.startswith("EXPIRED:")
    assert clinic.line.pushes == []


def test_a_removed_link_is_a_failure_until_it_is_back(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    person = clinic.hospital.rows(Reservation, id=reservation)[0].staff_uid
    clinic.hospital.change(StaffAccount, person, line_user_id=None)
    clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count, job.last_error) == ("FAILED", 1, "NO_LINE_LINK")
    assert clinic.line.pushes == []
    clinic.hospital.change(StaffAccount, person, line_user_id=user_id(77))
    clinic.change(job.job_id, status="PENDING")
    clinic.run()
    assert [push.to for push in clinic.line.pushes] == [user_id(77)]


def test_recipient_and_text_are_those_of_the_first_attempt(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.always(SILENT)
    clinic.run()
    person = clinic.hospital.rows(Reservation, id=reservation)[0].staff_uid
    clinic.hospital.change(StaffAccount, person, family_name="改姓")
    clinic.line.always(OK)
    clinic.run()
    assert len({str(push.body) for push in clinic.line.pushes}) == 1


def moved_link(clinic: Clinic, reservation: int) -> None:
    person = clinic.hospital.rows(Reservation, id=reservation)[0].staff_uid
    clinic.hospital.change(StaffAccount, person, line_user_id=user_id(78))


@pytest.mark.found("24.A3")
def test_in_doubt_the_old_account_is_asked_with_the_same_key(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    before = silent(clinic, reservation)
    moved_link(clinic, reservation)
    clinic.run()
    assert [(push.to, push.retry_key) for push in clinic.line.pushes] == [(before.line_user_id, before.retry_key)]
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count, job.outcome_unknown) == ("SENT", 0, 0)


@pytest.mark.found("24.A3")
@pytest.mark.parametrize("accept_duplicate", [False, True])
def test_a_person_sends_it_to_the_account_that_is_linked_now(clinic: Clinic, *, accept_duplicate: bool) -> None:
    """LINE's server fails, so that the notice may have been taken; the link is moved; somebody sends it again."""
    reservation = clinic.reserve()
    clinic.line.always(Answer(500, {"message": "Internal Server Error"}))
    clinic.run()
    clinic.line.always(OK)
    clinic.line.pushes.clear()
    before = clinic.job(reservation)
    assert (before.status, before.maybe_sent) == ("FAILED", 1)
    moved_link(clinic, reservation)
    decision = ResendDecision("連携し直したため", "test", accept_duplicate=accept_duplicate)
    clinic.db.write_now(resend, clinic.runtime.part(NoticeReader), before.job_id, decision)
    clinic.run()
    [push] = clinic.line.pushes
    assert (push.to, push.retry_key != before.retry_key) == (user_id(78), True)
    assert clinic.job(reservation).status == "SENT"
