"""Storage for pictures: a small interface, and a directory that implements it.

A key is `area/folder/name`, such as `events/<token>/notice_o.jpg`. The content of a key never changes.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
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
# The id of the database whose pictures the store holds. It begins with a dot, so that it is no key.
STAMP = ".tsudoi-database"


class MediaUnavailable(Unavailable):
    """The disk is full, read-only or missing."""

    default_message = (
        "ファイルの保存先を使えませんでした。データは変更されていません。少し待ってからもう一度お試しください。"
        "続くときは、サーバーのディスクの空き容量と書き込み権限を確認してください。"
    )


class MediaOfAnotherDatabase(MediaUnavailable):
    """The store holds the pictures of another database, so nothing is written to it and nothing is removed."""

    default_message = (
        "画像の保存先が、このデータベースのものではありません。何も変更していません。"
        "運用の担当者に、tsudoi doctor の「画像」の項目を確認してもらってください。"
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

    def stamp(self) -> str | None:
        """The id of the database whose pictures these are. None: the store has no stamp yet."""

    def set_stamp(self, database_id: str, *, instead_of: str | None) -> None:
        """Write the stamp, if the present one is `instead_of`. Of several that write the first one, one succeeds."""

    def is_empty(self) -> bool:
        """Whether nobody has stored a file."""

    def require_owner(self) -> None:
        """Raise `MediaOfAnotherDatabase` unless the store has our stamp. An empty one without a stamp gets it."""


class DirectoryStore:
    """A media store in a directory of the local disk.

    With an `owner`, the id of our database, everything that changes the store compares its stamp first, each time:
    another database on the same folder would remove all pictures that it does not know.
    """

    def __init__(self, root: Path, owner: Callable[[], str] | None = None) -> None:
        self._root = root
        self._owner = owner

    def stamp(self) -> str | None:
        with _reported():
            try:
                return (self._root / STAMP).read_text(encoding="ascii", errors="replace").strip()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def set_stamp(self, database_id: str, *, instead_of: str | None) -> None:
        with _reported():
            _make_folder(self._root)
            unfinished = self._root / f".{new_token()}.tmp"
            try:
                _write_file(unfinished, f"{database_id}\n".encode())
                if instead_of is None:
                    # A link does not replace a stamp that another process has just written.
                    with suppress(FileExistsError):
                        os.link(unfinished, self._root / STAMP)
                elif self.stamp() == instead_of:
                    unfinished.replace(self._root / STAMP)
            finally:
                with suppress(OSError):
                    unfinished.unlink(missing_ok=True)
            sync_folder(self._root)
        if self.stamp() != database_id:
            raise MediaOfAnotherDatabase

    def is_empty(self) -> bool:
        with _reported():
            return next(self._folders(), None) is None

    def require_owner(self) -> None:
        if self._owner is None:
            return
        ours, found = self._owner(), self.stamp()
        if found == ours:
            return
        if found is None and self.is_empty():
            self.set_stamp(ours, instead_of=None)
        # Another process may have stamped the store since we looked, and put its first picture there.
        elif found is not None or self.stamp() != ours:
            raise MediaOfAnotherDatabase

    def put(self, key: str, data: bytes) -> None:
        target = self._path(key, _FILE_DEPTH)
        self.require_owner()
        with _reported():
            _make_folder(target.parent)
            unfinished = target.parent / f".{new_token()}.tmp"
            try:
                _write_file(unfinished, data)
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
        self.require_owner()
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
        self.require_owner()
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


def _write_file(path: Path, data: bytes) -> None:
    """A new file that its owner alone can read; it is on disk when this returns."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


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
