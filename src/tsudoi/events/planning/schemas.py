from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from tsudoi.core.api_examples import example, strict_example
from tsudoi.events.event.rules import DEFAULT_BODY, DEFAULT_LABEL
from tsudoi.events.planning.rules.draft import FIELDS, LARGEST_SEQUENCE, MOST_TARGETS

MemberId = Annotated[int, Field(strict=True, ge=1, le=2**53)]
BroadcastId = Annotated[int, Field(strict=True, ge=1, le=2**53)]
Reason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*$"),
]
_PUSH = {"success": 44, "fail": 1, "unknown": 0, "pending": 0}


def _request_checked_later(**fields: Any) -> ConfigDict:
    """For bodies that our own rules check, which report an unknown field together with all other faults."""
    return ConfigDict(extra="allow", json_schema_extra={"examples": [fields], "additionalProperties": False})


# Any value is accepted here and checked by the rules; the API description says what it has to be.
Flag = Annotated[Any, WithJsonSchema({"type": "boolean"})]
SeenSequence = Annotated[
    Any,
    WithJsonSchema({"anyOf": [{"type": "integer", "maximum": LARGEST_SEQUENCE, "minimum": 0}, {"type": "null"}]}),
]


class PushCounts(BaseModel):
    """The results of a broadcast so far, by person."""

    success: int = Field(description="LINE accepted the message.")
    fail: int = Field(description="LINE refused the message for good.")
    unknown: int = Field(description="LINE gave no certain answer; it is not sent again automatically.")
    pending: int = Field(description="Still being sent.")


class EventCreated(BaseModel):
    """The new event, and the results of its invitations so far."""

    model_config = example(event_id=123, targets=45, push=_PUSH)

    event_id: int = Field(description="The new event.")
    targets: int = Field(description="How many members are invited.")
    push: PushCounts


class NoticeSent(BaseModel):
    """Confirms a decision, with the results of its messages so far."""

    model_config = example(ok=True, targets=12, push=_PUSH)

    ok: bool = Field(description="Always true: the decision is stored.")
    targets: int = Field(description="How many people get the message.")
    push: PushCounts | None = Field(description="The results so far; null when nobody gets a message.")


class DraftIn(BaseModel):
    """A draft of an event. The rules of the form check it, so that every wrong field is reported at once."""

    model_config = _request_checked_later(
        title="理事会9月", held_at="2027-09-10T19:00:00+09:00", body=DEFAULT_BODY, target_member_ids=[101, 102]
    )

    title: Any = Field(None, description="1 to 100 characters, at least one of them visible.")
    held_at: Any = Field(None, description="When it takes place, not in the past; ISO 8601 with offset.")
    body: Any = Field(
        None,
        description='Up to 2000 characters. Left out or null: the default text; `""`: only the link. 400 '
        "`EMPTY`: all of its characters are invisible.",
    )
    extra_text_enabled: Any = Field(None, description="Whether there is a memo field.")
    extra_text_label: Any = Field(None, description="The label of the memo field.")
    extra_text_attend_only: Any = Field(None, description="Whether only those who attend may fill it in.")
    target_member_ids: Any = Field(None, description="The members to invite.")
    confirm_over_quota: Any = Field(None, description="As in the form; it has no effect here.")


_OVER_QUOTA = "Send although LINE's monthly limit is too low for all recipients (otherwise 409)."


class QuotaConfirmation(BaseModel):
    """A request that sends messages, and may confirm that the monthly limit is too low."""

    confirm_over_quota: bool = Field(False, description=_OVER_QUOTA)


class ReminderIn(QuotaConfirmation):
    """Whom to remind."""

    model_config = strict_example(member_ids=None)

    member_ids: list[MemberId] | None = Field(
        None, max_length=MOST_TARGETS, description="Only these members; left out: all who have not answered."
    )


class ResendIn(QuotaConfirmation):
    """Whom to send again what LINE's monthly limit kept back."""

    model_config = strict_example(broadcast_id=7)

    broadcast_id: BroadcastId | None = Field(None, description="Only this broadcast; left out: all invitations.")


class TargetsIn(QuotaConfirmation):
    """Further members to invite."""

    model_config = strict_example(member_ids=[103, 104])

    member_ids: list[MemberId] = Field(
        min_length=1,
        max_length=MOST_TARGETS,
        description="The members to add; those who are invited already are ignored.",
    )


class ChangeIn(BaseModel):
    """What to change of an event. The rules check it, so that every wrong field is reported at once."""

    model_config = _request_checked_later(held_at="2027-09-11T19:00:00+09:00", notify=True, sequence=0)

    confirm_over_quota: Flag = Field(False, description=_OVER_QUOTA)
    title: Any = Field(None, description="New title, not empty.")
    held_at: Any = Field(None, description="New time, not in the past.")
    body: Any = Field(
        None,
        description='New text. Null: back to the default text; `""`: only the link. 400 `EMPTY`: all of its '
        "characters are invisible.",
    )
    notify: Flag = Field(False, description="Tell all invited members what has changed.")
    sequence: SeenSequence = Field(
        None, description="The `sequence` that the screen showed: 409 `CHANGED_MEANWHILE` if it is different now."
    )


