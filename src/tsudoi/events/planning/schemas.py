from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from tsudoi.events.event.rules import DEFAULT_BODY, DEFAULT_LABEL
from tsudoi.events.planning.rules.draft import FIELDS, LARGEST_SEQUENCE, MOST_TARGETS

MemberId = Annotated[int, Field(strict=True, ge=1, le=2**53)]
BroadcastId = Annotated[int, Field(strict=True, ge=1, le=2**53)]
Reason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*$"),
]
_PUSH = {"success": 44, "fail": 1, "unknown": 0, "pending": 0}


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


def _wanted(**fields: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [fields]})


def _loose(**fields: Any) -> ConfigDict:
    """For what is read by our own rules, which name an unknown field along with everything else that is wrong."""
    return ConfigDict(extra="allow", json_schema_extra={"examples": [fields], "additionalProperties": False})


# Whatever is sent; the description of the API says what it has to be.
Flag = Annotated[Any, WithJsonSchema({"type": "boolean"})]
SeenSequence = Annotated[
    Any,
    WithJsonSchema({"anyOf": [{"type": "integer", "maximum": LARGEST_SEQUENCE, "minimum": 0}, {"type": "null"}]}),
]


class PushCounts(BaseModel):
    """How many people a sending has reached so far."""

    success: int = Field(description="LINE took it.")
    fail: int = Field(description="LINE refused it for good.")
    unknown: int = Field(description="No certain answer, and none to be had any more: parked for a person to decide.")
    pending: int = Field(description="Still being sent.")


class EventCreated(BaseModel):
    """The new event, and how far its invitations got."""

    model_config = _example(event_id=123, targets=45, push=_PUSH)

    event_id: int = Field(description="The new event.")
    targets: int = Field(description="How many people are asked.")
    push: PushCounts


class NoticeSent(BaseModel):
    """What was decided, and how far its messages got."""

    model_config = _example(ok=True, targets=12, push=_PUSH)

    ok: bool = Field(description="Always true: it is decided and written down.")
    targets: int = Field(description="How many people are told.")
    push: PushCounts | None = Field(description="How far the sending got; null when nobody is told.")


class DraftIn(BaseModel):
    """Loosely typed on purpose: the same rules as for the form name every wrong field at once."""

    model_config = _loose(
        title="理事会9月", held_at="2027-09-10T19:00:00+09:00", body=DEFAULT_BODY, target_member_ids=[101, 102]
    )

    title: Any = Field(None, description="1 to 100 characters, at least one of which can be seen.")
    held_at: Any = Field(None, description="When it takes place, not in the past; ISO 8601 with offset.")
    body: Any = Field(
        None,
        description='Up to 2000 characters. Left out or null: the usual words; `""`: no words but the link. 400 '
        "`EMPTY`: it has letters, and nobody sees any of them.",
    )
    extra_text_enabled: Any = Field(None, description="Whether there is a memo field.")
    extra_text_label: Any = Field(None, description="What the memo field is called.")
    extra_text_attend_only: Any = Field(None, description="Whether only those who come may fill it in.")
    target_member_ids: Any = Field(None, description="Who is asked.")
    confirm_over_quota: Any = Field(None, description="As in the form; makes no difference here.")


_OVER_QUOTA = "Send although LINE's monthly limit will not allow all of it (otherwise 409)."


class Confirmed(BaseModel):
    confirm_over_quota: bool = Field(False, description=_OVER_QUOTA)


class ReminderIn(Confirmed):
    model_config = _wanted(member_ids=None)

    member_ids: list[MemberId] | None = Field(
        None, max_length=MOST_TARGETS, description="Only these; left out: all who have not answered."
    )


class ResendIn(Confirmed):
    """Whom to send again what LINE's monthly limit kept back."""

    model_config = _wanted(broadcast_id=7)

    broadcast_id: BroadcastId | None = Field(None, description="This broadcast; left out: all invitations.")


class TargetsIn(Confirmed):
    model_config = _wanted(member_ids=[103, 104])

    member_ids: list[MemberId] = Field(
        min_length=1, max_length=MOST_TARGETS, description="Who is asked as well; who already is stays so."
    )


