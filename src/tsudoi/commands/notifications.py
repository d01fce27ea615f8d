"""`tsudoi notifications send`: sends the notices that are due, once or every so often. Needs no running server.

Most runs find nothing, and cron starts one each minute. So the first look uses the driver of the database alone, and
everything else is loaded when something is due.
"""

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from tsudoi.commands.data import read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.clock import DATABASE_TIME, ClockWatch, SystemClock, WrongClock, require_right_clock, utc_text
from tsudoi.core.db.driver import DriverError, driver_transaction
from tsudoi.core.db.version import SchemaMismatch, wanted_version
from tsudoi.core.settings import Settings

if TYPE_CHECKING:
    from tsudoi.core.runtime import Runtime

RAN, MISCONFIGURED, DATABASE_AWAY = 0, 2, 3
# The name under which `/readyz` and the screens look for the last run.
_HEARTBEAT = "notifications"
_DUE = """SELECT 1 FROM notification_jobs
    WHERE status = 'PENDING' AND scheduled_at <= ? AND (lease_until IS NULL OR lease_until <= ?) LIMIT 1"""
_PAUSED = "SELECT 1 FROM notification_pauses WHERE going_on = 1"
_HELD = "SELECT 1 FROM installation WHERE copy_of IS NOT NULL AND confirmed_at_utc IS NULL"
_BEAT = "INSERT INTO heartbeats (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at"


@dataclass(frozen=True, slots=True)
class SendArguments:
    """What was typed."""

    limit: int | None = None
    # Seconds from the beginning of one run to the next; None: one run.
    every: float | None = None
    as_json: bool = False


@dataclass(slots=True)
class RunReport:
    """The summary of one run. `jobs` are listed in a dry run only."""

    candidates: int = 0
    sent: int = 0
    failed: int = 0
    unknown: int = 0
    dry_run: bool = False
    paused: bool = False
    # The database is a restored copy that nobody has confirmed.
    held: bool = False
    jobs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def line(self) -> str:
        return (
            f"candidates={self.candidates} sent={self.sent} failed={self.failed} unknown={self.unknown}"
            f" dry_run={str(self.dry_run).lower()}"
        )


def run_send(arguments: SendArguments) -> int:
    try:
        with _Sending(read_settings(in_log=arguments.every is not None), arguments) as sending:
            return sending.run()
    except (Refusal, SchemaMismatch, WrongClock) as refusal:
        return _explain(refusal, MISCONFIGURED)
    except Exception as error:
        if not _is_about_the_database(error):
            raise
        return _explain_database(error)


def _is_about_the_database(error: Exception) -> bool:
    """By name, because the module of the second error is loaded only when something is due."""
    return isinstance(error, DriverError) or type(error).__name__ == "DatabaseUnavailable"


def _explain_database(error: Exception) -> int:
    reason = error if isinstance(error, DriverError) else error.__cause__ or error
    advice = "DATABASE_URL（SQLite なら DATA_DIR）を確認してください / check DATABASE_URL (on SQLite: DATA_DIR)"
    return _explain(f"データベースを使えません / The database cannot be used: {reason}\n→ {advice}", DATABASE_AWAY)


def _explain(message: object, code: int) -> int:
    print(message, file=sys.stderr, flush=True)  # noqa: T201 (this is a message for the terminal)
    return code


class _Sending:
    """The settings, and the runtime once it is needed."""

    def __init__(self, settings: Settings, arguments: SendArguments) -> None:
        self._settings, self._arguments = settings, arguments
        self._stop = threading.Event()
        self._watch = ClockWatch(SystemClock())
        self._opened = ExitStack()
        self._runtime: Runtime | None = None
        self._was_paused = False

    def __enter__(self) -> Self:
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.signal(number, lambda *_: self._begin_stop())
            self._opened.callback(signal.signal, number, before)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._opened.close()

    def run(self) -> int:
        """One run, or one every so often until the process is asked to stop."""
        if self._arguments.every is None:
            self._print(self._one_run())
            return RAN
        while True:
            next_run = time.monotonic() + self._arguments.every
            self._repeated_run()
            if self._stop.wait(max(0.0, next_run - time.monotonic())):
                return RAN

    def _repeated_run(self) -> None:
        """Says something only when it has something to say. A database that is away may come back until the next."""
        try:
            report = self._one_run()
        except Exception as error:
            if not _is_about_the_database(error):
                raise
            _explain_database(error)
        else:
            if report.candidates or report.paused > self._was_paused:
                self._print(report)
            self._was_paused = report.paused

    def _begin_stop(self) -> None:
        """Calls under way are waited for, and nothing new is begun."""
        self._stop.set()
        if self._runtime is not None:
            self._runtime.begin_stop()

    def _one_run(self) -> RunReport:
        dry_run = self._settings.notification_cron_dry_run
        self._watch.require_no_jump()
        something_due, paused, held = _first_look(self._settings.database, beat=not dry_run)
        if not something_due or ((paused or held) and not dry_run) or self._stop.is_set():
            return RunReport(dry_run=dry_run, paused=paused or held, held=held)
        runtime = self._runtime_opened()
        if dry_run:
            return _listed(runtime, self._arguments.limit)
        from tsudoi.notifications.notices.jobs import send_pending_jobs

        result = send_pending_jobs(runtime, limit=self._arguments.limit, caller="command")
        return RunReport(result.candidates, result.sent, result.failed, result.unknown, paused=result.paused)

    def _runtime_opened(self) -> "Runtime":
        if self._runtime is None:
            self._runtime = self._opened.enter_context(_runtime_of(self._settings))
        return self._runtime

    def _print(self, report: RunReport) -> None:
        if self._arguments.as_json:
            print(json.dumps(asdict(report), ensure_ascii=False), flush=True)  # noqa: T201 (for a program)
            return
        if report.held:
            print(  # noqa: T201
                "復元したコピーです。tsudoi confirm-copy で確認するまで何も送りません"
                " / a restored copy: nothing is sent until it is confirmed"
            )
        elif report.paused:
            print("通知は停止中です。管理画面の「通知」で再開できます / notices are paused in the admin console")  # noqa: T201
        for line in _table(report.jobs):
            print(line)  # noqa: T201 (the result of the command)
        print(report.line, flush=True)  # noqa: T201


