"""`make release`: what it refuses, what it writes, and that a server needs nothing but this."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.factories.released import released
from tools import release
from tsudoi import __version__

__all__ = ["released"]

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.found("24.D3")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A committed tree with a version and its section."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "tsudoi"\nversion = "7.8.9"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 7.8.9 – 2026-11-18\n\n- new\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.jp"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def commit(tree: Path) -> None:
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--message", "all")


@pytest.mark.row("8.A.21")
class TestWhatIsReleased:
    def test_a_committed_tree_with_a_dated_section(self, tree: Path) -> None:
        assert release.faults(tree) == []

    def test_never_a_tree_with_changes(self, tree: Path) -> None:
        (tree / "forgotten.py").touch()
        assert ["forgotten.py" in fault for fault in release.faults(tree)] == [True]

    @pytest.mark.parametrize("heading", ["## 7.8.8 – 2026-11-18", "## 7.8.9", "## 7.8.9 – soon"])
    def test_never_a_version_without_a_dated_section(self, tree: Path, heading: str) -> None:
        (tree / "CHANGELOG.md").write_text(f"# Changelog\n\n## Unreleased\n\n{heading}\n")
        commit(tree)
        assert ["7.8.9" in fault for fault in release.faults(tree)] == [True]

    @pytest.mark.row("8.A.24")
    def test_never_with_lines_that_no_version_has(self, tree: Path) -> None:
        (tree / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n- later\n\n## 7.8.9 – 2026-11-18\n\n- new\n")
        commit(tree)
        assert ["Unreleased" in fault for fault in release.faults(tree)] == [True]


@pytest.mark.row("8.A.22")
class TestTheFolder:
    def test_has_everything_that_a_server_installs_and_its_sums(self, released: Path) -> None:
        names = {str(path.relative_to(released)) for path in released.rglob("*") if path.is_file()}
        assert names == {
            f"tsudoi-{__version__}-py3-none-any.whl",
            f"tsudoi-{__version__}.tar.gz",
            "requirements.lock",
            "Caddyfile",
            "Caddyfile.two",
            "nginx.conf",
            "tsudoi.env.example",
            "sbom.cdx.json",
            "SHA256SUMS",
            *(f"units/{path.name}" for path in (ROOT / "docs/deploy").glob("tsudoi-*")),
        }
        lines = [line.split("  ") for line in (released / "SHA256SUMS").read_text().splitlines()]
        sums = {name: told for told, name in lines}
        assert sums.keys() == names - {"SHA256SUMS"}
        for name, told in sums.items():
            assert hashlib.sha256((released / name).read_bytes()).hexdigest() == told, name

    def test_lists_what_runs_and_what_only_makes_it(self, released: Path) -> None:
        document = json.loads((released / "sbom.cdx.json").read_text())
        assert document["metadata"]["component"]["version"] == __version__
        scopes = {one["name"]: one["scope"] for one in document["components"]}
        assert (scopes["fastapi"], scopes["pytest"]) == ("required", "excluded")

    def test_no_unit_takes_the_settings_from_somewhere_else(self, released: Path) -> None:
        units = [path.read_text() for path in (released / "units").iterdir()]
        assert len(units) == 5
        assert not [unit for unit in units if "Environment" in unit]


@pytest.mark.row("8.A.23")
class TestTheParcels:
    def test_the_sdist_makes_the_same_wheel_without_node(self, released: Path, tmp_path: Path) -> None:
        with tarfile.open(next(released.glob("*.tar.gz"))) as archive:
            archive.extractall(tmp_path, filter="data")
        source = next(tmp_path.glob("tsudoi-*"))
        for name in ("requirements.lock", "requirements-dev.lock", "requirements-node.lock", ".env.example"):
            assert (source / name).read_bytes() == (ROOT / name).read_bytes()
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again")]
        subprocess.run(build, cwd=source, env={"PATH": "/nowhere"}, check=True, capture_output=True)
        [again], [first] = (tmp_path / "again").glob("*.whl"), released.glob("*.whl")
        assert content(again) == content(first)

    def test_the_wheel_has_the_guide_the_units_and_the_settings(self, released: Path) -> None:
        names = content(next(released.glob("*.whl"))).keys()
        for name in ("README.md", "tsudoi-serve.service", "Caddyfile", "nginx.conf", "tsudoi.env.example"):
            assert f"tsudoi/deploy/{name}" in names

    def test_a_bare_checkout_without_node_says_so_in_a_sentence(self, tmp_path: Path) -> None:
        source = tmp_path / "bare"
        source.mkdir()
        shown = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for name in ("pyproject.toml", "README.md", "LICENSE", "tools/hatch_build.py", "src/tsudoi/__init__.py"):
            assert name in shown
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
        (source / "src/app_v2").mkdir()
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
        tried = subprocess.run(build, cwd=source, env={"PATH": "/nowhere"}, check=False, capture_output=True, text=True)
        told = tried.stdout + tried.stderr
        assert (tried.returncode != 0, "Traceback" in told) == (True, False), told
        assert "make release" in told
        assert "npm" in told


@pytest.mark.row("8.A.24")
class TestTheVersion:
    def test_is_the_one_of_pyproject_and_every_place_says_it(self, released: Path, tmp_path: Path) -> None:
        assert __version__ == release.version(ROOT)
        assert json.loads((ROOT / "web/api/openapi.json").read_text())["info"]["version"] == __version__
        assert json.loads((ROOT / "web/package.json").read_text())["version"] == __version__
        with zipfile.ZipFile(next(released.glob("*.whl"))) as archive:
            archive.extractall(tmp_path)
        said = subprocess.run(
            [sys.executable, "-m", "tsudoi", "--version"],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"},
            check=True,
            capture_output=True,
            text=True,
        )
        assert said.stdout.strip() == __version__

    def test_has_a_dated_section_in_the_changelog(self) -> None:
        told = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        assert re.search(rf"^## {re.escape(__version__)} – \d{{4}}-\d{{2}}-\d{{2}}$", told, re.MULTILINE)


def content(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
