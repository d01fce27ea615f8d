"""Where pictures lie: a small interface, and a plain directory behind it.

A key is `area/folder/name`, such as `events/<token>/notice_o.jpg`. What was put under a key is never changed.
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

# No part starts with a dot: neither `..` nor one of our own unfinished files can ever be asked for.
_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}")
_UNFINISHED = re.compile(r"\.[A-Za-z0-9_-]+\.tmp")
_FILE_DEPTH, _FOLDER_DEPTH = 3, 2


class MediaUnavailable(Unavailable):
    """The disk is full, read-only or gone."""

    default_message = (
        "ファイルの保存先を使えませんでした。データは変更されていません。少し待ってからもう一度お試しください。"
        "続くときは、サーバーのディスクの空き容量と書き込み権限を確認してください。"
    )


class BadMediaKey(ValueError):
    """Keys are made by us; one that leaves the store is a mistake in the code that made it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"not a media key: {key!r}")


class MediaStore(Protocol):
    def put(self, key: str, data: bytes) -> None:
        """Durable and whole once this returns; whatever happens before, nobody ever sees a part of it."""

    def open(self, key: str) -> BinaryIO | None:
        """The file to read from, which the caller closes; None when there is none."""

    def read(self, key: str) -> bytes | None: ...

    def delete(self, key: str) -> None:
        """The file, or with `area/folder` all that is in it. It is no error when nothing is there."""

    def folders(self, older_than: datetime) -> Iterator[str]:
        """Every `area/folder` in which nothing has been put since."""

    def tidy(self, older_than: datetime) -> int:
        """Removes what a crash left unfinished before then; returns how many files that were."""


class DirectoryStore:
    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, key: str, data: bytes) -> None:
        target = self._path(key, _FILE_DEPTH)
        with _reported():
            _make_folder(target.parent)
            unfinished = target.parent / f".{new_token()}.tmp"
            try:
                _write_through(unfinished, data)
                unfinished.replace(target)
            except BaseException:
                with suppress(OSError):
                    unfinished.unlink(missing_ok=True)
                raise
            _sync_folder(target.parent)

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
        """One after the other from the disk, because there may be many. What has another name is not ours."""
        for area in _entries(self._root):
            if _PART.fullmatch(area.name) and area.is_dir():
                yield from (one for one in _entries(area) if _PART.fullmatch(one.name) and _is_folder(one))

    def _path(self, key: str, *depths: int) -> Path:
        parts = key.split("/")
        if len(parts) not in depths or not all(_PART.fullmatch(part) for part in parts):
            raise BadMediaKey(key)
        return self._root.joinpath(*parts)


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except OSError as failed:
        raise MediaUnavailable from failed


def _entries(folder: Path) -> Iterator[Path]:
    """Nothing for a folder that is not there, or was removed a moment ago by another process."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as found:
        for entry in found:
            yield folder / entry.name


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _older(path: Path, moment: datetime) -> bool:
    try:
        return path.stat().st_mtime < moment.timestamp()
    except FileNotFoundError:
        return False


def _make_folder(folder: Path) -> None:
    """A new folder is only safe once the one above has been told to the disk."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _write_through(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder, and needs no telling.
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
