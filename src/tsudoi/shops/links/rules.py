"""What happens when a LINE user proves to be a customer, and what the former LINE user is told. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# The only channel whose people are linked in this version.
LINE = "line"


@dataclass(frozen=True, slots=True)
class CustomerPair:
    """A LINE user and a customer of one shop who are to be linked."""

    shop_id: int
    line_user_id: str
    stores_customer_id: str


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A row of `customer_links`."""

    id: int
    line_user_id: str
    stores_customer_id: str


class LinkAction(StrEnum):
    """What becomes of the rows."""

    # The pair is linked already: only its time moves.
    SAME = "same"
    CREATE = "create"
    # The LINE user was linked with another customer, and the new one is free.
    CHANGE = "change"
    # Another LINE user holds the customer, and the person asked for the transfer.
    TRANSFER = "transfer"
    CONFLICT = "conflict"


def decide(pair: CustomerPair, own: StoredLink | None, holder: StoredLink | None, *, transfer: bool) -> LinkAction:
    """`own`: the link of the LINE user. `holder`: the link of the customer. A link is never overwritten unasked."""
    if own is not None and own.stores_customer_id == pair.stores_customer_id:
        return LinkAction.SAME
    if holder is not None:
        return LinkAction.TRANSFER if transfer else LinkAction.CONFLICT
    return LinkAction.CREATE if own is None else LinkAction.CHANGE


def transfer_messages(shop_name: str, phone: str | None) -> list[dict[str, Any]]:
    """What the LINE user reads who loses the link."""
    ways = f"\nお電話：{phone}" if phone else ""
    return [
        {
            "type": "text",
            "text": (
                f"{shop_name}のご予約の連携が、別のLINEに引き継がれました。"
                "このLINEでは、ご予約を表示できなくなりました。\n\n"
                "機種変更などで、ご自身で手続きをされた場合は、何もする必要はありません。\n"
                f"お心当たりがない場合は、{shop_name}にご連絡ください。{ways}"
            ),
        }
    ]
