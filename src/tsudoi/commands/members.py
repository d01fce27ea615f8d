"""`tsudoi members sync`. Its exit codes are in `ExitCode`."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from rich.console import Console

from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.members_report import ProgressBars, show_plan
from tsudoi.commands.refusals import Refusal
from tsudoi.core.db.interface import Database
from tsudoi.core.db.version import SchemaMismatch
from tsudoi.core.errors import Problem
from tsudoi.core.log import configure_logging
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.sheets import SHEET, OpenSheet, SheetsClient, SheetsConfig
from tsudoi.gateway.clients.sheets_files import file_rows
from tsudoi.gateway.clients.sheets_outcomes import NumberedRow
from tsudoi.gateway.http import HttpGateway
from tsudoi.roster.syncs import commands
from tsudoi.roster.syncs.errors import RosterChanged, SheetUnreadable, TooManyWithdrawn
from tsudoi.roster.syncs.rules.plan import SyncPlan
from tsudoi.roster.syncs.rules.sheet import RosterSheet


class ExitCode(IntEnum):
    """The exit codes of the command."""

    DONE = 0
    SOME_ROWS_REFUSED = 1  # The good rows were used.
    NOTHING_CHANGED = 2  # The sheet, the settings or the database could not be read.
    NEEDS_FORCE = 3  # Nothing was changed.
    NOT_WRITTEN_BACK = 4  # The roster is in step; the sheet did not get its LINE ids.


@dataclass(frozen=True, slots=True)
class SyncArguments:
    """The arguments of `tsudoi members sync`."""

    file: Path | None = None
    dry_run: bool = False
    force: bool = False
    write_back: bool = False
    verbose: bool = False


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the rows come from: a file, or a Google sheet that can also be written back to."""

    name: str
    rows: Iterable[NumberedRow]
    opened: OpenSheet | None = None


def run_sync(options: SyncArguments, console: Console | None = None) -> int:
    out, complaints = console or Console(highlight=False), Console(stderr=True, highlight=False)
    bars = ProgressBars(complaints)
    try:
        return _run(options, out, bars)
    except TooManyWithdrawn as stop:
        problem = (
            f"会員 {stop.live:,} 人のうち {stop.withdrawn:,} 人が退会になります（5分の1超）。何も変更していません。"
            "シートを確認し、正しければ --force を付けて実行してください / "
            f"{stop.withdrawn} of {stop.live} would be withdrawn; nothing was changed; if it is meant, add --force"
        )
        code = ExitCode.NEEDS_FORCE
    except SheetUnreadable as stop:
        problem = f"名簿を読み取れないため、何も変更していません / nothing was changed:\n  {stop}"
        code = ExitCode.NOTHING_CHANGED
    except RosterChanged:
        problem = "名簿がほかの操作で変わり続けています。もう一度実行してください / the roster keeps moving; run again"
        code = ExitCode.NOTHING_CHANGED
    except (Refusal, SchemaMismatch, Problem) as stop:
        problem = stop.message if isinstance(stop, Problem) else str(stop)
        code = ExitCode.NOTHING_CHANGED
    finally:
        bars.end()
    complaints.print(problem, markup=False, soft_wrap=True)
    return code


def _run(options: SyncArguments, out: Console, bars: ProgressBars) -> int:
    if options.file is not None and options.write_back:
        raise Refusal("--write-back は --file と一緒には使えません / --write-back needs the Google sheet, not --file")
    settings = read_settings()
    # The terminal should not show retries that succeeded.
    configure_logging("ERROR")
    with database_of(settings) as db:
        gateway = HttpGateway(db)
        try:
            source = _source(settings, options, gateway)
            return _sync(db, settings, options, source, out, bars)
        finally:
            gateway.close()


def _source(settings: Settings, options: SyncArguments, gateway: HttpGateway) -> _Source:
    if options.file is not None:
        return _Source(options.file.name, file_rows(options.file, SHEET))
    opened = SheetsClient(SheetsConfig.of(settings), gateway).open(to_write=options.write_back)
    if not isinstance(opened, OpenSheet):
        raise SheetUnreadable(opened.reason)
    return _Source(f"sheet:{settings.members_sheet_id}", opened.rows(), opened)


def _sync(
    db: Database, settings: Settings, options: SyncArguments, source: _Source, out: Console, bars: ProgressBars
) -> int:
    def show(plan: SyncPlan) -> None:
        show_plan(out, plan, verbose=options.verbose)
        if not options.dry_run:
            bars.writing(plan.writes)

    asked = commands.SyncOptions(
        source.name,
        nfkc=settings.onboarding_name_nfkc,
        dry_run=options.dry_run,
        force=options.force,
        show=show,
        on_progress=bars.advance,
    )
    sheet = commands.read(bars.reading(source.rows), asked)
    plan = commands.sync(db, sheet, asked)
    bars.end()
    out.print(
        "確認のみ：何も変更していません / dry run: nothing was changed" if options.dry_run else "同期しました / done"
    )
    if source.opened is not None and options.write_back and not _write_back(db, source.opened, sheet, options, out):
        return ExitCode.NOT_WRITTEN_BACK
    return ExitCode.SOME_ROWS_REFUSED if plan.refused else ExitCode.DONE


def _write_back(db: Database, opened: OpenSheet, sheet: RosterSheet, options: SyncArguments, out: Console) -> bool:
    if "line_user_id" not in sheet.columns:
        out.print("シートに line_user_id の列がないため、書き戻しません / the sheet has no column line_user_id")
        return False
    missing = commands.missing_cells(db, sheet)
    if options.dry_run:
        out.print(f"書き戻すセル / cells to fill: {len(missing):,}")
        return True
    done = commands.write_back(opened, sheet.columns, missing)
    if not isinstance(done, int):
        out.print(f"シートに書き戻せませんでした / not written back: {done.reason}", markup=False, soft_wrap=True)
        return False
    out.print(f"シートに書き戻しました / cells filled: {done:,}")
    if left := len(missing) - done:
        out.print(f"  シートが変わったため {left:,} 個のセルは書いていません / {left:,} left alone, the sheet changed")
    return True
