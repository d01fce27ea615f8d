"""Which characters of a text nobody sees, and when two spellings of a name are the same name. Pure."""

import unicodedata
from collections.abc import Callable

# A text of one or more lines, as a pattern of the API: without control characters (C0 but for the line feed, DEL, C1)
# and without the separators of lines and paragraphs. A mail with one of them cannot be sent.
ONE_TEXT = r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]*$"
# Invisible characters: two names that differ only in these look equal, and must count as equal.
# Fillers and blanks, then what Unicode calls "default ignorable" without being a format character.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0")
_IGNORABLE = (range(0xFE00, 0xFE10), range(0xE0000, 0xE1000), range(0x180B, 0x1810), range(0xFFF0, 0xFFF9))
_MOST_CHARACTERS = 8192
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Full-width letters stay full-width: only NFKC says that ａ and a are the same letter.
_WIDER = 0xFEE0
_LOWER = str.maketrans({letter: letter.lower() for letter in _UPPER})
_LOWER |= {ord(letter) + _WIDER: chr(ord(letter.lower()) + _WIDER) for letter in _UPPER}


class CharacterTable(dict[int, str | None]):
    """What becomes of each character, for `str.translate`; None removes it. It is found out once for each character.

    A search folds ten thousand names. To ask about one character after the other takes three times as long.
    """

    def __init__(self, becomes: Callable[[str], str | None]) -> None:
        self._becomes = becomes

    def __missing__(self, code: int) -> str | None:
        found = self._becomes(chr(code))
        # A roster of ten thousand people has only some thousand different characters; a request may have any.
        if len(self) < _MOST_CHARACTERS:
            self[code] = found
        return found


def name_key(name: str, *, nfkc: bool) -> str:
    """Remove white space and invisible characters, and make A–Z and Ａ–Ｚ lower case. `nfkc`: apply NFKC too."""
    key = visible(name)
    # NFKC can make new spaces and join marks to letters, so it is repeated until nothing changes.
    while nfkc and (folded := visible(unicodedata.normalize("NFKC", key))) != key:
        key = folded
    return key


def is_unseen(text: str) -> bool:
    """Whether the text has no visible character."""
    return not visible(text)


def has_unseen(text: str) -> bool:
    """Whether the text has a space or a character that nobody sees."""
    return any(map(_is_unseen, text))


def visible(text: str) -> str:
    """The characters that people see, with A–Z and Ａ–Ｚ in lower case."""
    return text.translate(_VISIBLE)


def _is_unseen(character: str) -> bool:
    if character.isspace() or character in _FILLERS:
        return True
    # Format characters (zero-width, bidi marks, tags), controls, and lone surrogates.
    if unicodedata.category(character) in ("Cf", "Cc", "Cs"):
        return True
    return any(ord(character) in ignorable for ignorable in _IGNORABLE)


_VISIBLE = CharacterTable(lambda character: None if _is_unseen(character) else character.translate(_LOWER))
