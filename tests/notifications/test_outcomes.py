"""What LINE's answers do to a job: an HTTP answer is a result, and no answer is no result."""

import pytest

from tests.factories.line_stand_in import MONTHLY, OK, SILENT, TOO_MANY, Answer
from tests.notifications.clinic import Clinic
from tsudoi.gateway.clients.line import LineClient

BAD = Answer(400, {"message": "The request body has 1 error(s)"})


@pytest.mark.row("2.5.3", "2.7.8", "2.8.5")
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 500, 503])
def test_every_other_status_is_failed(clinic: Clinic, status: int) -> None:
    reservation = clinic.reserve()
    clinic.line.always(Answer(status, {"message": f"told {status}"}))
    result = clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count, job.outcome_unknown) == ("FAILED", 1, 0)
    assert job.last_error.startswith(f"HTTP {status} request_id=5a7f1c1e-0000-4000-8000-000000000001 ")
    assert f"told {status}" in job.last_error
    assert job.maybe_sent == (status >= 500)
    assert (result.failed, result.sent) == (1, 0)
    assert len(clinic.line.pushes) == (3 if status >= 500 else 1)
    assert len(set(clinic.line.keys)) == 1


@pytest.mark.row("2.7.8")
def test_a_second_failure_is_counted_too(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.always(BAD)
    clinic.run()
    clinic.change(clinic.job(reservation).job_id, status="PENDING")
    clinic.run()
    assert clinic.job(reservation).attempt_count == 2
    assert [attempt.outcome for attempt in clinic.attempts(clinic.job(reservation).job_id)] == ["FAILED", "FAILED"]


@pytest.mark.row("2.8.1", "2.8.2", "2.8.3")
def test_the_monthly_limit_is_a_result_and_the_run_goes_on(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsudoi.notifications.notices.jobs.THREADS", 1)
    reservations = clinic.reserve_many(6)
    limit = Answer(429, MONTHLY)
    clinic.line.in_turn(OK, OK, limit, limit, limit, OK)
    result = clinic.run()
    assert (result.sent, result.failed) == (3, 3)
    assert len(clinic.line.pushes) == 6
    assert clinic.job(reservations[5]).status == "SENT"
    job = clinic.job(reservations[2])
    assert (job.status, job.attempt_count, job.maybe_sent) == ("FAILED", 1, 0)
    assert "You have reached your monthly limit." in job.last_error


@pytest.mark.row("2.8.4")
def test_too_many_calls_are_repeated_a_few_times_and_fail_then(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.always(Answer(429, TOO_MANY))
    assert clinic.run().failed == 1
    assert len(clinic.line.pushes) == 3
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count, job.maybe_sent) == ("FAILED", 1, 0)
    assert TOO_MANY["message"] in job.last_error


@pytest.mark.parametrize("first", [Answer(500, {"message": "Internal"}), SILENT, Answer(429, TOO_MANY)])
def test_the_same_call_is_repeated_within_one_attempt(clinic: Clinic, first: Answer) -> None:
    reservation = clinic.reserve()
    clinic.line.in_turn(first)
    clinic.run()
    assert [push.body for push in clinic.line.pushes] == [clinic.line.pushes[0].body] * 2
    assert len(set(clinic.line.keys)) == 1
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count) == ("SENT", 0)
    assert len(clinic.attempts(job.job_id)) == 1


@pytest.mark.row("2.8.6")
def test_the_whole_answer_is_kept(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    details = [{"message": "長い説明" * 750, "property": "messages[0].text"}]
    clinic.line.always(Answer(400, {"message": "The request body has 1 error(s)", "details": details}))
    clinic.run()
    error = clinic.job(reservation).last_error
    assert error.startswith("HTTP 400 request_id=")
    assert "長い説明" * 750 in error
    assert error.endswith('"property": "messages[0].text"}]}')


def test_recipients_and_tokens_are_masked_in_what_is_kept(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    token = clinic.runtime.settings.line_channel_access_token
    assert token is not None
    user = clinic.job(reservation, "REMINDER").line_user_id or "U" + "0" * 31 + "1"
    body = f"{user} hanako@example.jp {token.get_secret_value()} \x00".encode()
    clinic.line.always(Answer(400, body))
    clinic.run()
    error = clinic.job(reservation).last_error
    assert user not in error
    assert "hanako" not in error
    assert token.get_secret_value() not in error
    assert "U***0001 ***@*** *** \N{REPLACEMENT CHARACTER}" in error


def test_an_answer_beyond_16_kilobytes_is_cut_with_a_mark(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.always(Answer(400, b"x" * 40_000))
    clinic.run()
    error = clinic.job(reservation).last_error
    assert len(error) < 17_000
    assert error.endswith("cut）")


@pytest.mark.row("2.8.7")
def test_silence_leaves_the_job_pending_and_the_next_run_asks_with_the_same_key(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.always(SILENT)
    result = clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count, job.last_error, job.maybe_sent) == ("PENDING", 0, None, 1)
    assert job.lease_until is None
    assert (result.candidates, result.unknown, len(clinic.line.pushes)) == (1, 1, 3)
    assert [attempt.outcome for attempt in clinic.attempts(job.job_id)] == ["NO_ANSWER"]
    clinic.line.always(OK)
    clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count, job.maybe_sent) == ("SENT", 0, 0)
    assert len(set(clinic.line.keys)) == 1
    assert len({str(push.body) for push in clinic.line.pushes}) == 1


@pytest.mark.row("2.8.7")
def test_a_line_that_sleeps_is_silent_too(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsudoi.notifications.notices.jobs._CALLS", 1)
    reservation = clinic.reserve()
    clinic.line.always(Answer(seconds=20))
    assert clinic.run().unknown == 1
    assert (clinic.job(reservation).status, clinic.job(reservation).maybe_sent) == ("PENDING", 1)


@pytest.mark.row("2.5.2")
def test_a_message_that_line_had_taken_is_sent(clinic: Clinic) -> None:
    """LINE took it and the answer was lost; the same key is answered with 409."""
    reservation = clinic.reserve()
    clinic.line.in_turn(Answer(silent=True), Answer(silent=True), Answer(silent=True))
    clinic.run()
    clinic.run()
    assert clinic.job(reservation).status == "SENT"
    assert len(clinic.line.accepted) == 1


def test_without_a_connection_nothing_was_sent(clinic: Clinic) -> None:
    """The next attempt is a first one again, with the text and the recipient of that moment."""
    reservation = clinic.reserve()
    config = clinic.runtime.part(LineClient).config
    object.__setattr__(config, "api_base", "http://127.0.0.1:9")
    assert clinic.run().unknown == 1
    job = clinic.job(reservation)
    assert (job.status, job.maybe_sent, job.attempt_count) == ("PENDING", 0, 0)


def test_a_success_of_a_proxy_is_no_answer_of_line(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.always(Answer(200, b"<html>ok</html>"))
    assert clinic.run().unknown == 1
    assert (clinic.job(reservation).status, clinic.job(reservation).maybe_sent) == ("PENDING", 1)


def test_a_json_object_without_a_list_of_messages_is_a_success(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.always(Answer(200, {}))
    clinic.run()
    assert clinic.job(reservation).status == "SENT"


def test_a_refusal_after_silence_stays_in_doubt(clinic: Clinic) -> None:
    """FAILED, as every HTTP status; but nobody may believe that it certainly did not arrive."""
    reservation = clinic.reserve()
    clinic.line.in_turn(SILENT, BAD)
    clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.attempt_count, job.maybe_sent) == ("FAILED", 1, 1)
