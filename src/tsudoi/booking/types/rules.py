from typing import Annotated

from pydantic import AfterValidator, Field

from tsudoi.booking.texts import plain_text

_LONGEST_NAME = 100
_LONGEST_DESCRIPTION = 2000


def type_name(text: str) -> str:
    return plain_text(text, _LONGEST_NAME)


def description(text: str) -> str | None:
    """An empty text means that there is no description."""
    return plain_text(text, _LONGEST_DESCRIPTION, lines=True) if text.strip() else None


TypeName = Annotated[str, AfterValidator(type_name)]
Description = Annotated[str, AfterValidator(description)]
LimitPerYear = Annotated[int, Field(ge=1, le=366)]
DaysBetween = Annotated[int, Field(ge=1, le=3660)]
HoursBefore = Annotated[int, Field(ge=0, le=8784)]
