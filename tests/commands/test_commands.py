"""The small commands, as a person in front of a terminal meets them."""

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.factories.processes import tsudoi
from tests.factories.terminal import Done, Terminal
from tests.servers import free_port
from tsudoi.app import create_api
from tsudoi.commands.refusals import run_explained
from tsudoi.core.tokens import token_hash

GOOD = "a phrase nobody guesses"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(tmp_path, monkeypatch, capsys)


@pytest.fixture
def terminal(bare: Terminal, migrated_sqlite: Path) -> Terminal:
    bare.database.parent.mkdir()
    bare.database.write_bytes(migrated_sqlite.read_bytes())
    return bare


def make_admin(terminal: Terminal, password: str = GOOD) -> Done:
    return terminal("admin", "create", "jimukyoku", "--password-stdin", stdin=f"{password}\n")


class TestMigrate:
    def test_makes_the_schema_and_then_has_nothing_to_do(self, bare: Terminal) -> None:
        no_secrets = {"LINE_CHANNEL_SECRET": "", "LIFF_ID": ""}
        first, second = bare("migrate", **no_secrets), bare("migrate", **no_secrets)
        assert (first.code, second.code) == (0, 0)
        assert "schema updated" in first.out
        assert "up to date" in second.out
        assert bare.database.exists()


class TestAdmin:
    def test_is_made_once(self, terminal: Terminal) -> None:
        made, again = make_admin(terminal), make_admin(terminal)
        assert (made.code, made.err, again.code) == (0, "", 1)
        assert "jimukyoku" in again.err
        assert GOOD not in made.out + again.err

    @pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaaaaaa", "x" * 73, ""], ids=len)
    def test_is_not_made_with_a_weak_password(self, terminal: Terminal, password: str) -> None:
        assert make_admin(terminal, password).code == 1
        with closing(sqlite3.connect(terminal.database)) as db:
            assert db.execute("SELECT count(*) FROM admin_users").fetchone() == (0,)

    def test_is_not_made_with_a_name_that_looks_like_another(self, terminal: Terminal) -> None:
        make_admin(terminal)
        for name in ("jimu\u200bkyoku", "\u202ejimukyoku", "jimu kyoku", "Jimukyoku", "ｊｉｍｕｋｙｏｋｕ"):
            done = terminal("admin", "create", name, "--password-stdin", stdin=f"{GOOD}\n")
            assert (done.code, "ユーザー名" in done.err) == (1, True), name
        with closing(sqlite3.connect(terminal.database)) as db:
            assert db.execute("SELECT count(*) FROM admin_users").fetchone() == (1,)

    def test_gets_a_token_that_is_shown_once_and_stored_as_a_hash(self, terminal: Terminal) -> None:
        make_admin(terminal)
        done = terminal("admin", "token", "jimukyoku")
        token = done.out.strip()
        assert done.code == 0
        assert re.fullmatch(r"[A-Za-z0-9_-]{43}", token)
        assert token.encode() not in terminal.database.read_bytes()

    def test_a_token_for_nobody_is_refused(self, terminal: Terminal) -> None:
        done = terminal("admin", "token", "nobody")
        assert (done.code, done.out) == (1, "")
        assert "nobody" in done.err


class TestEndingAnAdministrator:
    def test_every_command_works_as_typed(self, terminal: Terminal) -> None:
        make_admin(terminal)
        second = terminal("admin", "create", "fuku", "--password-stdin", stdin=f"{GOOD}\n")
        assert second.code == 0
        assert terminal("admin", "token", "fuku").code == 0
        passwd = terminal("admin", "passwd", "fuku", "--password-stdin", stdin=f"{GOOD}2\n")
        assert (passwd.code, "ended: 1" in passwd.out) == (0, True)
        for what in ("revoke", "disable", "enable", "disable"):
            done = terminal("admin", what, "fuku")
            assert (done.code, "fuku" in done.out) == (0, True), what
        shown = terminal("admin", "list").out
        assert "jimukyoku" in shown
        assert "disabled" in shown
        assert GOOD not in shown + passwd.out

    def test_the_last_one_and_nobody_are_refused_in_words(self, terminal: Terminal) -> None:
        make_admin(terminal)
        last = terminal("admin", "disable", "jimukyoku")
        assert (last.code, last.out) == (1, "")
        assert "最後の管理者" in last.err
        for what in ("disable", "enable", "revoke"):
            done = terminal("admin", what, "nobody")
            assert (done.code, "nobody" in done.err) == (1, True)
        weak = terminal("admin", "passwd", "jimukyoku", "--password-stdin", stdin="short\n")
        assert weak.code == 1


