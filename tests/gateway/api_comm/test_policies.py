"""How long an attempt may take, and all of them together."""

from tsudoi.gateway.api_comm.parameters import FoundValue
from tsudoi.gateway.api_comm.policies import CallLimits


def test_all_attempts_fit_into_the_patience_of_the_caller() -> None:
    found = {"api_timeout_sec": [FoundValue("env", 20)], "api_retry_count": [FoundValue("env", 5)]}
    help_page, nightly = (CallLimits(found).stores(channel, once=False) for channel in ("help", "cron"))
    assert help_page.deadline.total_seconds() == 20, "one attempt always gets its time"
    assert nightly.deadline.total_seconds() == 60
    assert help_page.attempts == 6


def test_a_message_is_repeated_only_if_it_was_not_sent() -> None:
    policy = CallLimits({}).posting("help")
    assert (policy.attempts, policy.retries_unknown, policy.retried_statuses) == (3, False, frozenset())


def test_an_alarm_on_the_side_does_not_keep_the_caller_long() -> None:
    policy = CallLimits({}).posting_on_the_side("help")
    assert (policy.timeout.total_seconds(), policy.deadline.total_seconds()) == (4, 4)
    short = CallLimits({"api_timeout_sec": [FoundValue("env", 1)]}).posting_on_the_side("help")
    assert short.timeout.total_seconds() == 1
