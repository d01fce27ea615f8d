"""What everybody hears at the routes of threads and invitations."""

from typing import Any

from tests.attacks.who import (
    NOT_REGISTERED,
    OFFICE_CHANGES,
    OFFICE_CREATES,
    OFFICE_DOES,
    OFFICE_LOOKS_FOR,
    OFFICE_READS,
    UNKNOWN_LINK,
)

ONE = "/api/threads/{thread_id}"
THREAD_ROUTES: dict[tuple[str, str], dict[str, int]] = {
    ("GET", "/api/threads"): OFFICE_READS,
    ("POST", "/api/threads"): OFFICE_CREATES,
    ("POST", "/api/threads/preview"): OFFICE_DOES,
    ("POST", "/api/threads/suggestions"): OFFICE_DOES,
    ("GET", ONE): OFFICE_LOOKS_FOR,
    ("PATCH", ONE): OFFICE_CHANGES,
    ("GET", f"{ONE}/status"): OFFICE_LOOKS_FOR,
    ("GET", f"{ONE}/history"): OFFICE_LOOKS_FOR,
    ("GET", f"{ONE}/live"): OFFICE_LOOKS_FOR,
    ("POST", f"{ONE}/answers"): OFFICE_CHANGES,
    ("POST", f"{ONE}/cancel"): OFFICE_CHANGES,
    ("POST", f"{ONE}/event"): OFFICE_CHANGES,
    ("POST", f"{ONE}/finalize"): OFFICE_CHANGES,
    ("POST", f"{ONE}/invitees"): OFFICE_CHANGES,
    ("DELETE", f"{ONE}/invitees/{{invitee_key}}"): OFFICE_CHANGES,
    ("POST", f"{ONE}/preview"): OFFICE_CHANGES,
    ("POST", f"{ONE}/remind"): OFFICE_CHANGES,
    ("POST", f"{ONE}/reopen"): OFFICE_CHANGES,
    ("PUT", f"{ONE}/rule"): OFFICE_CHANGES,
    ("POST", f"{ONE}/send"): OFFICE_CHANGES,
    ("POST", f"{ONE}/slots"): OFFICE_CHANGES,
    ("DELETE", f"{ONE}/slots/{{slot_id}}"): OFFICE_CHANGES,
    ("GET", "/api/liff/threads"): NOT_REGISTERED,
    ("GET", "/api/liff/threads/{thread_id}"): NOT_REGISTERED,
    ("POST", "/api/liff/threads/{thread_id}/respond"): NOT_REGISTERED,
    ("GET", "/i/assets/{name}"): UNKNOWN_LINK,
    ("GET", "/i/{token}"): UNKNOWN_LINK,
    ("GET", "/i/{token}/respond"): UNKNOWN_LINK,
    ("POST", "/i/{token}/respond"): UNKNOWN_LINK,
    ("GET", "/i/{token}/calendar.ics"): UNKNOWN_LINK,
    ("GET", "/i/{token}/unsubscribe"): UNKNOWN_LINK,
    ("POST", "/i/{token}/unsubscribe"): UNKNOWN_LINK,
    ("GET", "/i/{token}/resubscribe"): UNKNOWN_LINK,
    ("POST", "/i/{token}/resubscribe"): UNKNOWN_LINK,
}
_SLOT = {"start_at": "2199-12-10T14:00:00+09:00", "end_at": "2199-12-10T15:00:00+09:00"}
_ANSWER = {"status": "declined"}
THREAD_BODIES: dict[str, dict[str, Any]] = {
    "/api/threads": {"title": "役員会", "invitees": []},
    "/api/threads/preview": {"title": "役員会"},
    "/api/threads/suggestions": {"title": "役員会"},
    ONE: {"place": "本部"},
    f"{ONE}/answers": {"invitee_key": "lm:1", **_ANSWER},
    f"{ONE}/cancel": {},
    f"{ONE}/event": {},
    f"{ONE}/finalize": {"selected_slot_id": "nobodys"},
    f"{ONE}/invitees": {"invitees": [{"name": "山田太郎", "email": "yamada@example.jp"}]},
    f"{ONE}/preview": {"action": "remind"},
    f"{ONE}/remind": {},
    f"{ONE}/reopen": {},
    f"{ONE}/rule": {"version": 1, "rule": {"type": "ANY"}},
    f"{ONE}/send": {},
    f"{ONE}/slots": {"slots": [_SLOT]},
    "/api/liff/threads/{thread_id}/respond": _ANSWER,
    "/i/{token}/respond": _ANSWER,
    "/i/{token}/unsubscribe": {},
    "/i/{token}/resubscribe": {},
}
