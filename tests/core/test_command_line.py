from pathlib import Path

import pytest

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
