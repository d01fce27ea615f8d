import stat
from pathlib import Path

from tsudoi.core.private_files import make_private
from tsudoi.core.settings import Settings


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_was_open_to_others_is_private_afterwards(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for name in ("media/events/token", "logs/line", "backups"):
        (data / name).mkdir(parents=True)
    files = [
        data / name
        for name in (
            *("tsudoi.sqlite3", "tsudoi.sqlite3-wal", "tsudoi.sqlite3-shm"),
            *("media/events/token/notice_o.jpg", "logs/line/WEBHOOK-2025-08-16.ndjson", "backups/tsudoi.tar"),
        )
    ]
    for file in files:
        file.touch()
        file.chmod(0o644)
    folders = [data, *(path for path in data.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o755)
    outside = tmp_path / "outside"
    outside.touch(0o644)
    outside.chmod(0o644)
    (data / "media" / "events" / "link").symlink_to(outside)
    make_private(Settings(_env_file=None, data_dir=data))
    assert {mode(file) for file in files} == {0o600}
    assert {mode(folder) for folder in folders} == {0o700}
    assert mode(outside) == 0o644


def test_an_installation_without_files_needs_nothing(tmp_path: Path) -> None:
    make_private(Settings(_env_file=None, data_dir=tmp_path / "none"))
    assert not (tmp_path / "none").exists()
