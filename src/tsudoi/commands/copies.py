"""A restored database is a copy: what restoring it ends, what waits in it, and `tsudoi confirm-copy`."""

from dataclasses import dataclass, field
from datetime import datetime

from rich.console import Console
from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError

from tsudoi.access.admins import service as admins
from tsudoi.access.admins.errors import LastAdmin, NoSuchAdmin
from tsudoi.access.admins.models import AdminUser
from tsudoi.booking.login import service as staff_login
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.contexts import CONTEXTS
from tsudoi.core import audit
from tsudoi.core.clock import SystemClock, display
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.db.schema import found_version
from tsudoi.core.db.version import wanted_version
from tsudoi.core.errors import Problem
from tsudoi.core.installation import SHOWN, NotThisCopy, adopt_pictures, confirm_copy, identity
from tsudoi.core.media import DirectoryStore
from tsudoi.core.outbox.claims import DROPPED, drop_due, due_now
from tsudoi.core.settings import Settings
from tsudoi.notifications.notices.models import NotificationJob

# What people call the work that waits, by the name of its outbox.
_WORDS = {
    "event_chunks": "イベントの一斉送信（LINE）",
    "event_deliveries": "イベントの個別送信（LINE）",
    "thread_messages": "日程調整のお知らせ（LINE・メール）",
    "payment_tasks": "返金などの Stripe への依頼",
    "coverage_reminders": "予約していない方へのお知らせ（LINE）",
    "mail_messages": "メール",
    "link_notices": "店舗のお客さまへのお知らせ（LINE）",
}
_NOTICES = "予約の通知（LINE）"


@dataclass(frozen=True, slots=True)
class Barred:
    """Whom the database that is being replaced keeps out. None: it cannot be asked."""

    admins: frozenset[str] = frozenset()
    staff: frozenset[str] = frozenset()


@dataclass(slots=True)
class Preparation:
    """Ends what was valid at the time of the backup, right before the restored database takes its place."""

    barred: Barred | None
    disabled: list[str] = field(default_factory=list)
    # Disabled before, and enabled again: without them nobody could log in.
    enabled_again: list[str] = field(default_factory=list)
    staff: list[str] = field(default_factory=list)

    def __call__(self, tx: Tx) -> int:
        ended = staff_login.revoke_everything(tx)
        admins.forget_all_devices(tx)
        barred = self.barred or Barred()
        enabled = tx.execute(select(AdminUser.username).where(AdminUser.disabled_at.is_(None))).scalars().all()
        for name in sorted(barred.admins.intersection(enabled)):
            try:
                admins.disable(tx, name)
                self.disabled.append(name)
            except (LastAdmin, NoSuchAdmin):
                self.enabled_again.append(name)
        active = select(StaffAccount.staff_id).where(StaffAccount.staff_id.in_(barred.staff))
        self.staff += sorted(tx.execute(active.where(StaffAccount.status == "active")).scalars())
        copy = {"copy_of": identity(tx).copy_of, "disabled": self.disabled}
        audit.record(tx, "cli", "COPY_RESTORE", "installation", new=copy)
        return ended


def barred_now(settings: Settings) -> Barred | None:
    """Asked before the database is replaced: who was disabled after the backup would be let in again."""
    try:
        if found_version(settings.database) != wanted_version():
            return None
        db = open_database(settings.database, SystemClock(), connections=1)
        try:
            return db.read_now(_barred)
        finally:
            db.close()
    except (SQLAlchemyError, Problem):  # A damaged one; `restore` says what to do with it.
        return None


def _barred(tx: ReadTx) -> Barred:
    disabled = tx.execute(select(AdminUser.username).where(AdminUser.disabled_at.is_not(None))).scalars()
    left = tx.execute(select(StaffAccount.staff_id).where(StaffAccount.status != "active")).scalars()
    return Barred(frozenset(disabled), frozenset(left))


@dataclass(frozen=True, slots=True)
class Waiting:
    """Work of one kind that would go out at once."""

    words: str
    number: int
    since: datetime | None


def waiting_to_go_out(tx: ReadTx) -> list[Waiting]:
    """What is due in this database, whether its original has sent it or not."""
    outboxes = {name: outbox for context in CONTEXTS for name, outbox in context.outboxes.items() if outbox.goes_out}
    found = [Waiting(_WORDS.get(name, name), *due_now(tx, outbox)) for name, outbox in outboxes.items()]
    due = (NotificationJob.status == "PENDING", NotificationJob.scheduled_at <= tx.now)
    counted = select(func.count().label("number"), func.min(NotificationJob.scheduled_at).label("since")).where(*due)
    notices = tx.execute(counted).mappings().one()
    return [one for one in [*found, Waiting(_NOTICES, notices["number"], notices["since"])] if one.number]


