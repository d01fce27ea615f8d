"""Storage for pictures: a small interface, and a directory that implements it.

A key is `area/folder/name`, such as `events/<token>/notice_o.jpg`. The content of a key never changes.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from tsudoi.core.errors import Unavailable
from tsudoi.core.tokens import new_token

# No part starts with a dot, so that nobody can read `..` or an unfinished file.
_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}")
_UNFINISHED = re.compile(r"\.[A-Za-z0-9_-]+\.tmp")
_FILE_DEPTH, _FOLDER_DEPTH = 3, 2


class MediaUnavailable(Unavailable):
    """The disk is full, read-only or missing."""

    default_message = (
        "ファイルの保存先を使えませんでした。データは変更されていません。少し待ってからもう一度お試しください。"
        "続くときは、サーバーのディスクの空き容量と書き込み権限を確認してください。"
    )


class BadMediaKey(ValueError):
    """A key is not valid. Our own code makes all keys, so this is a programming error."""

    def __init__(self, key: str) -> None:
        super().__init__(f"not a media key: {key!r}")


class MediaStore(Protocol):
    """The interface of a store for files that are written once."""

    def put(self, key: str, data: bytes) -> None:
        """Store a file. It is on disk when this returns, and readers never see a part of it."""

    def open(self, key: str) -> BinaryIO | None:
        """Open the file, which the caller closes. None when it does not exist."""

    def read(self, key: str) -> bytes | None: ...

    def delete(self, key: str) -> None:
        """Delete a file, or a folder (`area/folder`) with its files. A missing one is no error."""

    def folders(self, older_than: datetime) -> Iterator[str]:
        """List every `area/folder` in which nothing was stored since that time."""

    def tidy(self, older_than: datetime) -> int:
        """Remove unfinished files that a crash left before that time, and return their number."""


class DirectoryStore:
    """A media store in a directory of the local disk."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, key: str, data: bytes) -> None:
        target = self._path(key, _FILE_DEPTH)
        with _reported():
            _make_folder(target.parent)
            unfinished = target.parent / f".{new_token()}.tmp"
            try:
                handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                unfinished.replace(target)
            except BaseException:
                with suppress(OSError):
                    unfinished.unlink(missing_ok=True)
                raise
            sync_folder(target.parent)

    def open(self, key: str) -> BinaryIO | None:
        path = self._path(key, _FILE_DEPTH)
        with _reported():
            try:
                return path.open("rb")
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                return None

    def read(self, key: str) -> bytes | None:
        file = self.open(key)
        if file is None:
            return None
        with _reported(), file:
            return file.read()

    def delete(self, key: str) -> None:
        path = self._path(key, _FILE_DEPTH, _FOLDER_DEPTH)
        with _reported(), suppress(FileNotFoundError, NotADirectoryError):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def folders(self, older_than: datetime) -> Iterator[str]:
        with _reported():
            yield from (f"{entry.parent.name}/{entry.name}" for entry in self._folders() if _older(entry, older_than))

    def tidy(self, older_than: datetime) -> int:
        removed = 0
        with _reported():
            for folder in self._folders():
                for file in _entries(folder):
                    if _UNFINISHED.fullmatch(file.name) and _older(file, older_than):
                        file.unlink(missing_ok=True)
                        removed += 1
        return removed

    def _folders(self) -> Iterator[Path]:
        """Yield one folder at a time, because there may be many. Folders with other names are not ours."""
        for area in _entries(self._root):
            if _PART.fullmatch(area.name) and area.is_dir():
                named = (one for one in _entries(area) if _PART.fullmatch(one.name))
                yield from (one for one in named if one.is_dir() and not one.is_symlink())

    def _path(self, key: str, *depths: int) -> Path:
        parts = key.split("/")
        if len(parts) not in depths or not all(_PART.fullmatch(part) for part in parts):
            raise BadMediaKey(key)
        return self._root.joinpath(*parts)


def media_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Every finished file of a directory store with its key, for backups."""
    for area in _entries(root):
        for folder in _entries(area):
            for file in _entries(folder):
                key = f"{area.name}/{folder.name}/{file.name}"
                if all(_PART.fullmatch(part) for part in key.split("/")) and file.is_file():
                    yield key, file


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except OSError as failed:
        raise MediaUnavailable from failed


def _entries(folder: Path) -> Iterator[Path]:
    """Yield nothing for a folder that does not exist, or that another process has just removed."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as found:
        for entry in found:
            yield folder / entry.name


def _older(path: Path, moment: datetime) -> bool:
    try:
        return path.stat().st_mtime < moment.timestamp()
    except FileNotFoundError:
        return False


def _make_folder(folder: Path) -> None:
    """Create a folder and sync its parent, because otherwise a power failure could lose the folder."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Without this a power failure could lose the name of a new file."""
    if os.name == "nt":  # Windows cannot open a folder, and does not need this.
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
