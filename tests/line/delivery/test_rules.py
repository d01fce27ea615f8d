from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import NOON
from tsudoi.core.ndjson import line
from tsudoi.gateway.clients.line_outcomes import Quota, QuotaExhausted, Rejected
from tsudoi.line.delivery.rules import Cost, PushLogEntry, SendVerdict, explanation, judge, part_that_fits


class TestPartThatFits:
    @pytest.mark.parametrize(
        ("recipients", "left", "fits"),
        [(475, 200, 200), (500, 0, 0), (200, 200, 100), (200, 900, 100), (1, 1, 0), (475, None, 0)],
    )
    def test_is_what_line_says_or_half_where_line_counts_behind(
        self, recipients: int, left: int | None, fits: int
    ) -> None:
        assert part_that_fits(recipients, left) == fits

    @given(st.integers(1, 500), st.integers(0, 10_000))
    def test_is_always_smaller_so_that_it_ends(self, recipients: int, left: int) -> None:
        assert 0 <= part_that_fits(recipients, left) < recipients


class TestJudge:
    def test_the_monthly_limit_stops_and_leaves_no_doubt_unless_there_was_one(self) -> None:
        for uncertain, verdict in ((False, SendVerdict.REFUSED), (True, SendVerdict.IN_DOUBT)):
            found = judge(QuotaExhausted("You have reached your monthly limit."), uncertain=uncertain, alone=False)
            assert (found.verdict, found.reason, found.stops) == (verdict, "QUOTA", True)

    def test_the_whole_reason_is_kept_and_masked(self) -> None:
        found = judge(Rejected(400, f"{'U' + 'a' * 32} " + "長" * 3_000), uncertain=False, alone=True)
        assert found.reason is not None
        assert found.reason.endswith("長" * 3_000)
        assert "a" * 32 not in found.reason


class TestCost:
    def test_what_is_promised_is_spent(self) -> None:
        cost = Cost(5, Quota(limit=10, used=4), promised=2)
        assert (cost.left, cost.enough) == (4, False)

    def test_no_limit_and_no_answer_are_not_the_same(self) -> None:
        free, silent = Cost(5, Quota(limit=None, used=9), 3), Cost(5, None, 3)
        assert (free.left, free.enough) == (None, True)
        assert (silent.left, silent.enough) == (None, None)


class TestExplanation:
    def test_knows_the_reasons_of_the_context_that_asks(self) -> None:
        own = {"EXPIRED": "予約の時刻を過ぎたため、送っていません。"}
        assert explanation("FAILED", "EXPIRED: 2025", own) == own["EXPIRED"]
        assert explanation("FAILED", "EXPIRED: 2025") == explanation("FAILED", None)


class TestPushLogEntry:
    def test_has_the_callers_kind_ids_and_fields_around_the_outcome(self) -> None:
        entry = PushLogEntry(
            at=NOON,
            kind="reservation",
            state="DONE",
            ids={"reservation_id": "r-1"},
            recipient="customer_id",
            request_id="q",
            fields={"job_id": 7},
        )
        assert line(entry.record(3)) == (
            '{"ts":"' + _jst(NOON) + '","kind":"reservation","reservation_id":"r-1","customer_id":3,'
            '"status":"success","message_id":null,"request_id":"q","job_id":7}'
        )


def _jst(at: datetime) -> str:
    assert at == NOON
    return "2025-08-16T12:00:00+09:00"