def _drop(tx: Tx) -> int:
    """End what is due as not sent. Requests to Stripe stay: Stripe knows the keys of those that it has done."""
    dropped = sum(drop_due(tx, outbox) for context in CONTEXTS for outbox in context.outboxes.values())
    due = (NotificationJob.status == "PENDING", NotificationJob.scheduled_at <= tx.now)
    # No mail takes the place of such a notice.
    ended = {"status": "FAILED", "last_error": DROPPED, "mail_decided": 1, "updated_at": tx.now}
    return dropped + tx.execute(update(NotificationJob).where(*due).values(ended)).rowcount


def say_restored(settings: Settings, ended: int, prepared: Preparation) -> None:
    """What is different in the restored data, what waits in them, and what to do next."""
    _say(f"ログイン・トークンを {ended} 件終了しました。全員がログインし直します / all sessions and tokens were ended")
    if prepared.disabled:
        _say(f"無効のままにした管理者 / administrators who stay disabled: {'、'.join(prepared.disabled)}")
    if prepared.enabled_again:
        _say(
            f"無効でしたが、ほかに管理者がいないため有効です / enabled, because there is nobody else: "
            f"{'、'.join(prepared.enabled_again)} → {tsudoi_command()} admin disable …"
        )
    if prepared.staff:
        names = "、".join(prepared.staff[:20]) + (" …" if len(prepared.staff) > 20 else "")  # noqa: PLR2004
        _say(
            f"利用停止・退職にしていた職員 {len(prepared.staff)} 人が、また使えるようになっています: {names}\n"
            "→ 管理画面の職員一覧で確認してください / staff accounts that had been closed are open again"
        )
    if prepared.barred is None:
        _say(
            "置き換え前のデータベースがないため、バックアップの後で無効にした管理者や職員は分かりません"
            f" / nobody can tell who was disabled after the backup → {tsudoi_command()} admin list"
        )
    with database_of(settings) as db:
        _say_held(db)


def _say_held(db: Database) -> None:
    found, waiting = db.read_now(identity), db.read_now(waiting_to_go_out)
    _say(
        "復元したコピーです。確認するまで、LINE・メール・SMS・返金などは何も送りません"
        f"（保留 {sum(one.number for one in waiting)} 件）\n"
        "This is a restored copy: nothing is sent until you confirm it."
    )
    for one in waiting:
        _say(f"  - {one.words}: {one.number} 件、{display(one.since) if one.since else '-'} から / waiting since then")
    command = f"{tsudoi_command()} confirm-copy {(found.copy_of or '')[:SHOWN]}"
    _say("→ 元のサーバーがもう動いていないことを確かめてください / make sure that the original does not run any more")
    if not waiting:
        _say(f"→ {command}")
        return
    _say("→ 保留の分は、バックアップの後に元のサーバーが送ったかもしれません / these may have been sent already")
    _say(f"→ {command} --drop      送らずに終える / end them as not sent")
    _say(f"→ {command} --release   いま送る / send them now")


def run_confirm_copy(beginning: str | None, *, release: bool, drop: bool) -> int:
    """Without an id it only shows what is held."""
    settings = read_settings()
    with database_of(settings) as db:
        found = db.read_now(identity)
        if not found.is_held:
            _say("確認の必要なコピーではありません。送信は止まっていません / nothing to confirm: sending is not held")
            return 0
        if beginning is None:
            _say_held(db)
            return 0
        if release and drop:
            raise Refusal("--release と --drop は、どちらか一つです / choose one of them")
        try:
            dropped = db.write_now(_confirm, beginning, release=release, drop=drop)
        except NotThisCopy as wrong:
            raise Refusal(
                "この番号ではありません。送信は止めたままです [NOT_THIS_COPY]\n"
                "This is not the id; nothing is sent.\n"
                "→ 元のデータベースの番号の最初の8文字 / the first 8 characters of the id of the original: "
                f"{tsudoi_command()} confirm-copy"
            ) from wrong
        media = DirectoryStore(settings.media_dir)
        if media.stamp() in (None, found.copy_of):
            adopt_pictures(db, media, found.copy_of)
    if dropped:
        _say(f"{dropped} 件を、送らずに終えました / ended as not sent")
    _say("確認しました。これからは送信します / confirmed: from now on everything is sent")
    return 0


def _confirm(tx: Tx, beginning: str, *, release: bool, drop: bool) -> int:
    confirm_copy(tx, beginning)
    if waiting_to_go_out(tx) and not (release or drop):
        raise Refusal(
            "送信待ちのものがあります。--drop（送らずに終える）か --release（いま送る）を付けてください。"
            "送信は止めたままです\n"
            "Some work waits; choose --drop or --release. Nothing is sent yet.\n"
            f"→ {tsudoi_command()} confirm-copy"
        )
    return _drop(tx) if drop else 0


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(text, markup=False)
