import sys
from pathlib import Path

import pytest

from tsudoi.core import command_line
from tsudoi.core.command_line import tsudoi_command


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TSUDOI_COMMAND", raising=False)
    return tmp_path


def test_where_it_is_installed_its_name_is_enough() -> None:
    assert tsudoi_command() == "tsudoi"


def test_in_a_checkout_it_is_in_the_projects_own_environment(folder: Path) -> None:
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "tsudoi").touch()
    assert tsudoi_command() == ".venv/bin/tsudoi"


def test_the_demo_says_it_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TSUDOI_COMMAND", "DATA_DIR=demo .venv/bin/tsudoi")
    assert tsudoi_command() == "DATA_DIR=demo .venv/bin/tsudoi"


@pytest.mark.found("24.C11")
def test_the_command_for_everybody_needs_no_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guide links it into /usr/local/bin. In the folder of the installation, a path from there would be shown."""
    for program in (folder / ".venv" / "bin" / "tsudoi", folder / "another"):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(folder / ".venv" / "bin" / "python"))
    monkeypatch.setattr(command_line, "_FOR_EVERYBODY", str(folder / "bin"))
    (folder / "bin").mkdir()
    (folder / "bin" / "tsudoi").symlink_to(folder / ".venv" / "bin" / "tsudoi")
    assert tsudoi_command() == "tsudoi"
    (folder / "bin" / "tsudoi").unlink()
    (folder / "bin" / "tsudoi").symlink_to(folder / "another")
    assert tsudoi_command() == ".venv/bin/tsudoi"