class TestAccounts:
    def test_a_password_that_is_easy_to_guess_is_refused(self, terminal: Terminal) -> None:
        for weak in ("password2025", "jimukyoku2025", "qwertyuiop12"):
            done = make_admin(terminal, weak)
            assert (done.code, "推測されやすい" in done.err) == (1, True), weak
        assert make_admin(terminal).code == 0

    def test_a_one_time_password_is_printed_alone(self, terminal: Terminal) -> None:
        make_admin(terminal)
        done = terminal("admin", "passwd", "jimukyoku", "--one-time")
        assert re.fullmatch(r"([a-z2-9]{4}-){3}[a-z2-9]{4}", done.out.strip())
        assert "one-time" in terminal("admin", "list").out

    def test_one_token_is_found_and_ended(self, terminal: Terminal) -> None:
        make_admin(terminal)
        for label in ("nightly", "weekly"):
            assert terminal("admin", "token", "jimukyoku", "--label", label).code == 0
        shown = terminal("admin", "list", "jimukyoku").out
        [session] = re.findall(r"([0-9a-f]{12}).*nightly", shown)
        assert terminal("admin", "revoke", "jimukyoku", "--session", session).code == 0
        assert terminal("admin", "revoke", "jimukyoku", "--session", session).code == 1
        left = terminal("admin", "list", "jimukyoku").out
        assert ("nightly" in left, "weekly" in left) == (False, True)
        assert terminal("admin", "list", "nobody").code == 1

    def test_a_second_factor_that_is_not_there_cannot_be_removed(self, terminal: Terminal) -> None:
        make_admin(terminal)
        done = terminal("admin", "totp-reset", "jimukyoku")
        assert (done.code, "二段階認証" in done.err) == (1, True)


class TestAudit:
    def test_a_chain_that_is_whole(self, terminal: Terminal) -> None:
        make_admin(terminal)
        done = terminal("audit", "verify")
        assert done.code == 0
        assert "1 rows, chain intact" in done.out

    def test_a_row_that_was_edited(self, terminal: Terminal) -> None:
        make_admin(terminal)
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_logs'"
        with closing(sqlite3.connect(terminal.database, isolation_level=None)) as db:
            for (name,) in db.execute(triggers).fetchall():
                db.execute(f"DROP TRIGGER {name}")
            db.execute("UPDATE audit_logs SET actor = 'somebody else'")
        done = terminal("audit", "verify")
        assert done.code == 1
        assert "broken at row 1" in done.out


KEY = "the-audit-key-of-the-commands-0123456789"


