from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.shops.shop.errors import ShopTaken
from tsudoi.shops.shop.models import Shop, ShopInternalInfo
from tsudoi.shops.shop.queries import shop_row
from tsudoi.shops.shop.rules import MERCHANT
from tsudoi.shops.shop.schemas import NewShop, ShopChange

_MERCHANT_FIELD = "merchant_canonical_id"


def create_shop(tx: Tx, new: NewShop, actor: str) -> int:
    values = new.model_dump()
    own = {name: value for name, value in values.items() if name != _MERCHANT_FIELD}
    _require_free(tx, own, None)
    try:
        with tx.part():
            made = tx.execute(insert(Shop).values(**own, created_at=tx.now, updated_at=tx.now).returning(Shop.id))
            shop_id = int(made.scalar_one())
    except IntegrityError as taken:
        # Two people may create the same shop at the same time; the unique index decides.
        raise ShopTaken("code") from taken
    _set_merchant(tx, shop_id, new.merchant_canonical_id)
    audit.record(tx, actor, "SHOP_CREATE", f"shop:{shop_id}", new=values)
    return shop_id


def change_shop(tx: Tx, shop_id: int, change: ShopChange, actor: str) -> None:
    before, values = shop_row(tx, shop_id), change.model_dump(exclude_unset=True)
    new = {name: value for name, value in values.items() if before[name] != value}
    if not new:
        return
    own = {name: value for name, value in new.items() if name != _MERCHANT_FIELD}
    _require_free(tx, own, shop_id)
    try:
        with tx.part():
            tx.execute(update(Shop).where(Shop.id == shop_id).values(**own, updated_at=tx.now))
    except IntegrityError as taken:
        raise ShopTaken("code" if "code" in own else "merchant_public_id") from taken
    if _MERCHANT_FIELD in new:
        _set_merchant(tx, shop_id, new[_MERCHANT_FIELD])
    audit.record(tx, actor, "SHOP_CHANGE", f"shop:{shop_id}", old={name: before[name] for name in new}, new=new)


def _require_free(tx: Tx, values: dict[str, Any], shop_id: int | None) -> None:
    for field in ("code", "merchant_public_id"):
        if values.get(field) is not None:
            holder = tx.scalar(select(Shop.id).where(Shop.__table__.c[field] == values[field]))
            if holder is not None and holder != shop_id:
                raise ShopTaken(field)


def _set_merchant(tx: Tx, shop_id: int, value: str | None) -> None:
    table = ShopInternalInfo
    if value is None:
        tx.execute(delete(table).where(table.shop_id == shop_id, table.info_type == MERCHANT))
        return
    row = {"shop_id": shop_id, "info_type": MERCHANT, "value": value, "updated_at": tx.now}
    statement = upsert(tx, table).values(**row)
    changed = {"value": value, "updated_at": tx.now}
    tx.execute(statement.on_conflict_do_update(index_elements=["shop_id", "info_type"], set_=changed))
