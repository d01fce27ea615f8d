from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.shops.customers.errors import CustomerLinkTaken, NoSuchCustomerLink
from tsudoi.shops.customers.schemas import NewCustomerLink
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.shop.queries import shop_row

_LINE = "line"


def link_by_hand(tx: Tx, new: NewCustomerLink, actor: str) -> int:
    """Link by decision of the shop. The same pair again changes nothing; another link is never overwritten."""
    shop_row(tx, new.shop_id)
    same = _require_free(tx, new)
    if same is not None:
        return same
    pair = {"external_user_id": new.line_user_id, "stores_customer_id": new.stores_customer_id}
    times = {"created_at_utc": tx.now, "updated_at_utc": tx.now}
    row = {"shop_id": new.shop_id, "channel_type": _LINE, **pair, **times}
    try:
        with tx.part():
            link_id = int(tx.execute(insert(CustomerLink).values(**row).returning(CustomerLink.id)).scalar_one())
    except IntegrityError as taken:
        # Somebody else was quicker, and the unique index has decided.
        raise CustomerLinkTaken("line_user_id") from taken
    subject, made = f"customer_link:{link_id}", {"shop_id": new.shop_id, **pair}
    audit.record(tx, actor, "CUSTOMER_LINK", subject, reason=new.reason, new=made)
    return link_id


def unlink(tx: Tx, link_id: int, reason: str, actor: str) -> None:
    table = CustomerLink
    columns = (table.shop_id, table.external_user_id, table.stores_customer_id)
    row = tx.execute(select(*columns).where(table.id == link_id).with_for_update()).one_or_none()
    if row is None:
        raise NoSuchCustomerLink
    tx.execute(delete(table).where(table.id == link_id))
    old = {
        "shop_id": row.shop_id,
        "external_user_id": row.external_user_id,
        "stores_customer_id": row.stores_customer_id,
    }
    audit.record(tx, actor, "CUSTOMER_UNLINK", f"customer_link:{link_id}", reason=reason, old=old)


def _require_free(tx: Tx, new: NewCustomerLink) -> int | None:
    """The id of this very pair if it is linked already."""
    table = CustomerLink
    here = (table.shop_id == new.shop_id, table.channel_type == _LINE)
    columns = (table.id, table.external_user_id, table.stores_customer_id)
    of_user = tx.execute(select(*columns).where(*here, table.external_user_id == new.line_user_id)).one_or_none()
    if of_user is not None and of_user.stores_customer_id == new.stores_customer_id:
        return int(of_user.id)
    if of_user is not None:
        raise CustomerLinkTaken("line_user_id")
    if tx.scalar(select(table.id).where(*here, table.stores_customer_id == new.stores_customer_id)) is not None:
        raise CustomerLinkTaken("stores_customer_id")
    return None
