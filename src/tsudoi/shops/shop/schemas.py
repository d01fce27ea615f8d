from typing import Annotated

from pydantic import Field

from tsudoi.alarms.wire import StrictBody, one_line
from tsudoi.core.api_examples import example
from tsudoi.shops.shop.rules import MailAddress, MerchantId, PhoneText, ShopCode, ShopStatus, WebAddress

SHOP_FIELDS = {
    "code": "ngy1",
    "name": "名古屋栄店",
    "shop_status": "open",
    "shop_email": "sakae@example.jp",
    "phone": "052-123-4567",
    "stores_public_url": "https://coubic.com/ngy1",
    "merchant_public_id": "ngy1",
    "merchant_canonical_id": "mc_1",
}

ShopName = Annotated[str, one_line(60)]


class NewShop(StrictBody):
    """The shop to create."""

    model_config = example(**SHOP_FIELDS)

    code: ShopCode = Field(description="A part of the address of its help page: small letters, digits, `-` and `_`.")
    name: ShopName
    shop_status: ShopStatus = "open"
    shop_email: MailAddress | None = None
    phone: PhoneText | None = None
    stores_public_url: WebAddress | None = Field(None, description="The page of STORES on which people book.")
    merchant_public_id: MerchantId | None = Field(None, description="The shop's name in the addresses of STORES.")
    merchant_canonical_id: MerchantId | None = Field(None, description="The shop's id in the API of STORES.")


class ShopChange(StrictBody):
    """The fields of a shop to change. Those that are not sent stay as they are; null empties one that may be empty."""

    model_config = example(shop_status="closed")

    # The defaults are never used: they only say that null is no value.
    code: ShopCode = Field(default_factory=str)
    name: ShopName = Field(default_factory=str)
    shop_status: ShopStatus = Field(default="open")
    shop_email: MailAddress | None = None
    phone: PhoneText | None = None
    stores_public_url: WebAddress | None = None
    merchant_public_id: MerchantId | None = None
    merchant_canonical_id: MerchantId | None = None
