"""The parts of the demo: what a start makes and what it leaves, and which settings a command beside it uses."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from tests.servers import browser
from tsudoi.commands.data import read_settings
from tsudoi.commands.demo import state_file_for
from tsudoi.commands.demo_environment import take_demo_environment
from tsudoi.commands.demo_file import NAME, demo_file
from tsudoi.commands.demo_people import FRIENDS, SHEET_ID, make_friends
from tsudoi.commands.refusals import Refusal
from tsudoi.core.command_line import tsudoi_command
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import running


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without `.env`, in which everything is where it is by default."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATA_DIR", "TSUDOI_DEMO", "TSUDOI_COMMAND", "PORT", "SANDBOX_PORT", "SANDBOX_SMTP_PORT"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "var").mkdir()
    return tmp_path


@pytest.fixture
def demo_environment(folder: Path) -> Callable[[], dict[str, str]]:
    """The environment that the demo would take, without leaving it behind in this process."""

    def take() -> dict[str, str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("os.environ", dict(os.environ))
            return take_demo_environment("somebody", "a-long-password")

    return take


class TestSettingsBesideARunningDemo:
    def test_they_are_the_demos_where_nothing_else_is_said(
        self, folder: Path, demo_environment: Callable[[], dict[str, str]]
    ) -> None:
        with demo_file(folder / "var", demo_environment()):
            settings = read_settings()
            assert (settings.members_sheet_id, settings.tsudoi_demo) == (SHEET_ID, True)
            assert (folder / "var" / NAME).stat().st_mode & 0o777 == 0o600
        assert read_settings().members_sheet_id is None
        assert not (folder / "var" / NAME).exists()

    @pytest.mark.parametrize("where", ["environment", "file"])
    def test_somebody_with_settings_of_their_own_gets_those(
        self,
        folder: Path,
        demo_environment: Callable[[], dict[str, str]],
        monkeypatch: pytest.MonkeyPatch,
        where: str,
    ) -> None:
        environment = demo_environment()
        if where == "file":
            (folder / ".env").write_text("MEMBERS_SHEET_ID=the-real-one\n", encoding="utf-8")
        else:
            monkeypatch.setenv("MEMBERS_SHEET_ID", "the-real-one")
        with demo_file(folder / "var", environment):
            assert read_settings().members_sheet_id == "the-real-one"
            assert not read_settings().tsudoi_demo
            monkeypatch.setenv("TSUDOI_DEMO", "1")
            assert read_settings().members_sheet_id == SHEET_ID

    def test_the_file_of_a_demo_that_was_killed_is_not_believed(
        self, folder: Path, demo_environment: Callable[[], dict[str, str]]
    ) -> None:
        (folder / "var" / NAME).write_text(json.dumps(demo_environment()), encoding="utf-8")
        assert read_settings().members_sheet_id is None
        with demo_file(folder / "var", demo_environment()):
            assert read_settings().members_sheet_id == SHEET_ID

    def test_a_second_demo_in_the_same_folder_is_refused(
        self, folder: Path, demo_environment: Callable[[], dict[str, str]]
    ) -> None:
        with (
            demo_file(folder / "var", demo_environment()),
            pytest.raises(Refusal, match="already running"),
            demo_file(folder / "var", demo_environment()),
        ):
            pass


class TestTheCommandThatIsShown:
    @pytest.fixture(autouse=True)
    def _no_traces(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("os.environ", dict(os.environ))
            yield

    def _shown(self) -> list[str]:
        take_demo_environment("somebody", "a-long-password")
        return [word for word in tsudoi_command().split() if "=" in word]

    def test_is_bare_where_nothing_is_special(self) -> None:
        assert self._shown() == []

    def test_names_another_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DATA_DIR", "other")
        assert self._shown() == ["DATA_DIR=other"]

    def test_asks_for_the_demo_where_the_terminal_has_settings_of_its_own(self, folder: Path) -> None:
        (folder / ".env").write_text("MEMBERS_SHEET_ID=the-real-one\nDATA_DIR=real\n", encoding="utf-8")
        assert self._shown() == ["DATA_DIR=var", "TSUDOI_DEMO=1"]


def test_the_state_of_another_database_is_discarded(folder: Path) -> None:
    first = state_file_for(folder, "a" * 64)
    first.parent.mkdir()
    first.touch()
    assert state_file_for(folder, "a" * 64) == first
    assert first.exists()
    assert state_file_for(folder, "b" * 64) != first
    assert not first.exists()


@pytest.fixture
def box() -> Iterator[httpx2.Client]:
    config = SandboxConfig(
        port=0,
        channel_secret="s",
        channel_access_token="t",
        login_channel_id="1",
        liff_id="1-a",
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
    )
    with running(config) as started, browser(started.url) as client:
        yield client


class TestFriends:
    def test_they_are_made_once_and_a_blocked_account_stays_blocked(self, box: httpx2.Client) -> None:
        url = str(box.base_url)
        make_friends(url)
        people = box.get("/_sandbox/users").json()["users"]
        assert [person["following"] for person in people] == [friend.follows for friend in FRIENDS]
        box.post(f"/_sandbox/users/{people[0]['user_id']}/block").raise_for_status()
        before = box.get("/_sandbox/webhooks").json()
        make_friends(url)
        assert box.get("/_sandbox/webhooks").json() == before
        assert box.get(f"/_sandbox/users/{people[0]['user_id']}").json()["blocked"]

    def test_a_start_that_was_killed_in_between_is_finished(self, box: httpx2.Client) -> None:
        friend = FRIENDS[0]
        box.post("/_sandbox/users", json={"user_id": friend.user_id, "display_name": friend.name}).raise_for_status()
        make_friends(str(box.base_url))
        assert box.get(f"/_sandbox/users/{friend.user_id}").json()["following"]
