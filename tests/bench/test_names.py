import pytest

from bench.__main__ import ENTRIES, main


def test_a_name_that_is_none_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hello", "hallo"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "hallo" in told.err
    assert all(name in told.err for name in ENTRIES)
