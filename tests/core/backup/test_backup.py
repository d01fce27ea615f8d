"""Backup and restore: what comes back, what is refused, and what a failure leaves."""

import dataclasses
import io
import os
import stat
import tarfile
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from tests.core.db.test_upgrade import migrate_to
from tests.factories.backups import backup_settings, elsewhere
from tests.factories.events import make_event, make_members
from tests.product_fixtures import postgresql_only, sqlite_only
from tsudoi.core import audit
from tsudoi.core.backup import postgres_copy, restoring
from tsudoi.core.backup.making import make_backup
from tsudoi.core.backup.manifest import BackupManifest, BadBackup, FileSum
from tsudoi.core.backup.postgres_copy import PostgresPrograms
from tsudoi.core.backup.restoring import restore
from tsudoi.core.backup_age import last_backup
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.core.db.schema import found_version, migrate, require_current
from tsudoi.core.db.version import wanted_version
from tsudoi.core.media import DirectoryStore
from tsudoi.core.settings import Settings
from tsudoi.roster.members.models import Member

KEY = "events/" + "t" * 43 + "/notice_o.jpg"


@pytest.fixture
def here(db: Database, database_url: str, tmp_path: Path) -> Settings:
    """An installation with members, an audit trail and a picture."""
    make_event(db, make_members(db, 101, 102))
    settings = backup_settings(tmp_path / "here", database_url)
    DirectoryStore(settings.media_dir).put(KEY, b"a picture")
    return settings


