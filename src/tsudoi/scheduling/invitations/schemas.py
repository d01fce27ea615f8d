"""An answer to an invitation, and what the person hears."""

from typing import Literal

from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example, strict_example
from tsudoi.scheduling.thread.rules.texts import MOST_SLOTS, AnswerComment, StoredId
from tsudoi.scheduling.wire import JstTime, UtcTime

_SLOT_ID = "0b9d3f8e-6a4e-4f9c-9a51-2f6f0d9b1e47"
_THREAD_ID = "5b7fd5d4-3f0f-4be8-8a36-6a8d4bb7ab15"
_SLOT = {
    "slot_id": _SLOT_ID,
    "start_at": "2026-12-14T14:00:00+09:00",
    "end_at": "2026-12-14T15:00:00+09:00",
    "timezone": "Asia/Tokyo",
    "label": None,
}
_SELECTION = {
    "status": "selected",
    "selected_slot_id": _SLOT_ID,
    "selected_slot_ids": [_SLOT_ID],
    "maybe_slot_ids": [],
    "comment": None,
    "responded_at": "2026-12-01T03:00:00.000000+00:00",
}


class InvitationAnswer(BaseModel):
    """○ for the selected slots, △ for the maybe ones, × for all others."""

    model_config = strict_example(status="selected", selected_slot_id=_SLOT_ID)

    status: Literal["selected", "declined"]
    selected_slot_id: str | None = Field(None, max_length=100)
    selected_slot_ids: list[StoredId] | None = Field(None, max_length=MOST_SLOTS)
    maybe_slot_ids: list[StoredId] | None = Field(None, max_length=MOST_SLOTS, description="△: if need be.")
    comment: AnswerComment | None = None


class AnswerForInvitee(InvitationAnswer):
    """An answer that the office received by telephone or on paper."""

    model_config = strict_example(invitee_key="lm:101", status="selected", selected_slot_ids=[_SLOT_ID])

    invitee_key: str = Field(max_length=100)


class DecidedSlot(BaseModel):
    """The date that is decided, or would be."""

    model_config = example(**_SLOT)

    slot_id: str
    start_at: JstTime
    end_at: JstTime
    timezone: str
    label: str | None


class AnswerOutcome(BaseModel):
    """What would become of the thread if this answer were recorded. Nothing is stored."""

    model_config = example(decides=_SLOT, told=9, to_call=1)

    decides: DecidedSlot | None = Field(description="The date that the answer would decide; null: none.")
    told: int = Field(description="How many people would be told of the date by LINE or mail.")
    to_call: int = Field(description="How many the office would have to call.")


class LateAnswer(BaseModel):
    """Whether somebody comes on the date that is decided."""

    model_config = strict_example(coming=True, comment="遅れて参加します。")

    coming: bool = Field(strict=True)
    comment: AnswerComment | None = None


class LateAnswerForInvitee(LateAnswer):
    """The same, as the office heard it by telephone or on paper."""

    model_config = strict_example(invitee_key="lm:101", coming=True)

    invitee_key: str = Field(max_length=100)


class LateAnswerStored(BaseModel):
    """The late answer is noted. The decision stays as it is."""

    model_config = example(ok=True, coming=True, slot=_SLOT)

    ok: bool
    coming: bool
    slot: DecidedSlot = Field(description="The date that is decided.")


class GivenLateAnswer(BaseModel):
    """What the person said after the decision."""

    coming: bool
    comment: str | None
    answered_at: UtcTime


class GivenAnswer(BaseModel):
    """An answer as it is stored."""

    status: Literal["pending", "selected", "declined"]
    selected_slot_id: str | None
    selected_slot_ids: list[str]
    maybe_slot_ids: list[str]
    comment: str | None
    responded_at: UtcTime | None


class OwnEvaluation(BaseModel):
    """What an invitee may know of the decision: never the keys of other people."""

    finalized: bool
    final_slot_id: str | None
    reason: str = Field(description="Why, for programs.")
    final_participants: list[str] = Field(description="The own key, if one is among them.")


class AnswerStored(BaseModel):
    """The answer is stored; perhaps it has decided the date."""

    model_config = example(
        ok=True,
        thread_id=_THREAD_ID,
        invitee_key="e:a8e45af9f16f6fdc",
        selection=_SELECTION,
        evaluation={"finalized": False, "final_slot_id": None, "reason": "WAITING", "final_participants": []},
    )

    ok: bool
    thread_id: str
    invitee_key: str
    selection: GivenAnswer
    evaluation: OwnEvaluation


class OfferedSlot(BaseModel):
    """A slot as an invitee sees it."""

    slot_id: str
    start_at: JstTime
    end_at: JstTime
    timezone: str
    label: str | None
    begun: bool = Field(description="It can no longer be chosen.")
    answer: Literal["yes", "maybe", "no"] | None = Field(description="The own answer; null: none yet.")
    yes: list[str] | None = Field(description="Names of the others who said ○; null where they are not shown.")
    maybe: list[str] | None = Field(description="The same for △.")
    no: list[str] | None = Field(description="The same for ×.")


class OwnInvitation(BaseModel):
    """A thread as a member sees it inside LINE."""

    model_config = example(
        id=_THREAD_ID,
        title="臨時理事会",
        description=None,
        place="本部 3階会議室",
        organizer_name="みなと町会",
        contact_address="office@example.jp",
        status="active",
        deadline_at="2026-12-04T03:00:00.000000+00:00",
        maybe_allowed=True,
        multiple_slots_allowed=True,
        slots=[],
        selection=_SELECTION,
        can_answer=True,
        why_not=None,
        final_slot_id=None,
        taking_part=None,
        cancel_reason=None,
        calendar_url=None,
        mail_stopped=False,
        can_answer_late=False,
        late_answer=None,
    )

    id: str
    title: str
    description: str | None
    place: str | None
    organizer_name: str
    contact_address: str | None = Field(description="Where the person can write to; null: there is no mail server.")
    status: Literal["active", "finalized", "cancelled"]
    deadline_at: UtcTime
    maybe_allowed: bool
    multiple_slots_allowed: bool
    slots: list[OfferedSlot]
    selection: GivenAnswer
    can_answer: bool
    why_not: Literal["EXPIRED", "FINALIZED", "CANCELLED"] | None
    final_slot_id: str | None
    taking_part: bool | None = Field(description="Whether the person is among the participants; null: not decided.")
    cancel_reason: str | None
    calendar_url: str | None = Field(
        description="An iCalendar file that also opens outside LINE; null: there is no date to which this person comes."
    )
    mail_stopped: bool = Field(description="The person wants no more mails about this thread.")
    can_answer_late: bool = Field(description="The date is decided, and the person may still say whether to come.")
    late_answer: GivenLateAnswer | None = Field(description="What the person said after the decision; null: nothing.")


class OwnInvitationItem(BaseModel):
    """One line of the member's list of requests."""

    id: str
    title: str
    status: Literal["active", "finalized", "cancelled"]
    deadline_at: UtcTime
    answered: bool
    can_answer: bool
    final_start_at: JstTime | None
    taking_part: bool | None


class OwnInvitationList(BaseModel):
    """The member's own threads: those to answer first, then what is decided."""

    model_config = example(threads=[])

    threads: list[OwnInvitationItem]
