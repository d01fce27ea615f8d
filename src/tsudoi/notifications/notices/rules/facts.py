"""What the sender has to know of a reservation. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ReservationState = Literal["confirmed", "canceled", "hold"]


@dataclass(frozen=True, slots=True)
class NoticeLinks:
    """Where the buttons below a notice lead: LIFF addresses. None leaves a button out."""

    view: str | None = None
    change: str | None = None
    cancel: str | None = None
    calendar: str | None = None


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """A reservation as it is at the moment of an attempt."""

    reservation_id: int
    revision: int
    state: ReservationState
    begins_at: datetime
    # The LINE account that the person has linked now; None: no link.
    line_user_id: str | None
    # What the placeholders of a text stand for, by the names of `templates.rules.PLACEHOLDERS`. Date and time come
    # from `begins_at`. A name that is missing counts as empty.
    placeholders: Mapping[str, str]
    links: NoticeLinks = NoticeLinks()
    # Where a notice goes that LINE cannot deliver. None: not known, or not wanted for this reservation.
    mail_address: str | None = None
    # The reservation's page outside of LINE, for the links of a mail.
    page: str | None = None
    # Notices at night make no sound on the phone.
    silent_at_night: bool = False
    # Whether the person cancelled it, and nobody else.
    canceled_by_owner: bool = False
    # The price is paid back; the notice of the cancellation says so.
    refunded: bool = False
