import pytest

from bench import threads
from bench.__main__ import ENTRIES, main
from tests.scheduling.decision.board import person, slot
from tsudoi.scheduling.decision.rules.facts import ThreadFacts


def test_a_name_that_is_none_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hello", "hallo"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "hallo" in told.err
    assert all(name in told.err for name in ENTRIES)


@pytest.mark.row("1.I.18")
def test_the_decision_of_a_big_thread_is_measured() -> None:
    """On a small one here: that it is quick is not for a test to say."""
    facts = ThreadFacts("active", None, (slot("1", 24),), (person("a"), person("b1")))
    row = threads.decision(facts)
    assert ("ms" in row.ours, row.aim) == (True, "< 20 ms")
    assert ENTRIES["threads"] is threads.measure
