from pydantic import BaseModel, Field

from tsudoi.alarms.wire import JstTime
from tsudoi.core.api_examples import example
from tsudoi.gateway.api_comm.breaker import BreakerState
from tsudoi.shops.overview.rules import Light
from tsudoi.shops.shop.rules import ShopStatus
from tsudoi.shops.shop.schemas import SHOP_FIELDS

_AT = "2026-11-20T10:15:00+09:00"
_SYSTEM = {
    "system": "stores",
    "light": "ok",
    "failures_in_a_row": 0,
    "last_success_at": _AT,
    "last_failure_at": None,
    "last_error": None,
    "breaker": "closed",
    "open_until": None,
}
_SHOP = {
    "id": 1,
    **SHOP_FIELDS,
    "has_token": True,
    "open_tickets": 0,
    "links": 12,
    "help_url": "https://tsudoi.example.jp/help/ngy1",
    "systems": [_SYSTEM],
    "updated_at": _AT,
}


class SystemItem(BaseModel):
    """How an outside system works, as the latest calls showed. Nothing is asked for this."""

    model_config = example(**_SYSTEM)

    system: str = Field(
        description="`stores`, `chatwork`, `sms`, `email`, `line`, `openai`, `remotelock`, `stripe` or `models`."
    )
    light: Light = Field(description="`unknown`: no call yet. `stub`: there is no connection to this system.")
    failures_in_a_row: int
    last_success_at: JstTime | None
    last_failure_at: JstTime | None
    last_error: str | None
    breaker: BreakerState = Field(
        description="`open`: calls fail at once, so that pages need not wait. `half_open`: the next call is a probe."
    )
    open_until: JstTime | None


class ShopItem(BaseModel):
    """A shop, for the office. Its secrets are no part of it."""

    model_config = example(**_SHOP)

    id: int
    code: str
    name: str
    shop_status: ShopStatus
    shop_email: str | None
    phone: str | None
    stores_public_url: str | None
    merchant_public_id: str | None
    merchant_canonical_id: str | None
    has_token: bool = Field(description="Whether the token for STORES is set.")
    open_tickets: int = Field(description="Tickets that are not closed.")
    links: int = Field(description="Customers who are linked to LINE.")
    help_url: str = Field(description="The page on which its customers get help.")
    systems: list[SystemItem]
    updated_at: JstTime


class ShopList(BaseModel):
    """All shops by code, and the outside systems that belong to no shop."""

    model_config = example(shops=[_SHOP], systems=[{**_SYSTEM, "system": "chatwork"}])

    shops: list[ShopItem]
    systems: list[SystemItem]
