"""Texts and addresses that organisers write, and how long they may be. Pure."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from tsudoi.core.names import is_unseen

LONGEST_TITLE, LONGEST_DESCRIPTION, LONGEST_LINE = 200, 5000, 200
LONGEST_COMMENT, LONGEST_MESSAGE, LONGEST_REASON = 200, 1000, 500
MOST_SLOTS, MOST_INVITEES = 50, 500
# For ids and search words: PostgreSQL has no text with this character.
WITHOUT_NUL = "^[^\\x00]*$"
# Control characters, lone surrogates, and the separators of lines and paragraphs.
_FORBIDDEN = ("Cc", "Cs", "Zl", "Zp")


def _checked(text: str, longest: int, *, lines: bool = False) -> str:
    """The text as it was sent: unlike names, titles are given back byte by byte."""
    allowed = "\r\n\t" if lines else ""
    if any(unicodedata.category(one) in _FORBIDDEN and one not in allowed for one in text):
        raise PydanticCustomError("CONTROL_CHARACTER", "control characters are not allowed")
    if len(text) > longest:
        raise PydanticCustomError("TOO_LONG", "the text is too long")
    return text


def _required(text: str, longest: int) -> str:
    if is_unseen(text.strip()):
        raise PydanticCustomError("REQUIRED", "the text is empty")
    return _checked(text, longest)


def _optional_line(text: str, longest: int) -> str | None:
    return _checked(text, longest).strip() or None


# An id or a key that somebody names.
StoredId = Annotated[str, Field(max_length=100, pattern=WITHOUT_NUL)]
ThreadTitle = Annotated[str, AfterValidator(lambda text: _required(text, LONGEST_TITLE))]
ThreadDescription = Annotated[str, AfterValidator(lambda text: _checked(text, LONGEST_DESCRIPTION, lines=True) or None)]
OptionalLine = Annotated[str, AfterValidator(lambda text: _optional_line(text, LONGEST_LINE))]
PersonName = Annotated[str, AfterValidator(lambda text: _required(text, 100))]
AnswerComment = Annotated[str, AfterValidator(lambda text: _optional_line(text, LONGEST_COMMENT))]
OwnMessage = Annotated[str, AfterValidator(lambda text: _checked(text, LONGEST_MESSAGE, lines=True).strip() or None)]
OwnReason = Annotated[str, AfterValidator(lambda text: _optional_line(text, LONGEST_REASON))]
