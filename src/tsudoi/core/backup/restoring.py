"""`tsudoi restore`: everything is checked first, and the old data stay until the new ones take their place.

Media are only added: a name is never used for two contents, and the worker removes what no event names.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.exc import SQLAlchemyError

from tsudoi.core import sessions
from tsudoi.core.backup import postgres_copy, sqlite_copy
from tsudoi.core.backup.archive import unpack
from tsudoi.core.backup.making import MadeBackup, make_backup, note_backup, remove_leftovers
from tsudoi.core.backup.manifest import MEDIA_FOLDER, BackupManifest, BadBackup, row_differences
from tsudoi.core.clock import Clock
from tsudoi.core.db.connect import open_database, sqlite_path
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.schema import found_version, migrate
from tsudoi.core.db.version import wanted_version
from tsudoi.core.installation import SHOWN, DatabaseIdentity, become_copy, identity
from tsudoi.core.media import DirectoryStore, MediaUnavailable
from tsudoi.core.settings import Settings

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and the backup of what was there before."""

    manifest: BackupManifest
    before: MadeBackup | None
    # The ids of the restored database: its own one, and that of the database in the backup.
    identity: DatabaseIdentity
    # How many sessions and tokens were ended.
    ended: int


Prepare = Callable[[Tx], int]


def _nothing_more(_: Tx) -> int:
    return 0


def restore(
    settings: Settings, clock: Clock, archive: Path, *, force: bool, prepare: Prepare = _nothing_more
) -> Restored:
    """The restored database is a copy of the one in the backup: it has an id of its own, sends nothing until somebody
    confirms it, and has no open sessions. `prepare` does what else has to be done before it takes its place, and
    returns how many further sessions it ended.
    """
    path = sqlite_path(settings.database) if settings.on_sqlite else None
    place = path.parent if path is not None else settings.data_dir
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        remove_leftovers(place)
        with TemporaryDirectory(dir=place, prefix=".restore-") as folder:
            manifest = unpack(archive, Path(folder))
            _require_fitting(settings, manifest)
            _require_free(settings, path)
            take_over = _may_take_pictures(settings, clock, manifest)
            before = _backup_of_present(settings, clock, force=force)
            _add_media(settings, manifest, Path(folder))
            new = Path(folder) / manifest.database_file
            made = _Copying(settings, clock, prepare)
            if path is not None:
                _replace_sqlite(path, new, manifest, made)
            else:
                _replace_postgres(settings, new, manifest, made)
            found = made.found
            assert found is not None  # noqa: S101 (otherwise an exception has ended this)
    except (OSError, sqlite3.Error, SQLAlchemyError, MediaUnavailable) as failed:
        raise BadBackup(f"復元できません。元のデータはそのままです / cannot be restored: {failed}") from failed
    note_backup(settings, clock, manifest.made_at)
    if take_over:
        store = DirectoryStore(settings.media_dir)
        store.set_stamp(found[0].database_id, instead_of=store.stamp())
    return Restored(manifest, before, *found)


def _may_take_pictures(settings: Settings, clock: Clock, manifest: BackupManifest) -> bool:
    """Whether the copy gets the folder of pictures at once: an empty one, or that of the database that it replaces.

    The folder of the original stays that of the original until somebody confirms the copy. One that nobody has stamped
    is stamped when the server starts, if pictures of ours are in it. Any other folder is refused.
    """
    store = DirectoryStore(settings.media_dir)
    stamp = store.stamp()
    if stamp is None:
        return store.is_empty()
    if stamp == manifest.database_id:
        return False
    if found_version(settings.database) == wanted_version():
        db = open_database(settings.database, clock, connections=1)
        try:
            if db.read_now(identity).database_id == stamp:
                return True
        finally:
            db.close()
    raise BadBackup(
        f"この画像置き場は、別のデータベース（{stamp[:SHOWN]}）のものです。何も変更していません"
        " [MEDIA_OF_ANOTHER_DATABASE]\n"
        f"{settings.media_dir} holds the pictures of another database ({stamp[:SHOWN]}); nothing was changed.\n"
        "→ DATA_DIR と DATABASE_URL を確認してください / check both settings"
    )


