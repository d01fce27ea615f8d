"""What is told about a thread, to whom, and with which settings of the organisation. Pure."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from tsudoi.scheduling.thread.rules.links import ThreadLinks

MessageKind = Literal["invite", "reminder", "slots_added", "decision", "reopened", "cancelled", "added", "late"]
MessageChannel = Literal["line", "mail", "call"]
# These ask for an answer, so they are pointless once the date is decided or the time to answer is over.
ASKING: tuple[MessageKind, ...] = ("invite", "reminder", "slots_added")
# These name the date that is decided: to everybody, to somebody who is added later, and to somebody who answers later.
NAMING_THE_DATE: tuple[MessageKind, ...] = ("decision", "added", "late")
# These are about one state of the thread, and each goes out once for it.
OF_ONE_STATE: tuple[MessageKind, ...] = (*NAMING_THE_DATE, "reopened", "cancelled")


@dataclass(frozen=True, slots=True)
class MessageSettings:
    """What every message needs from the settings of the installation."""

    links: ThreadLinks
    # Who asks.
    organisation: str
    # The right part of every Message-ID.
    mail_host: str
    mail_is_on: bool
    line_is_on: bool
    # The address in `MAIL_FROM`, which calendars show as the organiser.
    mail_address: str = ""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is told: `message` are the organiser's own words, `reason` says why, `slot_ids` are the new slots."""

    kind: MessageKind
    message: str | None = None
    reason: str | None = None
    slot_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldPerson:
    """Somebody for whom a message was written, and the way it goes."""

    invitee_key: str
    channel: MessageChannel


@dataclass(frozen=True, slots=True)
class AnnouncedSlot:
    """A slot as messages show it."""

    slot_id: str
    starts_at: datetime
    ends_at: datetime
    # The zone that the organiser meant.
    timezone: str


@dataclass(frozen=True, slots=True)
class AnnouncedThread:
    """A thread as messages show it."""

    id: str
    title: str
    description: str | None
    place: str | None
    mail_subject: str | None
    status: str
    sequence: int
    # In the order of time.
    slots: tuple[AnnouncedSlot, ...]
    final_slot_id: str | None = None
    # Keys of those who take part.
    participants: frozenset[str] = frozenset()

    @property
    def final_slot(self) -> AnnouncedSlot | None:
        return next((slot for slot in self.slots if slot.slot_id == self.final_slot_id), None)


@dataclass(frozen=True, slots=True)
class Addressee:
    """Somebody who may be told: the invitation, the ways to reach the person, and the answer so far."""

    invite_id: str
    invitee_key: str
    name: str
    token: str
    expires_at: datetime
    # The address as it is stored with the invitation or the member; '' where none is known.
    address: str
    is_member: bool
    line_user_id: str | None = None
    # The person has blocked the account.
    blocked: bool = False
    withdrawn: bool = False
    mail_stopped: bool = False
    # Mails to this address came back.
    bounced: bool = False
    # pending, selected, declined.
    answer: str = "pending"
    responded_at: datetime | None = None
    # What the person's calendar has of this thread by our last message with a calendar: `slot_id`, `start_at`, …
    in_calendar: dict[str, Any] | None = field(default=None, hash=False)
    # What the person said after the decision; None: nothing.
    coming_late: bool | None = None


@dataclass(frozen=True, slots=True)
class ComposedMessage:
    """A message in all its forms. The channel decides which of them is used."""

    subject: str
    mail_text: str
    html: str
    line_text: str
    # An iCalendar object, or None.
    calendar: str | None = None
    # What is noted about the calendar, so that a later message can take the entry back.
    noted: dict[str, Any] = field(default_factory=dict, hash=False)
