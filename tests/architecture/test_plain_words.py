"""Names and sentences that the next engineer can read: each class says what it is, and each name means one thing."""

import ast
import re
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "tsudoi"
# Words that were once used here in a sense of their own.
DIALECT = re.compile(r"\b(journey|[Ww]hoever|Piece|Letter|Told|Ended|Made|Desk|Wish)\b")


def modules() -> list[Path]:
    return [path for path in PACKAGE.rglob("*.py") if "migrations" not in path.parts]


def classes(path: Path) -> list[ast.ClassDef]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]


def test_every_class_says_what_it_is() -> None:
    silent = [
        f"{path.relative_to(PACKAGE)}: {one.name}"
        for path in modules()
        for one in classes(path)
        if not ast.get_docstring(one)
    ]
    assert silent == []


def test_a_name_means_one_thing_in_the_product() -> None:
    """The sandbox stands for the outside world and has its own words."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        if "sandbox" not in path.parts:
            for one in classes(path):
                places[one.name].append(str(path.relative_to(PACKAGE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_nobody_speaks_the_old_dialect() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line.strip()}"
        for path in modules()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if DIALECT.search(line)
    ]
    assert found == []
