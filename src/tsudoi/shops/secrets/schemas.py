import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError

from tsudoi.alarms.wire import JstTime, StrictBody
from tsudoi.core.api_examples import example
from tsudoi.shops.secrets.rules import STORES_API_TOKEN

_AT = "2026-11-20T10:15:00+09:00"
_SECRET = {
    "key": STORES_API_TOKEN,
    "set": True,
    "last_four": "9f3c",
    "updated_at": _AT,
    "last_used_at": _AT,
    "age_days": 12,
}
_TOKEN = re.compile(r"[!-~]{1,500}")


def _token(text: str) -> str:
    """A pasted value often has a line break at its end. Inside it there is neither a space nor anything but ASCII."""
    stored = text.strip()
    if _TOKEN.fullmatch(stored) is None:
        raise PydanticCustomError("INVALID_FORMAT", "printable ASCII without spaces")
    return stored


class SecretValue(StrictBody):
    """The value of a secret. It can be replaced, but never read again."""

    model_config = example(value="paste-the-token-here")

    value: Annotated[str, AfterValidator(_token)] = Field(json_schema_extra={"writeOnly": True})


class SecretItem(BaseModel):
    """What the office sees of a secret."""

    model_config = example(**_SECRET)

    key: str
    set: bool
    last_four: str | None = Field(description="Its last four characters, if it is long enough to show them.")
    updated_at: JstTime | None
    last_used_at: JstTime | None
    age_days: int | None = Field(description="Days since it was set.")


class SecretList(BaseModel):
    """The secrets of a shop: every name that a shop may have, whether it is set or not."""

    model_config = example(secrets=[_SECRET])

    secrets: list[SecretItem]


class SecretTest(BaseModel):
    """What the outside system said to one harmless question with this secret."""

    model_config = example(
        ok=True, code="STORES_RESERVATIONS_LISTED", message="STORES予約に接続できました。", latency_ms=180
    )

    ok: bool
    code: str
    message: str = Field(description="A sentence for the office.")
    latency_ms: int
