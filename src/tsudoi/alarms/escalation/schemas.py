from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from tsudoi.alarms.wire import BodyId, JstTime, StrictBody, mail_address, phone_text
from tsudoi.core.api_examples import example
from tsudoi.core.known_times import KnownTime
from tsudoi.gateway.api_comm.shop_data import AlarmChannel, Severity

_AT = "2026-11-20T10:15:00+09:00"
_CHANGE = {
    "severity": "critical",
    "channels": ["chatwork", "sms"],
    "chatwork_room_id": "123456789",
    "email_to": None,
    "sms_to": "090-1234-5678",
    "throttle_minutes": 30,
    "active": True,
    "fallback": False,
    "quiet_hours": True,
    "snoozed_until": None,
}
_RULE = {"rule_code": "API_ERROR_CRITICAL", **_CHANGE, "built_in": False, "updated_at": _AT}
_CHANNEL = {
    "channel": "chatwork",
    "to_masked": "ルーム 123456789",
    "text": "【緊急】STORES予約APIが3回連続で失敗しました。",
    "would_send": True,
    "why": "すぐに送ります。",
}
_MOST_RECIPIENTS = 10


def _each_once(channels: list[AlarmChannel]) -> list[AlarmChannel]:
    if len(set(channels)) != len(channels):
        raise PydanticCustomError("DUPLICATE", "each channel once")
    return channels


def _each(check: Callable[[str], str]) -> AfterValidator:
    """Recipients, separated by commas. They are stored one after the other, with one comma and a space between."""

    def check_all(text: str) -> str:
        parts = [check(part.strip()) for part in text.split(",")]
        if len(parts) > _MOST_RECIPIENTS:
            raise PydanticCustomError("TOO_LONG", "too many recipients")
        return ", ".join(dict.fromkeys(parts))

    return AfterValidator(check_all)


MailRecipients = Annotated[str, _each(mail_address)]
PhoneRecipients = Annotated[str, _each(phone_text)]
Channels = Annotated[list[AlarmChannel], Field(max_length=3), AfterValidator(_each_once)]
RoomId = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,20}$")]


def _is_text(value: object) -> object:
    """A time comes as text with an offset. A number would be taken for seconds since 1970."""
    if not isinstance(value, str):
        raise PydanticCustomError("INVALID_FORMAT", "a time with an offset")
    return value


Moment = Annotated[KnownTime, Field(strict=False), BeforeValidator(_is_text)]


class EscalationRuleChange(StrictBody):
    """Who is told about a kind of trouble. It replaces the whole rule."""

    model_config = example(**_CHANGE)

    severity: Severity
    channels: Channels = Field(description="Empty: there is a ticket, and nobody is told.")
    chatwork_room_id: RoomId | None = Field(None, description="Empty: the room of CHATWORK_ROOM_ID.")
    email_to: MailRecipients | None = Field(None, description="Up to ten addresses, separated by commas.")
    sms_to: PhoneRecipients | None = Field(None, description="Up to ten numbers, separated by commas.")
    throttle_minutes: int = Field(30, ge=0, le=1440, description="The same trouble is told once within this time.")
    active: bool = True
    fallback: bool = Field(False, description="Try the channels one after the other, until one takes the message.")
    quiet_hours: bool = Field(True, description="No SMS between 22 and 7 o'clock, unless the trouble is critical.")
    snoozed_until: Moment | None = Field(None, description="Until then nobody is told; tickets are made all the same.")


class EscalationRuleItem(BaseModel):
    """A rule as it holds."""

    model_config = example(**_RULE)

    rule_code: str
    severity: Severity
    channels: list[AlarmChannel]
    chatwork_room_id: str | None
    email_to: str | None
    sms_to: str | None
    throttle_minutes: int
    active: bool
    fallback: bool
    quiet_hours: bool
    snoozed_until: JstTime | None
    built_in: bool = Field(description="Nobody has changed it: the product came with it.")
    updated_at: JstTime | None


class EscalationRuleList(BaseModel):
    """All rules by code, those that the product came with too."""

    model_config = example(rules=[_RULE])

    rules: list[EscalationRuleItem]


class DryRunRequest(StrictBody):
    """For which shop the alarm would be."""

    model_config = example(shop_id=1)

    shop_id: BodyId | None = None


class DryRunChannel(BaseModel):
    """What one channel would do."""

    model_config = example(**_CHANNEL)

    channel: AlarmChannel
    to_masked: str | None
    text: str
    would_send: bool
    why: str = Field(description="A sentence for the office.")


class DryRun(BaseModel):
    """What would happen if the trouble came now. Nothing was sent and nothing was stored."""

    model_config = example(channels=[_CHANNEL], throttled=False, ticket=None)

    channels: list[DryRunChannel]
    throttled: bool = Field(description="Whether the channels were told so recently that they would not be told again.")
    ticket: int | None = Field(description="The open ticket that would be counted up; null: a new one.")
