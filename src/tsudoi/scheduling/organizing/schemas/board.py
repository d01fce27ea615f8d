"""The board of a thread, its history, and what is followed live."""

from typing import Literal

from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example
from tsudoi.scheduling.decision.rules.facts import PersonState
from tsudoi.scheduling.organizing.schemas.responses import (
    EDITED_RULE,
    EVALUATION,
    FULL_THREAD,
    EditedRule,
    FullThread,
    InviteStatus,
    LeftOut,
    Status,
    ThreadEvaluation,
    ThreadSlotItem,
)
from tsudoi.scheduling.wire import UtcTime


class BoardSlot(ThreadSlotItem):
    """A slot on the board: how it stands and who is missing."""

    begun: bool
    yes: int
    maybe: int
    no: int
    valid: bool
    possible: bool
    missing: str | None = Field(description="Who is missing, in Japanese; null when nobody is, or nothing helps.")


class BoardDelivery(BaseModel):
    """What became of the newest message to a person."""

    type: Literal["invite", "reminder", "slots_added", "decision", "reopened", "cancelled", "added", "late"]
    channel: Literal["line", "mail", "call"]
    state: Literal["waiting", "sent", "failed", "unknown", "call", "called_off"]
    text: str = Field(description="In Japanese: by which way it went, when, and why it did not arrive.")
    at: UtcTime


class BoardCall(BaseModel):
    """The newest call to a person about this thread, on the office's telephone list."""

    id: int
    since: UtcTime
    done_at: UtcTime | None
    done_by: str | None
    result: Literal["told", "unreachable"] | None
    note: str | None


class BoardLateAnswer(BaseModel):
    """What a person said after the decision."""

    coming: bool
    comment: str | None
    via: Literal["link", "line", "office"]
    answered_by: str | None
    answered_at: UtcTime


class BoardPerson(BaseModel):
    """One row of the board."""

    invite_id: str
    invitee_key: str
    name: str
    email: str
    member_id: int | None
    candidate_reason: str | None
    invite_url: str
    status: InviteStatus
    state: PersonState
    expires_at: UtcTime
    answers: dict[str, Literal["yes", "maybe", "no"]] = Field(description="By slot; empty before an answer.")
    comment: str | None
    responded_at: UtcTime | None
    via: Literal["link", "line", "office"] | None
    answered_by: str | None
    can_change: bool
    mail_stopped: bool = Field(description="The person wants no more mails about this thread.")
    mail_bounced: bool = Field(description="Mails to the person's address came back, so that none are sent there.")
    delivery: BoardDelivery | None
    call: BoardCall | None = Field(None, description="Somebody whom the office has to call, or has called.")
    late: BoardLateAnswer | None = Field(description="What the person said after the decision; null: nothing.")


class EventTake(BaseModel):
    """What an event of everybody would note of the people, in numbers."""

    attend: int
    absent: int
    pending: int
    left_out: list[LeftOut]


class ThreadBoard(BaseModel):
    """Everything that the office sees of a thread."""

    model_config = example(
        thread=FULL_THREAD,
        rule=EDITED_RULE,
        slots=[],
        people=[],
        evaluation=EVALUATION,
        event_possible=False,
        as_of=None,
    )

    thread: FullThread
    rule: EditedRule | None
    slots: list[BoardSlot]
    people: list[BoardPerson]
    evaluation: ThreadEvaluation
    event_possible: bool = Field(description="It is decided, and members among the participants can be invited.")
    event_take: EventTake | None = Field(
        None, description="It is decided, and an event of everybody would have these people; null: nobody, or not now."
    )
    as_of: UtcTime | None = Field(description="Set when the past was asked for.")


class ThreadLive(BaseModel):
    """The JSON in each `data:` line of the live stream. A screen loads the board again when it changes."""

    model_config = example(revision=4, status="active", answered=3, messages={"DONE": 5, "PENDING": 1})

    revision: int
    status: Status
    answered: int
    messages: dict[str, int] = Field(description="How many messages are in which state.")
    reload: bool | None = Field(None, description="Only in `snapshot`.")


class HistoryEntry(BaseModel):
    """One answer as it was given."""

    id: int
    invitee_key: str
    name: str
    status: Literal["selected", "declined"]
    slots: list[dict[str, str]] = Field(description="`slot_id`, `start_at`, `end_at`, `answer` at that time.")
    comment: str | None
    via: Literal["link", "line", "office"]
    answered_by: str | None
    answered_at: UtcTime


class ThreadHistory(BaseModel):
    """The answers of a thread, the newest first."""

    model_config = example(entries=[], next_cursor=None)

    entries: list[HistoryEntry]
    next_cursor: str | None


class Holiday(BaseModel):
    """A public holiday of Japan."""

    date: str = Field(description="`2026-11-23`.")
    name: str


class Holidays(BaseModel):
    """The public holidays of one year."""

    model_config = example(items=[{"date": "2026-11-23", "name": "勤労感謝の日"}])

    items: list[Holiday]
