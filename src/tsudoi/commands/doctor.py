"""`tsudoi doctor`: checks everything that can be misconfigured and prints what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from tsudoi.commands.checks import (
    account,
    alarms,
    audit_key,
    backups,
    booking,
    language_models,
    linking,
    mail,
    notifications,
    payments,
    proxy,
    server,
    sheet,
    shops,
    webhook,
)
from tsudoi.commands.checks.findings import Check, DoctorContext, Finding, Level
from tsudoi.commands.data import read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.clock import Clock, SystemClock
from tsudoi.core.db.interface import Database
from tsudoi.core.log import configure_logging
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.http import HttpGateway

# In the order in which problems should be fixed. The clock check uses LINE's response to the token check.
CHECKS = (
    Check(server.SETTINGS, server.settings),
    Check(server.ADDRESS, server.address),
    Check(proxy.PROXY, proxy.proxy),
    Check(audit_key.AUDIT_KEY, audit_key.audit_key),
    Check(server.DISK, server.disk),
    Check(server.WORKING, server.worker),
    Check(backups.PICTURES, backups.pictures),
    Check(backups.COPY, backups.copy),
    Check(backups.BACKUP, backups.backups),
    Check(account.TOKEN, account.token),
    Check(account.CLOCK, account.clock),
    Check(account.QUOTA, account.quota),
    Check(webhook.WEBHOOK, webhook.webhook),
    Check(account.CHANNEL, account.channels),
    Check(account.MENU, account.menu),
    Check(sheet.SHEET, sheet.sheet),
    Check(linking.LINKING, linking.linking),
    Check(booking.BOOKING, booking.booking),
    Check(notifications.NOTICES, notifications.notices),
    Check(payments.PAYMENTS, payments.payments),
    Check(shops.SHOPS, shops.shops),
    Check(mail.MAIL, mail.mail),
    Check(alarms.ALARMS, alarms.alarms),
    Check(language_models.MODELS, language_models.language_models),
)
_STYLES = {Level.OK: "green", Level.WARNING: "yellow", Level.PROBLEM: "bold red"}
_MARK_COLUMNS = 4


def run_doctor() -> int:
    try:
        settings = read_settings()
    except Refusal as refusal:
        _print_finding(Finding(server.SETTINGS, Level.PROBLEM, str(refusal), "値を直してください / mend the values"))
        return 1
    configure_logging("ERROR")  # The findings below explain the failures.
    levels = []
    for finding in examine(settings, SystemClock()):
        _print_finding(finding)
        levels.append(finding.level)
    return _sum_up(levels)


def examine(settings: Settings, clock: Clock) -> Iterator[Finding]:
    db, first = server.usable_database(settings, clock)
    yield first
    with _doctor_context(settings, clock, db) as context:
        for check in CHECKS:
            yield from check.findings(context)


@contextmanager
def _doctor_context(settings: Settings, clock: Clock, db: Database | None) -> Iterator[DoctorContext]:
    gateway = HttpGateway(db)
    try:
        line = LineClient(LineConfig.of(settings), gateway)
        yield DoctorContext(settings, clock, db, gateway, LineAccount(line, clock))
    finally:
        gateway.close()
        if db is not None:
            db.close()


def _print_finding(finding: Finding) -> None:
    # The mark is padded by screen columns, because a Japanese letter takes two.
    mark = set_cell_size(finding.level, _MARK_COLUMNS)
    text = Text.assemble((mark, _STYLES[finding.level]), f"  {finding.title}: {finding.message}")
    console = Console(highlight=False, soft_wrap=True)
    console.print(text)
    if finding.advice:
        console.print(Text(f"      → {finding.advice}"))


def _sum_up(levels: list[Level]) -> int:
    problems, warnings = levels.count(Level.PROBLEM), levels.count(Level.WARNING)
    summary = f"\n問題 {problems} 件、注意 {warnings} 件 / {problems} problems, {warnings} warnings"
    Console(highlight=False).print(summary)
    return 1 if problems else 0