@pytest.fixture
def there(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    with elsewhere(backend, request, tmp_path / "there") as settings:
        yield settings


def names(settings: Settings, clock: ManualClock) -> list[str]:
    db = open_database(settings.database, clock, connections=2)
    try:
        return list(db.read_now(lambda tx: tx.execute(select(Member.name).order_by(Member.id)).scalars().all()))
    finally:
        db.close()


def rename_all(settings: Settings, clock: ManualClock, name: str) -> None:
    db = open_database(settings.database, clock, connections=2)
    db.write_now(lambda tx: tx.execute(text("UPDATE members SET name = :name"), {"name": name}))
    db.close()


def with_changed(archive: Path, name: str, data: bytes | None) -> Path:
    """The same file with another content of one entry; None leaves it out."""
    changed = archive.with_name("changed.tar")
    with tarfile.open(archive) as old, tarfile.open(changed, "w") as new:
        for entry in old:
            content = old.extractfile(entry)
            assert content is not None
            kept = content.read()
            if entry.name == name:
                if data is None:
                    continue
                kept = data
            entry.size = len(kept)
            new.addfile(entry, io.BytesIO(kept))
    return changed


class TestElsewhere:
    def test_everything_comes_back(self, here: Settings, there: Settings, db: Database, clock: ManualClock) -> None:
        made = make_backup(here, clock)
        restored = restore(there, clock, made.path, force=False)
        assert restored.before is None
        require_current(there.database)
        assert names(there, clock) == ["会員101", "会員102"]
        assert DirectoryStore(there.media_dir).read(KEY) == b"a picture"
        other = open_database(there.database, clock, connections=2)
        checked = other.read_now(audit.verify)
        # The restored data know of the backup that they came from.
        assert other.read_now(last_backup) == clock.now() == db.read_now(last_backup)
        assert checked.broken_at is None
        assert checked.head == db.read_now(audit.verify).head
        # Sequences and triggers are a part of the data.
        assert make_event(other) == 2
        with pytest.raises(Exception, match="append-only"):
            other.write_now(lambda tx: tx.execute(text("DELETE FROM audit_logs")))
        other.close()

    def test_an_older_backup_is_migrated(
        self, empty_url: str, there: Settings, clock: ManualClock, tmp_path: Path
    ) -> None:
        migrate_to(empty_url, "0013")
        made = make_backup(backup_settings(tmp_path / "old", empty_url), clock)
        assert made.manifest.schema == "0013"
        restore(there, clock, made.path, force=False)
        require_current(there.database)


class TestFile:
    @sqlite_only
    def test_is_private_and_says_what_is_in_it(self, here: Settings, clock: ManualClock) -> None:
        made = make_backup(here, clock)
        assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
        assert made.path.parent == here.data_dir / "backups"
        with tarfile.open(made.path) as tar:
            listed = tar.getnames()
            found = tar.extractfile("manifest.json")
            assert found is not None
            manifest = BackupManifest.from_json(found.read())
        assert listed == [manifest.database_file, f"media/{KEY}", "manifest.json"]
        assert (manifest.schema, manifest.rows["members"], manifest.made_at) == (wanted_version(), 2, clock.now())
        assert [path.name for path in made.path.parent.iterdir()] == [made.path.name], "nothing else is left behind"

    @sqlite_only
    def test_only_the_newest_stay(self, here: Settings, clock: ManualClock) -> None:
        keep_two = here.model_copy(update={"backup_keep": 2})
        stranger = here.backup_folder / "notes.tar"
        here.backup_folder.mkdir()
        stranger.touch()
        made = []
        for _ in range(3):
            clock.advance(timedelta(days=1))
            made.append(make_backup(keep_two, clock))
        assert made[2].removed == (made[0].path,)
        assert sorted(here.backup_folder.iterdir()) == sorted([made[1].path, made[2].path, stranger])

    @sqlite_only
    def test_what_a_killed_backup_left_is_removed_after_a_day(self, here: Settings, clock: ManualClock) -> None:
        old, young = here.backup_folder / ".backup-x1y2", here.backup_folder / ".tsudoi-1.tar.abc.tmp"
        old.mkdir(parents=True)
        (old / "database.sqlite3").touch()
        young.touch()
        os.utime(old, (1, 1))
        made = make_backup(here, clock)
        assert sorted(here.backup_folder.iterdir()) == sorted([young, made.path])

    @sqlite_only
    def test_of_a_chosen_name_removes_nothing(self, here: Settings, clock: ManualClock, tmp_path: Path) -> None:
        before = [make_backup(here, clock), make_backup(here, clock)]
        keep_one = here.model_copy(update={"backup_keep": 1})
        made = make_backup(keep_one, clock, tmp_path / "mine.tar")
        assert (made.path, made.removed) == (tmp_path / "mine.tar", ())
        assert [one.path.exists() for one in before] == [True, True]

    @postgresql_only
    def test_needs_the_programs_of_postgresql(self, here: Settings, clock: ManualClock, tmp_path: Path) -> None:
        without = here.model_copy(update={"pg_bin_dir": tmp_path})
        with pytest.raises(BadBackup, match="PG_BIN_DIR"):
            make_backup(without, clock)
        assert list(here.backup_folder.iterdir()) == []


class TestRefusal:
    @sqlite_only
    def test_of_damaged_files(self, here: Settings, there: Settings, clock: ManualClock) -> None:
        made = make_backup(here, clock)
        whole = made.path.read_bytes()
        cut = made.path.with_name("cut.tar")
        picture = f"media/{KEY}"
        cases: list[tuple[str, str, bytes | None]] = [
            (picture, f"the checksum is wrong: {picture}", b"another picture"),
            (picture, f"the checksum is wrong: {picture}", None),
            ("database.sqlite3", "the checksum is wrong: database.sqlite3", None),
            ("manifest.json", "cut off, or is no backup", None),
        ]
        for name, words, content in cases:
            with pytest.raises(BadBackup, match=words):
                restore(there, clock, with_changed(made.path, name, content), force=False)
        for length in (0, 10, len(whole) // 2, len(whole) - 12_000):
            cut.write_bytes(whole[:length])
            with pytest.raises(BadBackup, match=r"damaged|cut off"):
                restore(there, clock, cut, force=False)
        assert list(there.data_dir.iterdir()) == []

    @sqlite_only
    def test_of_a_newer_schema_and_of_another_database(
        self, here: Settings, there: Settings, clock: ManualClock
    ) -> None:
        made = make_backup(here, clock)
        newer = (wanted_version(), "9999", "newer")
        for old, new, words in (newer, ('"sqlite"', '"postgresql"', "no backup of Tsudoi")):
            data = made.manifest.to_json().replace(old.encode(), new.encode())
            with pytest.raises(BadBackup, match=words):
                restore(there, clock, with_changed(made.path, "manifest.json", data), force=False)
        on_postgres = there.model_copy(update={"database_url": "postgresql://127.0.0.1:1/nothing"})
        with pytest.raises(BadBackup, match="a backup of sqlite, and DATABASE_URL names postgresql"):
            restore(on_postgres, clock, made.path, force=False)

    @sqlite_only
    def test_of_a_database_that_was_damaged_before_it_was_packed(
        self, here: Settings, there: Settings, clock: ManualClock
    ) -> None:
        made = make_backup(here, clock)
        with tarfile.open(made.path) as tar:
            content = tar.extractfile("database.sqlite3")
            assert content is not None
            data = bytearray(content.read())
        data[36:40] = (5).to_bytes(4)  # The header names five free pages, and there are none.
        files = {**made.manifest.files, "database.sqlite3": FileSum(len(data), sha256(data).hexdigest())}
        changed = with_changed(made.path, "database.sqlite3", bytes(data)).rename(made.path.with_name("damaged.tar"))
        manifest = dataclasses.replace(made.manifest, files=files).to_json()
        with pytest.raises(BadBackup, match="the database is damaged"):
            restore(there, clock, with_changed(changed, "manifest.json", manifest), force=False)

    @sqlite_only
    def test_of_rows_that_are_not_those_of_the_manifest(
        self, here: Settings, there: Settings, clock: ManualClock
    ) -> None:
        made = make_backup(here, clock)
        data = dataclasses.replace(made.manifest, rows={**made.manifest.rows, "members": 3}).to_json()
        with pytest.raises(BadBackup, match="rows are not those of the manifest: members"):
            restore(there, clock, with_changed(made.path, "manifest.json", data), force=False)
        assert found_version(there.database) is None

    @sqlite_only
    def test_to_put_data_in_the_place_of_a_damaged_database(
        self, here: Settings, there: Settings, clock: ManualClock
    ) -> None:
        """It may be the only copy of something, so a person moves it away."""
        made = make_backup(here, clock)
        damaged = there.data_dir / "tsudoi.sqlite3"
        damaged.write_bytes(b"not a database " * 1000)
        with pytest.raises(BadBackup, match=r"move .* away"):
            restore(there, clock, made.path, force=True)
        damaged.rename(there.data_dir / "old")
        restore(there, clock, made.path, force=False)
        assert names(there, clock) == ["会員101", "会員102"]

    @sqlite_only
    def test_of_entries_that_lead_elsewhere(self, here: Settings, there: Settings, clock: ManualClock) -> None:
        made = make_backup(here, clock)
        outside, link = tarfile.TarInfo("media/../../../outside/a/b"), tarfile.TarInfo("media/events/token/link.jpg")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        for number, entry in enumerate((outside, link)):
            archive = made.path.with_name(f"{number}.tar")
            archive.write_bytes(made.path.read_bytes())
            with tarfile.open(archive, "a") as tar:
                tar.addfile(entry, io.BytesIO())
            with pytest.raises(BadBackup, match="unknown entry"):
                restore(there, clock, archive, force=False)


class TestReplacing:
    def test_is_done_by_force_only_and_leaves_the_old_data_when_it_fails(
        self, here: Settings, there: Settings, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = make_backup(here, clock)
        restore(there, clock, made.path, force=False)
        rename_all(there, clock, "前のデータ")
        old = ["前のデータ", "前のデータ"]
        with pytest.raises(BadBackup, match="--force"):
            restore(there, clock, made.path, force=False)

        def fail(*_: object) -> list[str]:
            raise OSError(28, "No space left on device")

        # Right before the end, when the new data are loaded already.
        monkeypatch.setattr(restoring, "row_differences", fail)
        with pytest.raises(BadBackup, match="No space left"):
            restore(there, clock, made.path, force=True)
        assert names(there, clock) == old
        monkeypatch.undo()
        clock.advance(timedelta(minutes=1))
        restored = restore(there, clock, made.path, force=True)
        assert names(there, clock) == ["会員101", "会員102"]
        assert restored.before is not None
        restore(there, clock, restored.before.path, force=True)
        assert names(there, clock) == old

    @postgresql_only
    def test_leaves_the_old_data_when_the_new_ones_cannot_be_loaded(
        self, here: Settings, there: Settings, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = make_backup(here, clock)
        restore(there, clock, made.path, force=False)
        rename_all(there, clock, "前のデータ")
        run = PostgresPrograms.run

        def spoil(programs: PostgresPrograms, url: str, name: str, *arguments: str, **more: Any) -> None:
            run(programs, url, name, *arguments, **more)
            if name == "pg_restore":
                [script] = [one.removeprefix("--file=") for one in arguments if one.startswith("--file=")]
                with Path(script).open("a") as sql:
                    sql.write("SELECT 1 / 0;\n")

        monkeypatch.setattr(PostgresPrograms, "run", spoil)
        with pytest.raises(BadBackup, match="division by zero"):
            restore(there, clock, made.path, force=True)
        assert names(there, clock) == ["前のデータ", "前のデータ"]

    def test_waits_until_nobody_uses_the_database(
        self, here: Settings, there: Settings, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgres_copy, "_SECONDS_TO_LEAVE", 0.2)
        made = make_backup(here, clock)
        migrate(there.database)
        server = open_database(there.database, clock, connections=2)
        try:
            server.read_now(_look)
            with pytest.raises(BadBackup, match="still in use"):
                restore(there, clock, made.path, force=True)
            assert server.read_now(_look) == 0
        finally:
            server.close()


def _look(tx: ReadTx) -> int:
    return len(tx.execute(select(Member.id)).all())
