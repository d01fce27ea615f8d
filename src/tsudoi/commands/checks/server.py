"""Checks of the server: settings, database, disk, address, worker."""

from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlsplit

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from tsudoi.access.health import (
    COMFORTABLE_BYTES,
    LEAST_FREE_BYTES,
    disk_fault,
    free_bytes,
    late_since,
    places,
    silent_loops,
)
from tsudoi.access.registration import ActiveContexts
from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.contexts import active_contexts, required_settings
from tsudoi.core.clock import Clock, display
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.connect import open_database, sqlite_path
from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.core.db.schema import found_version
from tsudoi.core.db.version import wanted_version
from tsudoi.core.errors import Problem
from tsudoi.core.heartbeats import beat
from tsudoi.core.models import Heartbeat
from tsudoi.core.secrets_check import BadSettings, require_safe
from tsudoi.core.settings import Settings, names_of_settings
from tsudoi.core.settings_file import find_settings_file, is_open_to_others, unknown_names

SETTINGS, DATABASE, DISK, ADDRESS, WORKING = "設定", "データベース", "ディスク", "公開アドレス", "ワーカー"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_CHECK_URL = "DATABASE_URL（SQLite なら DATA_DIR）を確認してください / check DATABASE_URL (on SQLite: DATA_DIR)"


def settings(context: DoctorContext) -> Iterator[Finding]:
    faults: list[str] = []
    try:
        require_safe(context.settings, required_settings(active_contexts(context.settings)))
    except BadSettings as bad:
        # The check `address` reports this one.
        faults = [fault for fault in bad.faults if not fault.startswith("PUBLIC_BASE_URL")]
    for fault in faults:
        message, _, advice = fault.partition(" → ")
        yield Finding(SETTINGS, Level.PROBLEM, message, advice)
    doubts = [] if context.settings.tsudoi_demo else list(doubts_about_the_file())
    yield from doubts
    if not faults and not doubts:
        yield Finding(SETTINGS, Level.OK, "必要な値がそろっています / complete")


def doubts_about_the_file() -> Iterator[Finding]:
    file = find_settings_file()
    if file is None:
        return
    for name in unknown_names(file, names_of_settings()):
        message = f"{file.path} に、だれも読まない名前があります / a name that nobody reads: {name}"
        advice = "名前を直すか、行を消してください / mend the name, or remove the line"
        yield Finding(SETTINGS, Level.WARNING, message, advice)
    if is_open_to_others(file):
        message = f"{file.path} を、このサーバーのだれでも読めます / everybody on this server can read its secrets"
        yield Finding(SETTINGS, Level.WARNING, message, f"chmod 640 {file.path}")


def usable_database(settings: Settings, clock: Clock) -> tuple[Database | None, Finding]:
    """The database for the other checks, and its finding. It is opened once, because a dead server answers late."""
    try:
        path = sqlite_path(settings.database) if settings.on_sqlite else None
        missing = path if path is not None and not path.exists() else None
        version = None if missing else found_version(settings.database)
        if version != wanted_version():
            found = f"{missing} がありません / no such file" if missing else f"スキーマは {version or '未作成'}"
            message = f"{found}。必要なのは {wanted_version()} です / the schema is not the one this program needs"
            advice = f"{tsudoi_command()} migrate を実行してください / run it"
            return None, Finding(DATABASE, Level.PROBLEM, message, advice)
        db = open_database(settings.database, clock, connections=2, audit_keys=settings.audit_keys)
    except (SQLAlchemyError, OSError) as error:
        reason = str(error).strip().partition("\n")[0]
        return None, Finding(DATABASE, Level.PROBLEM, f"開けません / cannot be opened: {reason}", _CHECK_URL)
    return db, _writable(db, version)


def _writable(db: Database, version: str | None) -> Finding:
    try:
        db.write_now(beat, "doctor")
    except (Problem, SQLAlchemyError) as error:
        message = f"読めますが、書き込めません / cannot be written: {type(error).__name__}"
        advice = "空き容量、フォルダーの権限、データベースの権限を確認してください / check free space and permissions"
        return Finding(DATABASE, Level.PROBLEM, message, advice)
    return Finding(DATABASE, Level.OK, f"{db.dialect}、スキーマ {version}、書き込みできます / current and writable")


def disk(context: DoctorContext) -> Finding:
    """Of the folders that are used, which may be on several disks."""
    free = free_bytes(context.settings)
    least = min(free, key=lambda name: free[name])
    folder = places(context.settings)[least]
    message = f"空き {free[least] / 1024**3:,.1f} GiB（{folder}）/ free"
    advice = f"{folder} のあるディスクの不要なファイルを消すか、広げてください / make room"
    if free[least] < LEAST_FREE_BYTES:
        return Finding(DISK, Level.PROBLEM, message, advice)
    fault = disk_fault(context.settings)
    if fault is not None:
        data_dir = context.settings.data_dir
        advice = "DATA_DIR と、フォルダーの所有者・権限を確認してください / check DATA_DIR, its owner and its mode"
        return Finding(DISK, Level.PROBLEM, f"{data_dir} に書き込めません / {fault}", advice)
    low = free[least] < COMFORTABLE_BYTES
    return Finding(DISK, Level.WARNING, message, advice) if low else Finding(DISK, Level.OK, message)


def address(context: DoctorContext) -> Finding:
    given = context.settings
    if given.https:
        return Finding(ADDRESS, Level.OK, given.public_base_url)
    if not given.on_loopback:
        message = f"https ではありません / not https: {given.public_base_url}"
        return Finding(ADDRESS, Level.PROBLEM, message, "PUBLIC_BASE_URL を https:// のアドレスにしてください / set it")
    if urlsplit(given.line_api_base).hostname in _LOOPBACK:
        return Finding(ADDRESS, Level.OK, f"{given.public_base_url}（練習用の LINE と接続 / with the sandbox）")
    message = f"この機械だけのアドレスです / this machine only: {given.public_base_url}"
    advice = "LINE から届く https のアドレスを PUBLIC_BASE_URL に設定してください / LINE cannot reach this one"
    return Finding(ADDRESS, Level.PROBLEM, message, advice)


def worker(context: DoctorContext) -> Finding:
    if context.db is None:
        return without_database(WORKING)
    active = ActiveContexts(active_contexts(context.settings))
    dry_run = context.settings.notification_cron_dry_run
    silent, late = context.db.read_now(silent_loops, active), context.db.read_now(late_since, active, dry_run=dry_run)
    last = context.db.read_now(_last_beat)
    if not silent and last is not None:
        if late is None:
            return Finding(WORKING, Level.OK, f"動いています / last seen {display(last)}")
        message = f"動いていますが、{display(late)} からの処理が待っています / work waits since then"
        return Finding(WORKING, Level.WARNING, message, "ログと、LINE などの相手先を確認してください / see the log")
    message = "一度も動いていません / never seen" if last is None else f"止まっています / last seen {display(last)}"
    if last is not None:
        message += f"（{', '.join(silent)}）"
    command = f"{tsudoi_command()} {'serve' if context.settings.runs_worker_inline else 'worker'}"
    return Finding(WORKING, Level.PROBLEM, message, f"{command} を起動してください / start it")


def _last_beat(tx: ReadTx) -> datetime | None:
    found: datetime | None = tx.scalar(
        select(Heartbeat.at).where(Heartbeat.name.like("worker:%")).order_by(Heartbeat.at.desc()).limit(1)
    )
    return found