class TestSignedAudit:
    def test_needs_the_key_that_signed_it(self, terminal: Terminal) -> None:
        assert terminal("admin", "create", "taro", "--password-stdin", stdin=f"{GOOD}\n", AUDIT_KEY=KEY).code == 0
        done = terminal("audit", "verify", AUDIT_KEY=KEY)
        assert (done.code, "from row 1" in done.out) == (0, True)
        refused = terminal("audit", "verify", AUDIT_KEY="")
        assert (refused.code, "AUDIT_KEY" in refused.out) == (1, True)
        unsigned = terminal("admin", "create", "jiro", "--password-stdin", stdin=f"{GOOD}\n", AUDIT_KEY="")
        assert (unsigned.code, "AUDIT_KEY" in unsigned.err) == (1, True)
        stopped = terminal("serve", AUDIT_KEY="")
        assert (stopped.code, "AUDIT_KEY" in stopped.err) == (1, True)

    def test_is_compared_with_what_was_noted_elsewhere(self, terminal: Terminal) -> None:
        make_admin(terminal)
        noted = terminal.folder / "elsewhere.ndjson"
        with closing(sqlite3.connect(terminal.database)) as db:
            last_id, last_hash = db.execute("SELECT last_id, last_hash FROM audit_head").fetchone()
        noted.write_text(f'{{"last_id":{last_id},"last_hash":"{last_hash}"}}\n{{"last_id":')
        done = terminal("audit", "verify", AUDIT_HEADS_FILE=str(noted))
        assert (done.code, "compared: 1" in done.out) == (0, True)
        noted.write_text(f'{{"last_id":{last_id},"last_hash":"{"0" * 64}"}}\n')
        assert terminal("audit", "verify", AUDIT_HEADS_FILE=str(noted)).code == 1
        noted.write_text(f'{{"last_id":{last_id + 1},"last_hash":"{last_hash}"}}\n')
        done = terminal("audit", "verify", AUDIT_HEADS_FILE=str(noted))
        assert (done.code, "backup" in done.out) == (1, True)


def test_openapi_prints_the_description(tmp_path: Path) -> None:
    done = tsudoi(tmp_path, "openapi")
    assert done.returncode == 0
    described = json.loads(done.stdout)
    assert described["paths"].keys() == create_api().openapi()["paths"].keys()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (method, path)
            assert operation["description"], (method, path)
            assert operation["tags"], (method, path)


class TestDemo:
    @pytest.mark.parametrize(
        ("name", "value"), [("PORT", "abc"), ("SANDBOX_PORT", "99999"), ("SANDBOX_SMTP_PORT", "0")]
    )
    def test_a_port_that_is_none_is_told_in_words(self, bare: Terminal, name: str, value: str) -> None:
        ports = {"PORT": str(free_port()), "SANDBOX_PORT": str(free_port()), name: value}
        done = bare("demo", **ports)
        assert done.code == 1
        assert name in done.err


@pytest.mark.found("24.D5")
@pytest.mark.row("8.D.22")
class TestUnlock:
    def locked(self, terminal: Terminal) -> list[tuple[str]]:
        with closing(sqlite3.connect(terminal.database)) as db:
            return db.execute("SELECT key FROM lockouts").fetchall()

    def lock(self, terminal: Terminal, name: str) -> None:
        key, until = f"admin:{token_hash(name)}", "2999-01-01T00:00:00.000000+00:00"
        with closing(sqlite3.connect(terminal.database)) as db, db:
            for one in (key, f"{key}:device:abc", f"admin:{token_hash('another')}"):
                db.execute("INSERT OR REPLACE INTO lockouts VALUES (?, 5, ?, ?)", (one, until, until))

    def test_ends_the_lock_of_this_administrator(self, terminal: Terminal) -> None:
        assert terminal("admin", "create", "jimu", "--password-stdin", stdin="a phrase nobody guesses\n").code == 0
        self.lock(terminal, "jimu")
        done = terminal("admin", "unlock", "jimu")
        assert (done.code, "unlocked" in done.out) == (0, True)
        assert self.locked(terminal) == [(f"admin:{token_hash('another')}",)]
        assert "was not locked" in terminal("admin", "unlock", "jimu").out
        assert terminal("admin", "unlock", "nobody").code == 1

    def test_a_new_password_ends_it_too(self, terminal: Terminal) -> None:
        assert terminal("admin", "create", "jimu", "--password-stdin", stdin="a phrase nobody guesses\n").code == 0
        self.lock(terminal, "jimu")
        assert terminal("admin", "passwd", "jimu", "--one-time").code == 0
        assert self.locked(terminal) == [(f"admin:{token_hash('another')}",)]