class CancellationIn(QuotaConfirmation):
    """Why an event is cancelled, and whether the invited members are told."""

    model_config = strict_example(reason="会場が使えなくなったため", notify=True)

    reason: Reason | None = Field(None, description="Shown to all invited members.")
    notify: bool = Field(False, description="Tell all invited members.")


Kind = Literal["reminder", "change", "cancel", "late", "resend"]


class NoticePreviewIn(BaseModel):
    """The notice to preview."""

    model_config = strict_example(kind="reminder")

    kind: Kind = Field(description="The kind of notice.")
    member_ids: list[MemberId] | None = Field(None, max_length=MOST_TARGETS, description="For `reminder` and `late`.")
    broadcast_id: BroadcastId | None = Field(None, description="For `resend`; left out: all invitations.")
    title: Any = Field(None, description="For `change`: the new title.")
    held_at: Any = Field(None, description="For `change`: the new time.")
    body: Any = Field(None, description="For `change`: the new text.")
    reason: Reason | None = Field(None, description="For `cancel`.")


class RecipientItem(BaseModel):
    """A member who gets the message."""

    member_id: int
    name: str
    blocked: bool = Field(
        description="The member has blocked the account or never added it: LINE accepts the message and shows it "
        "to nobody."
    )


class UnreachableItem(BaseModel):
    """A member who does not get the message, and why."""

    member_id: int
    name: str
    reason: str = Field(
        description="`NO_LINE`, `WITHDRAWN`, `NOT_TARGET` or, for a reminder, `REMINDED_TODAY`. Members who have "
        "blocked the account or never added it are in `recipients` with `blocked`."
    )
    reason_text: str = Field(description="The reason in Japanese.")


class QuotaView(BaseModel):
    """LINE's monthly limit, and how much of it the message uses."""

    known: bool = Field(description="Whether LINE answered.")
    limit: int | None = Field(description="Messages per month; null: no limit, or not known.")
    used: int | None = Field(description="Used this month, as LINE estimates.")
    promised: int = Field(description="Messages that are decided and not sent yet.")
    left: int | None = Field(description="Left this month after the promised messages.")
    cost: int = Field(description="How many messages this uses at most; LINE counts recipients.")
    enough: bool | None = Field(description="Whether the limit is sufficient; null when LINE did not answer.")


class Preview(BaseModel):
    """Who gets which messages, and how much of the monthly limit they use."""

    model_config = example(
        recipients_total=1,
        recipients=[{"member_id": 101, "name": "山田太郎", "blocked": False}],
        unreachable=[
            {"member_id": 102, "name": "佐藤花子", "reason": "NO_LINE", "reason_text": "LINEと連携していません"}
        ],
        messages=[{"type": "text", "text": "出欠のご回答をお願いします。\nhttps://liff.line.me/…/events/○○"}],
        quota={"known": True, "limit": 200, "used": 50, "promised": 0, "left": 150, "cost": 1, "enough": True},
    )

    recipients_total: int
    recipients: list[RecipientItem] = Field(description="The members who get it, in roster order.")
    unreachable: list[UnreachableItem] = Field(
        description="Chosen members (for a reminder: unanswered ones) who do not get it, and why."
    )
    messages: list[dict[str, Any]] = Field(
        description="LINE's own message objects; an event that does not exist yet has the id ○○."
    )
    quota: QuotaView


_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
# The form for the API description. Our own code reads it, after the caller is authenticated.
EVENT_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["title", "held_at", "target_member_ids", "image"],
                    "properties": {
                        "title": {
                            **_TEXT,
                            "minLength": 1,
                            "maxLength": 100,
                            "description": "At least one character is visible.",
                        },
                        "held_at": {**_TEXT, "description": "ISO 8601, `+09:00`; not in the past."},
                        "body": {
                            **_TEXT,
                            "maxLength": 2000,
                            "default": DEFAULT_BODY,
                            "description": "Empty: only the link. `EMPTY`: all characters are invisible.",
                        },
                        "extra_text_enabled": {**_FLAG, "default": False},
                        "extra_text_label": {**_TEXT, "default": DEFAULT_LABEL, "maxLength": 20},
                        "extra_text_attend_only": {**_FLAG, "default": True},
                        "target_member_ids": {**_TEXT, "description": "JSON array of member ids, such as `[101,102]`."},
                        "confirm_over_quota": {**_FLAG, "default": False},
                        "image": {**_TEXT, "format": "binary", "description": "A JPEG, 5 MB at most."},
                    },
                },
                "example": {
                    "title": "理事会9月",
                    "held_at": "2027-09-10T19:00:00+09:00",
                    "target_member_ids": "[101,102]",
                    "image": "(JPEG)",
                },
            }
        },
    }
}
FORM_FIELDS = (*FIELDS, "image")


def given_in(body: BaseModel) -> dict[str, Any]:
    """The fields that were sent, as they were sent, unknown ones included."""
    everything = {**vars(body), **(body.model_extra or {})}
    return {name: value for name, value in everything.items() if name in body.model_fields_set}
