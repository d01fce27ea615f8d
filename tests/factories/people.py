"""LINE friends, customers of shops and dead addresses straight in the tables, for the pages about people."""

from typing import Any

from sqlalchemy import insert

from tsudoi.core.db.interface import Database, Tx
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.shop.models import Shop


def make_friend(db: Database, user_id: str, display_name: str | None = None, *, following: bool = True) -> str:
    db.write_now(_friend, user_id, display_name, following)
    return user_id


def _friend(tx: Tx, user_id: str, display_name: str | None, following: bool) -> None:
    times = {"first_contact_at": tx.now, "last_contact_at": tx.now, "updated_at": tx.now}
    row = {"user_id": user_id, "display_name": display_name, "following": following, "state_ms": 1}
    tx.execute(insert(LineFriend).values(**row, **times))


def make_customer(db: Database, user_id: str, number: str = "cus_1", shop: str = "渋谷店") -> int:
    """A customer of a new shop."""
    return db.write_now(_customer, user_id, number, shop)


def _customer(tx: Tx, user_id: str, number: str, shop: str) -> int:
    times = {"created_at": tx.now, "updated_at": tx.now}
    shop_id = tx.execute(insert(Shop).values(code=f"s-{number}", name=shop, **times).returning(Shop.id)).scalar_one()
    row: dict[str, Any] = {"shop_id": shop_id, "channel_type": "line", "external_user_id": user_id}
    values = {**row, "stores_customer_id": number, "created_at_utc": tx.now, "updated_at_utc": tx.now}
    made: int = tx.execute(insert(CustomerLink).values(values).returning(CustomerLink.id)).scalar_one()
    return made


def kill_address(db: Database, address: str) -> None:
    """A mail server reported that nothing can be delivered there."""
    row = {"address": address, "status_code": "5.1.1"}
    db.write_now(lambda tx: tx.execute(insert(MailBounce).values(**row, dead_at=tx.now, noted_at=tx.now)))
