"""Checks when the last backup was made, and whether the pictures are there and are those of this database."""

from collections.abc import Iterator

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.commands.data import named_pictures
from tsudoi.core.backup_age import backup_overdue, last_backup
from tsudoi.core.clock import display
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.installation import SHOWN, identity, missing_pictures, shown
from tsudoi.core.media import DirectoryStore

BACKUP, PICTURES, COPY = "バックアップ", "画像", "復元したコピー"


def backups(context: DoctorContext) -> Finding:
    if context.settings.tsudoi_demo:
        return Finding(BACKUP, Level.OK, "デモでは不要です / not needed for the demo")
    if context.db is None:
        return without_database(BACKUP)
    last = context.db.read_now(last_backup)
    advice = f"{tsudoi_command()} backup を毎日実行してください（docs/deploy のタイマー）/ run it every day"
    if last is None:
        return Finding(BACKUP, Level.WARNING, "一度も作成されていません / never made", advice)
    level = Level.WARNING if backup_overdue(context.settings, last, context.clock.now()) else Level.OK
    return Finding(BACKUP, level, f"最後は {display(last)} / the last one", "" if level is Level.OK else advice)


def pictures(context: DoctorContext) -> Finding:
    if context.db is None:
        return without_database(PICTURES)
    folder = context.settings.media_dir
    media = DirectoryStore(folder)
    ours, stamp = context.db.read_now(identity), media.stamp()
    allowed = (ours.database_id, ours.copy_of if ours.is_held else None)
    missing = missing_pictures(context.db, media, named_pictures)
    # The next start stamps a folder in which there are pictures of ours.
    unstamped_and_ours = stamp is None and (media.is_empty() or len(missing) < context.db.read_now(_number_of_pictures))
    if stamp not in allowed and not unstamped_and_ours:
        whose = (
            "どのデータベースのものか分かりません"
            if stamp is None
            else f"別のデータベース（{stamp[:SHOWN]}）のものです"
        )
        advice = (
            f"DATA_DIR と DATABASE_URL を確認してください。このデータベースで使うなら {tsudoi_command()} media adopt"
            " / check both settings, or adopt the folder"
        )
        return Finding(PICTURES, Level.PROBLEM, f"{folder} は{whose} / not of this database", advice)
    if missing:
        message = f"{len(missing)} 枚の画像が見つかりません / missing: {shown(missing)}"
        advice = (
            "DATA_DIR を確認し、バックアップから media のファイルを戻してください"
            " / check DATA_DIR, and take the files from a backup"
        )
        return Finding(PICTURES, Level.PROBLEM, message, advice)
    return Finding(PICTURES, Level.OK, f"このデータベースの画像です / all there: {folder}")


def _number_of_pictures(tx: ReadTx) -> int:
    return len(list(named_pictures(tx)))


def copy(context: DoctorContext) -> Iterator[Finding]:
    """Says something about a restored copy only."""
    found = None if context.db is None else context.db.read_now(identity)
    if found is not None and found.copy_of is not None and found.is_held:
        message = "確認するまで、LINE・メール・SMS などは何も送りません / nothing is sent until it is confirmed"
        advice = f"{tsudoi_command()} confirm-copy を実行してください / run it"
        yield Finding(COPY, Level.WARNING, message, advice)
