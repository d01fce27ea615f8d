"""Whether a due notice may go out: every reason against it, with and without doubt."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tsudoi.notifications.notices.rules.deciding import Dash, Decision, DueNotice, Fail, Send, decide
from tsudoi.notifications.notices.rules.facts import NoticeFacts
from tsudoi.notifications.notices.rules.making import Kind

NOW = datetime(2026, 12, 1, 3, 0, tzinfo=UTC)
FACTS = NoticeFacts(1, 2, "confirmed", NOW + timedelta(days=2), "U1", {})
CANCELED = replace(FACTS, state="canceled")


def job(kind: Kind = "CONFIRMATION", **more: Any) -> DueNotice:
    return replace(DueNotice(kind, 2, NOW - timedelta(minutes=1)), **more)


DOUBT: dict[str, Any] = {"maybe_sent": True, "first_attempt_at": NOW - timedelta(hours=1), "line_user_id": "U1"}

CASES: list[tuple[str, DueNotice, NoticeFacts, Decision]] = [
    ("it goes out", job(), FACTS, Send("U1")),
    ("the cancellation goes out", job("CANCEL_COMPLETED"), CANCELED, Send("U1")),
    ("it was cancelled", job(), CANCELED, Dash("CANCELLED")),
    ("it was moved", job(revision=1), FACTS, Dash("MOVED")),
    ("it was moved and cancelled", job(revision=1), CANCELED, Dash("CANCELLED")),
    ("it is not paid for", job(), replace(FACTS, state="hold"), Dash("NOT_CONFIRMED")),
    ("it lives again", job("CANCEL_COMPLETED"), FACTS, Dash("NOT_CANCELLED")),
    ("the link is gone", job(), replace(FACTS, line_user_id=None), Fail("NO_LINE_LINK", "NO_LINE_LINK")),
    ("in doubt it is asked again", job(**DOUBT), FACTS, Send("U1", again=True)),
]


@pytest.mark.parametrize(("due", "facts", "decision"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_decision(due: DueNotice, facts: NoticeFacts, decision: Decision) -> None:
    assert decide(due, facts, NOW) == decision


@pytest.mark.parametrize("seconds", [0, 1])
def test_from_the_beginning_on_it_is_too_late(seconds: int) -> None:
    decision = decide(job("REMINDER"), replace(FACTS, begins_at=NOW - timedelta(seconds=seconds)), NOW)
    assert isinstance(decision, Fail)
    assert decision.outcome == "EXPIRED"
    assert decide(job("REMINDER"), replace(FACTS, begins_at=NOW + timedelta(seconds=1)), NOW) == Send("U1")


def test_a_cancellation_is_news_for_a_day() -> None:
    """Also of an appointment whose time is over: the person may not know yet."""
    over = replace(CANCELED, begins_at=NOW - timedelta(hours=1))
    assert decide(job("CANCEL_COMPLETED", scheduled_at=NOW - timedelta(hours=24)), over, NOW) == Send("U1")
    late = decide(job("CANCEL_COMPLETED", scheduled_at=NOW - timedelta(hours=24, seconds=1)), over, NOW)
    assert isinstance(late, Fail)
    assert late.outcome == "EXPIRED"


AGAINST = {
    "cancelled": (job(**DOUBT), CANCELED),
    "moved": (job(revision=1, **DOUBT), FACTS),
    "begun": (job(**DOUBT), replace(FACTS, begins_at=NOW)),
    "unlinked": (job(**DOUBT), replace(FACTS, line_user_id=None)),
    "too old": (job(**{**DOUBT, "first_attempt_at": NOW - timedelta(hours=23)}), FACTS),
}


@pytest.mark.parametrize("why", AGAINST)
def test_what_may_have_been_sent_ends_as_unknown(why: str) -> None:
    decision = decide(*AGAINST[why], NOW)
    assert isinstance(decision, Fail)
    assert decision.outcome_unknown
    assert decision.error.startswith("UNKNOWN: ")


@pytest.mark.found("24.A3")
def test_a_moved_link_changes_nothing_about_a_call_in_doubt() -> None:
    in_doubt = job(**DOUBT)
    assert decide(in_doubt, replace(FACTS, line_user_id="U2"), NOW) == Send(in_doubt.line_user_id or "", again=True)


def test_a_failure_of_long_ago_that_was_certain_is_no_doubt() -> None:
    """A person sends it again days later: LINE never took it, so the attempt is a first one."""
    old = job(first_attempt_at=NOW - timedelta(days=3), line_user_id="U9")
    assert decide(old, FACTS, NOW) == Send("U1")
