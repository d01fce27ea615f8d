from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import PENDING
from tsudoi.shops.links.models import CustomerLink, LinkNotice
from tsudoi.shops.links.rules import LINE, CustomerPair, StoredLink

_COLUMNS = (CustomerLink.id, CustomerLink.external_user_id, CustomerLink.stores_customer_id)


def links_of_pair(tx: ReadTx, pair: CustomerPair) -> tuple[StoredLink | None, StoredLink | None]:
    """The link of the LINE user, and the link of the customer; the same one where the two are linked."""
    in_shop = select(*_COLUMNS).where(CustomerLink.shop_id == pair.shop_id, CustomerLink.channel_type == LINE)
    own = tx.execute(in_shop.where(CustomerLink.external_user_id == pair.line_user_id)).one_or_none()
    held = tx.execute(in_shop.where(CustomerLink.stores_customer_id == pair.stores_customer_id)).one_or_none()
    return (StoredLink(*tuple(own)) if own else None), (StoredLink(*tuple(held)) if held else None)


def linked_shops(tx: ReadTx, line_user_id: str) -> dict[int, str]:
    """The customer of this LINE user in each shop, by the shop's id."""
    own = select(CustomerLink.shop_id, CustomerLink.stores_customer_id).where(
        CustomerLink.channel_type == LINE, CustomerLink.external_user_id == line_user_id
    )
    return {row.shop_id: row.stores_customer_id for row in tx.execute(own.order_by(CustomerLink.shop_id))}


def unsent_notices(tx: ReadTx) -> int:
    """Messages that LINE has not counted yet."""
    waiting = select(LinkNotice.id).where(LinkNotice.status == PENDING)
    return len(tx.execute(waiting).all())
