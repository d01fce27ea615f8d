"""Checks that the roster sheet can be opened with the configured key."""

from dataclasses import replace
from datetime import timedelta

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level
from tsudoi.core.command_line import tsudoi_command
from tsudoi.gateway.clients.sheets import POLICY, OpenSheet, SheetsClient, SheetsConfig

SHEET = "名簿シート"
_POLICY = replace(POLICY, timeout=timedelta(seconds=4), deadline=timedelta(seconds=12))


def sheet(context: DoctorContext) -> Finding:
    settings = context.settings
    if not settings.members_sheet_id and settings.google_service_account_file is None:
        way = f"{tsudoi_command()} members sync --file 名簿.xlsx"
        message = f"使っていません（{way} で取り込めます）/ not in use: a file can be synced instead"
        return Finding(SHEET, Level.OK, message)
    found = SheetsClient(SheetsConfig.of(settings), context.gateway, _POLICY).open()
    if isinstance(found, OpenSheet):
        return Finding(SHEET, Level.OK, f"シート「{found.title}」を読めます / can be read")
    advice = "MEMBERS_SHEET_ID、鍵のファイル、シートの共有先を確認してください / check the id, the key, and the sharing"
    return Finding(SHEET, Level.PROBLEM, found.reason, advice)