class ChangeIn(BaseModel):
    model_config = _loose(held_at="2027-09-11T19:00:00+09:00", notify=True, sequence=0)

    confirm_over_quota: Flag = Field(False, description=_OVER_QUOTA)
    title: Any = Field(None, description="New title, not empty.")
    held_at: Any = Field(None, description="New time, not in the past.")
    body: Any = Field(
        None,
        description='New text. Null: back to the usual words; `""`: no words but the link. 400 `EMPTY`: it has '
        "letters, and nobody sees any of them.",
    )
    notify: Flag = Field(False, description="Tell everybody who is asked what has changed.")
    sequence: SeenSequence = Field(
        None, description="The `sequence` that the screen showed: 409 `CHANGED_MEANWHILE` if it is another."
    )


class CancellationIn(Confirmed):
    model_config = _wanted(reason="会場が使えなくなったため", notify=True)

    reason: Reason | None = Field(None, description="Shown to everybody who is asked.")
    notify: bool = Field(False, description="Tell everybody who is asked.")


Kind = Literal["reminder", "change", "cancel", "late", "resend"]


class NoticePreviewIn(BaseModel):
    model_config = _wanted(kind="reminder")

    kind: Kind = Field(description="What is about to be sent.")
    member_ids: list[MemberId] | None = Field(None, max_length=MOST_TARGETS, description="For `reminder` and `late`.")
    broadcast_id: BroadcastId | None = Field(None, description="For `resend`; left out: all invitations.")
    title: Any = Field(None, description="For `change`: the new title.")
    held_at: Any = Field(None, description="For `change`: the new time.")
    body: Any = Field(None, description="For `change`: the new text.")
    reason: Reason | None = Field(None, description="For `cancel`.")


class RecipientItem(BaseModel):
    member_id: int
    name: str
    blocked: bool = Field(description="Has blocked the account: LINE takes the message, and nobody sees it.")


class UnreachableItem(BaseModel):
    member_id: int
    name: str
    reason: str = Field(
        description="`NO_LINE`, `WITHDRAWN`, `NOT_TARGET` or, of a reminder, `REMINDED_TODAY`. Who has blocked the "
        "account is among the recipients, and marked."
    )
    reason_text: str = Field(description="The same for people.")


class QuotaView(BaseModel):
    known: bool = Field(description="Whether LINE could be asked.")
    limit: int | None = Field(description="Messages per month; null: no limit, or not known.")
    used: int | None = Field(description="Used this month, by LINE's approximation.")
    promised: int = Field(description="Decided earlier and not sent yet.")
    left: int | None = Field(description="Left this month once what is promised has gone out.")
    cost: int = Field(description="What this would use at most: LINE counts people.")
    enough: bool | None = Field(description="Null when LINE could not be asked.")


class Preview(BaseModel):
    model_config = _example(
        recipients_total=1,
        recipients=[{"member_id": 101, "name": "山田太郎", "blocked": False}],
        unreachable=[
            {"member_id": 102, "name": "佐藤花子", "reason": "NO_LINE", "reason_text": "LINEと連携していません"}
        ],
        messages=[{"type": "text", "text": "出欠のご回答をお願いします。\nhttps://liff.line.me/…/events/○○"}],
        quota={"known": True, "limit": 200, "used": 50, "promised": 0, "left": 150, "cost": 1, "enough": True},
    )

    recipients_total: int
    recipients: list[RecipientItem] = Field(description="Who gets it, in roster order.")
    unreachable: list[UnreachableItem] = Field(
        description="Who was chosen (for a reminder: who has not answered) and does not get it, and why."
    )
    messages: list[dict[str, Any]] = Field(
        description="LINE's own message objects; the number of an event that does not exist yet is ○○."
    )
    quota: QuotaView


_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
# The form, for the description of the API: it is read by hand, after we know who is asking.
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
                            "description": "At least one character can be seen.",
                        },
                        "held_at": {**_TEXT, "description": "ISO 8601, `+09:00`; not in the past."},
                        "body": {
                            **_TEXT,
                            "maxLength": 2000,
                            "default": DEFAULT_BODY,
                            "description": "Empty: no words but the link. `EMPTY`: nobody sees any of its letters.",
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
