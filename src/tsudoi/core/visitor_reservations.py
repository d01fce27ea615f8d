"""The reservations of a LINE user, as every context that has some describes its own."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

NoticeState = Literal["sent", "planned", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class VisitorNotice:
    """Something that we told the person about a reservation, or will tell."""

    label: str
    channel: Literal["line", "mail"]
    state: NoticeState
    at: datetime


@dataclass(frozen=True, slots=True)
class VisitorReservation:
    """One reservation, with what its owner needs on the way there."""

    # The context that knows it, and its id there.
    source: str
    id: str
    # The shop, or the kind of appointment.
    place: str
    title: str
    begins_at: datetime
    ends_at: datetime | None
    status: str
    status_label: str
    # What is known about the key of the door; None where there is no lock, and once cancelled.
    key_message: str | None = None
    notices: tuple[VisitorNotice, ...] = ()


@dataclass(frozen=True, slots=True)
class ReservationGap:
    """A place whose reservations cannot be shown now, and what the person can do about it."""

    source: str
    place: str
    # `failed`: ask again later. `broken`: the person has to prove again who it is.
    state: Literal["failed", "broken"]
    message: str
    # Where the person goes, below the address of the member pages; None: nowhere.
    path: str | None = None


@dataclass(frozen=True, slots=True)
class VisitorReservations:
    """What one context knows about a LINE user's reservations."""

    reservations: tuple[VisitorReservation, ...] = ()
    gaps: tuple[ReservationGap, ...] = ()
