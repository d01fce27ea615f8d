from sqlalchemy import delete, select

from tsudoi.core import audit
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.runtime import Runtime
from tsudoi.core.secrets_check import BadSettings
from tsudoi.core.settings import Settings
from tsudoi.shops.secrets.errors import NoSuchSecret
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.queries import used_key_ids
from tsudoi.shops.secrets.rules import KeyRing, encrypt, last_four, secret_purpose
from tsudoi.shops.shop.queries import shop_row
from tsudoi.shops.switch import KEY_HINT


def key_ring_of(runtime: Runtime) -> KeyRing:
    return ring_of(runtime.settings)


def ring_of(settings: Settings) -> KeyRing:
    keys = settings.shop_secrets_keys
    try:
        return KeyRing.of(keys.get_secret_value() if keys else "")
    except ValueError as error:
        message = "店舗の秘密の値を守る鍵として使えません" if keys else "設定されていません / missing:"
        raise BadSettings([f"SHOP_SECRETS_KEYS: {message} / {error} → {KEY_HINT}"]) from None


def require_readable(tx: ReadTx, settings: Settings) -> None:
    """Refuse to start when secrets are stored that the keys of the settings cannot open."""
    if settings.features and "shops" not in settings.features:
        return
    used = used_key_ids(tx)
    missing = used - {name for name, _ in ring_of(settings).keys} if used else set()
    if missing:
        fault = (
            f"SHOP_SECRETS_KEYS: 登録済みの秘密の値を暗号化した鍵（{'、'.join(sorted(missing))}）がありません"
            " / a key is missing that stored secrets need → 前の鍵を、コンマで区切って後ろに加えてください"
        )
        raise BadSettings([fault])


def set_secret(tx: Tx, ring: KeyRing, shop_id: int, key: str, value: str, actor: str) -> None:
    """The audit trail learns that it was set, and nothing of the value."""
    shop_row(tx, shop_id)
    was_set = _is_set(tx, shop_id, key)
    sealed = encrypt(ring, value, secret_purpose(shop_id, key))
    changed = {"v_enc": sealed, "last_four": last_four(value), "updated_at": tx.now, "last_used_at": None}
    statement = upsert(tx, ShopSecret).values(shop_id=shop_id, k=key, **changed)
    tx.execute(statement.on_conflict_do_update(index_elements=["shop_id", "k"], set_=changed))
    audit.record(
        tx,
        actor,
        "SHOP_SECRET_SET",
        f"shop:{shop_id}",
        old={"secret_set": was_set},
        new={"secret_name": key, "secret_set": True},
    )


def delete_secret(tx: Tx, shop_id: int, key: str, actor: str) -> None:
    shop_row(tx, shop_id)
    table = ShopSecret
    if tx.execute(delete(table).where(table.shop_id == shop_id, table.k == key)).rowcount == 0:
        raise NoSuchSecret
    audit.record(tx, actor, "SHOP_SECRET_DELETE", f"shop:{shop_id}", old={"secret_name": key, "secret_set": True})


def _is_set(tx: Tx, shop_id: int, key: str) -> bool:
    table = ShopSecret
    return tx.scalar(select(table.id).where(table.shop_id == shop_id, table.k == key)) is not None
