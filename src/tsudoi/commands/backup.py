"""`tsudoi backup` and `tsudoi restore`."""

from pathlib import Path

from rich.console import Console

from tsudoi.commands.data import reachable, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.backup.making import MadeBackup, make_backup
from tsudoi.core.backup.manifest import BackupManifest, BadBackup
from tsudoi.core.backup.restoring import restore
from tsudoi.core.clock import SystemClock, display
from tsudoi.core.db.schema import found_version

_MEGABYTE = 1_000_000


def run_backup(file: Path | None) -> int:
    settings = read_settings()
    with reachable():
        if found_version(settings.database) is None:
            raise Refusal("まだデータベースがありません / there is nothing to back up yet")
    if file is not None and file.exists():
        raise Refusal(f"{file} はすでにあります。別の名前にしてください / the file exists already")
    try:
        made = make_backup(settings, SystemClock(), file)
    except BadBackup as bad:
        raise Refusal(str(bad)) from bad
    say_backup(made)
    return 0


def say_backup(made: MadeBackup) -> None:
    size = made.path.stat().st_size / _MEGABYTE
    _say(f"バックアップを作成しました / backed up: {made.path} ({size:,.1f} MB, {_content(made.manifest)})")
    if made.removed:
        _say(f"古いバックアップを {len(made.removed)} 件削除しました / old ones removed")
    _say("設定（.env）は含まれません。別の場所に保管してください / the settings are not in it: keep them elsewhere")


def run_restore(file: Path, *, force: bool, new_database: bool = False) -> int:
    if not file.is_file():
        raise Refusal(f"{file} がありません / no such file")
    settings = read_settings(new_database=new_database)
    try:
        with reachable():
            restored = restore(settings, SystemClock(), file, force=force)
    except BadBackup as bad:
        raise Refusal(str(bad)) from bad
    if restored.before is not None:
        _say(f"いままでのデータは {restored.before.path} にあります / what was there before")
    _say(f"{display(restored.manifest.made_at)} のデータに戻しました / restored: {_content(restored.manifest)}")
    _say("鍵（SECURITY_PIN_PEPPER、SHOP_SECRETS_KEYS など）は、元の .env と同じ値に / the keys must be those of before")
    return 0


def _content(manifest: BackupManifest) -> str:
    rows, files = sum(manifest.rows.values()), len(manifest.media_files)
    return f"{rows:,} 行 / rows, {files:,} 画像 / media, schema {manifest.schema}"


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(text, markup=False)
