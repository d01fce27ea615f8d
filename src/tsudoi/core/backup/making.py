"""`tsudoi backup`: database and media in one file, while the server runs.

The settings (`.env`) are left out, because the file would otherwise open what is encrypted in it. The NDJSON logs are
left out as well.
"""

import os
import re
import shutil
import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from tsudoi import __version__
from tsudoi.core.backup.archive import ArchiveWriter, new_archive
from tsudoi.core.backup.manifest import DATABASE_FILES, MEDIA_FOLDER, BackupManifest, BadBackup
from tsudoi.core.backup.postgres_copy import PostgresPrograms, copy_postgres
from tsudoi.core.backup.sqlite_copy import copy_sqlite
from tsudoi.core.clock import JST, Clock
from tsudoi.core.db.connect import open_database, sqlite_path
from tsudoi.core.db.version import wanted_version
from tsudoi.core.errors import Problem
from tsudoi.core.heartbeats import BACKUP, beat
from tsudoi.core.installation import NamedPictures, identity
from tsudoi.core.media import media_files
from tsudoi.core.settings import Settings

_log = structlog.stdlib.get_logger(__name__)

_LEFTOVER = re.compile(r"\.(backup|restore)-\w+|\..+\.tar\..+\.tmp")
_SECONDS_OF_A_DAY = 86_400
# Only files of this name are ever removed.
_NAME = re.compile(r"tsudoi-\d{8}-\d{6}(-\d+)?\.tar(\.incomplete)?")
INCOMPLETE = ".incomplete"


@dataclass(frozen=True, slots=True)
class MadeBackup:
    """A finished backup file, and the older ones that were removed after it."""

    path: Path
    manifest: BackupManifest
    removed: tuple[Path, ...] = ()

    @property
    def is_incomplete(self) -> bool:
        return self.path.name.endswith(INCOMPLETE)


def make_backup(
    settings: Settings,
    clock: Clock,
    target: Path | None = None,
    named: NamedPictures | None = None,
    *,
    without_missing: bool = False,
) -> MadeBackup:
    """Write a backup. Without a target it goes to `BACKUP_DIR`, where only the newest `BACKUP_KEEP` files stay.

    `named`: the pictures that rows name. If one of them is missing, the file is called `.incomplete` and does not count
    as a backup, unless `without_missing` accepts that.
    """
    now = clock.now()
    try:
        path = target or _next_name(settings.backup_folder, now)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        remove_leftovers(path.parent)
        with TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder, new_archive(path) as archive:
            schema, rows = _add_database(settings, archive, Path(folder))
            # After the database: a picture is stored before the row that names it.
            wanted = _named_now(settings, clock, named)
            _add_media(archive, settings.media_dir)
            missing = sorted(key for key in wanted if f"{MEDIA_FOLDER}/{key}" not in archive.files)
            if missing:
                # What was deleted meanwhile, together with its rows, is not missed.
                missing = sorted(_named_now(settings, clock, named) & set(missing))
            archive.suffix = INCOMPLETE if missing and not without_missing else ""
            dialect = "sqlite" if settings.on_sqlite else "postgresql"
            files, origin = dict(archive.files), _origin(settings, clock, schema)
            manifest = BackupManifest(now, __version__, dialect, schema, rows, files, tuple(missing), origin)
            archive.finish(manifest)
    except (OSError, sqlite3.Error) as failed:
        raise BadBackup(f"バックアップを書けません / the backup cannot be written: {failed}") from failed
    made = path.with_name(path.name + archive.suffix)
    if not archive.suffix:
        note_backup(settings, clock, now)
    return MadeBackup(made, manifest, () if target else _remove_old(settings.backup_folder, settings.backup_keep))


def _origin(settings: Settings, clock: Clock, schema: str) -> str | None:
    """None for a database of an older schema, which may have no id yet."""
    if schema != wanted_version():
        return None
    db = open_database(settings.database, clock, connections=1)
    try:
        return db.read_now(identity).origin
    finally:
        db.close()


def _named_now(settings: Settings, clock: Clock, named: NamedPictures | None) -> set[str]:
    if named is None:
        return set()
    db = open_database(settings.database, clock, connections=1)
    try:
        return set(db.read_now(named))
    finally:
        db.close()


def remove_leftovers(folder: Path) -> None:
    """A backup or restore that was killed leaves a hidden folder or file with everybody's data in it."""
    for path in folder.iterdir():
        if _LEFTOVER.fullmatch(path.name) and time.time() - path.stat().st_mtime > _SECONDS_OF_A_DAY:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def note_backup(settings: Settings, clock: Clock, at: datetime) -> None:
    """The time is a row of the database, because every process and machine that shows it has the database."""
    db = open_database(settings.database, clock, connections=1)
    try:
        db.write_now(beat, BACKUP, at)
    except Problem:  # The backup is good, and its age is only shown.
        _log.exception("backup_not_noted")
    finally:
        db.close()


def _next_name(folder: Path, now: datetime) -> Path:
    name = f"tsudoi-{now.astimezone(JST):%Y%m%d-%H%M%S}"
    path, number = folder / f"{name}.tar", 1
    while path.exists():
        path, number = folder / f"{name}-{number}.tar", number + 1
    return path


def _add_database(settings: Settings, archive: ArchiveWriter, folder: Path) -> tuple[str, dict[str, int]]:
    source = sqlite_path(settings.database) if settings.on_sqlite else None
    if source is not None:
        copy = folder / DATABASE_FILES["sqlite"]
        found = copy_sqlite(source, copy)
    else:
        copy = folder / DATABASE_FILES["postgresql"]
        found = copy_postgres(settings.database, copy, PostgresPrograms(settings.pg_bin_dir))
    with copy.open("rb") as file:
        archive.add(copy.name, file, copy.stat().st_size)
    return found


def _add_media(archive: ArchiveWriter, root: Path) -> None:
    for key, path in media_files(root):
        # An event may be deleted together with its pictures meanwhile.
        with suppress(FileNotFoundError), path.open("rb") as file:
            archive.add(f"{MEDIA_FOLDER}/{key}", file, os.fstat(file.fileno()).st_size)


def _remove_old(folder: Path, keep: int) -> tuple[Path, ...]:
    """The names begin with the time, so their order is that of time."""
    ours = sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))
    complete = [path for path in ours if not path.name.endswith(INCOMPLETE)]
    # Incomplete ones must not take the place of complete ones, so they are counted apart.
    incomplete = [path for path in ours if path.name.endswith(INCOMPLETE)]
    removed = (*complete[:-keep], *incomplete[:-keep])
    for path in removed:
        path.unlink(missing_ok=True)
    return removed
