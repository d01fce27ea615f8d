from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.shops.proofs.models import IdentityProof
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import SECRET_KEYS
from tsudoi.shops.secrets.schemas import SecretItem, SecretList
from tsudoi.shops.shop.models import Shop
from tsudoi.shops.shop.queries import shop_row

# `v1.` and the eight characters of the key's id.
_HEAD = 11


@dataclass(frozen=True, slots=True)
class SealedSecret:
    """A secret as it is stored, with the code of its shop."""

    shop_id: int
    shop_code: str
    key: str
    sealed: str


def secret_list(tx: ReadTx, shop_id: int) -> SecretList:
    shop_row(tx, shop_id)
    return SecretList(secrets=[secret_item(tx, shop_id, key) for key in SECRET_KEYS])


def secret_item(tx: ReadTx, shop_id: int, key: str) -> SecretItem:
    table = ShopSecret
    row = tx.execute(
        select(table.last_four, table.updated_at, table.last_used_at).where(table.shop_id == shop_id, table.k == key)
    ).one_or_none()
    if row is None:
        return SecretItem(key=key, set=False, last_four=None, updated_at=None, last_used_at=None, age_days=None)
    return SecretItem(
        key=key,
        set=True,
        last_four=row.last_four,
        updated_at=row.updated_at,
        last_used_at=row.last_used_at,
        age_days=max(0, (tx.now - row.updated_at).days),
    )


def sealed_secrets(tx: ReadTx) -> Iterator[SealedSecret]:
    table = ShopSecret
    statement = select(table.shop_id, Shop.code, table.k, table.v_enc).join(Shop, Shop.id == table.shop_id)
    for row in tx.execute(statement.order_by(Shop.code, table.k)):
        yield SealedSecret(row.shop_id, row.code, row.k, row.v_enc)


def used_key_ids(tx: ReadTx) -> set[str]:
    """The ids of the keys that sealed what is stored. Proofs are left out: they end by themselves within the hour."""
    heads = tx.execute(select(func.substr(ShopSecret.v_enc, 1, _HEAD)).distinct()).scalars()
    return {head.removeprefix("v1.") for head in heads}


def proofs_not_sealed_with(tx: ReadTx, key_id: str, after: int, most: int) -> list[tuple[int, int, str]]:
    """Id, shop and sealed content of proofs, in the order of their ids."""
    table = IdentityProof
    statement = (
        select(table.id, table.shop_id, table.contact_enc)
        .where(table.id > after, func.substr(table.contact_enc, 1, _HEAD) != f"v1.{key_id}")
        .order_by(table.id)
        .limit(most)
    )
    return [(row.id, row.shop_id, row.contact_enc) for row in tx.execute(statement)]
