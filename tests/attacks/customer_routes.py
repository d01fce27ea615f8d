"""What everybody hears at the routes for customers of a shop that does not exist."""

from typing import Any

from tests.attacks.who import UNKNOWN_LINK, WHO

# A session of the help page is needed, and nobody here has one.
NO_HELP_SESSION = dict.fromkeys(WHO, 401)
MEMBER_READS = {**dict.fromkeys(WHO, 401), "member": 200}
MEMBER_LOOKS_FOR = {**dict.fromkeys(WHO, 401), "member": 404}
PAGE, API, LIFF = "/help/{store_code}", "/api/help/{store_code}", "/api/liff/shops"
CUSTOMER_ROUTES: dict[tuple[str, str], dict[str, int]] = {
    ("GET", PAGE): UNKNOWN_LINK,
    ("GET", f"{PAGE}/"): UNKNOWN_LINK,
    ("GET", "/help/assets/{name}"): UNKNOWN_LINK,
    ("GET", f"{PAGE}/identify"): UNKNOWN_LINK,
    ("POST", f"{PAGE}/identify"): UNKNOWN_LINK,
    ("GET", f"{PAGE}/verify/{{token}}"): UNKNOWN_LINK,
    ("POST", f"{PAGE}/verify/{{token}}"): UNKNOWN_LINK,
    ("GET", f"{PAGE}/refresh"): UNKNOWN_LINK,
    ("POST", f"{PAGE}/refresh"): NO_HELP_SESSION,
    ("GET", f"{PAGE}/end"): UNKNOWN_LINK,
    ("POST", f"{PAGE}/end"): UNKNOWN_LINK,
    ("POST", f"{API}/identify"): UNKNOWN_LINK,
    ("GET", f"{API}/session"): NO_HELP_SESSION,
    ("POST", f"{API}/refresh"): NO_HELP_SESSION,
    ("POST", "/api/liff/identity"): MEMBER_LOOKS_FOR,
    ("POST", "/api/liff/identity/confirm"): MEMBER_LOOKS_FOR,
    ("GET", LIFF): MEMBER_READS,
    ("GET", f"{LIFF}/{{store_code}}"): MEMBER_LOOKS_FOR,
    ("POST", f"{LIFF}/{{store_code}}/refresh"): MEMBER_LOOKS_FOR,
    ("GET", "/api/liff/my-reservations"): MEMBER_READS,
}
_CONTACT = {"email": "taro@example.jp", "phone_number": "090-1234-5678", "name": "山田太郎"}
CUSTOMER_BODIES: dict[str, dict[str, Any]] = {
    f"{API}/identify": _CONTACT,
    "/api/liff/identity": {"store_code": "nobodys", **_CONTACT},
    "/api/liff/identity/confirm": {"store_code": "nobodys", "code": "123456"},
    f"{LIFF}/{{store_code}}/refresh": {},
}
CUSTOMER_NOBODYS = {"{store_code}": "nobodys"}
