"""What the office is told about threads. `ThreadCreated` and `ThreadStatus` have the keys of document 001."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example
from tsudoi.scheduling.decision.rules.facts import RuleType, ThreadState
from tsudoi.scheduling.wire import JstTime, UtcTime

Status = Literal["active", "draft", "cancelled", "finalized"]
InviteStatus = Literal["pending", "accepted", "declined", "expired"]
_ID = "5b7fd5d4-3f0f-4be8-8a36-6a8d4bb7ab15"
_AT = "2026-12-01T03:00:00.000000+00:00"
_SLOT = {
    "slot_id": "0b9d3f8e-6a4e-4f9c-9a51-2f6f0d9b1e47",
    "thread_id": _ID,
    "start_at": "2026-12-10T14:00:00+09:00",
    "end_at": "2026-12-10T15:00:00+09:00",
    "timezone": "Asia/Tokyo",
    "label": None,
}
_HEAD = {
    "id": _ID,
    "title": "臨時理事会",
    "description": None,
    "organizer_user_id": "admin:1",
    "status": "active",
    "created_at": _AT,
}
_RULE_JSON: dict[str, Any] = {
    "version": "1.0",
    "type": "ANY",
    "slot_policy": {"multiple_slots_allowed": True},
    "invitee_scope": {"allow_unregistered": True},
    "rule": {},
    "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
}
_RULE = {"thread_id": _ID, "type": "ANY", "rule_json": _RULE_JSON, "finalize_policy": "EARLIEST_VALID"}
EVALUATION = {
    "finalized": False,
    "final_slot_id": None,
    "reason": "WAITING",
    "final_participants": [],
    "state": "open",
    "would_finalize_slot_id": None,
    "needs_maybe": False,
    "sentence": "まだ決まっていません。あと1人が○と答えると決まります。",
    "deciding_set": ["e:a8e45af9f16f6fdc"],
    "deciding_slot_id": _SLOT["slot_id"],
    "can_change": ["e:a8e45af9f16f6fdc"],
}
_PREVIEW: dict[str, Any] = {
    "people": [{"invitee_key": "lm:101", "name": "山田太郎", "channel": "line", "why": None}],
    "line": 1,
    "mail": 0,
    "call": 0,
    "cost": {"known": True, "limit": 200, "used": 12, "promised": 0, "left": 188, "cost": 1, "enough": True},
    "subject": "臨時理事会の日程について",
    "mail_text": "臨時理事会の日程を決めるため、ご都合をお知らせください。",
    "line_text": "臨時理事会の日程を決めるため、ご都合をお知らせください。",
}
EDITED_RULE = {**_RULE, "version": 1, "sentence": "招待した人のうち誰か1人が○と答えれば自動で決まります。"}
FULL_THREAD = {
    **_HEAD,
    "organizer_name": "jimukyoku",
    "updated_at": _AT,
    "timezone": "Asia/Tokyo",
    "place": "本部 3階会議室",
    "deadline_at": None,
    "decide_at_deadline": False,
    "remind_before_deadline": False,
    "maybe_allowed": True,
    "answers_visible": False,
    "mail_subject": None,
    "sent_at": _AT,
    "cancelled_at": None,
    "cancel_reason": None,
    "sequence": 0,
    "revision": 3,
    "event_id": None,
}


class ThreadHead(BaseModel):
    """A thread as the document answers its creation."""

    id: str
    title: str | None
    description: str | None
    organizer_user_id: str
    status: Status
    # Text, as the column has it: rows of other programs may have other times.
    created_at: str = Field(description="UTC.")


class RuleHead(BaseModel):
    """The rule of a thread."""

    thread_id: str
    type: RuleType
    rule_json: dict[str, Any]
    finalize_policy: str


class ThreadSlotItem(BaseModel):
    """A slot of a thread."""

    model_config = example(**_SLOT)

    slot_id: str
    thread_id: str
    start_at: JstTime
    end_at: JstTime
    timezone: str
    label: str | None


class InvitedCandidate(BaseModel):
    """A person who is asked. Token, address and key are null where the invitation could not be made."""

    name: str
    email: str
    reason: str | None
    invite_token: str | None
    invite_url: str | None
    invitee_key: str | None


class ThreadWarning(BaseModel):
    """Something that did not work, or was left out, although the rest was done."""

    code: str = Field(description="RULE_NOT_CREATED, SLOT_NOT_CREATED, INVITE_NOT_CREATED, DUPLICATE_PERSON, …")
    message: str = Field(description="In Japanese, for people.")


class ThreadCreated(BaseModel):
    """A new thread, as the document has it."""

    model_config = example(
        thread=_HEAD,
        attendance_rule=_RULE,
        slots=[_SLOT],
        candidates=[],
        message="Thread created with 0 candidate invitations sent",
        warnings=[],
    )

    thread: ThreadHead
    attendance_rule: RuleHead | None
    slots: list[ThreadSlotItem]
    candidates: list[InvitedCandidate]
    message: str
    warnings: list[ThreadWarning]


class InviteesAdded(BaseModel):
    """The people who were asked as well."""

    model_config = example(candidates=[], message="2人に招待を送ります。", warnings=[])

    candidates: list[InvitedCandidate]
    message: str
    warnings: list[ThreadWarning]


class SlotsAdded(BaseModel):
    """The new slots."""

    model_config = example(slots=[_SLOT])

    slots: list[ThreadSlotItem]


class FinalSlot(BaseModel):
    """When it takes place."""

    slot_id: str
    start_at: JstTime
    end_at: JstTime
    timezone: str


class ThreadListItem(BaseModel):
    """A thread in the list of all threads."""

    id: str
    title: str | None
    status: Status
    organizer_user_id: str
    organizer_name: str | None = Field(description="null: the account no longer exists.")
    created_at: str = Field(description="UTC.")
    deadline_at: UtcTime | None
    slots_total: int
    invites_total: int
    answered: int
    declined: int
    state: ThreadState
    sentence: str = Field(description="Where it stands, in Japanese.")
    final_slot: FinalSlot | None


class ThreadPage(BaseModel):
    """A page of threads, the newest first."""

    model_config = example(threads=[], next_cursor=None)

    threads: list[ThreadListItem]
    next_cursor: str | None


class FullThread(ThreadHead):
    """A thread with everything that the office can change."""

    organizer_name: str | None
    updated_at: str
    timezone: str
    place: str | None
    deadline_at: UtcTime | None
    decide_at_deadline: bool
    remind_before_deadline: bool
    maybe_allowed: bool
    answers_visible: bool
    mail_subject: str | None
    sent_at: UtcTime | None
    cancelled_at: UtcTime | None
    cancel_reason: str | None
    sequence: int
    revision: int
    event_id: int | None = Field(description="The event that was made from the decision.")


class EditedRule(RuleHead):
    """The rule with its edition, and in words."""

    model_config = example(**EDITED_RULE)

    version: int
    sentence: str = Field(description="What decides, in Japanese.")


class ThreadEvaluation(BaseModel):
    """What the rule says now; after the decision, what was decided."""

    finalized: bool
    final_slot_id: str | None
    reason: str = Field(description="Why, for programs; after a decision by hand, the organiser's reason.")
    final_participants: list[str]
    state: ThreadState
    would_finalize_slot_id: str | None = Field(description="While satisfied: the slot that would win.")
    needs_maybe: bool = Field(description="It would win with △ only.")
    sentence: str = Field(description="The explanation for people, in Japanese.")
    deciding_set: list[str] = Field(description="The fewest people whose ○ would decide.")
    deciding_slot_id: str | None
    can_change: list[str] = Field(description="People who have not answered and can still change the outcome.")


class InviteItem(BaseModel):
    """An invitation, as the document has it."""

    id: str
    email: str
    invitee_key: str | None
    status: InviteStatus
    responded_at: UtcTime | None


class SelectionItem(BaseModel):
    """An answer, as the document has it, and the slots it names."""

    invitee_key: str
    status: Literal["pending", "selected", "declined"]
    selected_slot_id: str | None
    responded_at: UtcTime | None
    selected_slot_ids: list[str]
    maybe_slot_ids: list[str]


class ThreadStatus(BaseModel):
    """Where a thread stands, as the document has it."""

    model_config = example(thread=_HEAD, rule=_RULE, slots=[_SLOT], invites=[], selections=[], evaluation=EVALUATION)

    thread: ThreadHead
    rule: RuleHead | None
    slots: list[ThreadSlotItem]
    invites: list[InviteItem]
    selections: list[SelectionItem]
    evaluation: ThreadEvaluation


class ThreadChanged(BaseModel):
    """A change is done. The board shows the rest."""

    model_config = example(thread=_HEAD, evaluation=EVALUATION, told=9)

    thread: ThreadHead
    evaluation: ThreadEvaluation
    told: int = Field(description="How many people are told.")


class SkippedPerson(BaseModel):
    """Somebody who is not reminded, and why."""

    invitee_key: str
    reason: str = Field(
        description="ANSWERED, DECLINED, EXPIRED, CANNOT_CHANGE, REMINDED_TODAY, UNREACHABLE, QUOTA, UNKNOWN."
    )


class ExtendedPerson(BaseModel):
    """Somebody who may answer longer than before."""

    invitee_key: str
    expires_at: UtcTime = Field(description="Until when now.")


class Reminded(BaseModel):
    """Who is reminded, and who is not."""

    model_config = example(reminded=["lm:101"], skipped=[{"invitee_key": "lm:102", "reason": "ANSWERED"}])

    reminded: list[str]
    skipped: list[SkippedPerson]
    extended: list[ExtendedPerson] = Field(
        default_factory=list,
        exclude_if=lambda people: not people,
        description="Who may answer longer now, also without a reminder. Missing when nobody's time has changed.",
    )


class MessageCost(BaseModel):
    """What LINE's monthly limit leaves. LINE counts recipients; mails cost nothing."""

    known: bool
    limit: int | None
    used: int | None
    promised: int
    left: int | None
    cost: int
    enough: bool | None


