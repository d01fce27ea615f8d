"""Texts that people write, as they are stored. Pure."""

import unicodedata

from pydantic_core import PydanticCustomError

from tsudoi.core.names import is_unseen

# Control characters, lone surrogates, and the separators of lines and paragraphs.
_FORBIDDEN = ("Cc", "Cs", "Zl", "Zp")


def plain_text(text: str, longest: int, *, lines: bool = False) -> str:
    """Text in NFC without spaces at the ends. NFKC would turn ① and ㈱ into other characters.

    `lines`: allow line breaks. The type of the error that it raises is the reason that the response names.
    """
    checked = text.replace("\r\n", "\n").replace("\n", "") if lines else text
    if any(unicodedata.category(character) in _FORBIDDEN for character in checked):
        raise PydanticCustomError("CONTROL_CHARACTER", "control characters are not allowed")
    stored = unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip()
    if is_unseen(stored):
        raise PydanticCustomError("REQUIRED", "the text is empty")
    if len(stored) > longest:
        raise PydanticCustomError("TOO_LONG", "the text is too long")
    return stored
