"""Checks of booking: who can register, whether accounts are locked, and whether the counts of the slots are right."""

from collections.abc import Iterator

from sqlalchemy import func, select

from tsudoi.booking.context import CONTEXT
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.contexts import active_contexts
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.interface import Database, ReadTx

BOOKING = "職員の予約"


def booking(context: DoctorContext) -> Iterator[Finding]:
    if CONTEXT not in active_contexts(context.settings):
        names = "、".join(CONTEXT.required_settings)
        yield Finding(
            BOOKING, Level.OK, f"使っていません（{names} を設定すると使えます）/ off: these settings turn it on"
        )
        return
    if context.settings.staff_self_registration == "open":
        message = "職員番号を知っていれば、誰でも登録できます / anybody can register: STAFF_SELF_REGISTRATION=open"
        advice = "院内に掲示するコードが必要な code をお勧めします / we recommend STAFF_SELF_REGISTRATION=code"
        yield Finding(BOOKING, Level.WARNING, message, advice)
    if context.db is None:
        yield without_database(BOOKING)
    else:
        yield from _in_database(context.db)


def _in_database(db: Database) -> Iterator[Finding]:
    locked = db.read_now(_locked_accounts)
    if locked:
        advice = "管理画面の職員一覧で、本人に確かめてからロックを解除してください / unlock them in the admin console"
        message = f"暗証番号の間違いでロックされた職員が {locked} 人います / {locked} locked accounts"
        yield Finding(BOOKING, Level.WARNING, message, advice)
    wrong = {slot_id for slot_id, _ in db.read_now(lambda tx: list(flaws(tx)))}
    if wrong:
        message = f"予約数の合わない予約枠が {len(wrong)} 件あります / {len(wrong)} slots with wrong counts"
        advice = f"{tsudoi_command()} booking check で、どの予約枠か確認してください / it names them"
        yield Finding(BOOKING, Level.PROBLEM, message, advice)
    else:
        yield Finding(BOOKING, Level.OK, "予約枠の数は、すべて予約と一致しています / on, and every count is right")


def _locked_accounts(tx: ReadTx) -> int:
    """Without people who left, because nobody unlocks them."""
    locked = (StaffAccount.pin_locked_until.is_not(None), StaffAccount.status != "left")
    return int(tx.scalar(select(func.count()).select_from(StaffAccount).where(*locked)))
