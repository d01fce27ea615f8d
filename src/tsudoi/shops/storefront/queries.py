from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.shops.shop.models import Shop
from tsudoi.shops.storefront.errors import NoSuchStorefront, ShopClosed
from tsudoi.shops.storefront.rules import VisitedShop

_LONGEST_CODE = 100
_SHOP = (Shop.id, Shop.code, Shop.name, Shop.shop_status, Shop.phone, Shop.shop_email, Shop.stores_public_url)


def find_shop(tx: ReadTx, store_code: str) -> VisitedShop | None:
    """None for a code that no shop has, and while the shop is being prepared.

    Codes have small letters only, but people type them from a poster, and phones begin with a capital letter.
    """
    if len(store_code) > _LONGEST_CODE or "\0" in store_code or not store_code.isprintable():
        return None
    row = tx.execute(
        select(*_SHOP).where(Shop.code == store_code.lower(), Shop.shop_status != "preparing")
    ).one_or_none()
    return None if row is None else VisitedShop(*tuple(row))


def open_shop(tx: ReadTx, store_code: str) -> VisitedShop:
    found = find_shop(tx, store_code)
    if found is None:
        raise NoSuchStorefront
    if found.status == "closed":
        raise ShopClosed
    return found


def open_shops(tx: ReadTx) -> list[VisitedShop]:
    rows = tx.execute(select(*_SHOP).where(Shop.shop_status == "open").order_by(Shop.name, Shop.id))
    return [VisitedShop(*tuple(row)) for row in rows]


def shops_by_id(tx: ReadTx, ids: set[int]) -> dict[int, VisitedShop]:
    rows = tx.execute(select(*_SHOP).where(Shop.id.in_(ids), Shop.shop_status == "open"))
    return {row.id: VisitedShop(*tuple(row)) for row in rows}
