"""How two spellings of a name are known to be the same. Pure."""

import unicodedata

# Characters that nobody sees: two names that differ in nothing else look alike, and must count as alike.
# Fillers and blanks, then what Unicode calls "default ignorable" without being a format character.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0")
_IGNORABLE = (range(0xFE00, 0xFE10), range(0xE0000, 0xE1000), range(0x180B, 0x1810), range(0xFFF0, 0xFFF9))
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def name_key(name: str, *, nfkc: bool) -> str:
    """White space and everything invisible removed, ASCII letters in lower case; NFKC only where it is asked for."""
    key = _bare(name)
    # NFKC makes spaces, and a mark that something unseen kept from its letter joins it afterwards: until it stands.
    while nfkc and (folded := _bare(unicodedata.normalize("NFKC", key))) != key:
        key = folded
    return key


def is_unseen(text: str) -> bool:
    """Whether somebody who looks at it sees nothing at all."""
    return not _bare(text)


def _bare(text: str) -> str:
    return "".join(character for character in text if not _is_unseen(character)).translate(_LOWER)


def _is_unseen(character: str) -> bool:
    if character.isspace() or character in _FILLERS:
        return True
    # Format characters (zero-width, bidi marks, tags), controls, and lone surrogates.
    if unicodedata.category(character) in ("Cf", "Cc", "Cs"):
        return True
    return any(ord(character) in ignorable for ignorable in _IGNORABLE)
