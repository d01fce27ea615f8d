"""One tar file with the database, the media and the manifest, readable by its owner only."""

import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tsudoi.core.backup.manifest import MANIFEST, BackupManifest, BadBackup, FileSum, differences, is_backup_entry
from tsudoi.core.media import sync_folder
from tsudoi.core.tokens import new_token

_CHUNK_SIZE = 1024 * 1024
_MOST_NAMED = 5


class _Hashed:
    """A file that is being read, and the hash of what was read so far."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.hash, self.size = file, hashlib.sha256(), 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.hash.update(data)
        self.size += len(data)
        return data

    @property
    def sum(self) -> FileSum:
        return FileSum(self.size, self.hash.hexdigest())


class ArchiveWriter:
    """A backup file that is being written. Its manifest comes last, when all sums are known."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.files: dict[str, FileSum] = {}
        # Where a picture is missing, the name of the file says so.
        self.suffix = ""

    def add(self, name: str, file: IO[bytes], size: int) -> None:
        hashed = _Hashed(file)
        self._tar.addfile(_entry(name, size), hashed)
        self.files[name] = hashed.sum

    def finish(self, manifest: BackupManifest) -> None:
        data = manifest.to_json()
        self._tar.addfile(_entry(MANIFEST, len(data)), io.BytesIO(data))


@contextmanager
def new_archive(target: Path) -> Iterator[ArchiveWriter]:
    """The file has its name only when everything is written and on disk; `ArchiveWriter.suffix` is added to it."""
    unfinished = target.with_name(f".{target.name}.{new_token()[:8]}.tmp")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            with tarfile.open(fileobj=file, mode="w|", format=tarfile.PAX_FORMAT) as tar:
                writer = ArchiveWriter(tar)
                yield writer
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target.with_name(target.name + writer.suffix))
        sync_folder(target.parent)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def unpack(archive: Path, folder: Path) -> BackupManifest:
    """Write the files of a backup below the folder, and compare each with the manifest."""
    found: dict[str, FileSum] = {}
    manifest: BackupManifest | None = None
    try:
        left = archive.stat().st_size
        with tarfile.open(archive, mode="r|") as tar:
            for entry in tar:
                left -= entry.size
                # A sparse entry says of itself how long it is: ten kilobytes could fill a disk.
                if entry.issparse() or left < 0:
                    raise BadBackup("ファイルが壊れています / the file is damaged: an entry is longer than the file")
                if not entry.isreg() or not is_backup_entry(entry.name) or entry.name in found:
                    raise BadBackup(f"知らない中身があります / an unknown entry: {entry.name!r}")
                content = tar.extractfile(entry)
                assert content is not None  # noqa: S101 (a regular file has one)
                if entry.name == MANIFEST:
                    manifest = BackupManifest.from_json(content.read())
                else:
                    found[entry.name] = _write(content, folder / entry.name)
    except (tarfile.TarError, EOFError, ValueError) as broken:
        raise BadBackup(f"ファイルが壊れています / the file is damaged: {broken}") from broken
    if manifest is None:
        raise BadBackup(
            "ファイルが途中で切れているか、バックアップではありません / the file is cut off, or is no backup"
        )
    wrong = differences(manifest.files, found)
    if wrong:
        named = ", ".join(wrong[:_MOST_NAMED])
        raise BadBackup(f"チェックサムが合いません。ファイルが壊れています / the checksum is wrong: {named}")
    return manifest


def _write(content: IO[bytes], path: Path) -> FileSum:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    hashed = _Hashed(content)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while data := hashed.read(_CHUNK_SIZE):
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return hashed.sum


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    return entry
