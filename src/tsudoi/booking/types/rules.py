from typing import Annotated

from pydantic import AfterValidator, Field

from tsudoi.booking.texts import plain_text
from tsudoi.gateway.clients.stripe_forms import KONBINI_YEN, LEAST_YEN

_LONGEST_NAME = 100
_LONGEST_DESCRIPTION = 2000
_LONGEST_PLACE = 200


def type_name(text: str) -> str:
    return plain_text(text, _LONGEST_NAME)


def description(text: str) -> str | None:
    """An empty text means that there is no description."""
    return plain_text(text, _LONGEST_DESCRIPTION, lines=True) if text.strip() else None


def place(text: str) -> str | None:
    """An empty text means that notices name no place."""
    return plain_text(text, _LONGEST_PLACE) if text.strip() else None


def takes_konbini(price_jpy: int) -> bool:
    """A convenience store takes amounts in a range only."""
    least, most = KONBINI_YEN
    return least <= price_jpy <= most


TypeName = Annotated[str, AfterValidator(type_name)]
Description = Annotated[str, AfterValidator(description)]
LimitPerYear = Annotated[int, Field(ge=1, le=366)]
DaysBetween = Annotated[int, Field(ge=1, le=3660)]
HoursBefore = Annotated[int, Field(ge=0, le=8784)]
Place = Annotated[str, AfterValidator(place)]
PriceJpy = Annotated[int, Field(ge=LEAST_YEN, le=9_999_999)]
# Stripe keeps a payment page open for at least 30 minutes and at most a day.
HoldMinutes = Annotated[int, Field(ge=30, le=1440)]
