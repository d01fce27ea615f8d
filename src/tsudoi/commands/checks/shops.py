"""Checks of shops: the key ring, whether it opens every secret, and which shops cannot ask STORES; it is not asked."""

from collections.abc import Iterator

from tsudoi.commands.checks.findings import DoctorContext, Finding, Level, without_database
from tsudoi.commands.secrets import is_readable
from tsudoi.contexts import active_contexts
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.core.secrets_check import BadSettings
from tsudoi.shops.context import CONTEXT
from tsudoi.shops.secrets.queries import sealed_secrets, used_key_ids
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.secrets.service.keeping import ring_of
from tsudoi.shops.shop.queries import shop_rows

SHOPS = "店舗"


def shops(context: DoctorContext) -> Iterator[Finding]:
    if CONTEXT not in active_contexts(context.settings):
        yield _off(context)
        return
    try:
        ring = ring_of(context.settings)
    except BadSettings as bad:
        yield Finding(SHOPS, Level.PROBLEM, bad.faults[0], "値を直してください / mend the value")
        return
    if context.db is None:
        yield without_database(SHOPS)
    else:
        yield from _in_database(context.db, ring)


def _off(context: DoctorContext) -> Finding:
    stored = context.db is not None and bool(context.db.read_now(used_key_ids))
    if stored and not context.settings.features:
        message = "店舗の秘密の値が登録されていますが、鍵がありません / secrets are stored, but there is no key"
        return Finding(SHOPS, Level.PROBLEM, message, "SHOP_SECRETS_KEYS を設定してください / set it")
    names = "、".join(CONTEXT.required_settings)
    return Finding(SHOPS, Level.OK, f"使っていません（{names} を設定すると使えます）/ off: this setting turns it on")


def _in_database(db: Database, ring: KeyRing) -> Iterator[Finding]:
    unreadable = db.read_now(lambda tx: [one for one in sealed_secrets(tx) if not is_readable(ring, one)])
    if unreadable:
        names = "、".join(f"{one.shop_code} {one.key}" for one in unreadable)
        advice = (
            "暗号化に使った鍵を SHOP_SECRETS_KEYS の後ろに加えるか、値をもう一度登録してください / add the old key, or"
            f" {tsudoi_command()} secrets set {unreadable[0].shop_code} STORES_API_TOKEN"
        )
        yield Finding(SHOPS, Level.PROBLEM, f"読み取れない値があります / cannot be read: {names}", advice)
    incomplete = db.read_now(_incomplete)
    if incomplete:
        message = f"STORES予約につながらない店舗があります / cannot ask STORES: {'、'.join(incomplete)}"
        advice = "管理画面の店舗で、トークンとマーチャントIDを登録してください / set token and merchant id"
        yield Finding(SHOPS, Level.WARNING, message, advice)
    if not unreadable and not incomplete:
        yield Finding(SHOPS, Level.OK, "鍵と登録された値に問題はありません / the keys open every secret")


def _incomplete(tx: ReadTx) -> list[str]:
    """Codes of shops, except closed ones, that have no token or no merchant id."""
    with_token = {one.shop_id for one in sealed_secrets(tx)}
    rows = [row for row in shop_rows(tx) if row["shop_status"] != "closed"]
    return [row["code"] for row in rows if row["id"] not in with_token or row["merchant_canonical_id"] is None]
