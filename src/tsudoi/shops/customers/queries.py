from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, func, or_, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.gateway.models import ApiCallLog
from tsudoi.line.friends.models import LineFriend
from tsudoi.shops.customers.errors import NoSuchCustomerLink
from tsudoi.shops.customers.rules import state_of
from tsudoi.shops.customers.schemas import CustomerLinkItem, CustomerLinkPage
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.shop.models import Shop

_TABLE = CustomerLink
_LINKS = (
    select(*_TABLE.__table__.c, Shop.name.label("shop_name"), LineFriend.display_name)
    .join(Shop, Shop.id == _TABLE.shop_id)
    .outerjoin(LineFriend, LineFriend.user_id == _TABLE.external_user_id)
    .where(_TABLE.channel_type == "line")
)


def link_page(
    tx: ReadTx, stores_base: str, shop_id: int | None, words: str, before: int | None, limit: int
) -> CustomerLinkPage:
    statement = _LINKS.order_by(_TABLE.id.desc()).limit(limit + 1)
    if shop_id is not None:
        statement = statement.where(_TABLE.shop_id == shop_id)
    if before is not None:
        statement = statement.where(_TABLE.id < before)
    if words.strip():
        name = func.lower(LineFriend.display_name).contains(words.strip().lower(), autoescape=True)
        exact = or_(_TABLE.external_user_id == words.strip(), _TABLE.stores_customer_id == words.strip())
        statement = statement.where(or_(name, exact))
    rows = tx.execute(statement).all()
    items = _items(tx, stores_base, rows[:limit])
    return CustomerLinkPage(links=items, next_before=items[-1].id if len(rows) > limit else None)


def link_item(tx: ReadTx, stores_base: str, link_id: int) -> CustomerLinkItem:
    row = tx.execute(_LINKS.where(_TABLE.id == link_id)).one_or_none()
    if row is None:
        raise NoSuchCustomerLink
    return _items(tx, stores_base, [row])[0]


def _items(tx: ReadTx, stores_base: str, rows: Sequence[Row[Any]]) -> list[CustomerLinkItem]:
    said = _last_statuses(tx, stores_base, rows)
    return [
        CustomerLinkItem(
            id=row.id,
            shop_id=row.shop_id,
            shop_name=row.shop_name,
            external_user_id=row.external_user_id,
            display_name=row.display_name,
            stores_customer_id=row.stores_customer_id,
            created_at=row.created_at_utc,
            updated_at=row.updated_at_utc,
            state=state_of(said.get(row.id)),
        )
        for row in rows
    ]


def _last_statuses(tx: ReadTx, stores_base: str, rows: Sequence[Row[Any]]) -> dict[int, int | None]:
    """What STORES said to the newest call about each link's customer, since the link was made or changed.

    The log of calls answers this, because `customer_links` has the columns of its document and no others.
    """
    table = ApiCallLog
    addresses = {(row.shop_id, f"{stores_base}/customers/{row.stores_customer_id}"): row for row in rows}
    newest = (
        select(func.max(table.id))
        .where(table.target == "stores", table.url.in_({url for _, url in addresses}))
        .group_by(table.shop_id, table.url)
    )
    calls = select(table.shop_id, table.url, table.status_code, table.created_at_utc).where(table.id.in_(newest))
    found: dict[int, int | None] = {}
    for call in tx.execute(calls) if addresses else ():
        row = addresses.get((call.shop_id, call.url))
        if row is not None and call.created_at_utc >= row.updated_at_utc:
            found[row.id] = call.status_code
    return found
