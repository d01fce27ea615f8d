"""Which customer a LINE user is in a shop, and when STORES has to be asked about it. Pure."""

from datetime import datetime, timedelta
from typing import Literal

from tsudoi.core.visitor_reservations import ReservationGap, VisitorReservation
from tsudoi.shops.snapshots.rules.customers import CustomerSnapshot, SnapshotState, current
from tsudoi.shops.storefront.rules import KEY_IS_STUB, VisitedShop, status_words

VisitorLinkState = Literal["none", "valid", "broken", "failed"]
SOURCE = "stores"
_STATES: dict[SnapshotState, VisitorLinkState] = {"found": "valid", "broken": "broken", "failed": "failed"}
# A failure is not asked about again at once.
_FAILED_FOR = timedelta(minutes=1)
_GAPS = {
    "broken": "以前の連携が使えなくなりました。もう一度本人確認をお願いします。",
    "failed": "ただいまご予約を確認できません。少し待ってから、もう一度お試しください。",
}


def link_state(snapshot: CustomerSnapshot) -> VisitorLinkState:
    return _STATES.get(snapshot.state, "none")


def is_usable(snapshot: CustomerSnapshot, taken_at: datetime, stores_customer_id: str, now: datetime) -> bool:
    """Whether a session's snapshot answers for the customer whom the link names now."""
    if snapshot.state == "failed":
        return now - taken_at < _FAILED_FOR
    about_same = snapshot.stores_customer_id == stores_customer_id
    return about_same and snapshot.state in ("found", "broken")


def shown_reservations(shop: VisitedShop, snapshot: CustomerSnapshot, now: datetime) -> list[VisitorReservation]:
    return [
        VisitorReservation(
            source=SOURCE,
            id=one.id,
            place=shop.name,
            title=one.title,
            begins_at=one.begins_at,
            ends_at=one.ends_at,
            status=one.status,
            status_label=status_words(one.status),
            # The number in the mail of a reservation that was cancelled opens nothing.
            key_message=None if one.is_cancelled else KEY_IS_STUB,
        )
        for one in current(snapshot, now)
    ]


def gap_of(shop: VisitedShop, snapshot: CustomerSnapshot) -> ReservationGap | None:
    """None where everything is known."""
    state = link_state(snapshot)
    path = f"/shops/{shop.code}"
    if state == "broken":
        return ReservationGap(SOURCE, shop.name, "broken", _GAPS["broken"], path)
    if state == "failed" or (state == "valid" and not snapshot.reservations_known):
        return ReservationGap(SOURCE, shop.name, "failed", _GAPS["failed"], path)
    return None
