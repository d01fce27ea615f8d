"""What a person is shown of a snapshot."""

from datetime import datetime
from typing import Any, Literal

from tsudoi.shops.identity.schemas import (
    HelpSession,
    KeyState,
    KnownCustomer,
    LinkConfirmed,
    LinkedShop,
    ShopContacts,
    ShownReservation,
)
from tsudoi.shops.linked_customers.rules import VisitorLinkState, link_state
from tsudoi.shops.snapshots.rules.customers import CustomerSnapshot, at_the_door
from tsudoi.shops.storefront.rules import KEY_IS_STUB, VisitedShop, status_words, why_not_found

_HELP_MESSAGES = {
    "found": "ご予約者様を確認できました。",
    "failed": "ただいまご予約の情報を確認できません。少し待ってから、もう一度お試しください。",
    "unasked": "メールアドレスを確認しました。続けて、ご予約を確認します。",
}
_LINK_MESSAGES: dict[VisitorLinkState, str] = {
    "none": "まだLINEと連携していません。連携すると、ご予約をLINEで確認できます。",
    "valid": "この店舗と連携しています。",
    "broken": "以前の連携が使えなくなりました。お手数ですが、もう一度本人確認をお願いします。",
    "failed": "ただいまご予約の情報を確認できません。連携は残っています。少し待ってから、もう一度お試しください。",
}


_CONFIRMED = {
    "linked": "連携が完了しました。これからは、LINEでご予約を確認できます。",
    "transferred": "このLINEに引き継ぎました。以前のLINEには、お知らせをお送りします。",
}


def contacts_of(shop: VisitedShop) -> ShopContacts:
    return ShopContacts(
        code=shop.code,
        name=shop.name,
        phone=shop.phone,
        email=shop.email,
        stores_public_url=shop.stores_public_url,
    )


def help_message(snapshot: CustomerSnapshot) -> str:
    return _HELP_MESSAGES.get(snapshot.state) or why_not_found(snapshot.state, snapshot.reason)


def help_session(
    shop: VisitedShop, snapshot: CustomerSnapshot, now: datetime, csrf_token: str, expires_at: datetime
) -> HelpSession:
    # A broken link exists in LINE only; here it would be a customer who is gone.
    state = "not_found" if snapshot.state == "broken" else snapshot.state
    shown = shown_customer(shop, snapshot, now)
    return HelpSession(
        **shown, state=state, message=help_message(snapshot), csrf_token=csrf_token, expires_at=expires_at
    )


def linked_shop(shop: VisitedShop, snapshot: CustomerSnapshot, now: datetime) -> LinkedShop:
    state = link_state(snapshot)
    return LinkedShop(**shown_customer(shop, snapshot, now), state=state, message=_LINK_MESSAGES[state])


def confirmed(shop: VisitedShop, found: CustomerSnapshot, now: datetime, *, transferred: bool = False) -> LinkConfirmed:
    """What became of a right code."""
    shown = shown_customer(shop, found, now)
    if found.state in ("not_found", "multiple"):
        message = f"{why_not_found(found.state, found.reason)}別のメールアドレスや電話番号でもお試しください。"
        return LinkConfirmed(**shown, state="none", message=message, result=found.state)
    result: Literal["linked", "transferred"] = "transferred" if transferred else "linked"
    return LinkConfirmed(**shown, state="valid", message=_CONFIRMED[result], result=result)


def shown_customer(shop: VisitedShop, snapshot: CustomerSnapshot, now: datetime) -> dict[str, Any]:
    """The fields of a `CustomerView`, apart from its message."""
    known = snapshot.state == "found"
    customer = KnownCustomer(name=snapshot.name, email_masked=snapshot.email_masked, phone_last4=snapshot.phone_last4)
    return {
        "shop": contacts_of(shop),
        "customer": customer if known else None,
        "reservations": [
            ShownReservation(
                id=one.id,
                title=one.title,
                begins_at=one.begins_at,
                ends_at=one.ends_at,
                status=one.status,
                status_label=status_words(one.status),
            )
            for one in at_the_door(snapshot, now)
        ],
        "reservations_known": snapshot.reservations_known,
        "key": KeyState(state="stub", message=KEY_IS_STUB),
    }
