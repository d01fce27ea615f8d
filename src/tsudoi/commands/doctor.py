"""Looks at everything that can be misconfigured and says what to do about it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from tsudoi.commands.checks import account, house, sheet, webhook
from tsudoi.commands.checks.findings import Check, Finding, Level, Patient
from tsudoi.commands.data import read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.clock import Clock, SystemClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.log import configure_logging
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line import LineConfig
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.http import Outlet

P = ParamSpec("P")
T = TypeVar("T")

# In the order in which it helps to mend them. The clock is read off LINE's answer to the token.
CHECKS = (
    Check(house.SETTINGS, house.settings),
    Check(house.ADDRESS, house.address),
    Check(house.DISK, house.disk),
    Check(house.WORKING, house.worker),
    Check(account.TOKEN, account.token),
    Check(account.CLOCK, account.clock),
    Check(account.QUOTA, account.quota),
    Check(webhook.WEBHOOK, webhook.webhook),
    Check(account.CHANNEL, account.channels),
    Check(account.MENU, account.menu),
    Check(sheet.SHEET, sheet.sheet),
)
_STYLES = {Level.OK: "green", Level.WARNING: "yellow", Level.PROBLEM: "bold red"}
_MARK_COLUMNS = 4
_SECONDS_FOR_A_SILENT_SERVER = "5"


def run_doctor() -> int:
    try:
        settings = read_settings()
    except Refusal as refusal:
        _tell(Finding(house.SETTINGS, Level.PROBLEM, str(refusal), "値を直してください / mend the values"))
        return 1
    configure_logging("ERROR")  # What fails is told below, in words.
    # PostgreSQL's own client waits for minutes unless it is told otherwise.
    os.environ.setdefault("PGCONNECT_TIMEOUT", _SECONDS_FOR_A_SILENT_SERVER)
    levels = []
    for finding in examine(settings, SystemClock()):
        _tell(finding)
        levels.append(finding.level)
    return _sum_up(levels)


def examine(settings: Settings, clock: Clock) -> Iterator[Finding]:
    db, first = house.usable_database(settings, clock)
    yield first
    with _patient(settings, clock, db) as patient:
        for check in CHECKS:
            yield from check.findings(patient)


@contextmanager
def _patient(settings: Settings, clock: Clock, db: Database | None) -> Iterator[Patient]:
    outlet = Outlet(db or _Nowhere())
    try:
        yield Patient(settings, clock, db, outlet, LineAccount(LineConfig.of(settings), outlet, clock))
    finally:
        outlet.close()
        if db is not None:
            db.close()


class _Nowhere(Database):
    """Where the record of a call goes when there is no database to keep it: the doctor calls out all the same."""

    clock = SystemClock()

    def write_now(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Forgotten, not failed: the way out would report a failure each time."""
        _ = verb, args, kwargs

    def write_soon(self, verb: Callable[Concatenate[Tx, P], object], /, *args: P.args, **kwargs: P.kwargs) -> None:
        _ = verb, args, kwargs

    async def write(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        raise NotImplementedError

    async def read(self, query: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        raise NotImplementedError

    def read_now(self, query: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        raise NotImplementedError

    def close(self) -> None:
        """There is nothing to let go of."""


def _tell(finding: Finding) -> None:
    # Padded by columns on the screen, of which a Japanese letter takes two.
    mark = set_cell_size(finding.level, _MARK_COLUMNS)
    text = Text.assemble((mark, _STYLES[finding.level]), f"  {finding.title}: {finding.said}")
    console = Console(highlight=False, soft_wrap=True)
    console.print(text)
    if finding.cure:
        console.print(Text(f"      → {finding.cure}"))


def _sum_up(levels: list[Level]) -> int:
    problems, warnings = levels.count(Level.PROBLEM), levels.count(Level.WARNING)
    told = f"\n問題 {problems} 件、注意 {warnings} 件 / {problems} problems, {warnings} warnings"
    Console(highlight=False).print(told)
    return 1 if problems else 0
