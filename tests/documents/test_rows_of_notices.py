"""Every requirement of the document about notices has a test that names it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
# How many requirements each section of the document has.
ROWS = {
    "2.0": 1,
    "2.1": 6,
    "2.2": 3,
    "2.3": 12,
    "2.4": 9,
    "2.5": 11,
    "2.6": 14,
    "2.7": 11,
    "2.8": 7,
    "2.9": 6,
    "2.10": 6,
    "2.11": 4,
    "2.12": 13,
    "2.13": 5,
}
_MARK = re.compile(r"\brow\(([^)]*)\)")
_ID = re.compile(r"\"(2\.\d+\.\d+)\"")


@pytest.mark.row("2.0.1")
def test_each_requirement_is_named_by_a_test() -> None:
    texts = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    named = {row for text in texts for marks in _MARK.findall(text) for row in _ID.findall(marks)}
    wanted = {f"{section}.{number}" for section, count in ROWS.items() for number in range(1, count + 1)}
    assert wanted - named == set()
    assert len(wanted) == 108
