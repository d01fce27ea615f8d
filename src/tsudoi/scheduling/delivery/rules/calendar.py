"""A decided date as a calendar program reads it (RFC 5545, RFC 5546). Pure.

Only the person who gets the file stands in it as attendee, so that nobody learns the addresses of the others. The
personal link does not stand in it, because people share their calendars.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal
from uuid import UUID, uuid5

from tsudoi.core import icalendar_file
from tsudoi.core.clock import jst_text, parse_text
from tsudoi.scheduling.delivery.rules.messages import (
    NAMING_THE_DATE,
    OF_ONE_STATE,
    Addressee,
    AnnouncedThread,
    MessageKind,
    MessageSettings,
)
from tsudoi.scheduling.delivery.rules.words import one_line, title_of

# This must never change: otherwise a calendar would take the next file for another date.
_THREADS = UUID("9c4a7f1e-53b6-4d0e-8b1c-6f0a2d7e5c38")
CalendarMethod = Literal["REQUEST", "CANCEL", "PUBLISH"]


@dataclass(frozen=True, slots=True)
class DatedEntry:
    """What happens to the person's calendar, and the time of the entry."""

    method: CalendarMethod
    starts_at: datetime
    ends_at: datetime
    # False: the person has not said yet whether to come.
    accepted: bool = True

    def noted(self) -> dict[str, Any]:
        """As it is stored with the message."""
        return {"method": self.method, "start_at": jst_text(self.starts_at), "end_at": jst_text(self.ends_at)}


def entry_for(thread: AnnouncedThread, person: Addressee, kind: MessageKind) -> DatedEntry | None:
    """Who takes part gets the date; what we gave somebody earlier is taken back when it is no longer true."""
    final = thread.final_slot
    if final is not None and kind in NAMING_THE_DATE and gets_the_date(thread, person, kind):
        return DatedEntry("REQUEST", final.starts_at, final.ends_at, accepted=kind != "added")
    given = person.in_calendar
    if given is None or kind not in OF_ONE_STATE:
        return None
    return DatedEntry("CANCEL", parse_text(given["start_at"]), parse_text(given["end_at"]))


def gets_the_date(thread: AnnouncedThread, person: Addressee, kind: MessageKind) -> bool:
    """Whether the date belongs into the calendar of this person, as far as this message knows."""
    if kind == "late":
        return bool(person.coming_late)
    return kind == "added" or (kind == "decision" and person.invitee_key in thread.participants)


def thread_calendar(
    common: MessageSettings, thread: AnnouncedThread, person: Addressee, entry: DatedEntry, now: datetime
) -> bytes:
    """The UID is the same for every file of a thread, and the SEQUENCE says which one is the newest.

    A file that somebody fetches from the page is published, not sent: it has no attendee.
    """
    file = _file_for_everybody(common, thread, entry, now)
    if entry.method == "PUBLISH" or not common.mail_address or not person.address:
        return file
    state = "ACCEPTED" if entry.accepted else "NEEDS-ACTION"
    accepted = {"ROLE": "REQ-PARTICIPANT", "PARTSTAT": state, "RSVP": "FALSE"}
    attendee = icalendar_file.calendar_person(person.address, one_line(person.name), **accepted)
    return icalendar_file.with_attendee(file, attendee)


@lru_cache(maxsize=8)
def _file_for_everybody(common: MessageSettings, thread: AnnouncedThread, entry: DatedEntry, now: datetime) -> bytes:
    """Everything but the attendee. Hundreds of people get it in one transaction, and building it takes milliseconds."""
    cancelled, sent = entry.method == "CANCEL", entry.method != "PUBLISH" and bool(common.mail_address)
    organiser = icalendar_file.calendar_person(common.mail_address, common.organisation) if sent else None
    properties = {
        "uid": uid_of(thread.id),
        "dtstamp": now,
        "dtstart": entry.starts_at,
        "dtend": entry.ends_at,
        "summary": title_of(thread),
        "location": one_line(thread.place) if thread.place else None,
        "description": thread.description or None,
        "sequence": thread.sequence,
        "status": "CANCELLED" if cancelled else "CONFIRMED",
        "transp": "TRANSPARENT" if cancelled else "OPAQUE",
        "organizer": organiser,
    }
    return icalendar_file.calendar_file(entry.method, properties)


def uid_of(thread_id: str) -> str:
    return str(uuid5(_THREADS, thread_id))
