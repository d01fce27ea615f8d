"""`tsudoi backup`, `tsudoi restore` and the backup before `tsudoi migrate`, in front of a terminal."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.core.db.test_upgrade import migrate_to
from tests.factories.processes import tsudoi
from tests.factories.terminal import Terminal
from tsudoi.core.db.version import wanted_version
from tsudoi.core.media import STAMP


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(tmp_path, monkeypatch, capsys)


@pytest.fixture
def terminal(bare: Terminal, migrated_sqlite: Path) -> Terminal:
    bare.database.parent.mkdir()
    bare.database.write_bytes(migrated_sqlite.read_bytes())
    return bare


def backups(terminal: Terminal) -> list[Path]:
    return sorted((terminal.folder / "data" / "backups").glob("*.tar"))


def admins(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [name for (name,) in db.execute("SELECT username FROM admin_users ORDER BY 1")]


def make_admin(terminal: Terminal, name: str) -> None:
    assert terminal("admin", "create", name, "--password-stdin", stdin="a phrase nobody guesses\n").code == 0


class TestBackupAndRestore:
    def test_to_a_file_and_back_by_force(self, terminal: Terminal) -> None:
        make_admin(terminal, "first")
        made = terminal("backup", "mine.tar")
        assert (made.code, made.err) == (0, "")
        assert "mine.tar" in made.out
        assert ".env" in made.out
        again = terminal("backup", "mine.tar")
        assert (again.code, "exists already" in again.err) == (1, True)
        make_admin(terminal, "second")
        refused = terminal("restore", "mine.tar")
        assert (refused.code, "--force" in refused.err) == (1, True)
        assert admins(terminal.database) == ["first", "second"]
        done = terminal("restore", "mine.tar", "--force")
        assert (done.code, done.err) == (0, "")
        assert admins(terminal.database) == ["first"]
        [kept] = backups(terminal)
        assert kept.name in done.out

    def test_without_anything_to_copy(self, bare: Terminal) -> None:
        done = bare("backup")
        assert (done.code, "nothing to back up" in done.err) == (1, True)
        assert bare("restore", "none.tar").code == 1
        assert not bare.database.exists(), "a look at the version must not create the file"

    def test_a_restored_installation_is_private(self, terminal: Terminal) -> None:
        """As a process of its own, whose files nobody else can read."""
        assert terminal("backup", "mine.tar").code == 0
        done = tsudoi(terminal.folder, "restore", "mine.tar", DATA_DIR=str(terminal.folder / "other"))
        assert done.returncode == 0, done.stderr
        created = [path for path in (terminal.folder / "other").rglob("*") if path.is_file()]
        assert created
        assert {stat.S_IMODE(path.stat().st_mode) for path in created} == {0o600}


def with_event(terminal: Terminal) -> Path:
    """An event with its two pictures; returns their folder."""
    make_admin(terminal, "jimukyoku")
    key = "k" * 43
    with closing(sqlite3.connect(terminal.database)) as db, db:
        db.execute(
            "INSERT INTO events (title, held_at, media_key, created_by_admin, created_at, updated_at)"
            " VALUES ('総会', '2030-01-01T10:00:00+09:00', ?, 1, '2029-01-01T10:00:00+09:00',"
            " '2029-01-01T10:00:00+09:00')",
            (key,),
        )
    folder = terminal.folder / "data" / "media" / "events" / key
    folder.mkdir(parents=True)
    for name in ("notice_o.jpg", "notice_p.jpg"):
        (folder / name).write_bytes(b"a picture")
    return folder


@pytest.mark.found("24.D2")
class TestPictures:
    @pytest.mark.row("8.B.16")
    def test_a_backup_without_a_picture_is_no_backup(self, terminal: Terminal) -> None:
        folder = with_event(terminal)
        assert terminal("backup").code == 0
        (folder / "notice_p.jpg").unlink()
        failed = terminal("backup", "mine.tar")
        assert (failed.code, "Traceback" in failed.err) == (1, False)
        assert "1 枚の画像が見つかりません" in failed.err
        assert f"{folder.name}/notice_p.jpg" in failed.err
        assert "[PICTURES_MISSING]" in failed.err
        assert (terminal.folder / "mine.tar.incomplete").is_file()
        assert not (terminal.folder / "mine.tar").exists()
        accepted = terminal("backup", "mine.tar", "--without-missing")
        assert (accepted.code, "notice_p.jpg" in accepted.out) == (0, True)

    @pytest.mark.row("8.B.16")
    def test_incomplete_ones_push_no_complete_one_out(self, terminal: Terminal) -> None:
        folder = with_event(terminal)
        assert terminal("backup", BACKUP_KEEP="1").code == 0
        [complete] = backups(terminal)
        (folder / "notice_o.jpg").unlink()
        assert terminal("backup", BACKUP_KEEP="1").code == 1
        assert backups(terminal) == [complete]

    @pytest.mark.row("8.B.18")
    def test_a_second_database_on_the_same_folder_is_refused(self, terminal: Terminal) -> None:
        folder = with_event(terminal)
        assert terminal("backup").code == 0
        second = {"DATABASE_URL": f"sqlite:///{terminal.folder / 'second.sqlite3'}"}
        assert terminal("migrate", **second).code == 0
        for command in ("backup", "serve", "worker"):
            refused = terminal(command, **second)
            assert (refused.code, "Traceback" in refused.err) == (1, False), command
            assert "[MEDIA_OF_ANOTHER_DATABASE]" in refused.err, command
            assert "media adopt" in refused.err, command
        assert len(list(folder.iterdir())) == 2
        stamp = (terminal.folder / "data" / "media" / STAMP).read_text()[:8]
        assert terminal("media", "adopt", **second).code == 1
        assert terminal("media", "adopt", stamp, **second).code == 0
        assert terminal("backup", **second).code == 0
        assert terminal("backup", DATABASE_URL="").code == 1


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(query).fetchall()


MAIL = (
    "INSERT INTO mail_messages (purpose, subject_kind, subject_id, to_address, subject, text, message_id, due_at,"
    " created_at, updated_at) VALUES ('TEST', 'test', '1', 'someone@example.jp', 's', 't', '<1@example.jp>',"
    " '2029-01-01T00:00:00.000000+00:00', '2029-01-01T00:00:00.000000+00:00', '2029-01-01T00:00:00.000000+00:00')"
).replace("2029", "2020")


@pytest.mark.found("24.E4")
class TestRestoredCopy:
    def test_what_was_ended_stays_ended(self, terminal: Terminal) -> None:
        make_admin(terminal, "first")
        make_admin(terminal, "left")
        token = terminal("admin", "token", "first").out.strip()
        assert terminal("backup", "mine.tar").code == 0
        assert terminal("admin", "revoke", "first").code == 0
        assert terminal("admin", "disable", "left").code == 0
        done = terminal("restore", "mine.tar", "--force")
        assert done.code == 0, done.err
        assert token
        assert "1 件終了しました" in done.out
        assert "left" in done.out
        open_ones = rows(terminal.database, "SELECT count(*) FROM sessions WHERE revoked_at IS NULL")
        assert open_ones == [(0,)]
        disabled = rows(terminal.database, "SELECT username FROM admin_users WHERE disabled_at IS NOT NULL")
        assert disabled == [("left",)]
        assert terminal("audit", "verify").code == 0

    def test_without_the_database_it_says_that_nobody_can_tell(self, terminal: Terminal) -> None:
        make_admin(terminal, "first")
        assert terminal("backup", "mine.tar").code == 0
        done = terminal("restore", "mine.tar", DATA_DIR=str(terminal.folder / "other"))
        assert (done.code, "分かりません" in done.out, "admin list" in done.out) == (0, True, True)

    @pytest.mark.row("8.C.24")
    @pytest.mark.row("8.C.25")
    def test_waiting_mails_wait_until_somebody_decides(self, terminal: Terminal) -> None:
        make_admin(terminal, "first")
        rows(terminal.database, MAIL)
        [(original,)] = rows(terminal.database, "SELECT database_id FROM installation")
        assert terminal("backup", "mine.tar").code == 0
        done = terminal("restore", "mine.tar", "--force")
        assert (done.code, "メール: 1 件" in done.out, f"confirm-copy {original[:8]} --drop" in done.out) == (
            0,
            True,
            True,
        )
        [(copy, copy_of)] = rows(terminal.database, "SELECT database_id, copy_of FROM installation")
        assert (copy != original, copy_of) == (True, original)
        shown = terminal("confirm-copy")
        assert (shown.code, "保留 1 件" in shown.out) == (0, True)
        wrong = terminal("confirm-copy", copy[:8], "--drop")
        assert (wrong.code, "[NOT_THIS_COPY]" in wrong.err) == (1, True)
        undecided = terminal("confirm-copy", original[:8])
        assert (undecided.code, "--release" in undecided.err) == (1, True)
        assert rows(terminal.database, "SELECT confirmed_at_utc FROM installation") == [(None,)]
        dropped = terminal("confirm-copy", original[:8], "--drop")
        assert (dropped.code, "1 件を" in dropped.out) == (0, True), dropped.err
        assert rows(terminal.database, "SELECT status FROM mail_messages") == [("CALLED_OFF",)]
        assert "止まっていません" in terminal("confirm-copy").out

    def test_released_they_go_out(self, terminal: Terminal) -> None:
        rows(terminal.database, MAIL)
        assert terminal("backup", "mine.tar").code == 0
        assert terminal("restore", "mine.tar", "--force").code == 0
        [(original,)] = rows(terminal.database, "SELECT copy_of FROM installation")
        held = terminal("notifications", "send")
        assert (held.code, "復元したコピー" in held.out) == (0, True)
        assert terminal("confirm-copy", original[:8], "--release").code == 0
        assert rows(terminal.database, "SELECT status FROM mail_messages") == [("PENDING",)]

    def test_a_copy_of_a_copy_is_a_copy_of_the_original(self, terminal: Terminal) -> None:
        with_event(terminal)
        assert terminal("backup", "mine.tar").code == 0
        for _ in range(2):
            restored = terminal("restore", "mine.tar", "--force")
            assert restored.code == 0, restored.err
            assert terminal("backup", "mine2.tar").code == 0
            (terminal.folder / "mine2.tar").replace(terminal.folder / "mine.tar")
        [(copy, original)] = rows(terminal.database, "SELECT database_id, copy_of FROM installation")
        stamp = terminal.folder / "data" / "media" / STAMP
        assert stamp.read_text().strip() == original
        assert terminal("confirm-copy", original[:8]).code == 0
        assert stamp.read_text().strip() == copy


class TestMigrate:
    def test_makes_a_backup_first(self, bare: Terminal) -> None:
        migrate_to(f"sqlite:///{bare.database}", "0013")
        done = bare("migrate")
        assert (done.code, done.err) == (0, "")
        [made] = backups(bare)
        assert made.name in done.out
        old = bare("restore", str(made), DATA_DIR=str(bare.folder / "elsewhere"))
        assert (old.code, "schema 0013" in old.out) == (0, True)
        assert wanted_version() in done.out

    def test_makes_none_without_need_or_by_choice(self, bare: Terminal) -> None:
        assert bare("migrate").code == 0
        assert bare("migrate").code == 0
        bare.database.unlink()
        migrate_to(f"sqlite:///{bare.database}", "0013")
        assert bare("migrate", "--no-backup").code == 0
        assert backups(bare) == []

    def test_changes_nothing_if_the_backup_fails(self, bare: Terminal) -> None:
        migrate_to(f"sqlite:///{bare.database}", "0013")
        (bare.folder / "data" / "backups").write_text("in the way")
        refused = bare("migrate")
        assert (refused.code, "--no-backup" in refused.err) == (1, True)
        with closing(sqlite3.connect(bare.database)) as db:
            assert db.execute("SELECT version_num FROM alembic_version").fetchone() == ("0013",)