@dataclass(slots=True)
class _Copying:
    """Makes a copy of the database that was loaded, before it takes its place."""

    settings: Settings
    clock: Clock
    prepare: Prepare
    found: tuple[DatabaseIdentity, int] | None = None

    def run(self, url: str) -> None:
        db = open_database(url, self.clock, connections=1, audit_keys=self.settings.audit_keys)
        try:
            self.found = db.write_now(self._write)
        finally:
            db.close()

    def _write(self, tx: Tx) -> tuple[DatabaseIdentity, int]:
        copy = become_copy(tx)
        return copy, sessions.revoke_everything(tx) + self.prepare(tx)


def _require_fitting(settings: Settings, manifest: BackupManifest) -> None:
    ours = "sqlite" if settings.on_sqlite else "postgresql"
    if manifest.dialect != ours:
        raise BadBackup(
            f"これは {manifest.dialect} のバックアップですが、DATABASE_URL は {ours} です。\n"
            f"This is a backup of {manifest.dialect}, and DATABASE_URL names {ours}."
        )
    if manifest.schema > wanted_version():
        raise BadBackup(
            f"バックアップのスキーマ {manifest.schema} は、このプログラムの {wanted_version()} より新しいものです。"
            "新しい版を入れてから復元してください。\n"
            f"The backup has schema {manifest.schema}, newer than {wanted_version()}; install a newer version first."
        )


def _require_free(settings: Settings, path: Path | None) -> None:
    if path is not None:
        with sqlite_copy.nobody_uses(path):
            return
    if postgres_copy.is_in_use(settings.database):
        raise BadBackup(sqlite_copy.STILL_IN_USE)


def _backup_of_present(settings: Settings, clock: Clock, *, force: bool) -> MadeBackup | None:
    """A database without a schema is empty. Everything else is replaced only by force, and kept as a backup."""
    if found_version(settings.database) is None:
        return None
    if not force:
        raise BadBackup(
            "データベースは空ではありません。置き換えてよければ --force を付けてください"
            "（いまのデータは先にバックアップされます）。\n"
            "The database is not empty; --force replaces it, after a backup of what is there."
        )
    return make_backup(settings, clock)


def _add_media(settings: Settings, manifest: BackupManifest, folder: Path) -> None:
    store = DirectoryStore(settings.media_dir)
    for name in manifest.media_files:
        store.put(name.removeprefix(f"{MEDIA_FOLDER}/"), (folder / name).read_bytes())


def _replace_sqlite(path: Path, new: Path, manifest: BackupManifest, copying: _Copying) -> None:
    url = f"sqlite:///{new}"
    _check_and_migrate(url, manifest, lambda: sqlite_copy.inspect_sqlite(new))
    copying.run(url)
    with sqlite_copy.nobody_uses(path):
        sqlite_copy.take_place(new, path)


def _replace_postgres(settings: Settings, dump: Path, manifest: BackupManifest, copying: _Copying) -> None:
    url = settings.database

    def finish() -> None:
        _check_and_migrate(url, manifest, lambda: postgres_copy.inspect_url(url))
        copying.run(url)

    postgres_copy.put_in_place(url, dump, postgres_copy.PostgresPrograms(settings.pg_bin_dir), finish)


def _check_and_migrate(url: str, manifest: BackupManifest, inspect: Callable[[], tuple[str, dict[str, int]]]) -> None:
    schema, rows = inspect()
    wrong = row_differences(manifest.rows, rows)
    if schema != manifest.schema or wrong:
        named = ", ".join(wrong[:_MOST_NAMED])
        raise BadBackup(f"行の数がバックアップの目録と合いません / the rows are not those of the manifest: {named}")
    if schema != wanted_version():
        migrate(url)
