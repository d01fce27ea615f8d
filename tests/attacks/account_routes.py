"""What everybody hears at the routes about the accounts of administrators, and about registrations that wait."""

from typing import Any

from tests.attacks.who import OFFICE_CHANGES, OFFICE_CREATES, OFFICE_READS, OFFICE_WRITES, WHO
from tests.factories.webhooks import user_id

# A bearer token is no person.
_NO_PROGRAM = {"admin_bearer": 403}
# Let in, and told that the present password is wrong.
_OWN = {**OFFICE_WRITES, **_NO_PROGRAM, "admin_cookie": 400}
_OTHERS = {**OFFICE_CHANGES, **_NO_PROGRAM}

ACCOUNT_ROUTES: dict[tuple[str, str], dict[str, int]] = {
    # With a body that names nobody: the endpoint is open, its credentials are in the body.
    ("POST", "/api/admin/login"): dict.fromkeys(WHO, 401),
    ("POST", "/api/admin/logout"): OFFICE_WRITES,
    ("GET", "/api/admin/me"): OFFICE_READS,
    ("GET", "/api/admin/admins"): OFFICE_READS,
    ("GET", "/api/admin/account"): OFFICE_READS,
    ("POST", "/api/admin/account/password"): _OWN,
    ("POST", "/api/admin/account/totp"): _OWN,
    # Let in, and told that nothing has begun.
    ("POST", "/api/admin/account/totp/confirmation"): {**_OWN, "admin_cookie": 409},
    ("POST", "/api/admin/account/totp/removal"): _OWN,
    ("POST", "/api/admin/account/recovery-codes"): _OWN,
    ("GET", "/api/admin/accounts"): OFFICE_READS,
    ("POST", "/api/admin/accounts"): {**OFFICE_CREATES, **_NO_PROGRAM},
    ("POST", "/api/admin/accounts/{admin_id}/password-reset"): _OTHERS,
    ("POST", "/api/admin/accounts/{admin_id}/disable"): _OTHERS,
    ("POST", "/api/admin/accounts/{admin_id}/enable"): _OTHERS,
    ("POST", "/api/admin/accounts/{admin_id}/revocation"): _OTHERS,
    ("POST", "/api/admin/accounts/{admin_id}/totp-removal"): _OTHERS,
    ("DELETE", "/api/admin/accounts/{admin_id}/sessions/{session_id}"): _OTHERS,
    ("GET", "/api/admin/links/waiting"): OFFICE_READS,
    ("DELETE", "/api/admin/links/waiting/{user_id}"): OFFICE_CHANGES,
    ("GET", "/api/liff/registration"): {**dict.fromkeys(WHO, 401), "member": 200},
}
_WRONG = {"current_password": "not the password"}
ACCOUNT_BODIES: dict[str, Any] = {
    "/api/admin/login": {"username": "nobody-of-that-name", "password": "wrong password"},
    "/api/admin/account/password": {**_WRONG, "new_password": "a phrase nobody guesses"},
    "/api/admin/account/totp": _WRONG,
    "/api/admin/account/totp/confirmation": {"code": "123456"},
    "/api/admin/account/totp/removal": _WRONG,
    "/api/admin/account/recovery-codes": _WRONG,
    "/api/admin/accounts": {"username": "tanaka"},
}
ACCOUNT_NOBODYS = {"{admin_id}": "999", "{session_id}": "0" * 64, "{user_id}": user_id(1)}
