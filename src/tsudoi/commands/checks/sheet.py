"""The roster's sheet: can it be opened with the key we have?"""

from dataclasses import replace
from datetime import timedelta

from tsudoi.commands.checks.findings import Finding, Level, Patient
from tsudoi.core.command_line import tsudoi_command
from tsudoi.gateway.clients.sheets import POLICY, OpenSheet, SheetsClient, SheetsConfig

SHEET = "名簿シート"
_POLICY = replace(POLICY, timeout=timedelta(seconds=4), deadline=timedelta(seconds=12))


def sheet(patient: Patient) -> Finding:
    settings = patient.settings
    if not settings.members_sheet_id and settings.google_service_account_file is None:
        way = f"{tsudoi_command()} members sync --file 名簿.xlsx"
        said = f"使っていません（{way} で取り込めます）/ not in use: a file can be synced instead"
        return Finding(SHEET, Level.OK, said)
    found = SheetsClient(SheetsConfig.of(settings), patient.gateway, _POLICY).open()
    if isinstance(found, OpenSheet):
        return Finding(SHEET, Level.OK, f"シート「{found.title}」を読めます / can be read")
    cure = "MEMBERS_SHEET_ID、鍵のファイル、シートの共有先を確認してください / check the id, the key, and the sharing"
    return Finding(SHEET, Level.PROBLEM, found.reason, cure)