def _first_look(url: str, *, beat: bool) -> tuple[bool, bool, bool]:
    """Whether something is due, notices are paused, and all sending is held. Notes that the command has run."""
    now, wanted = utc_text(SystemClock().now()), wanted_version()
    try:
        with driver_transaction(url) as tx:
            found = tx.value("SELECT version_num FROM alembic_version")
            if found != wanted:
                raise SchemaMismatch(found, wanted)
            dialect = "sqlite" if url.startswith("sqlite") else "postgresql"
            require_right_clock(SystemClock().now(), tx.value(DATABASE_TIME[dialect]), dialect)
            something_due, paused = tx.value(_DUE, now, now) is not None, tx.value(_PAUSED) is not None
            held = tx.value(_HELD) is not None
            if beat:
                tx.value(_BEAT, _HEARTBEAT, now)
    except DriverError as error:
        if "alembic_version" in str(error):
            raise SchemaMismatch(None, wanted) from error
        raise
    return something_due, paused, held


@contextmanager
def _runtime_of(settings: Settings) -> Iterator["Runtime"]:
    """Only what sends notices: the list of all contexts would take longer to load than most runs last."""
    from tsudoi.alarms.outages.jobs import OutageWatch
    from tsudoi.booking.notices.queries.facts import reader_of
    from tsudoi.booking.switch import is_on
    from tsudoi.core.db.connect import open_database
    from tsudoi.core.log import configure_logging
    from tsudoi.core.runtime import Runtime
    from tsudoi.gateway.clients.line import LineClient, LineConfig
    from tsudoi.gateway.http import HttpGateway

    if not settings.notification_cron_dry_run:
        _require_token(settings)
    configure_logging(settings.log_level)
    db = open_database(settings.database, SystemClock(), settings.database_connections, audit_keys=settings.audit_keys)
    try:
        runtime = Runtime.of(settings, db)
        gateway = HttpGateway(db)
        runtime.add(gateway)
        runtime.add(LineClient(LineConfig.of(settings), gateway))
        runtime.add(OutageWatch.of(runtime))
        if is_on(settings):
            runtime.add(reader_of(runtime))
        else:
            _explain_missing_reader(settings)
        try:
            yield runtime
        finally:
            runtime.close()
    finally:
        db.close()


def _require_token(settings: Settings) -> None:
    """LINE would refuse every notice, and a notice that failed is not sent again by itself."""
    token = settings.line_channel_access_token
    if token is None or not token.get_secret_value().strip():
        raise Refusal(
            "LINE_CHANNEL_ACCESS_TOKEN が設定されていません。何も送っていません / it is empty; nothing was sent"
        )


def _explain_missing_reader(settings: Settings) -> None:
    """Jobs are due, and nobody can send them: most likely cron has other settings than the server."""
    from tsudoi.booking.switch import REQUIRED_SETTINGS

    if not settings.features:
        names = "、".join(REQUIRED_SETTINGS)
        raise Refusal(
            f"送る通知がありますが、予約の設定（{names}）がないため送れません。サーバーと同じ設定で実行してください。\n"
            f"Notices are due, but booking is off here: run the command with the settings of the server ({names})."
        )


def _listed(runtime: "Runtime", limit: int | None) -> RunReport:
    """What a run would do. It reads, and writes nothing."""
    from tsudoi.commands.notices_listing import candidates

    jobs = runtime.db.read_now(candidates, runtime, limit)
    return RunReport(len(jobs), dry_run=True, jobs=jobs)


def _table(jobs: Sequence[dict[str, Any]]) -> list[str]:
    if not jobs:
        return []
    lines = [("job_id", "kind", "scheduled (JST)", "reservation", "recipient", "would")]
    lines += [
        (
            str(job["job_id"]),
            job["kind"],
            job["scheduled_at"],
            str(job["reservation_id"]),
            job["recipient"],
            job["would"],
        )
        for job in jobs
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
