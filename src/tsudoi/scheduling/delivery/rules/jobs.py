"""The name and the data of a message, as document 001 has them for its mail jobs. Pure."""

import hashlib
from typing import Any

from tsudoi.core.clock import utc_text
from tsudoi.scheduling.delivery.rules.messages import (
    OF_ONE_STATE,
    Addressee,
    AnnouncedThread,
    Announcement,
    ComposedMessage,
    MessageSettings,
)
from tsudoi.scheduling.delivery.rules.words import title_of

RELATION = "thread_invite"


def job_id(thread: AnnouncedThread, person: Addressee, announcement: Announcement, day: str, earlier: int) -> str:
    """Unique for what is told, so that the same news is written once. `earlier`: reminders of this day so far."""
    start = f"{announcement.kind}-{person.invite_id}"
    match announcement.kind:
        case "invite":
            return start
        case "reminder":
            # A second one of a day follows only when it is certain that the first one did not arrive.
            return f"{start}-{day}-{earlier + 1}" if earlier else f"{start}-{day}"
        case "slots_added":
            slots = ",".join(sorted(announcement.slot_ids))
            return f"{start}-{hashlib.sha256(slots.encode()).hexdigest()[:16]}"
        case "decision" | "reopened" | "cancelled" | "added" | "late":
            return f"{start}-{thread.sequence}"


def job_data(
    common: MessageSettings,
    thread: AnnouncedThread,
    person: Addressee,
    announcement: Announcement,
    composed: ComposedMessage,
) -> dict[str, Any]:
    """The four fields of the document, and what is needed to build the message again or to call it off."""
    more: dict[str, Any] = {
        "message": announcement.message,
        "reason": announcement.reason,
        "slot_ids": list(announcement.slot_ids),
        "responded_at": utc_text(person.responded_at) if person.responded_at else None,
        "sequence": thread.sequence if announcement.kind in OF_ONE_STATE else None,
        "calendar": composed.noted,
    }
    return {
        "token": person.token,
        "inviter_name": common.organisation,
        "relation_type": RELATION,
        "thread_title": title_of(thread),
        **{name: value for name, value in more.items() if value not in (None, [], {})},
    }


def announcement_of(kind: Any, data: dict[str, Any]) -> Announcement:
    """The announcement of a message that was written earlier."""
    return Announcement(kind, data.get("message"), data.get("reason"), tuple(data.get("slot_ids", ())))