class PreviewPerson(BaseModel):
    """Somebody who would be told, and which way."""

    invitee_key: str
    name: str
    channel: Literal["line", "mail", "call"]
    why: str | None = Field(description="Why not by LINE, in Japanese.")


class ThreadPreview(BaseModel):
    """What an action would send. Nothing is changed."""

    model_config = example(**_PREVIEW, skipped=[])

    people: list[PreviewPerson]
    line: int
    mail: int
    call: int
    cost: MessageCost
    subject: str
    mail_text: str
    line_text: str
    skipped: list[SkippedPerson]


class CreationPreview(BaseModel):
    """What a thread would be. Nothing is stored."""

    model_config = example(**_PREVIEW, rule_sentence=EDITED_RULE["sentence"], slots=[_SLOT], warnings=[])

    rule_sentence: str
    slots: list[ThreadSlotItem]
    people: list[PreviewPerson]
    line: int
    mail: int
    call: int
    cost: MessageCost
    subject: str
    mail_text: str
    line_text: str
    warnings: list[ThreadWarning]


class LeftOut(BaseModel):
    """Somebody of the thread who is no target of the event."""

    invitee_key: str
    name: str
    reason: Literal["NOT_A_MEMBER", "WITHDRAWN"]


class EventMade(BaseModel):
    """The event of a decided thread."""

    model_config = example(event_id=12, created=True)

    event_id: int
    created: bool = Field(description="false: it had been made before.")
    left_out: list[LeftOut] | None = Field(
        None,
        exclude_if=lambda value: value is None,
        description="Only with `take: everybody`: who was asked and cannot be invited to an event of members.",
    )
