"""What the documents name is there: a file that moved is noticed here and not by the next reader."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = ["docs/architecture.md", "docs/concepts.md", "docs/security.md", "CONTRIBUTING.md", "README.md"]
STATES = ("done", "partly", "not done", "operator", "n/a")
# A path of this repository between backquotes, without `<name>` or `…` in it.
PATH = re.compile(r"`((?:src|tests|docs|tools|web|bench)/[\w./-]+)`")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_that_is_named_exists(document: str) -> None:
    named = PATH.findall((ROOT / document).read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_nine_walks_name_their_files() -> None:
    walks = (ROOT / "docs/architecture.md").read_text().split("\n### ")[1:]
    assert len(walks) == 9
    assert all(len(set(PATH.findall(walk))) >= 4 for walk in walks)


def test_every_item_of_the_security_table_has_a_state() -> None:
    table = (ROOT / "docs/security.md").read_text().split("## OWASP ASVS")[1]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines() if "| " in line][2:]
    assert len(rows) >= 60
    assert [row for row in rows if len(row) != 4 or row[2] not in STATES or not row[3]] == []
