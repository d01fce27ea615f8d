"""What notices there have to be, in few words. Written from the truth table of the document, not from the rules."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

# The cell has a job; otherwise it names the reason why there is none.
JOB = "JOB"
TWO_DAYS = timedelta(hours=48)


@dataclass(eq=False)
class ModelPerson:
    """Somebody with or without a LINE account. `accounts`: those that the person can link."""

    uid: str
    accounts: list[str]
    linked: str | None = None


@dataclass(eq=False)
class ModelSlot:
    """A slot of the free type or of the one with a price."""

    id: int
    begin: datetime
    capacity: int
    priced: bool

    @property
    def year(self) -> int:
        return self.begin.year if self.begin.month >= 4 else self.begin.year - 1


@dataclass(eq=False)
class ModelPage:
    """A payment page as Stripe knows it, and whether the product has heard of its end."""

    key: str
    session_id: str
    expires_at: datetime
    opened: bool = True
    state: Literal["open", "slip", "paid", "expired"] = "open"
    heard: Literal["nothing", "paid", "ended"] = "nothing"


@dataclass(eq=False)
class ModelBooking:
    """A reservation. The three cells are decided when something happens, and stay until something else happens."""

    id: int
    who: ModelPerson
    slot: ModelSlot
    state: Literal["hold", "confirmed", "canceled", "expired"] = "hold"
    hold_until: datetime | None = None
    was_certain: bool = False
    told: str = JOB
    reminded: str = JOB
    told_of_end: str = "NOT_CONFIRMED"
    pages: list[ModelPage] = field(default_factory=list)

    def is_live(self, now: datetime) -> bool:
        running = self.state == "hold" and self.hold_until is not None and self.hold_until > now
        return self.state == "confirmed" or running

    def confirm(self, now: datetime) -> None:
        """Booked, paid for, or moved."""
        self.state, self.was_certain = "confirmed", True
        self.told = self._if_linked()
        self.reminded = self._reminder(now) if self.who.linked else "NO_LINE_LINK"

    def link(self, now: datetime) -> None:
        if self.state == "confirmed" and self.slot.begin > now and self.reminded == "NO_LINE_LINK":
            self.reminded = self._reminder(now)

    def cancel(self) -> None:
        self.told_of_end = self._if_linked() if self.was_certain else "NOT_CONFIRMED"
        self.state = "canceled"

    def refund_late(self) -> None:
        """Somebody paid for a seat that is gone. Who was told already is not told again."""
        if self.told_of_end != JOB:
            self.told_of_end = self._if_linked()

    def _if_linked(self) -> str:
        return JOB if self.who.linked else "NO_LINE_LINK"

    def _reminder(self, now: datetime) -> str:
        return JOB if self.slot.begin - TWO_DAYS > now else "LESS_THAN_48H"

    def cells(self, now: datetime) -> list[str]:
        ran_out = self.state == "hold" and not self.is_live(now)
        ended = self.state in ("canceled", "expired") or ran_out
        last = self.told_of_end if ended else "NOT_CANCELLED"
        if not self.was_certain:
            return ["NOT_CONFIRMED", "NOT_CONFIRMED", last]
        gone = ended and self.reminded != JOB
        return [self.told, "CANCELLED" if gone else self.reminded, last]


class NoticeModel:
    """Everybody and everything of one run."""

    def __init__(self, people: list[ModelPerson], slots: list[ModelSlot]) -> None:
        self.people, self.slots = people, slots
        self.bookings: dict[int, ModelBooking] = {}

    def has_seat_for(self, booking: ModelBooking, now: datetime) -> bool:
        """Whether somebody who paid late can have the seat after all."""
        others = [one for one in self.bookings.values() if one is not booking and one.is_live(now)]
        taken = sum(one.slot is booking.slot for one in others)
        own = [one.slot for one in others if one.who is booking.who]
        used_up = any(slot.priced == booking.slot.priced and slot.year == booking.slot.year for slot in own)
        return taken < booking.slot.capacity and not used_up and booking.slot.begin > now
