"""One settings file for every command: which one, how it is read, and what is said when it cannot be read."""

import os
import subprocess
from pathlib import Path

import pytest

from tsudoi.commands import data
from tsudoi.commands.data import read_settings, read_settings_alone
from tsudoi.commands.refusals import Refusal
from tsudoi.core import settings_file
from tsudoi.core.settings import Settings
from tsudoi.core.settings_file import SettingsUnreadable, find_settings_file

pytestmark = pytest.mark.found("24.D1")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, and beside it what would be `/etc`."""
    for name in (*Settings.model_fields, "tsudoi_command"):
        monkeypatch.delenv(name.upper(), raising=False)
    for folder in ("here", "etc", "elsewhere"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(settings_file, "SYSTEM_FILE", tmp_path / "etc" / "tsudoi.env")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.row("8.A.11", "8.A.13")
class TestWhichFile:
    def test_the_named_one_before_the_systems_before_the_folders_and_never_two(
        self, machine: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(machine / "here" / ".env", "PORT=9003\nLIFF_ID=of-the-folder\n")
        assert (Settings().port, Settings().liff_id) == (9003, "of-the-folder")
        write(machine / "etc" / "tsudoi.env", "PORT=9002\nMEMBERS_SHEET_ID=of-the-system\n")
        assert (Settings().port, Settings().liff_id, Settings().members_sheet_id) == (9002, None, "of-the-system")
        monkeypatch.setenv("TSUDOI_ENV_FILE", str(write(machine / "elsewhere" / "mine", "PORT=9001\n")))
        assert (Settings().port, Settings().liff_id, Settings().members_sheet_id) == (9001, None, None)

    def test_is_the_same_from_any_folder(self, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(machine / "etc" / "tsudoi.env", "DATA_DIR=../data\nBACKUP_DIR=/backups\n")
        write(machine / "here" / ".env", "DATA_DIR=mine\n")
        seen = []
        for folder in ("here", "elsewhere", "."):
            monkeypatch.chdir(machine / folder)
            seen.append((Settings().data_dir, Settings().database, Settings().backup_dir))
            monkeypatch.chdir(machine)
        data_dir = machine / "etc" / ".." / "data"
        assert set(seen) == {(data_dir, f"sqlite:///{data_dir}/tsudoi.sqlite3", Path("/backups"))}

    def test_a_relative_database_file_counts_from_the_settings_file_too(self, machine: Path) -> None:
        write(machine / "etc" / "tsudoi.env", "DATABASE_URL=sqlite:///one.sqlite3\n")
        assert Settings().database == f"sqlite:///{machine}/etc/one.sqlite3"

    def test_the_environment_wins(self, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(machine / "etc" / "tsudoi.env", "PORT=9002\nLIFF_ID=of-the-system\n")
        monkeypatch.setenv("PORT", "9009")
        assert (Settings().port, Settings().liff_id) == (9009, "of-the-system")

    @pytest.mark.row("8.A.18")
    def test_a_demo_reads_nothing_of_an_installation(self, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(machine / "etc" / "tsudoi.env", "this is no settings file\n")
        monkeypatch.setenv("TSUDOI_ENV_FILE", str(machine / "not-there"))
        monkeypatch.setenv("TSUDOI_DEMO", "1")
        assert find_settings_file() is None
        assert Settings().tsudoi_demo


@pytest.mark.row("8.A.12")
class TestAFileThatCannotBeRead:
    def test_a_named_file_that_is_not_there_is_a_refusal(self, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(machine / "etc" / "tsudoi.env", "PORT=9002\n")
        monkeypatch.setenv("TSUDOI_ENV_FILE", str(machine / "nowhere"))
        with pytest.raises(Refusal, match=r"nowhere がありません.*\[SETTINGS_UNREADABLE\]"):
            read_settings_alone()

    def test_the_systems_file_for_another_user_is_a_refusal_and_never_the_next(self, machine: Path) -> None:
        write(machine / "here" / ".env", "PORT=9003\n")
        write(machine / "etc" / "tsudoi.env", "PORT=9002\n").chmod(0)
        me = os.geteuid()
        if me == 0:  # root reads everything.
            os.seteuid(65534)
        try:
            with pytest.raises(SettingsUnreadable, match="sudo -u") as told:
                Settings()
        finally:
            os.seteuid(me)
        assert "tsudoi.env を読めません" in str(told.value)

    @pytest.mark.parametrize("line", ["PORT 9000", "=canary", "A B=canary"])
    def test_a_line_that_is_no_setting_is_named_by_its_number(self, machine: Path, line: str) -> None:
        write(machine / "etc" / "tsudoi.env", f"# settings\n\n{line}\n")
        with pytest.raises(SettingsUnreadable, match="3 行目") as told:
            Settings()
        assert "canary" not in str(told.value)

    def test_one_that_is_no_text_is_a_refusal(self, machine: Path) -> None:
        (machine / "etc" / "tsudoi.env").write_bytes(b"ORGANISATION_NAME=\x8e\x96\x96\xb1\x8b\xc7\n")
        with pytest.raises(SettingsUnreadable, match="UTF-8"):
            Settings()


@pytest.mark.row("8.A.14")
class TestTheReader:
    @pytest.mark.parametrize(
        ("line", "value"),
        [
            ("LIFF_ID=p#$x", "p#$x"),
            ("LIFF_ID=$HOME", "$HOME"),
            ("LIFF_ID=a # b", "a # b"),
            ("LIFF_ID='a $b \"c\"'", 'a $b "c"'),
            ('LIFF_ID="it\'s"', "it's"),
            ("LIFF_ID='open", "'open"),
            ('LIFF_ID="a\\nb"', "a\\nb"),
            ("  LIFF_ID = spaced  ", "spaced"),
            ("LIFF_ID=a=b", "a=b"),
            ("export LIFF_ID=old", "old"),
            ("LIFF_ID=first\nLIFF_ID=last", "last"),
            ("\ufeffLIFF_ID=bom\r\n", "bom"),
            ("LIFF_ID=''", None),
            ("#LIFF_ID=a", None),
        ],
    )
    def test_takes_a_value_as_it_stands(self, machine: Path, line: str, value: str | None) -> None:
        write(machine / "etc" / "tsudoi.env", f"{line}\n")
        assert Settings().liff_id == value

    @pytest.mark.row("8.A.15")
    def test_reads_single_quotes_as_a_shell_does(self, machine: Path) -> None:
        values = {"LIFF_ID": 'p#$x `y` "z" \\n', "ORGANISATION_NAME": "集い 町内会"}
        file = write(machine / "etc" / "tsudoi.env", "".join(f"{name}='{value}'\n" for name, value in values.items()))
        shown = f'set -a; . {file}; printf \'%s|%s\' "$LIFF_ID" "$ORGANISATION_NAME"'
        shell = subprocess.run(["sh", "-c", shown], capture_output=True, text=True, check=True).stdout
        assert shell == "|".join(values.values()) == f"{Settings().liff_id}|{Settings().organisation_name}"


@pytest.mark.row("8.A.16")
class TestWhoseDataTheseAre:
    def test_is_said_on_standard_error_with_the_file(self, machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = write(machine / "etc" / "tsudoi.env", f"DATA_DIR={machine}/data\n")
        read_settings()
        told = capsys.readouterr()
        assert told.out == ""
        where = f"database {machine}/data/tsudoi.sqlite3 · folder {machine}/data · settings {file}"
        assert told.err == f"tsudoi: {where}\n"

    @pytest.mark.parametrize(
        ("url", "shown"),
        [
            ("postgresql://tsudoi:canary@db.example:5432/tsudoi", "postgresql://db.example:5432/tsudoi"),
            ("postgres://canary@[::1]/tsudoi?sslmode=require&password=canary", "postgres://[::1]/tsudoi"),
            ("postgresql+psycopg://u:canary@/tsudoi?host=/run/postgresql", "postgresql:///tsudoi"),
            ("postgresql://u:p@canary/w@host/db", "postgresql://…"),
            ("postgresql://u:12?canary@host/db", "postgresql://…"),
            ("postgresql://u:12/canary@host/db", "postgresql://…"),
            ("postgresql://host/db?password=canary@x", "postgresql://…"),
            ("canary", "?…"),
        ],
    )
    def test_never_shows_a_password(self, url: str, shown: str) -> None:
        assert data._without_password(url) == shown


@pytest.mark.found("24.D6")
@pytest.mark.row("8.A.19")
class TestNamesThatNobodyReads:
    def test_are_said_by_each_command_with_what_was_probably_meant(
        self, machine: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = ("SMTP_ULR=smtp://canary@host", "LINE_CHANEL_SECRET=canary", "ZZZ=canary", "TZ=Asia/Tokyo", "PORT=9000")
        file = write(machine / "here" / ".env", "\n".join(lines))
        assert read_settings().port == 9000
        told = capsys.readouterr().err.splitlines()[1:]
        named = ("SMTP_ULR? SMTP_URL", "LINE_CHANEL_SECRET? LINE_CHANNEL_SECRET", "ZZZ?")
        assert told == [f"tsudoi: {file.name}: {one}" for one in named]


@pytest.mark.row("8.A.17")
class TestANewDatabaseBesideAnInstallation:
    def test_is_refused_unless_it_is_asked_for(
        self, machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(machine / "etc" / "tsudoi.env", f"DATA_DIR={machine}/data\n")
        monkeypatch.setenv("DATA_DIR", str(machine / "typo"))
        with pytest.raises(Refusal, match=r"(?s)\[NEW_DATABASE\].*--new-database") as told:
            read_settings()
        assert f"{machine}/typo/tsudoi.sqlite3" in str(told.value)
        assert f"{machine}/data/tsudoi.sqlite3" in str(told.value)
        assert (not (machine / "typo").exists(), capsys.readouterr().err) == (True, "")
        assert read_settings(new_database=True).data_dir == machine / "typo"
        (machine / "typo").mkdir()
        (machine / "typo" / "tsudoi.sqlite3").touch()
        assert read_settings().data_dir == machine / "typo"

    def test_is_no_question_where_the_file_names_it(self, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for line in (f"DATA_DIR={machine}/data", f"DATABASE_URL=sqlite:///{machine}/data/other.sqlite3"):
            write(machine / "etc" / "tsudoi.env", f"{line}\n")
            read_settings()
        monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/tsudoi")
        read_settings()

    def test_a_file_that_names_none_leaves_it_to_nobody_s_current_folder(self, machine: Path) -> None:
        write(machine / "etc" / "tsudoi.env", "PORT=9000\n")
        with pytest.raises(Refusal, match="NEW_DATABASE"):
            read_settings()

    def test_a_dot_env_of_a_developer_may(self, machine: Path) -> None:
        write(machine / "here" / ".env", "PORT=9000\n")
        assert read_settings().data_dir == Path("var")
