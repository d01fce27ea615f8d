from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from tsudoi.alarms.wire import BodyId, JstTime, OfficeReason, StrictBody
from tsudoi.core.api_examples import example

_AT = "2026-11-20T10:15:00+09:00"
_LINE_USER = "U0123456789abcdef0123456789abcdef"
_LINK = {
    "id": 5,
    "shop_id": 1,
    "shop_name": "名古屋栄店",
    "external_user_id": _LINE_USER,
    "display_name": "たろう",
    "stores_customer_id": "123",
    "created_at": _AT,
    "updated_at": _AT,
    "state": "valid",
}


class NewCustomerLink(StrictBody):
    """A LINE user whom the shop knows to be this customer."""

    model_config = example(shop_id=1, line_user_id=_LINE_USER, stores_customer_id="123", reason="来店時に本人を確認")

    shop_id: BodyId
    line_user_id: Annotated[str, StringConstraints(pattern=r"^U[0-9a-f]{32}$")]
    stores_customer_id: Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,17}$")] = Field(
        description="The customer's number in STORES."
    )
    reason: OfficeReason = Field(description="How the shop knows that they are the same person.")


class CustomerUnlink(StrictBody):
    """Why the link is removed."""

    model_config = example(reason="別の方のLINEだったため")

    reason: OfficeReason


class CustomerLinkItem(BaseModel):
    """A LINE user who is a customer of a shop."""

    model_config = example(**_LINK)

    id: int
    shop_id: int
    shop_name: str
    external_user_id: str = Field(description="The LINE user.")
    display_name: str | None = Field(description="The name in LINE, if the person is a friend of our account.")
    stores_customer_id: str
    created_at: JstTime
    updated_at: JstTime
    state: Literal["valid", "broken", "unknown"] = Field(
        description="What STORES said when the customer was last read by this link; `unknown`: not asked since."
    )


class CustomerLinkPage(BaseModel):
    """A page of links, the newest first."""

    model_config = example(links=[_LINK], next_before=None)

    links: list[CustomerLinkItem]
    next_before: int | None = Field(description="Pass it as `before` to get older links; null at the end.")
