"""The linter is only worth something if it fails: each rule is broken once, in a scratch copy."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "base_service"}

VIOLATIONS = {
    "an upward import": ("core/pages.py", "import tsudoi.line.guard", "Contexts point one way"),
    "a context that imports its user": (
        "gateway/http.py",
        "import tsudoi.roster.members.models",
        "Contexts point one way",
    ),
    "a service that imports its endpoint": (
        "line/liff/service.py",
        "import tsudoi.line.liff.endpoints",
        "imported downwards only",
    ),
    "FastAPI in a service": ("line/friends/service.py", "import fastapi", "The web framework stays at the edge"),
    "a database in the rules": ("line/inbox/rules.py", "import sqlalchemy", "Rules and errors are pure"),
    "HTTP outside the gateway": ("line/friends/jobs.py", "import httpx2", "Only the gateway goes out"),
    "HTTP in API_COMM": ("gateway/api_comm/facade.py", "import httpx2", "Only the gateway goes out"),
    "the LINE SDK outside the gateway": ("worker.py", "import linebot", "Only the gateway goes out"),
    "the LINE SDK in the gateway": ("gateway/clients/line.py", "import linebot", "only the tests use them"),
    "the Stripe SDK in the gateway": ("gateway/clients/stripe.py", "import stripe", "only the tests use them"),
    "a second sender of notices": (
        "notifications/notices/service/making.py",
        "import tsudoi.gateway.clients.line",
        "One function sends notices",
    ),
    "the sandbox in product code": ("app.py", "import tsudoi.sandbox.config", "The sandbox stays outside"),
    "product code in the sandbox": ("sandbox/config.py", "import tsudoi.core.clock", "Contexts point one way"),
}


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    ignore = shutil.ignore_patterns("__pycache__", "static")
    shutil.copytree(ROOT / "src" / "tsudoi", tmp_path / "src" / "tsudoi", ignore=ignore)
    return tmp_path


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    code = (
        "import sys; sys.path.insert(0, 'src'); from importlinter.cli import lint_imports;"
        "sys.exit(lint_imports(no_cache=True))"
    )
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def broken(output: str) -> list[str]:
    return [line.partition(" BROKEN")[0] for line in output.splitlines() if " BROKEN" in line]


class TestTheLinter:
    def test_keeps_the_code_as_it_is(self, scratch: Path) -> None:
        result = lint(scratch)
        assert result.returncode == 0, result.stdout
        assert "0 broken" in result.stdout

    @pytest.mark.parametrize("violation", VIOLATIONS)
    def test_fails_on(self, scratch: Path, violation: str) -> None:
        file, line, contract = VIOLATIONS[violation]
        path = scratch / "src" / "tsudoi" / file
        path.write_text((path.read_text() if path.exists() else "") + f"\n{line}\n")
        result = lint(scratch)
        assert result.returncode == 1, result.stdout
        assert any(contract in name for name in broken(result.stdout)), result.stdout


def test_nothing_is_called_utils() -> None:
    names = [path for path in (ROOT / "src").rglob("*.py") if path.stem in BANNED_NAMES]
    assert names == []


def test_no_file_has_two_rooms_in_it() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in ("src", "tests", "bench", "tools")
        for path in (ROOT / folder).rglob("*.py")
        if "migrations/versions" not in str(path) and (lines := len(path.read_text().splitlines())) > 650
    }
    assert long == {}
