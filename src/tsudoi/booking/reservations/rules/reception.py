"""The code of a reservation that the reception scans. Pure."""

import hashlib
import hmac
import re
from urllib.parse import quote

_CODE = re.compile(r"([1-9][0-9]{0,17})-([0-9a-f]{16})")
_SIGNATURE_LENGTH = 16


def reception_code(secret: str, reservation_id: int) -> str:
    """The id and a signature, so that nobody can make the code of another reservation."""
    made = hmac.new(secret.encode(), f"reception:{reservation_id}".encode(), hashlib.sha256).hexdigest()
    return f"{reservation_id}-{made[:_SIGNATURE_LENGTH]}"


def reservation_of(secret: str, code: str) -> int | None:
    """The reservation that a code names, or None for a code that we did not make."""
    found = _CODE.fullmatch(code)
    if found is None:
        return None
    reservation_id = int(found[1])
    return reservation_id if hmac.compare_digest(code, reception_code(secret, reservation_id)) else None


def reception_link(public_base_url: str, code: str) -> str:
    return f"{public_base_url}/admin/reception?code={quote(code)}"
