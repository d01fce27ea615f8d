"""The pure rules behind the screen: cells, their words, and what may be sent again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from tsudoi.booking.notices.rules.cells import (
    KINDS,
    CellFacts,
    StoredNotice,
    cell_status,
    needs_none_because,
    resend_facts,
)
from tsudoi.booking.notices.rules.messages import cell_message, why_not_made
from tsudoi.booking.notices.rules.timeline import actor_name, audited, canceled_by_row
from tsudoi.line.delivery.rules import line_state
from tsudoi.notifications.notices.errors import RESEND_REFUSALS
from tsudoi.notifications.notices.rules.causes import CAUSES, cause_of
from tsudoi.notifications.notices.rules.resending import ResendFacts, may_arrive_twice, needs_new_key, refusal

NOW = datetime(2026, 12, 1, 3, tzinfo=UTC)
AHEAD = NOW + timedelta(days=9)
FACTS = CellFacts(0, AHEAD, confirmed=True, canceled=False, paid=False, linked=True)
JOB = StoredNotice(7, "PENDING", NOW, NOW)
ERRORS = {
    "QUOTA": 'HTTP 429 request_id=abc {"message":"You have reached your monthly limit."}',
    "BUSY": 'HTTP 429 request_id=abc {"message":"The API rate limit has been exceeded. Try again later."}',
    "TOKEN": "HTTP 401 request_id=abc Authentication failed",
    "REFUSED": "HTTP 400 request_id=abc Failed to send messages",
    "LINE_TROUBLE": "HTTP 503 request_id=- upstream",
    "NO_ANSWER": "UNKNOWN: no certain answer from LINE for 23 hours",
    "NO_LINE_LINK": "NO_LINE_LINK",
    "EXPIRED": "EXPIRED: it began at 2026/12/01 10:00 (JST)",
    "TEMPLATE": "TEMPLATE: 文章が空です。",
    "OTHER": "something else",
}


@pytest.mark.row("2.5.4", "2.5.5", "2.11.2")
class TestCells:
    @pytest.mark.parametrize(
        ("facts", "expected"),
        [
            ({"confirmed": False}, ["NOT_CONFIRMED", "NOT_CONFIRMED", "NOT_CANCELLED"]),
            ({"confirmed": False, "canceled": True}, ["NOT_CONFIRMED", "NOT_CONFIRMED", "NOT_CONFIRMED"]),
            ({"confirmed": False, "canceled": True, "paid": True}, ["NOT_CONFIRMED", "NOT_CONFIRMED", None]),
            ({}, [None, None, "NOT_CANCELLED"]),
            ({"canceled": True}, [None, "CANCELLED", None]),
        ],
    )
    def test_without_a_row_the_reservation_speaks(self, facts: dict[str, Any], expected: list[str | None]) -> None:
        found = replace(FACTS, **facts)
        assert [needs_none_because(kind, found) for kind in KINDS] == expected
        shown = [("DASH", reason) if reason else ("NONE", "MISSING") for reason in expected]
        assert [cell_status(kind, found, None, None) for kind in KINDS] == shown

    def test_a_reason_that_was_written_down_is_shown(self) -> None:
        assert cell_status("CONFIRMATION", FACTS, None, "NO_LINE_LINK") == ("DASH", "NO_LINE_LINK")
        assert cell_status("REMINDER", FACTS, None, "LESS_THAN_48H") == ("DASH", "LESS_THAN_48H")
        assert cell_status("REMINDER", replace(FACTS, canceled=True), None, "NO_LINE_LINK") == ("DASH", "CANCELLED")

    def test_a_row_wins(self) -> None:
        canceled = replace(FACTS, canceled=True)
        for status in ("PENDING", "SENT"):
            assert cell_status("REMINDER", canceled, replace(JOB, status=status), "NO_LINE_LINK") == (status, None)
        failed = replace(JOB, status="FAILED", last_error=ERRORS["QUOTA"])
        assert cell_status("REMINDER", canceled, failed, None) == ("FAILED", "QUOTA")
        assert cell_status("REMINDER", canceled, replace(failed, outcome_unknown=True), None)[0] == "UNKNOWN"
        assert cell_status("REMINDER", FACTS, replace(JOB, status="DASH"), None) == ("DASH", "CALLED_OFF")


@pytest.mark.row("2.11.3")
class TestWords:
    def test_every_cell_says_why_and_what_to_do(self) -> None:
        """No bare code, and not one cell without a sentence."""
        stored = [
            None,
            JOB,
            replace(JOB, scheduled_at=AHEAD),
            replace(JOB, maybe_sent=True),
            replace(JOB, attempt_count=1),
            replace(JOB, status="SENT"),
            replace(JOB, status="DASH", dash_reason="MOVED"),
            *(replace(JOB, status="FAILED", last_error=error) for error in ERRORS.values()),
            replace(JOB, status="FAILED", last_error=ERRORS["NO_ANSWER"], outcome_unknown=True),
        ]
        states = product((True, False), repeat=4)
        for (confirmed, canceled, linked, friend), kind, notice in product(states, KINDS, stored):
            for begins, skipped in product((AHEAD, NOW), (None, "NO_LINE_LINK", "LESS_THAN_48H")):
                seen = line_state("U1" if linked else None, friend)
                facts = CellFacts(0, begins, confirmed, canceled, paid=False, linked=linked, line_state=seen)
                shown = cell_status(kind, facts, notice, skipped)
                message = cell_message(kind, facts, notice, shown, NOW)
                assert message.endswith("。")
                assert not any(word in message for word in ("DASH", "NONE", "FAILED", "HTTP", str(shown[1])))
                assert shown[0] in ("PENDING", "SENT") or shown[1]

    @pytest.mark.parametrize("cause", CAUSES)
    def test_a_failure_says_what_to_do(self, cause: str) -> None:
        failed = replace(JOB, status="FAILED", last_error=ERRORS[cause])
        message = cell_message("CONFIRMATION", FACTS, failed, ("FAILED", cause), NOW)
        assert message.count("。") >= 2
        final = cell_message("CANCEL_COMPLETED", replace(FACTS, canceled=True), failed, ("FAILED", cause), NOW)
        assert "再送しません" in final

    def test_what_cannot_be_sent_again_does_not_ask_for_it(self) -> None:
        failed, shown = replace(JOB, status="FAILED", last_error=ERRORS["QUOTA"]), ("FAILED", "QUOTA")
        for facts in (replace(FACTS, canceled=True), replace(FACTS, begins_at=NOW), replace(FACTS, linked=False)):
            assert "「再送」" not in cell_message("REMINDER", facts, failed, shown, NOW)  # type: ignore[arg-type]

    def test_a_blocked_account(self) -> None:
        sent = replace(JOB, status="SENT")
        message = cell_message("REMINDER", replace(FACTS, line_state="blocked"), sent, ("SENT", None), NOW)
        assert message.startswith("2026/12/01 12:00 にLINEが受け付けました。")
        assert "ブロック" in message


class TestCauses:
    @pytest.mark.parametrize(("cause", "error"), ERRORS.items())
    def test_by_the_error(self, cause: str, error: str) -> None:
        assert cause_of(error) == cause

    def test_no_error_and_look_alikes(self) -> None:
        assert cause_of(None) == cause_of("") == "OTHER"
        assert cause_of("HTTP 403 request_id=x") == "TOKEN"
        assert cause_of("monthly limit HTTP 429") == "OTHER"


class TestResend:
    MAY = ResendFacts(
        kind="CONFIRMATION",
        status="FAILED",
        is_current=True,
        maybe_sent=False,
        first_attempt_at=NOW,
        confirmed=True,
        canceled=False,
        begins_at=AHEAD,
        linked=True,
    )

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({}, None),
            ({"status": "SENT", "canceled": True}, "ALREADY_SENT"),
            ({"status": "PENDING"}, "ALREADY_PENDING"),
            ({"status": "DASH"}, "NOT_SENDABLE"),
            ({"kind": "CANCEL_COMPLETED", "canceled": True}, "CANCEL_NOTICE_IS_FINAL"),
            ({"canceled": True, "linked": False}, "RESERVATION_CANCELED"),
            ({"is_current": False}, "NOT_SENDABLE"),
            ({"confirmed": False}, "NOT_SENDABLE"),
            ({"begins_at": NOW}, "ALREADY_BEGUN"),
            ({"linked": False}, "NO_LINE_LINK"),
            ({"maybe_sent": True}, None),
            ({"maybe_sent": True, "first_attempt_at": NOW - timedelta(hours=23)}, "MAYBE_SENT"),
            ({"first_attempt_at": NOW - timedelta(days=3)}, None),
        ],
    )
    def test_the_first_reason_counts(self, changed: dict[str, Any], code: str | None) -> None:
        facts = replace(self.MAY, **changed)
        assert refusal(facts, NOW, accept_duplicate=False) == code
        accepted = None if code == "MAYBE_SENT" else code
        assert refusal(facts, NOW, accept_duplicate=True) == accepted
        assert code is None or code in RESEND_REFUSALS

    def test_the_key(self) -> None:
        just_before = NOW - timedelta(hours=23) + timedelta(microseconds=1)
        assert [needs_new_key(at, NOW) for at in (None, NOW, just_before, NOW - timedelta(hours=23))] == [
            False,
            False,
            False,
            True,
        ]
        assert not may_arrive_twice(replace(self.MAY, maybe_sent=True), NOW)

    def test_an_unknown_outcome_may_have_been_sent(self) -> None:
        unknown = replace(JOB, status="FAILED", outcome_unknown=True)
        assert resend_facts("CONFIRMATION", FACTS, unknown).maybe_sent


class TestTimeline:
    def test_who_did_it(self) -> None:
        names = {"staff:me": "本人", "staff:other": "職員", "admin:jim": "事務局（jim）", "system": None, "cli": "cli"}
        assert {actor: actor_name(actor, "me") for actor in names} == names
        assert actor_name(None, "me") is None

    def test_an_action_that_is_not_known_here_keeps_its_name(self) -> None:
        assert audited("SOMETHING_NEW", "新しい操作", None, None) == ("something_new", "新しい操作。")
        assert audited("RESERVE_CREATE", "", None, None) == ("booked", "予約しました（日時は不明）。")

    def test_cancellations_without_an_audit_row(self) -> None:
        assert canceled_by_row("HOLD_EXPIRED")[0] == "hold_expired"
        assert canceled_by_row("体調不良") == ("canceled", "予約を取り消しました。", "体調不良")
        assert why_not_made("NO_SUCH_REASON").endswith("。")
