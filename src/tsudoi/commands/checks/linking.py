"""Explains ONBOARDING_AUTO_LINK (whether a name alone links somebody), and checks ONBOARDING_NAME_NFKC."""

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.roster.linking.queries import keys_by_another_rule, waiting_total

LINKING = "LINEとの連携"


def linking(context: DoctorContext) -> Finding:
    nfkc = context.settings.onboarding_name_nfkc
    if context.db is not None and (others := len(context.db.read_now(keys_by_another_rule, nfkc=nfkc))):
        message = (
            f"{others} 人の名前が、今の設定（ONBOARDING_NAME_NFKC={int(nfkc)}）より前の決まりで照合されます"
            f" / {others} names are compared by the rule of an earlier setting"
        )
        advice = "tsudoi serve か worker を起動し直すと、すぐに直ります / start serve or the worker again"
        return Finding(LINKING, Level.WARNING, message, advice)
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
