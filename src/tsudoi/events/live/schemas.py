from typing import Literal

from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example

_EXAMPLE: JsonDict = {
    "event": {
        "title": "理事会9月",
        "held_at": "2025-09-10T19:00:00+09:00",
        "updated_at": "2025-08-16T12:00:00+09:00",
        "sequence": 0,
        "cancelled": False,
    },
    "targets_total": 45,
    "counts": {"attend": 30, "absent": 5, "pending": 10},
    "push": {"success": 44, "fail": 1, "unknown": 0, "pending": 0},
    "push_stats": {"success": 44, "fail": 1, "last_sent_at": "2025-08-16T12:00:00+09:00"},
    "answers": [
        {
            "id": 9001,
            "member_id": 101,
            "status": "attend",
            "extra_text": "少し遅れます",
            "responded_at": "2025-09-01T12:00:00+09:00",
            "via": "liff",
        }
    ],
}


class LiveEvent(BaseModel):
    """The event itself, as it is now."""

    title: str
    held_at: str
    updated_at: str
    sequence: int
    cancelled: bool


class LiveCounts(BaseModel):
    """How many invited members gave each answer; `pending`: none yet."""

    attend: int
    absent: int
    pending: int


class LivePush(BaseModel):
    """The results of the messages, by person."""

    success: int
    fail: int
    unknown: int
    pending: int


class LivePushStats(BaseModel):
    """How many invitations LINE accepted and refused, and when the last one was sent."""

    success: int
    fail: int
    last_sent_at: str


class LiveAnswer(BaseModel):
    """An answer that was given since the stream began, or since the client lost the connection."""

    id: int = Field(description="The answer's own number; after a reconnect one may be sent twice.")
    member_id: int
    status: Literal["attend", "absent"]
    extra_text: str | None
    responded_at: str
    via: Literal["liff", "admin"]


class LiveUpdate(BaseModel):
    """The JSON in each `data:` line, for `snapshot` and for `answers`."""

    model_config = example(**_EXAMPLE)

    event: LiveEvent
    targets_total: int
    counts: LiveCounts
    push: LivePush | None = Field(description="null: nothing was sent yet.")
    push_stats: LivePushStats | None = Field(description="null: nothing was sent yet.")
    answers: list[LiveAnswer] = Field(description="New answers, in the order in which they were seen.")
    reload: bool | None = Field(
        None, description="Only in `snapshot`. True: load the list of people again; false: the missed answers follow."
    )
