"""What both pages of STORES share: the tabs, the words for a status, and the choice of a shop."""

from datetime import datetime
from typing import Any

from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.pages import forms
from tsudoi.sandbox.state import World

STATUS_WORDS = {
    "accepted": "確定",
    "pending": "承認待ち",
    "canceled_by_host": "店舗がキャンセル",
    "canceled_by_customer": "お客さまがキャンセル",
}
_TABS = {"/stores": "顧客", "/stores/reservations": "予約"}
BACK = '<p class="back"><a href="/stores">← 顧客の一覧へ</a></p>'


def tabs(current: str) -> str:
    """Both lists; `current` is the address of the one that is shown."""
    links = "".join(
        f'<a href="{href}"{" aria-current=page" if href == current else ""}>{words}</a>'
        for href, words in _TABS.items()
    )
    return f'<nav class="tabs">{links}</nav>'


def merchant_field(world: World, chosen: str) -> str:
    """A choice of the shops that there are; where there is none yet, the name of the first one."""
    merchants = world.stores.merchants()
    if not merchants:
        return forms.text_field("merchant_canonical_id", "店舗", chosen)
    options = {merchant: merchant for merchant in merchants}
    return forms.choice_field("merchant_canonical_id", "店舗", options, chosen)


def reservation_row(record: dict[str, Any], person: str) -> str:
    begins = datetime.fromisoformat(record["booking_start"]).astimezone(JST).strftime("%Y/%m/%d %H:%M")
    status = STATUS_WORDS.get(record["status"], record["status"])
    what = f"{record['booking_service_name']}・{status}"
    shop = f"店舗 {record['merchant_canonical_id']}・予約番号 {record['canonical_id']}"
    return forms.row(f"/stores/reservations/{record['canonical_id']}", f"{begins}　{person}", what, shop)