@pytest.mark.found("24.D6")
class TestLowThings:
    @pytest.mark.row("8.D.21")
    def test_to_enable_twice_is_no_fault(self, terminal: Terminal) -> None:
        assert terminal("admin", "create", "jimu", "--password-stdin", stdin="a phrase nobody guesses\n").code == 0
        done = terminal("admin", "enable", "jimu")
        assert (done.code, "enabled already" in done.out) == (0, True)
        assert terminal("admin", "enable", "nobody").code == 1

    @pytest.mark.row("8.D.21")
    def test_without_a_terminal_there_is_no_traceback(self, bare: Terminal) -> None:
        """As a process of its own, because the terminal belongs to the process."""
        assert bare("migrate").code == 0
        done = tsudoi(bare.folder, "admin", "create", "jimu")
        assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
        assert "--password-stdin" in done.stderr

    @pytest.mark.row("8.D.21")
    def test_no_value_is_cut_in_a_pipe(self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("COLUMNS", raising=False)
        name = "a-long-name-of-an-administrator"
        assert terminal("admin", "create", name, "--password-stdin", stdin="a phrase nobody guesses\n").code == 0
        listed = terminal("admin", "list").out
        assert name in listed
        assert "…" not in listed

    @pytest.mark.row("8.A.20")
    @pytest.mark.parametrize(
        ("url", "words"),
        [
            ("mysql://u:p@h/d", "postgresql://"),
            ("tsudoi.sqlite3", "sqlite:///"),
            ("postgresql://user:geheim@2/w@h/d", "%40"),
            ("postgresql://user:geheim#2@h/d", "%40"),
            ("postgresql://user:geheim/2@h/d", "%40"),
            ("postgresql://user:geheim?2@h/d", "%40"),
        ],
    )
    def test_a_database_url_that_cannot_be_meant_is_refused_without_a_leak(
        self, bare: Terminal, url: str, words: str
    ) -> None:
        done = bare("migrate", DATABASE_URL=url)
        assert (done.code, "DATABASE_URL" in done.err, words in done.err) == (1, True, True)
        assert "geheim" not in done.err + done.out
        assert "Value error" not in done.err

    @pytest.mark.row("8.A.20")
    def test_faults_of_values_are_in_both_languages(self, bare: Terminal) -> None:
        done = bare("migrate", PORT="many", LOG_LEVEL="LOUD", BACKUP_KEEP="0", JWT_EXPIRES_IN="soon")
        assert done.code == 1
        for name, words in {
            "PORT": "整数で",
            "LOG_LEVEL": "次のどれか",
            "BACKUP_KEEP": "1 以上",
            "JWT_EXPIRES_IN": "数字と単位",
        }.items():
            assert f"{name}: " in done.err
            assert words in done.err
        assert "Input should" not in done.err


@pytest.mark.found("24.D6")
@pytest.mark.row("8.D.21")
class TestErrorsOfFiles:
    @pytest.mark.parametrize(
        ("error", "words"),
        [
            (PermissionError(13, "Permission denied", "/etc/tsudoi.env"), "sudo -u"),
            (OSError(28, "No space left on device"), "make room"),
            (EOFError(), "run it in a terminal"),
        ],
    )
    def test_are_told_in_words(self, capsys: pytest.CaptureFixture[str], error: Exception, words: str) -> None:
        def fail() -> int:
            raise error

        assert run_explained(fail) == 1
        assert words in capsys.readouterr().err

    def test_a_fault_of_ours_keeps_its_traceback(self) -> None:
        def fail() -> int:
            raise FileNotFoundError(2, "No such file or directory")

        with pytest.raises(FileNotFoundError):
            run_explained(fail)

    def test_a_reader_that_leaves_is_no_fault_of_the_command(self, bare: Terminal) -> None:
        """As `tsudoi openapi | head -1`."""
        command = f"{sys.executable} -m tsudoi openapi | head -c 10"
        done = subprocess.run(command, shell=True, cwd=bare.folder, capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ('{\n  "opena', "")
