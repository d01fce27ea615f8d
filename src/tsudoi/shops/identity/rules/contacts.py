"""What a customer types to be found: mail address, telephone number and name. Pure."""

import hashlib
import hmac
import re
import unicodedata
from dataclasses import dataclass

from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.notifications.mails.errors import BadMailAddress
from tsudoi.notifications.mails.rules.addresses import checked_address

LONGEST_EMAIL, LONGEST_PHONE, LONGEST_NAME = 254, 40, 100
_PHONE = re.compile(r"\+?[0-9][0-9()/. -]*")
_FEWEST_DIGITS, _MOST_DIGITS = 9, 15
# Hyphens, dashes and the sign of a long vowel: people type all of them between the digits.
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−ー─ｰ"), "-")
_FORBIDDEN = ("Cc", "Cs", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class TypedContact:
    """What a customer typed, checked. The mail address is as it was typed, but for spaces and wide characters."""

    email: str
    phone_number: str
    name: str

    @property
    def payload(self) -> dict[str, str]:
        """As API_COMM takes it."""
        given = {"email": self.email, "phone_number": self.phone_number}
        return {**given, "name": self.name} if self.name else given


def contact_of(email: str, phone_number: str, name: str = "") -> TypedContact:
    """Raises `InvalidInput` that names every field that is wrong, so that all of them are shown at once."""
    found = TypedContact(_folded(email), _folded(phone_number).translate(_DASHES), name.strip())
    wrong = {"email": _wrong_email(found.email), "phone_number": _wrong_phone(found.phone_number)}
    wrong["name"] = _wrong_name(found.name)
    details = [Detail(field, reason) for field, reason in wrong.items() if reason]
    if details:
        raise InvalidInput(details=details)
    return found


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()


def _wrong_email(email: str) -> str | None:
    if not email:
        return "REQUIRED"
    if len(email) > LONGEST_EMAIL:
        return "TOO_LONG"
    try:
        checked_address(email)
    except BadMailAddress:
        return "INVALID_FORMAT"
    return None


def _wrong_phone(phone: str) -> str | None:
    if not phone:
        return "REQUIRED"
    digits = sum(character.isdigit() for character in phone)
    right = _PHONE.fullmatch(phone.replace("(", "", 1) if phone.startswith("(") else phone)
    return None if right and _FEWEST_DIGITS <= digits <= _MOST_DIGITS else "INVALID_FORMAT"


def _wrong_name(name: str) -> str | None:
    if len(name) > LONGEST_NAME:
        return "TOO_LONG"
    return "CONTROL_CHARACTER" if any(unicodedata.category(one) in _FORBIDDEN for one in name) else None


def contact_hash(key: bytes, kind: str, value: str) -> str:
    """With a key, because everybody can try all telephone numbers and all codes against a plain hash."""
    return hmac.new(key, f"{kind}|{value.lower()}".encode(), hashlib.sha256).hexdigest()
