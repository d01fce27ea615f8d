"""Only the owner of the process can read the data: files have mode 0600, folders 0700."""

import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tsudoi.core.db.connect import sqlite_path
from tsudoi.core.settings import Settings

FILE_MODE, FOLDER_MODE = 0o600, 0o700


def make_private(settings: Settings) -> None:
    """Take others' rights from what an older version or another program created.

    A folder gets its mode after everything in it has one. So a folder that is private already needs no further look,
    and the next start is quick however many pictures there are.
    """
    database = sqlite_path(settings.database) if settings.on_sqlite else None
    if database is not None:
        for name in (database.name, f"{database.name}-wal", f"{database.name}-shm"):
            _restrict(database.with_name(name), FILE_MODE)
    for folder in (settings.media_dir, settings.log_dir, settings.backup_folder):
        if folder.is_dir() and _mode(folder) != FOLDER_MODE:
            for path in _inside(folder):
                _restrict(path, FOLDER_MODE if path.is_dir() else FILE_MODE)
            _restrict(folder, FOLDER_MODE)
    if settings.data_dir.is_dir():
        _restrict(settings.data_dir, FOLDER_MODE)


def _inside(folder: Path) -> Iterator[Path]:
    for entry in folder.rglob("*"):
        if not entry.is_symlink():
            yield entry


def _restrict(path: Path, mode: int) -> None:
    """What belongs to somebody else, or has just been removed, is left alone."""
    with suppress(FileNotFoundError, PermissionError):
        if _mode(path) != mode:
            path.chmod(mode)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
