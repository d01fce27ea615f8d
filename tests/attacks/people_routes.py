"""What everybody hears at the routes of the page about one person."""

from typing import Any

from tests.attacks.who import OFFICE_CHANGES, OFFICE_LOOKS_FOR, OFFICE_QUESTIONS, OFFICE_READS

PEOPLE_ROUTES: dict[tuple[str, str], dict[str, int]] = {
    ("GET", "/api/admin/telephone-list"): OFFICE_READS,
    ("POST", "/api/admin/telephone-list/{call_id}/done"): OFFICE_CHANGES,
    ("DELETE", "/api/admin/telephone-list/{call_id}/done"): OFFICE_CHANGES,
    ("GET", "/api/admin/holidays"): OFFICE_QUESTIONS,
    ("GET", "/api/admin/people"): OFFICE_READS,
    ("GET", "/api/admin/people/drift"): OFFICE_READS,
    ("GET", "/api/admin/people/{kind}/{id}"): OFFICE_LOOKS_FOR,
    ("POST", "/api/admin/people/decisions"): OFFICE_CHANGES,
    ("GET", "/api/admin/people/{kind}/{id}/export"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/people/{kind}/{id}/erasure"): OFFICE_LOOKS_FOR,
    ("POST", "/api/admin/people/{kind}/{id}/erasure"): OFFICE_CHANGES,
}
PEOPLE_BODIES: dict[str, Any] = {
    "/api/admin/telephone-list/{call_id}/done": {"result": "told"},
    "/api/admin/people/decisions": {
        "first": {"kind": "member", "id": "998"},
        "second": {"kind": "member", "id": "999"},
        "verdict": "same",
    },
    "/api/admin/people/{kind}/{id}/erasure": {"reason": "本人の申し出", "expected_rows": 0},
}
