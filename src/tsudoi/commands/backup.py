"""`tsudoi backup` and `tsudoi restore`."""

from pathlib import Path

from rich.console import Console

from tsudoi.commands.copies import Preparation, barred_now, say_restored
from tsudoi.commands.data import database_of, named_pictures, reachable, read_settings, require_own_pictures
from tsudoi.commands.refusals import Refusal, foreign_pictures
from tsudoi.core import installation
from tsudoi.core.backup.making import MadeBackup, make_backup
from tsudoi.core.backup.manifest import BackupManifest, BadBackup
from tsudoi.core.backup.restoring import restore
from tsudoi.core.clock import SystemClock, display
from tsudoi.core.db.schema import found_version
from tsudoi.core.db.version import wanted_version
from tsudoi.core.media import DirectoryStore
from tsudoi.core.settings import Settings

_MEGABYTE = 1_000_000


def run_backup(file: Path | None, *, without_missing: bool) -> int:
    settings = read_settings()
    with reachable():
        found = found_version(settings.database)
        if found is None:
            raise Refusal("まだデータベースがありません / there is nothing to back up yet")
    if file is not None and file.exists():
        raise Refusal(f"{file} はすでにあります。別の名前にしてください / the file exists already")
    # Rows of an older schema are not looked at: this program knows them only after the migration.
    current = found == wanted_version()
    if current:
        with database_of(settings) as db:
            require_own_pictures(settings, db)
    try:
        named = named_pictures if current else None
        made = make_backup(settings, SystemClock(), file, named, without_missing=without_missing)
    except BadBackup as bad:
        raise Refusal(str(bad)) from bad
    say_backup(made)
    return _say_missing(settings, made)


def _say_missing(settings: Settings, made: MadeBackup) -> int:
    missing = made.manifest.missing
    if not missing:
        return 0
    told = (
        f"{len(missing)} 枚の画像が見つかりません: {installation.shown(missing)} [PICTURES_MISSING]\n"
        f"Pictures that rows name are missing from {settings.media_dir}."
    )
    if not made.is_incomplete:
        _say(f"{told}\n--without-missing のため、画像なしで続けました / accepted by --without-missing")
        return 0
    raise Refusal(
        f"{told}\n{made.path} は不完全です。バックアップとして数えません / it does not count as a backup\n"
        "→ DATA_DIR を確認してください。画像が本当に失われている場合は --without-missing で続けられます"
        " / check DATA_DIR; --without-missing accepts it"
    )


def say_backup(made: MadeBackup) -> None:
    size = made.path.stat().st_size / _MEGABYTE
    _say(f"バックアップを作成しました / backed up: {made.path} ({size:,.1f} MB, {_content(made.manifest)})")
    if made.removed:
        _say(f"古いバックアップを {len(made.removed)} 件削除しました / old ones removed")
    _say("設定（.env）は含まれません。別の場所に保管してください / the settings are not in it: keep them elsewhere")


def run_adopt(beginning: str | None) -> int:
    settings = read_settings()
    media = DirectoryStore(settings.media_dir)
    with database_of(settings) as db:
        try:
            installation.adopt_pictures(db, media, beginning)
        except installation.ForeignPictures as foreign:
            raise foreign_pictures(foreign.stamp, settings.media_dir) from foreign
        missing = installation.missing_pictures(db, media, named_pictures)
    _say(f"{settings.media_dir} はこのデータベースの画像置き場になりました / the folder belongs to this database now")
    _say(
        "どのイベントにも使われていない画像は、1時間ごとの整理で削除されます"
        " / pictures that no event names are removed by the hourly sweep"
    )
    if missing:
        _say(f"{len(missing)} 枚の画像が見つかりません / missing: {installation.shown(missing)}")
    return 0


def run_restore(file: Path, *, force: bool, new_database: bool = False) -> int:
    if not file.is_file():
        raise Refusal(f"{file} がありません / no such file")
    settings = read_settings(new_database=new_database)
    try:
        with reachable():
            prepared = Preparation(barred_now(settings))
            restored = restore(settings, SystemClock(), file, force=force, prepare=prepared)
    except BadBackup as bad:
        raise Refusal(str(bad)) from bad
    if restored.before is not None:
        _say(f"いままでのデータは {restored.before.path} にあります / what was there before")
    _say(f"{display(restored.manifest.made_at)} のデータに戻しました / restored: {_content(restored.manifest)}")
    _say("鍵（SECURITY_PIN_PEPPER、SHOP_SECRETS_KEYS など）は、元の .env と同じ値に / the keys must be those of before")
    if restored.manifest.missing:
        missing = restored.manifest.missing
        _say(f"{len(missing)} 枚の画像がバックアップにありません / not in the backup: {installation.shown(missing)}")
    say_restored(settings, restored.ended, prepared)
    return 0


def _content(manifest: BackupManifest) -> str:
    rows, files = sum(manifest.rows.values()), len(manifest.media_files)
    return f"{rows:,} 行 / rows, {files:,} 画像 / media, schema {manifest.schema}"


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(text, markup=False)
