"""Links a LINE user with a customer of a shop. Every way to link uses this: the proof in LINE, and the office."""

import uuid
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.shops.links.errors import CustomerLinkConflict
from tsudoi.shops.links.models import CustomerLink, LinkNotice
from tsudoi.shops.links.queries import links_of_pair
from tsudoi.shops.links.rules import LINE, CustomerPair, LinkAction, StoredLink, decide, transfer_messages
from tsudoi.shops.shop.models import Shop

NOTICES_TABLE = "link_notices"
_WORDS = {
    LinkAction.CREATE: "CUSTOMER_LINK",
    LinkAction.CHANGE: "CUSTOMER_LINK_CHANGE",
    LinkAction.TRANSFER: "CUSTOMER_LINK_TRANSFER",
}


def link_customer(
    tx: Tx, pair: CustomerPair, actor: str, *, transfer: bool = False, reason: str | None = None
) -> LinkAction:
    """Link the two. Raises `CustomerLinkConflict` where another LINE user holds the customer, and changes nothing.

    `transfer`: the person asked to take the customer over, after a proof. The former LINE user is told once.
    """
    _lock_shop(tx, pair.shop_id)
    own, holder = links_of_pair(tx, pair)
    action = decide(pair, own, holder, transfer=transfer)
    if action is LinkAction.CONFLICT:
        raise CustomerLinkConflict
    try:
        with tx.part():
            link_id = _write(tx, pair, own, holder if action is LinkAction.TRANSFER else None)
    except IntegrityError as error:
        # Somebody wrote a row by hand, without the lock. The constraints have the last word.
        raise CustomerLinkConflict from error
    if action is LinkAction.TRANSFER and holder is not None:
        _tell_former(tx, pair.shop_id, holder)
    new = _values(pair.shop_id, StoredLink(link_id, pair.line_user_id, pair.stores_customer_id))
    subject = f"customer_link:{link_id}"
    if action is not LinkAction.SAME:
        old = _values(pair.shop_id, holder or own)
        audit.record(tx, actor, _WORDS[action], subject, reason=reason, old=old, new=new)
    if action is LinkAction.TRANSFER and own is not None:
        # Two rows have changed: the one that the former LINE user held, and the person's own to another customer.
        old = _values(pair.shop_id, own)
        audit.record(tx, actor, _WORDS[LinkAction.CHANGE], subject, reason=reason, old=old, new=new)
    return action


def _lock_shop(tx: Tx, shop_id: int) -> None:
    """Two people who link in the same shop at the same moment do it one after the other."""
    tx.execute(select(Shop.id).where(Shop.id == shop_id).with_for_update(key_share=True))


def _write(tx: Tx, pair: CustomerPair, own: StoredLink | None, former: StoredLink | None) -> int:
    """Returns the id of the link. The row of the former LINE user goes first, because a customer has one link only."""
    if former is not None:
        tx.execute(delete(CustomerLink).where(CustomerLink.id == former.id))
    if own is not None:
        values = {"stores_customer_id": pair.stores_customer_id, "updated_at_utc": tx.now}
        tx.execute(update(CustomerLink).where(CustomerLink.id == own.id).values(**values))
        return own.id
    row: dict[str, Any] = {
        "shop_id": pair.shop_id,
        "channel_type": LINE,
        "external_user_id": pair.line_user_id,
        "stores_customer_id": pair.stores_customer_id,
        "created_at_utc": tx.now,
        "updated_at_utc": tx.now,
    }
    return int(tx.scalar(insert(CustomerLink).values(**row).returning(CustomerLink.id)))


def _tell_former(tx: Tx, shop_id: int, former: StoredLink) -> None:
    shop = tx.execute(select(Shop.name, Shop.phone).where(Shop.id == shop_id)).one()
    row = {
        "shop_id": shop_id,
        "line_user_id": former.line_user_id,
        "messages": transfer_messages(shop.name, shop.phone),
        "retry_key": str(uuid.uuid4()),
        "due_at": tx.now,
        "created_at": tx.now,
        "updated_at": tx.now,
    }
    notice = tx.scalar(insert(LinkNotice).values(**row).returning(LinkNotice.id))
    tx.enqueued.append((NOTICES_TABLE, notice))


def _values(shop_id: int, link: StoredLink | None) -> dict[str, Any] | None:
    if link is None:
        return None
    return {"shop_id": shop_id, "external_user_id": link.line_user_id, "stores_customer_id": link.stores_customer_id}
