import tarfile
from pathlib import Path

import orjson
import pytest

from tests.conftest import NOON
from tsudoi.core.backup.archive import unpack
from tsudoi.core.backup.manifest import (
    BackupManifest,
    BadBackup,
    FileSum,
    differences,
    is_backup_entry,
    row_differences,
)

FILES = {"database.sqlite3": FileSum(3, "aa"), "media/events/t/notice_o.jpg": FileSum(4, "bb")}
MANIFEST = BackupManifest(NOON, "1.0", "sqlite", "0013", {"members": 2}, FILES)


class TestJson:
    def test_is_read_as_it_was_written(self) -> None:
        assert BackupManifest.from_json(MANIFEST.to_json()) == MANIFEST

    @pytest.mark.parametrize(
        "change",
        [
            *({"files": None}, {"files": {}}, {"rows": 3}, {"dialect": "oracle"}),
            *({"made_at": "yesterday"}, {"schema": None}),
        ],
        ids=str,
    )
    def test_of_something_else_is_refused(self, change: dict[str, object]) -> None:
        fields = {**orjson.loads(MANIFEST.to_json()), **change}
        if change == {"schema": None}:
            del fields["schema"]
        with pytest.raises(BadBackup, match="no backup of Tsudoi"):
            BackupManifest.from_json(orjson.dumps(fields))

    def test_of_a_newer_format_is_refused_with_that_reason(self) -> None:
        fields = {**orjson.loads(MANIFEST.to_json()), "format": 2}
        with pytest.raises(BadBackup, match="format 2"):
            BackupManifest.from_json(orjson.dumps(fields))


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("manifest.json", True),
        ("database.sqlite3", True),
        ("database.pgdump", True),
        ("media/events/token/notice_o.jpg", True),
        ("media/events/../passwd", False),
        ("media/events/token/.hidden", False),
        ("media/../../etc/passwd", False),
        ("/etc/passwd", False),
        ("media/events/a/b/c", False),
        ("media/events/token/a\n", False),
        (".env", False),
    ],
)
def test_only_names_of_ours_are_entries(name: str, ours: bool) -> None:
    assert is_backup_entry(name) is ours


def test_differences_name_what_is_missing_too_many_or_changed() -> None:
    one, other = FileSum(1, "a"), FileSum(1, "b")
    assert differences({"a": one, "b": one, "c": one}, {"a": one, "b": other, "d": one}) == ["b", "c", "d"]
    assert row_differences({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4}) == ["b"]


@pytest.mark.found("24.E8")
def test_an_entry_that_is_longer_than_the_file_is_refused_before_it_is_written(tmp_path: Path) -> None:
    def pax(**headers: str) -> bytes:
        made = tarfile.TarInfo("database.sqlite3")
        made.pax_headers = {f"GNU.sparse.{name}": value for name, value in headers.items()}
        return made.tobuf(tarfile.PAX_FORMAT)

    claimed = tarfile.TarInfo("database.sqlite3")
    claimed.size = 6 * 2**30
    blocks = (pax(size=str(6 * 2**30), numblocks="0", map=""), pax(realsize=str(6 * 2**30), major="0", minor="1"))
    for number, block in enumerate((*blocks, claimed.tobuf(tarfile.GNU_FORMAT))):
        archive = tmp_path / f"{number}.tar"
        archive.write_bytes(block + bytes(10_240))
        with pytest.raises(BadBackup):
            unpack(archive, tmp_path / str(number))
        assert not list((tmp_path / str(number)).glob("*")), number
