from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import NOON
from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN, Finish, Outcome, RetryPolicy, TryAgain

attempts = st.integers(1, 10_000)
jitters = st.floats(0, 1)
policies = st.builds(
    RetryPolicy,
    first_delay=st.timedeltas(timedelta(milliseconds=1), timedelta(minutes=1)),
    factor=st.floats(1, 10),
    longest_delay=st.timedeltas(timedelta(minutes=1), timedelta(hours=6)),
    most_attempts=st.integers(1, 100),
    give_up_after=st.timedeltas(timedelta(minutes=1), timedelta(hours=48)),
)
STANDARD = RetryPolicy()


class TestDelay:
    def test_doubles_from_two_seconds_to_a_quarter_of_an_hour(self) -> None:
        seconds = [STANDARD.delay(attempt, 0).total_seconds() for attempt in range(1, 12)]
        assert seconds == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]

    @given(policies, attempts, jitters)
    def test_is_never_above_the_longest_nor_below_half_the_first(
        self, policy: RetryPolicy, attempt: int, jitter: float
    ) -> None:
        rounding = timedelta(microseconds=1)
        assert policy.first_delay / 2 - rounding <= policy.delay(attempt, jitter) <= policy.longest_delay

    @given(policies, attempts)
    def test_never_shrinks_without_jitter(self, policy: RetryPolicy, attempt: int) -> None:
        assert policy.delay(attempt, 0) <= policy.delay(attempt + 1, 0)

    @given(policies, attempts, jitters)
    def test_jitter_takes_away_at_most_half(self, policy: RetryPolicy, attempt: int, jitter: float) -> None:
        rounding = timedelta(microseconds=1)
        whole = policy.delay(attempt, 0)
        assert whole / 2 - rounding <= policy.delay(attempt, jitter) <= whole

    def test_the_widest_jitter_is_half_and_the_narrowest_nothing(self) -> None:
        assert STANDARD.delay(3, 1) == timedelta(seconds=4)
        assert STANDARD.delay(3, 0.5) == timedelta(seconds=6)


class TestDecide:
    @given(attempts, st.timedeltas(timedelta(0), timedelta(days=9)), jitters)
    def test_a_certain_answer_ends_it(self, attempt: int, age: timedelta, jitter: float) -> None:
        for outcome, status in ((Outcome.OK, DONE), (Outcome.REFUSED, FAILED)):
            assert STANDARD.decide(outcome, attempt, NOON - age, NOON, jitter) == Finish(status)

    @pytest.mark.parametrize("outcome", [Outcome.NOT_NOW, Outcome.UNKNOWN])
    def test_an_uncertain_one_is_tried_again(self, outcome: Outcome) -> None:
        assert STANDARD.decide(outcome, 1, NOON, NOON, 0) == TryAgain(NOON + timedelta(seconds=2))

    @pytest.mark.parametrize(("outcome", "status"), [(Outcome.UNKNOWN, UNKNOWN), (Outcome.NOT_NOW, FAILED)])
    def test_after_23_hours_only_what_may_have_happened_is_parked_as_unknown(
        self, outcome: Outcome, status: str
    ) -> None:
        first = NOON - timedelta(hours=23) + timedelta(seconds=900)
        assert STANDARD.decide(outcome, 20, first + timedelta(seconds=1), NOON, 0) == TryAgain(
            NOON + timedelta(seconds=900)
        )
        assert STANDARD.decide(outcome, 20, first, NOON, 0) == Finish(status)

    @pytest.mark.parametrize(("outcome", "status"), [(Outcome.UNKNOWN, UNKNOWN), (Outcome.NOT_NOW, FAILED)])
    def test_so_it_is_after_the_last_attempt(self, outcome: Outcome, status: str) -> None:
        policy = RetryPolicy(most_attempts=3)
        assert isinstance(policy.decide(outcome, 2, NOON, NOON, 0), TryAgain)
        assert policy.decide(outcome, 3, NOON, NOON, 0) == Finish(status)

    @given(
        policies,
        st.sampled_from([Outcome.NOT_NOW, Outcome.UNKNOWN]),
        attempts,
        st.timedeltas(timedelta(0), timedelta(days=9)),
        jitters,
    )
    def test_never_tries_again_beyond_the_time_or_the_attempts(
        self, policy: RetryPolicy, outcome: Outcome, attempt: int, age: timedelta, jitter: float
    ) -> None:
        verdict = policy.decide(outcome, attempt, NOON - age, NOON, jitter)
        if isinstance(verdict, TryAgain):
            assert NOON < verdict.at < NOON - age + policy.give_up_after
            assert attempt < policy.most_attempts
        else:
            assert verdict.state == (UNKNOWN if outcome is Outcome.UNKNOWN else FAILED)
