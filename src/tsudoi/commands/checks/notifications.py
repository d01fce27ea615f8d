"""Check of notices: whether the command that sends them runs, and how its last attempts ended."""

from collections.abc import Iterator

from tsudoi.booking.context import CONTEXT
from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.contexts import active_contexts
from tsudoi.core.clock import display
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.notices.queries import pulse
from tsudoi.notifications.notices.rules.pulse import Pulse
from tsudoi.notifications.pause.queries import is_paused

NOTICES = "予約の通知"
# A single failure is about one person; several in a row are about the account or the network.
_SEVERAL = 3
_ERROR_LENGTH = 200
_SEE = "管理画面の「通知」で原因を確認してください / the admin console shows the causes"


def notices(context: DoctorContext) -> Iterator[Finding]:
    if CONTEXT not in active_contexts(context.settings):
        return
    if context.settings.notification_cron_dry_run:
        what = "予約についての連絡（通知と「まだの人」への案内、LINEとメール）"
        message = f"NOTIFICATION_CRON_DRY_RUN=true のため、{what}は送られません / nothing about reservations is sent"
        yield Finding(NOTICES, Level.WARNING, message, "false にすると送られます / set it to false to send")
    if context.db is None:
        yield without_database(NOTICES)
    else:
        found, paused = context.db.read_now(_state)
        if paused:
            advice = "管理画面の「通知」で再開してください / resume them in the admin console"
            yield Finding(NOTICES, Level.WARNING, "停止中です / paused by the office", advice)
        yield from _failures(found)
        yield _runs(context, found)


def _state(tx: ReadTx) -> tuple[Pulse, bool]:
    return pulse(tx), is_paused(tx)


def _failures(found: Pulse) -> Iterator[Finding]:
    if found.failures_in_a_row >= _SEVERAL:
        message = f"直近の {found.failures_in_a_row} 回は続けて送れていません / the last attempts failed"
        yield Finding(NOTICES, Level.PROBLEM, f"{message}: {(found.last_error or '')[:_ERROR_LENGTH]}", _SEE)


def _runs(context: DoctorContext, found: Pulse) -> Finding:
    last = display(found.last_run) if found.last_run else "まだありません / never"
    message = f"最後の実行 {last}、送信待ち {found.due} 件 / last run, and how many are due"
    if found.is_silent(context.clock.now()) and not context.settings.notification_cron_dry_run:
        command = f"{tsudoi_command()} notifications send --every 60"
        return Finding(NOTICES, Level.PROBLEM, message, f"{command} を常に動かしてください / keep it running")
    return Finding(NOTICES, Level.OK, message)
