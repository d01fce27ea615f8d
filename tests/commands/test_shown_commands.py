"""Every command that a screen, a message or a document shows is one that the real command line takes."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tsudoi.cli import app

ROOT = Path(__file__).parents[2]
# The words of a command. The Japanese sentence around it goes on in Hiragana, and what follows ` / ` is English.
_WORDS = (
    r"((?: (?:--?[a-z][a-z-]*|[A-Za-z0-9_][A-Za-z0-9_./:*@=-]*|[ァ-ヶ一-龠ー]+(?:\.[a-z]+)?|…|'[^']*'|\$?\{[^}]*\}))+)"
)
_PYTHON = re.compile(r"\{tsudoi_command\(\)\}" + _WORDS)
_PAGES = re.compile(r"\$\{(?:readConfig\(\)\.)?command\}" + _WORDS)
_DOCUMENTS = re.compile(r"(?:^|`|-- |bin/)tsudoi" + _WORDS + r"(?=`|$| {2,}|\s*[#>])", re.MULTILINE)
DOCUMENTS = ("README.md", "README.ja.md", "docs/operations.ja.md", "docs/deploy/README.md")


def shown() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "src/tsudoi").rglob("*.py")):
        for found in _PYTHON.finditer(path.read_text(encoding="utf-8")):
            yield str(path.relative_to(ROOT)), found[1].strip()
    for path in sorted((ROOT / "web/admin/src").rglob("*.ts*")):
        for found in _PAGES.finditer(path.read_text(encoding="utf-8")):
            yield str(path.relative_to(ROOT)), found[1].strip()
    for name in DOCUMENTS:
        for found in _DOCUMENTS.finditer((ROOT / name).read_text(encoding="utf-8")):
            yield name, found[1].strip()


def typed(words: str) -> list[str]:
    """A value that the program fills in is some word, and `…` is one where an option wants it."""
    return shlex.split(re.sub(r"\$?\{[^}]*\}|(?<=[a-z] )…", "x", words))


def is_whole(words: str) -> bool:
    """Not where the text leaves the rest out, or the program fills in the command itself."""
    *before, last = words.split(" ")
    return not words.startswith("{") and (last != "…" or before[-1].startswith("--"))


SHOWN = sorted({(where, words) for where, words in shown() if is_whole(words)})


@pytest.mark.found("24.C11")
@pytest.mark.parametrize(("where", "words"), SHOWN, ids=[f"{where}:{words}" for where, words in SHOWN])
def test_what_is_shown_can_be_typed(where: str, words: str) -> None:
    app.parse_args(typed(words), exit_on_error=False, print_error=False)


@pytest.mark.found("24.C11")
def test_every_place_is_looked_at() -> None:
    """The patterns above find what they are meant to find."""
    for one in (
        ("docs/deploy/README.md", "admin create jimukyoku"),
        ("docs/operations.ja.md", "members sync --file 名簿.xlsx"),
        ("README.md", "notifications send --every 60"),
        ("src/tsudoi/commands/checks/sheet.py", "members sync --file 名簿.xlsx"),
        ("src/tsudoi/commands/migrate.py", "migrate --no-backup"),
        ("src/tsudoi/commands/booking.py", "booking show 501"),
        ("web/admin/src/connections/ConnectionsPage.tsx", "connectivity"),
        ("web/admin/src/notices/Banners.tsx", "notifications send"),
    ):
        assert one in SHOWN
    assert len({where for where, _ in SHOWN}) > 15
