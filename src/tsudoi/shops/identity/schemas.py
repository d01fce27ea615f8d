from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, PlainSerializer
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example, strict_example
from tsudoi.core.clock import jst_text
from tsudoi.shops.identity.rules.contacts import LONGEST_EMAIL, LONGEST_NAME, LONGEST_PHONE

# Wide characters and spaces are removed later, so that a little more is taken.
_MORE = 60
_SHOP: JsonDict = {
    "code": "ngy1",
    "name": "名古屋駅前ルーム",
    "phone": "052-000-0000",
    "email": "ngy1@example.jp",
    "stores_public_url": "https://coubic.com/ngy1",
}
_CONTACT: JsonDict = {"email": "taro@example.jp", "phone_number": "090-1234-5678", "name": "山田 太郎"}
_RESERVATION: JsonDict = {
    "id": "111",
    "title": "ルームA",
    "begins_at": "2026-11-20T18:00:00+09:00",
    "ends_at": "2026-11-20T20:00:00+09:00",
    "status": "accepted",
    "status_label": "予約確定",
}
_CUSTOMER: JsonDict = {"name": "山田 太郎", "email_masked": "t***@example.jp", "phone_last4": "5678"}
_KEY: JsonDict = {"state": "stub", "message": "鍵の状態は、この画面ではまだ確認できません。"}

Moment = Annotated[datetime, PlainSerializer(jst_text, return_type=str)]
StoreCode = Annotated[str, Field(min_length=1, max_length=100, description="The shop's code.")]


class ContactForm(BaseModel):
    """What a customer types to be found."""

    model_config = strict_example(**_CONTACT)

    email: str = Field(max_length=LONGEST_EMAIL + _MORE, description="Mail address that STORES knows.")
    phone_number: str = Field(max_length=LONGEST_PHONE + _MORE, description="Phone number, as people type it.")
    name: str | None = Field(None, max_length=LONGEST_NAME + _MORE, description="Name; it is not compared.")


class LineContactForm(ContactForm):
    """The same inside LINE, where the address does not name the shop."""

    model_config = strict_example(store_code="ngy1", **_CONTACT)

    store_code: StoreCode


class MailRequested(BaseModel):
    """The same answer for every address: whether anybody is known there is not said."""

    model_config = example(ok=True, expires_in_minutes=30, message="確認メールをお送りします。")

    ok: bool = Field(description="Always true.")
    expires_in_minutes: int = Field(description="How long the link or the code in the mail works.")
    message: str = Field(description="What the person does next.")


class CodeForm(BaseModel):
    """The code of the mail."""

    model_config = strict_example(store_code="ngy1", code="012345", transfer=False)

    store_code: StoreCode
    code: str = Field(min_length=1, max_length=40, description="The six digits.")
    transfer: bool = Field(False, description="Take the customer over from another LINE user.")


class ReportedChange(BaseModel):
    """The person says that something has changed at STORES."""

    model_config = strict_example(changed=True)

    changed: Literal[True] = Field(True, description="Always true.")


class ShopContacts(BaseModel):
    """A shop and the ways to reach a person there."""

    model_config = example(**_SHOP)

    code: str = Field(description="The shop's code.")
    name: str = Field(description="The shop's name.")
    phone: str | None = Field(description="Phone number of the shop.")
    email: str | None = Field(description="Mail address of the shop.")
    stores_public_url: str | None = Field(description="The shop's page at STORES.")


class KnownCustomer(BaseModel):
    """The customer, masked."""

    model_config = example(**_CUSTOMER)

    name: str = Field(description="Name at STORES.")
    email_masked: str | None = Field(description="First character and domain.")
    phone_last4: str | None = Field(description="The last four digits.")


class ShownReservation(BaseModel):
    """A reservation at STORES that is to come or going on, or that was cancelled."""

    model_config = example(**_RESERVATION)

    id: str = Field(description="Id at STORES.")
    title: str = Field(description="What was booked.")
    begins_at: Moment = Field(description="Beginning, Japanese time.")
    ends_at: Moment | None = Field(description="End, if STORES says it.")
    status: str = Field(description="STORES' own word.")
    status_label: str = Field(description="The same for people; who cancelled it, where STORES says so.")


class KeyState(BaseModel):
    """The state of the key. Locks are not connected in this version."""

    model_config = example(**_KEY)

    state: Literal["stub"] = Field(description="Always `stub`.")
    message: str = Field(description="What the person does instead.")


class CustomerView(BaseModel):
    """What is known about the person of a session."""

    shop: ShopContacts = Field(description="The shop.")
    message: str = Field(description="The state in one sentence, and what to do next.")
    customer: KnownCustomer | None = Field(description="Only where one customer was found.")
    reservations: list[ShownReservation] = Field(
        description="Those to come, and cancelled ones within a day of now, by time."
    )
    reservations_known: bool = Field(description="False: STORES has not said which reservations there are.")
    key: KeyState = Field(description="The key of the door.")


class HelpSession(CustomerView):
    """The session of the help page."""

    model_config = example(
        state="found",
        shop=_SHOP,
        message="ご予約者様を確認できました。",
        customer=_CUSTOMER,
        reservations=[_RESERVATION],
        reservations_known=True,
        key=_KEY,
        csrf_token="0f…",  # noqa: S106 (an example)
        expires_at="2026-11-20T18:30:00+09:00",
    )

    state: Literal["found", "not_found", "multiple", "failed", "unasked"] = Field(
        description="`not_found` and `multiple`: nobody can say automatically who this is. `failed`: ask again later."
    )
    csrf_token: str = Field(description="The header `x-csrf-token` of writes.")
    expires_at: Moment = Field(description="When the session ends unless it is used.")


class LinkedShop(CustomerView):
    """A shop inside LINE, and whether this LINE user is linked there."""

    model_config = example(
        state="valid",
        shop=_SHOP,
        message="この店舗と連携しています。",
        customer=_CUSTOMER,
        reservations=[_RESERVATION],
        reservations_known=True,
        key=_KEY,
    )

    state: Literal["none", "valid", "broken", "failed"] = Field(
        description="`none`: not linked yet. `broken`: linked once, but STORES does not know the customer any more."
    )


class LinkConfirmed(LinkedShop):
    """What became of a right code."""

    model_config = example(
        result="linked",
        state="valid",
        shop=_SHOP,
        message="連携が完了しました。",
        customer=_CUSTOMER,
        reservations=[],
        reservations_known=True,
        key=_KEY,
    )

    result: Literal["linked", "transferred", "not_found", "multiple"] = Field(
        description="`not_found` and `multiple`: the address is proved, but nobody can say automatically who this is."
    )


class VisitedShops(BaseModel):
    """The shops of the chain."""

    model_config = example(shops=[{**_SHOP, "linked": True}])

    shops: "list[VisitedShopItem]" = Field(description="By name.")


class VisitedShopItem(ShopContacts):
    """One of the shops."""

    model_config = example(**_SHOP, linked=True)

    linked: bool = Field(description="Whether this LINE user is linked there.")
