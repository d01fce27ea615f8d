"""What everybody hears at the routes of shops."""

from typing import Any

from tests.attacks.who import (
    OFFICE_CHANGES,
    OFFICE_CREATES,
    OFFICE_DOES,
    OFFICE_LOOKS_FOR,
    OFFICE_READS,
    OFFICE_WRITES_WRONGLY,
)
from tests.factories.webhooks import user_id

SHOP = "/api/admin/shops/{shop_id}"
RULE = "/api/admin/escalation-rules/{rule_code}"
TICKET = "/api/admin/tickets/{ticket_id}"
SHOP_ROUTES: dict[tuple[str, str], dict[str, int]] = {
    ("GET", "/api/admin/shops"): OFFICE_READS,
    ("POST", "/api/admin/shops"): OFFICE_CREATES,
    ("GET", SHOP): OFFICE_LOOKS_FOR,
    ("PATCH", SHOP): OFFICE_CHANGES,
    ("GET", f"{SHOP}/secrets"): OFFICE_LOOKS_FOR,
    # Let in, and told that there is no secret and no parameter of this name.
    ("PUT", f"{SHOP}/secrets/{{key}}"): OFFICE_WRITES_WRONGLY,
    ("DELETE", f"{SHOP}/secrets/{{key}}"): OFFICE_WRITES_WRONGLY,
    ("POST", f"{SHOP}/secrets/{{key}}/test"): OFFICE_WRITES_WRONGLY,
    ("GET", "/api/admin/sys-params"): OFFICE_READS,
    ("PUT", "/api/admin/sys-params/{key}"): OFFICE_WRITES_WRONGLY,
    ("DELETE", "/api/admin/sys-params/{key}"): OFFICE_WRITES_WRONGLY,
    ("GET", "/api/admin/calls"): OFFICE_READS,
    ("GET", "/api/admin/calls/{call_id}"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/tickets"): OFFICE_READS,
    ("GET", TICKET): OFFICE_LOOKS_FOR,
    ("POST", f"{TICKET}/acknowledge"): OFFICE_CHANGES,
    ("POST", f"{TICKET}/close"): OFFICE_CHANGES,
    ("GET", "/api/admin/escalation-rules"): OFFICE_READS,
    ("PUT", RULE): OFFICE_DOES,
    ("POST", f"{RULE}/dry-run"): OFFICE_DOES,
    ("GET", "/api/admin/connectivity"): OFFICE_READS,
    ("POST", "/api/admin/connectivity"): OFFICE_DOES,
    ("GET", "/api/admin/customer-links"): OFFICE_READS,
    ("POST", "/api/admin/customer-links"): OFFICE_CHANGES,
    ("DELETE", "/api/admin/customer-links/{link_id}"): OFFICE_CHANGES,
}
SHOP_BODIES: dict[str, dict[str, Any]] = {
    "/api/admin/shops": {"code": "ngy1", "name": "名古屋栄店"},
    SHOP: {"name": "栄店"},
    f"{SHOP}/secrets/{{key}}": {"value": "made-up"},
    "/api/admin/sys-params/{key}": {"value": 5, "scope": "global"},
    f"{TICKET}/acknowledge": {},
    f"{TICKET}/close": {},
    RULE: {"severity": "info", "channels": []},
    f"{RULE}/dry-run": {},
    # The stub is the only system that answers without being called.
    "/api/admin/connectivity": {"targets": ["remotelock"]},
    "/api/admin/customer-links": {
        "shop_id": 999,
        "line_user_id": user_id(1),
        "stores_customer_id": "1",
        "reason": "電話",
    },
    "/api/admin/customer-links/{link_id}": {"reason": "電話"},
}
SHOP_NOBODYS = {
    "{shop_id}": "999",
    "{ticket_id}": "999",
    "{call_id}": "999",
    "{link_id}": "999",
    "{rule_code}": "API_ERROR_CRITICAL",
}
