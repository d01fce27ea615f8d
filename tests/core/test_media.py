"""A file is there whole or not at all, whatever happens in between."""

import errno
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.threads import at_once
from tests.conftest import NOON
from tsudoi.core.errors import Unavailable
from tsudoi.core.media import BadMediaKey, DirectoryStore, MediaStore

KEY = "events/abc/notice_o.jpg"
HOSTILE = [
    "",
    "/",
    "events",
    "events/abc",
    "/etc/passwd/x",
    "/events/abc/a.jpg",
    "events/../abc.jpg",
    "events/abc/..",
    "events/./a.jpg",
    "events//a.jpg",
    "events/abc/a.jpg/",
    "events/abc/a.jpg\n",
    "events/abc/a\0.jpg",
    "events/abc/.hidden",
    "events/abc\\..\\..\\x/a.jpg",
    "events/abc/def/a.jpg",
    "events/" + "a" * 300 + "/a.jpg",
    "events/あ/a.jpg",
]
KILLED = """
import os, sys
from pathlib import Path
from tsudoi.core.media import DirectoryStore
Path.replace = lambda self, target: os._exit(9)
DirectoryStore(Path(sys.argv[1])).put("events/abc/notice_o.jpg", b"x" * 100_000)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "data" / "media"


@pytest.fixture
def media(root: Path) -> DirectoryStore:
    return DirectoryStore(root)


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def aged(path: Path, at: datetime) -> None:
    os.utime(path, (at.timestamp(), at.timestamp()))


class TestPut:
    def test_gives_back_what_was_put(self, media: MediaStore, root: Path) -> None:
        media.put(KEY, b"\xff\xd8picture")
        assert media.read(KEY) == b"\xff\xd8picture"
        assert files(root) == [KEY]

    def test_is_not_for_every_user_of_the_machine(self, media: MediaStore, root: Path) -> None:
        media.put(KEY, b"x")
        assert (root / KEY).stat().st_mode & 0o007 == 0

    def test_puts_in_the_place_of_what_was_there(self, media: MediaStore, root: Path) -> None:
        media.put(KEY, b"old")
        media.put(KEY, b"new")
        assert media.read(KEY) == b"new"
        assert files(root) == [KEY]

    def test_file_then_name_then_folder_reach_the_disk_in_this_order(
        self, media: MediaStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        media.put("events/abc/first.jpg", b"x")
        done: list[str] = []
        sync, replace = os.fsync, Path.replace

        def synced(handle: int) -> None:
            at = Path(f"/proc/self/fd/{handle}").resolve()
            done.append("folder" if at.is_dir() else f"file of {at.stat().st_size}")
            sync(handle)

        def renamed(path: Path, target: Path) -> Any:
            done.append("rename")
            return replace(path, target)

        monkeypatch.setattr(os, "fsync", synced)
        monkeypatch.setattr(Path, "replace", renamed)
        media.put(KEY, b"x" * 1000)
        assert done == ["file of 1000", "rename", "folder"]
        done.clear()
        media.put("events/other/notice_o.jpg", b"x")
        assert done == ["folder", "file of 1", "rename", "folder"]

    def test_a_reader_never_sees_a_part(self, media: MediaStore) -> None:
        wanted = {bytes([number]) * 300_000 for number in range(4)}
        media.put(KEY, min(wanted))
        over = threading.Event()
        seen: set[bytes | None] = set()

        def play(number: int) -> None:
            if number == 0:
                for _ in range(10):
                    for data in wanted:
                        media.put(KEY, data)
                over.set()
            while not over.is_set():
                seen.add(media.read(KEY))

        at_once(3, play)
        assert seen <= wanted

    @pytest.mark.parametrize("key", HOSTILE)
    def test_no_key_leaves_the_store(self, media: MediaStore, root: Path, key: str) -> None:
        for verb in (lambda: media.put(key, b"x"), lambda: media.read(key), lambda: media.open(key)):
            with pytest.raises(BadMediaKey):
                verb()
        assert not root.exists()


class TestCrash:
    def test_a_process_killed_before_the_rename_leaves_no_half_file(self, media: MediaStore, root: Path) -> None:
        ended = subprocess.run([sys.executable, "-c", KILLED, str(root)], check=False)
        assert ended.returncode == 9
        assert media.read(KEY) is None
        (left,) = files(root)
        assert left.startswith("events/abc/.")
        assert left.endswith(".tmp")
        soon = datetime.now(UTC) + timedelta(minutes=1)
        assert media.tidy(soon) == 1
        assert files(root) == []

    def test_an_error_in_between_leaves_nothing_at_all(
        self, media: MediaStore, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(Path, "replace", broken)
        with pytest.raises(KeyboardInterrupt):
            media.put(KEY, b"x")
        assert files(root) == []


class TestTrouble:
    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO, errno.EACCES])
    @pytest.mark.parametrize("where", ["write", "fsync", "open", "mkdir"])
    def test_a_disk_that_refuses_is_a_503_in_japanese(
        self, media: MediaStore, root: Path, monkeypatch: pytest.MonkeyPatch, number: int, where: str
    ) -> None:
        def refuse(*_args: object, **_more: object) -> None:
            raise OSError(number, os.strerror(number))

        with monkeypatch.context() as patched:
            patched.setattr(Path if where == "mkdir" else os, "fdopen" if where == "write" else where, refuse)
            with pytest.raises(Unavailable) as refused:
                media.put(KEY, b"x")
        assert refused.value.status == 503
        assert "ディスク" in refused.value.message
        assert media.read(KEY) is None
        assert files(root) == []
        media.put(KEY, b"x")
        assert media.read(KEY) == b"x"

    def test_a_really_full_disk(self, media: MediaStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = os.open

        def full(path: Path, flags: int, *_mode: int) -> int:
            return real("/dev/full", os.O_WRONLY) if flags & os.O_WRONLY else real(path, flags)

        with monkeypatch.context() as patched:
            patched.setattr(os, "open", full)
            with pytest.raises(Unavailable) as refused:
                media.put(KEY, b"x" * 100_000)
        assert isinstance(refused.value.__cause__, OSError)
        assert refused.value.__cause__.errno == errno.ENOSPC
        assert files(root) == []

    def test_a_file_where_the_folder_should_be(self, media: MediaStore, root: Path) -> None:
        root.mkdir(parents=True)
        (root / "events").write_text("not a folder")
        assert media.read(KEY) is None
        media.delete(KEY)
        with pytest.raises(Unavailable):
            media.put(KEY, b"x")


class TestRead:
    def test_nothing_there(self, media: MediaStore, root: Path) -> None:
        assert media.read(KEY) is None
        (root / KEY).mkdir(parents=True)
        assert media.read(KEY) is None
        assert media.open(KEY) is None


class TestDelete:
    def test_one_file_or_a_whole_folder(self, media: MediaStore, root: Path) -> None:
        for name in ("notice_o.jpg", "notice_p.jpg"):
            media.put(f"events/abc/{name}", b"x")
            media.put(f"events/def/{name}", b"x")
        media.delete(KEY)
        assert media.read(KEY) is None
        assert media.read("events/abc/notice_p.jpg") == b"x"
        media.delete("events/def")
        assert files(root) == ["events/abc/notice_p.jpg"]
        assert not (root / "events" / "def").exists()

    def test_of_nothing_is_no_error(self, media: MediaStore) -> None:
        media.delete(KEY)
        media.delete("events/abc")

    @pytest.mark.parametrize("key", ["", "events", "..", "events/..", "../media", "events/", "/events"])
    def test_never_more_than_one_folder(self, media: MediaStore, key: str) -> None:
        media.put(KEY, b"x")
        with pytest.raises(BadMediaKey):
            media.delete(key)
        assert media.read(KEY) == b"x"


class TestFolders:
    def test_only_those_that_are_older(self, media: MediaStore, root: Path) -> None:
        for name, age in (("old", 61), ("young", 59), ("_-token", 600)):
            media.put(f"events/{name}/notice_o.jpg", b"x")
            aged(root / "events" / name, NOON - timedelta(minutes=age))
        assert sorted(media.folders(NOON - timedelta(hours=1))) == ["events/_-token", "events/old"]

    def test_a_put_makes_a_folder_young_again(self, media: MediaStore, root: Path) -> None:
        media.put(KEY, b"x")
        aged(root / "events" / "abc", NOON)
        assert list(media.folders(NOON + timedelta(seconds=1))) == ["events/abc"]
        media.put(KEY, b"y")
        assert list(media.folders(NOON + timedelta(seconds=1))) == []

    def test_files_links_and_hidden_folders_are_not_ours(self, media: MediaStore, root: Path, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        (root / "events" / ".snapshot").mkdir(parents=True)
        (root / "events" / "README").write_text("x")
        (root / "events" / "link").symlink_to(elsewhere)
        (root / "file").write_text("x")
        assert list(media.folders(datetime.now(UTC) + timedelta(days=1))) == []

    def test_before_the_first_picture_there_is_none(self, media: MediaStore) -> None:
        assert list(media.folders(NOON)) == []
        assert media.tidy(NOON) == 0


class TestTidy:
    def test_removes_only_what_is_unfinished_and_old(self, media: MediaStore, root: Path) -> None:
        media.put(KEY, b"x")
        folder = root / "events" / "abc"
        for name, at in ((".old-one.tmp", NOON - timedelta(hours=2)), (".writing.tmp", NOON)):
            (folder / name).write_bytes(b"half")
            aged(folder / name, at)
        aged(folder / "notice_o.jpg", NOON - timedelta(days=9))
        assert media.tidy(NOON - timedelta(hours=1)) == 1
        assert files(root) == ["events/abc/.writing.tmp", KEY]
