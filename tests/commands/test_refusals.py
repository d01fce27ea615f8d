"""What `tsudoi serve` says when it will not start: in words, with the cure, and never with a trace."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factories.processes import SECRETS, environment, tsudoi
from tests.factories.terminal import own_log
from tests.servers import listen, url_of
from tsudoi.commands import runtime as runtime_command
from tsudoi.commands.refusals import run_explained
from tsudoi.commands.serve import run_serve

Refused = Callable[..., str]


@pytest.fixture
def refused(
    tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refused:
    """Runs the command in this process, which is quicker; gives what it wrote to standard error."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runtime_command, "configure_logging", lambda _level: None)  # This process has a log of its own.

    def run(**settings: str) -> str:
        for name, value in environment(tmp_path, **settings).items():
            monkeypatch.setenv(name, value)
        with own_log():
            assert run_explained(run_serve) == 1
        told = capsys.readouterr()
        assert told.out == ""
        return told.err

    return run


def test_a_taken_port_is_told_in_words(refused: Refused) -> None:
    with listen() as other:
        port = url_of(other).rpartition(":")[2]
        told = refused(PORT=port, PUBLIC_BASE_URL=f"http://127.0.0.1:{port}")
    assert f"Port {port}" in told
    assert "PORT=" in told


def test_a_schema_that_is_not_there_is_told_with_its_cure(tmp_path: Path) -> None:
    done = tsudoi(tmp_path, "serve")
    assert done.returncode == 1
    assert "tsudoi migrate" in done.stderr
    assert "Traceback" not in done.stderr


def test_each_secret_that_is_missing_is_named(refused: Refused) -> None:
    told = refused(**dict.fromkeys(SECRETS, ""))
    assert [name for name in SECRETS if name not in told] == []


@pytest.mark.parametrize("value", ["change-me", "your-channel-secret-your-channel-secret", "0f1e2d3c"])
def test_a_secret_that_is_none_is_refused_and_not_repeated(refused: Refused, value: str) -> None:
    told = refused(LINE_CHANNEL_SECRET=value)
    assert "LINE_CHANNEL_SECRET" in told
    assert value not in told


def test_plain_http_is_for_this_machine_alone(refused: Refused) -> None:
    assert "PUBLIC_BASE_URL" in refused(PUBLIC_BASE_URL="http://tsudoi.example.jp")


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "abc"), ("PORT", "99999"), ("TRUSTED_PROXIES", "not-an-address"), ("LOG_LEVEL", "x")],
)
def test_a_setting_that_cannot_be_read_is_named(refused: Refused, name: str, value: str) -> None:
    assert name in refused(**{name: value})


@pytest.mark.parametrize(
    "url", ["postgresql://somebody:hunter2@127.0.0.1:1/tsudoi", "nonsense", "sqlite:////proc/nowhere/x.sqlite3"]
)
def test_a_database_that_cannot_be_reached_is_told_without_its_password(refused: Refused, url: str) -> None:
    told = refused(DATABASE_URL=url)
    assert "DATABASE_URL" in told
    assert "hunter2" not in told
