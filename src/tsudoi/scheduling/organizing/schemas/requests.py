"""What the office sends about threads. Times need an offset; unknown fields are refused."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from tsudoi.core.api_examples import strict_example
from tsudoi.core.known_times import KnownTime
from tsudoi.scheduling.thread.rules.texts import (
    MOST_INVITEES,
    MOST_SLOTS,
    OptionalLine,
    OwnMessage,
    OwnReason,
    PersonName,
    StoredId,
    ThreadDescription,
    ThreadTitle,
)

_SLOT = {"start_at": "2026-12-10T14:00:00+09:00", "end_at": "2026-12-10T15:00:00+09:00"}
_PERSON = {"name": "山田太郎", "email": "yamada@example.jp"}
_RULE: dict[str, Any] = {
    "version": "1.0",
    "type": "ANY",
    "slot_policy": {"multiple_slots_allowed": True},
    "invitee_scope": {"allow_unregistered": True},
    "rule": {},
    "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
}
_OVER_QUOTA = "Go on although LINE's monthly limit is too low for all recipients (otherwise 409)."
AudienceId = Annotated[int, Field(strict=True, ge=1, le=2**53)]
MemberId = Annotated[int, Field(strict=True, ge=1, le=2**53)]


class NewSlot(BaseModel):
    """A date and time to choose."""

    model_config = strict_example(**_SLOT)

    start_at: KnownTime = Field(description="With an offset, in the future.")
    end_at: KnownTime = Field(description="After the start, at most 24 hours later.")
    timezone: str | None = Field(None, max_length=100, description="IANA name. Absent: that of the thread.")
    label: OptionalLine | None = Field(None, description="A short name of the slot.")


class NewInvitee(BaseModel):
    """A person to ask by mail."""

    model_config = strict_example(**_PERSON)

    name: PersonName
    email: str = Field(max_length=320, description="A mail address.")


class ThreadOptions(BaseModel):
    """What a thread may have besides its title: the same when it is created and when it is changed."""

    description: ThreadDescription | None = None
    place: OptionalLine | None = Field(None, description="Where it takes place, for mails and calendars.")
    deadline_at: KnownTime | None = Field(None, description="Until when people may answer, in place of 72 hours.")
    decide_at_deadline: bool = Field(False, strict=True, description="The rule decides at the deadline, not before.")
    remind_before_deadline: bool = Field(
        False,
        strict=True,
        description="Remind those who can still change the outcome, each 24 hours before the own end.",
    )
    maybe_allowed: bool = Field(True, strict=True, description="People may answer △, if need be.")
    answers_visible: bool = Field(False, strict=True, description="People see who answered what.")
    mail_subject: OptionalLine | None = Field(None, description="In place of the English subject of the document.")


class NewThread(ThreadOptions):
    """A thread to create. Only the title is needed: three default slots and the rule ANY come by themselves."""

    model_config = strict_example(title="臨時理事会", slots=[_SLOT], invitees=[_PERSON], send=False)

    title: ThreadTitle
    slots: list[NewSlot] | None = Field(None, min_length=1, max_length=MOST_SLOTS)
    rule: dict[str, Any] | None = Field(None, description="An attendance rule as in the document, appendix B.")
    invitees: list[NewInvitee] | None = Field(None, max_length=MOST_INVITEES)
    audience_ids: list[AudienceId] | None = Field(None, max_length=50, description="Groups of members to ask.")
    member_ids: list[MemberId] | None = Field(None, max_length=MOST_INVITEES, description="Members to ask one by one.")
    send: bool = Field(True, strict=True, description="false: a draft that nobody is told about yet.")
    timezone: str = Field("Asia/Tokyo", max_length=100, description="IANA name of the zone that you mean.")


class ThreadChange(BaseModel):
    """The fields of a thread to change; what is not sent stays. `revision` is the one on your screen."""

    model_config = strict_example(revision=3, place="本部 3階会議室")

    revision: int | None = Field(None, strict=True, ge=0, description="409 when somebody else changed it meanwhile.")
    # The defaults are never used: a field that was not sent stays as it is.
    title: ThreadTitle = Field(default_factory=str)
    description: ThreadDescription | None = None
    place: OptionalLine | None = None
    deadline_at: KnownTime | None = None
    decide_at_deadline: bool = Field(default=False, strict=True)
    remind_before_deadline: bool = Field(default=False, strict=True)
    maybe_allowed: bool = Field(default=True, strict=True)
    answers_visible: bool = Field(default=False, strict=True)
    mail_subject: OptionalLine | None = None


class SlotsToAdd(BaseModel):
    """Slots to add later. Those who have answered are asked for the new ones only."""

    model_config = strict_example(slots=[_SLOT], notify=True)

    slots: list[NewSlot] = Field(min_length=1, max_length=MOST_SLOTS)
    notify: bool = Field(True, strict=True)
    confirm_over_quota: bool = Field(False, strict=True, description=_OVER_QUOTA)


class InviteesToAdd(BaseModel):
    """People to ask as well."""

    model_config = strict_example(invitees=[_PERSON], audience_ids=[3])

    invitees: list[NewInvitee] = Field(default_factory=list, max_length=MOST_INVITEES)
    audience_ids: list[AudienceId] = Field(default_factory=list, max_length=50)
    member_ids: list[MemberId] = Field(default_factory=list, max_length=MOST_INVITEES)
    force: bool = Field(False, strict=True, description="Ask those again who declined.")
    after_decision: bool = Field(
        False,
        strict=True,
        description="The date may be decided already: new people are told it, and may answer late. Otherwise 409.",
    )
    confirm_over_quota: bool = Field(False, strict=True, description=_OVER_QUOTA)


class RuleChange(BaseModel):
    """A new edition of the rule. `version` is the one that it replaces."""

    model_config = strict_example(version=1, rule=_RULE)

    version: int = Field(strict=True, ge=0, description="409 when it is not the current one. 0: there is no rule yet.")
    rule: dict[str, Any]


class FinalizeOrder(BaseModel):
    """The slot that the organiser chooses."""

    model_config = strict_example(selected_slot_id="0b9d3f8e-6a4e-4f9c-9a51-2f6f0d9b1e47", reason="会長の都合による")

    selected_slot_id: str | None = Field(None, max_length=100)
    slot_id: str | None = Field(None, max_length=100, description="Another name of `selected_slot_id`.")
    reason: OwnReason | None = Field(None, description="Needed when the rule is not fulfilled for this slot.")
    notify: bool = Field(True, strict=True, description="Tell everybody who was asked.")
    confirm_over_quota: bool = Field(False, strict=True, description=_OVER_QUOTA)


class CancelOrder(BaseModel):
    """Ends the thread without a date, or takes a decided date back for good."""

    model_config = strict_example(reason="日程が合わないため")

    reason: OwnReason | None = None
    notify: bool = Field(True, strict=True)
    confirm_over_quota: bool = Field(False, strict=True, description=_OVER_QUOTA)


class ReopenOrder(BaseModel):
    """Takes a decision back: people may answer again."""

    model_config = strict_example(reason="会場が取れなかったため")

    reason: OwnReason | None = None
    notify: bool = Field(True, strict=True)
    confirm_over_quota: bool = Field(False, strict=True, description=_OVER_QUOTA)


class EventOrder(BaseModel):
    """Which people of a decided thread the event takes, and where and how long it is."""

    model_config = strict_example(take="everybody", place="本部 会議室", end_at="2026-12-10T16:00:00+09:00")

    take: Literal["participants", "everybody"] = Field(
        "participants",
        description="`participants`: the members who take part, as attending. `everybody`: every member who was asked, "
        "with what they said about the decided date: ○ attends, × is absent, △ or no answer is pending.",
    )
    place: OptionalLine | None = Field(None, description="Absent: the place of the thread.")
    end_at: KnownTime | None = Field(None, description="After the start, at most 7 days later. Absent: of the slot.")


class RemindOrder(BaseModel):
    """Whom to remind. Without names: those who can still change the outcome, and those whose first message failed."""

    model_config = strict_example(message="金曜までにお願いします。")

    invitee_keys: list[StoredId] | None = Field(None, max_length=MOST_INVITEES)
    message: OwnMessage | None = None
    extend_hours: int | None = Field(
        None,
        strict=True,
        ge=1,
        le=24 * 60,
        description=(
            "A new time to answer, from now. Those whom no message reaches, or who were reminded today, get it too: "
            "the office may call them. `extended` names everybody who may answer longer now."
        ),
    )
    force: bool = Field(False, strict=True, description="Ask those again who declined.")
    confirm_over_quota: bool = Field(False, strict=True, description=_OVER_QUOTA)


class SendOrder(BaseModel):
    """Sends the invitations of a draft."""

    model_config = strict_example(confirm_over_quota=False)

    confirm_over_quota: bool = Field(False, strict=True, description=_OVER_QUOTA)


class PreviewOrder(BaseModel):
    """What would be sent by an action that is not taken yet."""

    model_config = strict_example(action="remind")

    action: Literal["send", "remind", "finalize", "cancel", "reopen", "add_slots"]
    invitee_keys: list[StoredId] | None = Field(None, max_length=MOST_INVITEES)
    slot_id: str | None = Field(None, max_length=100)
    reason: OwnReason | None = None
    message: OwnMessage | None = None
    force: bool = Field(False, strict=True)
