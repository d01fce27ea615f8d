"""Which mail addresses we send to, and how they are written for mail servers."""

import re
import unicodedata

from tsudoi.notifications.mails.errors import BadMailAddress

_LONGEST_LOCAL, _LONGEST_DOMAIN, _LONGEST = 64, 253, 254
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_DOT_ATOM = re.compile(rf"{_ATOM}(\.{_ATOM})*")
_LOOSE = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+")
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
# These companies once gave out addresses such as `a..b@` and `a.@`. The standard forbids them, and they are still used.
_CARRIERS = (
    *("docomo.ne.jp", "ezweb.ne.jp", "au.com", "softbank.ne.jp", "i.softbank.jp", "vodafone.ne.jp"),
    *("ymobile.ne.jp", "ymobile1.ne.jp", "y-mobile.ne.jp", "willcom.com", "pdx.ne.jp"),
)


def checked_address(typed: str) -> str:
    """The address as it is stored: full-width characters are converted, the domain is in lower case and ASCII.

    Raises `BadMailAddress`. The case of the part before the @ is kept, because its server decides whether it matters.
    """
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in typed.strip(" \u3000")):
        raise BadMailAddress("FORBIDDEN_CHARACTER")
    local, at, domain = unicodedata.normalize("NFKC", typed).strip().rpartition("@")
    if not at or not local or not domain:
        raise BadMailAddress("NO_AT_SIGN")
    domain = _ascii_domain(domain)
    if local.startswith('"') and local.endswith('"'):
        local = local[1:-1]
    form = _LOOSE if is_carrier(domain) else _DOT_ATOM
    if not form.fullmatch(local) or len(local) > _LONGEST_LOCAL:
        raise BadMailAddress("LOCAL_PART")
    address = f"{local}@{domain}"
    if len(address) > _LONGEST:
        raise BadMailAddress("TOO_LONG")
    return address


def is_carrier(domain: str) -> bool:
    return any(domain == carrier or domain.endswith(f".{carrier}") for carrier in _CARRIERS)


def _ascii_domain(domain: str) -> str:
    try:
        found = domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise BadMailAddress("DOMAIN") from None
    labels = found.split(".")
    fits = len(labels) > 1 and len(found) <= _LONGEST_DOMAIN and not labels[-1].isdigit()
    if not fits or not all(_LABEL.fullmatch(label) for label in labels):
        raise BadMailAddress("DOMAIN")
    return found


def written_address(address: str) -> str:
    """The address in headers and commands. Dots that the standard forbids are allowed between quotation marks."""
    local, _, domain = address.rpartition("@")
    return address if _DOT_ATOM.fullmatch(local) else f'"{local}"@{domain}'
