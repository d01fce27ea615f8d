from collections.abc import Sequence

from sqlalchemy import RowMapping, select

from tsudoi.alarms.shop_names.errors import NoSuchShop
from tsudoi.core.db.interface import ReadTx
from tsudoi.shops.shop.models import Shop, ShopInternalInfo
from tsudoi.shops.shop.rules import MERCHANT


def shop_rows(tx: ReadTx, shop_id: int | None = None) -> Sequence[RowMapping]:
    """The shops' own columns and their merchant ids in the API of STORES, by code."""
    merchant = (ShopInternalInfo.shop_id == Shop.id) & (ShopInternalInfo.info_type == MERCHANT)
    statement = (
        select(*Shop.__table__.c, ShopInternalInfo.value.label("merchant_canonical_id"))
        .outerjoin(ShopInternalInfo, merchant)
        .order_by(Shop.code)
    )
    return tx.execute(statement if shop_id is None else statement.where(Shop.id == shop_id)).mappings().all()


def shop_row(tx: ReadTx, shop_id: int) -> RowMapping:
    found = shop_rows(tx, shop_id)
    if not found:
        raise NoSuchShop
    return found[0]
