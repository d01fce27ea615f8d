"""Checks when the last backup was made."""

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.core.backup_age import backup_overdue, last_backup
from tsudoi.core.clock import display
from tsudoi.core.command_line import tsudoi_command

BACKUP = "バックアップ"


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
