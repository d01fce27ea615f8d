"""What the three cells of a reservation show: CONFIRMATION, REMINDER, CANCEL_COMPLETED. Pure.

A stored job of the reservation's current revision is shown as it is. Where there is none, either the state of the
reservation says that none is needed, or the decision not to make one was written down (`notification_skips`). Where
there is neither, a notice that ought to be there is missing: NONE.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from tsudoi.line.delivery.rules import LineState
from tsudoi.notifications.notices.rules.causes import cause_of
from tsudoi.notifications.notices.rules.making import DashReason, Kind
from tsudoi.notifications.notices.rules.resending import ResendFacts

CellStatus = Literal["PENDING", "SENT", "FAILED", "UNKNOWN", "DASH", "NONE"]
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[CellStatus, ...] = get_args(CellStatus)
# The reasons of cells that have no other.
MISSING = "MISSING"
CALLED_OFF = "CALLED_OFF"


@dataclass(frozen=True, slots=True)
class CellFacts:
    """What the cells depend on, apart from the notices themselves."""

    revision: int
    begins_at: datetime
    # Whether the seat was ever certain. An unpaid one is not.
    confirmed: bool
    canceled: bool
    # Whether somebody has paid; then they are told even if the seat was never theirs.
    paid: bool
    linked: bool
    # LINE takes messages to those who have blocked the account or never added it, and shows them to nobody.
    line_state: LineState = "reachable"


@dataclass(frozen=True, slots=True)
class StoredNotice:
    """A job of `notification_jobs`."""

    job_id: int
    status: str
    scheduled_at: datetime
    updated_at: datetime
    attempt_count: int = 0
    last_error: str | None = None
    first_attempt_at: datetime | None = None
    outcome_unknown: bool = False
    maybe_sent: bool = False
    dash_reason: str | None = None


def cell_status(
    kind: Kind, state: CellFacts, notice: StoredNotice | None, skipped_because: str | None
) -> tuple[CellStatus, str | None]:
    """The status and its reason. PENDING and SENT need none."""
    if notice is not None:
        return _stored(notice)
    reason = needs_none_because(kind, state) or skipped_because
    return ("NONE", MISSING) if reason is None else ("DASH", reason)


def _stored(notice: StoredNotice) -> tuple[CellStatus, str | None]:
    if notice.status == "FAILED":
        return "UNKNOWN" if notice.outcome_unknown else "FAILED", cause_of(notice.last_error)
    if notice.status == "DASH":
        return "DASH", notice.dash_reason or CALLED_OFF
    return ("SENT" if notice.status == "SENT" else "PENDING"), None


def needs_none_because(kind: Kind, state: CellFacts) -> DashReason | None:
    """Why the state of the reservation alone says that there is no such notice."""
    if kind == "CANCEL_COMPLETED":
        if not state.canceled:
            return "NOT_CANCELLED"
        return None if state.confirmed or state.paid else "NOT_CONFIRMED"
    if not state.confirmed:
        return "NOT_CONFIRMED"
    return "CANCELLED" if kind == "REMINDER" and state.canceled else None


def resend_facts(kind: Kind, state: CellFacts, notice: StoredNotice) -> ResendFacts:
    return ResendFacts(
        kind=kind,
        status=notice.status,
        is_current=True,
        maybe_sent=notice.maybe_sent or notice.outcome_unknown,
        first_attempt_at=notice.first_attempt_at,
        confirmed=state.confirmed,
        canceled=state.canceled,
        begins_at=state.begins_at,
        linked=state.linked,
    )
