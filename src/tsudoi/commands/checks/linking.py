"""Explains the choice of ONBOARDING_AUTO_LINK: whether a name alone links a LINE user to a member."""

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.roster.linking.queries import waiting_total

LINKING = "LINEとの連携"


def linking(context: DoctorContext) -> Finding:
    if context.settings.onboarding_auto_link == "on":
        message = (
            "名簿と同じ名前の人を自動で連携します。名前は本人の証明ではありません。事務局が確かめてから連携するには"
            " ONBOARDING_AUTO_LINK=off / a name alone links a person, and proves nothing; off lets the office confirm"
        )
        return Finding(LINKING, Level.OK, message)
    if context.db is None:
        return without_database(LINKING)
    waiting = context.db.read_now(waiting_total)
    message = (
        f"事務局が確認してから連携します。確認待ち {waiting} 人 / the office confirms each person, {waiting} waiting"
    )
    advice = "管理画面の「会員名簿」→「未連携の友だち」で確認してください / confirm them in the admin console"
    return Finding(LINKING, Level.OK, message, advice if waiting else "")
