"""What the fields of a shop may contain. Pure."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from tsudoi.alarms.wire import mail_address, matching, phone_text

ShopStatus = Literal["preparing", "open", "closed"]

# The type of the row in `shop_internal_info` that has the shop's id in the API of STORES.
MERCHANT = "stores_merchant_canonical_id"

_LONGEST_URL = 500


_CODE = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_MERCHANT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def shop_code(text: str) -> str:
    """A part of the address `/help/{code}`."""
    return matching(_CODE, text)


def merchant_id(text: str) -> str:
    return matching(_MERCHANT_ID, text)


def web_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        fits = parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        fits = False
    if not fits or len(text) > _LONGEST_URL or not text.isascii() or not text.isprintable() or " " in text:
        raise PydanticCustomError("INVALID_FORMAT", "it has to be an https address")
    return text


ShopCode = Annotated[str, AfterValidator(shop_code)]
MerchantId = Annotated[str, AfterValidator(merchant_id)]
PhoneText = Annotated[str, AfterValidator(phone_text)]
WebAddress = Annotated[str, AfterValidator(web_address)]
MailAddress = Annotated[str, AfterValidator(mail_address)]
