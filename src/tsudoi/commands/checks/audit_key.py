"""Checks that the audit trail is signed."""

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level
from tsudoi.core.secrets_check import RANDOM_HINT

AUDIT_KEY = "操作履歴の署名"


def audit_key(context: DoctorContext) -> Finding:
    if context.settings.tsudoi_demo:
        return Finding(AUDIT_KEY, Level.OK, "デモでは不要です / not needed for the demo")
    if context.settings.audit_keys:
        return Finding(AUDIT_KEY, Level.OK, "AUDIT_KEY で署名しています / signed")
    message = (
        "AUDIT_KEY がないため、データベースに書き込める人は、操作履歴を書き換えたあと検査に通るように計算し直せます"
        " / not signed: who can write to the database can change the audit trail and compute its hashes anew"
    )
    advice = (
        f"{RANDOM_HINT} で作った値を AUDIT_KEY に設定し、データベースとは別の場所に控えてください。AUDIT_HEADS_FILE は"
        "別のディスクに置いてください / set AUDIT_KEY to such a value, keep a copy apart from the database, and put"
        " AUDIT_HEADS_FILE on another disk"
    )
    return Finding(AUDIT_KEY, Level.WARNING, message, advice)
