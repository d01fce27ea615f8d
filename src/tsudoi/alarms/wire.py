"""The JSON of alarms and shops: snake_case, Japanese time with its offset, and bodies that are read strictly."""

import re
import unicodedata
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer
from pydantic_core import PydanticCustomError

from tsudoi.core.clock import jst_text
from tsudoi.core.names import is_unseen

# Control characters, lone surrogates, and the separators of lines and paragraphs.
_FORBIDDEN = ("Cc", "Cs", "Zl", "Zp")
_LONGEST_MAIL = 254
_PHONE = re.compile(r"[+0-9][0-9() -]{5,19}")
_MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")

JstTime = Annotated[datetime, PlainSerializer(jst_text, return_type=str)]
BodyId = Annotated[int, Field(ge=1, le=2**53)]


class StrictBody(BaseModel):
    """A request body. Unknown fields are refused, and numbers and strings are not converted into each other."""

    model_config = ConfigDict(extra="forbid", strict=True)


def one_line(longest: int) -> AfterValidator:
    """For a text of one line that people write: NFC, without spaces at its ends and without control characters."""

    def check(text: str) -> str:
        if any(unicodedata.category(character) in _FORBIDDEN for character in text):
            raise PydanticCustomError("CONTROL_CHARACTER", "control characters are not allowed")
        stored = unicodedata.normalize("NFC", text).strip()
        if is_unseen(stored):
            raise PydanticCustomError("REQUIRED", "the text is empty")
        if len(stored) > longest:
            raise PydanticCustomError("TOO_LONG", "the text is too long")
        return stored

    return AfterValidator(check)


# Why somebody did it. The audit trail keeps it.
OfficeReason = Annotated[str, one_line(200)]


def matching(pattern: re.Pattern[str], text: str) -> str:
    if pattern.fullmatch(text) is None:
        raise PydanticCustomError("INVALID_FORMAT", "it does not have the expected form")
    return text


def phone_text(text: str) -> str:
    return matching(_PHONE, text)


def mail_address(text: str) -> str:
    return matching(_MAIL, text if len(text) <= _LONGEST_MAIL else "")
