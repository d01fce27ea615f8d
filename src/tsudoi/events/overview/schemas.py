from typing import Literal

from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example

Status = Literal["attend", "absent", "pending"]
Via = Literal["liff", "admin"]

_STATS: JsonDict = {"success": 44, "fail": 1, "last_sent_at": "2025-08-16T12:00:00+09:00"}
_LIST_ITEM: JsonDict = {
    "id": 123,
    "title": "理事会9月",
    "held_at": "2025-09-10T19:00:00+09:00",
    "image_preview_url": "https://tsudoi.example.jp/files/events/3q2-7w/notice_p.jpg",
    "push_stats": {**_STATS, "unknown": 0, "pending": 0},
    "cancelled": False,
    "targets_total": 45,
    "attend": 30,
    "absent": 5,
    "pending": 10,
}
_STATUS: JsonDict = {
    "member_id": 101,
    "name": "山田太郎",
    "status": "attend",
    "extra_text": "少し遅れます",
    "responded_at": "2025-09-01T12:00:00+09:00",
    "via": "liff",
    "withdrawn": False,
}
_DETAIL: JsonDict = {
    "id": 123,
    "title": "理事会9月",
    "held_at": "2025-09-10T19:00:00+09:00",
    "body": "出欠のご回答をお願いします。",
    "image_url": "https://tsudoi.example.jp/files/events/3q2-7w/notice_o.jpg",
    "image_preview_url": "https://tsudoi.example.jp/files/events/3q2-7w/notice_p.jpg",
    "extra_text": {"enabled": True, "label": "備考", "attend_only": True},
    "targets_total": 45,
    "push_stats": _STATS,
    "current_status": [_STATUS],
    "created_at": "2025-08-16T12:00:00+09:00",
    "created_by": "jimukyoku",
    "updated_at": "2025-08-16T12:00:00+09:00",
    "cancelled_at": None,
    "cancel_reason": None,
    "sequence": 0,
    "deadline_at": None,
    "place": "本部 会議室",
    "end_at": "2025-09-10T20:30:00+09:00",
    "counts": {"attend": 30, "absent": 5, "pending": 10},
    "push": {"success": 44, "fail": 1, "unknown": 0, "pending": 0},
    "as_of": None,
}
_ANSWER: JsonDict = {
    "id": 9001,
    "responded_at": "2025-09-01T12:00:00+09:00",
    "member_id": 101,
    "name": "山田太郎",
    "status": "attend",
    "extra_text": "少し遅れます",
    "via": "liff",
}


class PushStats(BaseModel):
    """How many invitations LINE accepted and refused, and when the last one was sent."""

    success: int = Field(description="Invitations that LINE accepted.")
    fail: int = Field(description="Invitations that LINE refused.")
    last_sent_at: str = Field(description="When the last one was sent, JST.")


class ListedPushStats(PushStats):
    """The results of the invitations of an event in the list."""

    unknown: int = Field(description="People of whom it is unknown whether LINE accepted it.")
    pending: int = Field(description="People whose invitation is still being sent.")


class PushTotals(BaseModel):
    """The results of all invitations of one event, by person."""

    success: int = Field(description="People whose invitation LINE accepted.")
    fail: int = Field(description="People whose invitation LINE refused.")
    unknown: int = Field(description="People of whom it is unknown whether LINE accepted it.")
    pending: int = Field(description="People whose invitation is still being sent.")


class AnswerCounts(BaseModel):
    """How many invited members gave each answer; `pending`: none yet."""

    attend: int
    absent: int
    pending: int


class ExtraTextField(BaseModel):
    """The memo field of an event, as the office sees it."""

    enabled: bool
    label: str | None
    attend_only: bool


class EventListItem(BaseModel):
    """One event in the office's list."""

    id: int
    title: str
    held_at: str = Field(description="When it takes place, JST.")
    image_preview_url: str | None
    push_stats: ListedPushStats | None = Field(description="null: nothing was sent yet.")
    cancelled: bool
    targets_total: int = Field(description="How many members are invited.")
    attend: int
    absent: int
    pending: int = Field(description="How many have not answered.")
    waits_to_be_sent: bool = Field(
        False, description="Invitations are decided, and none has gone out yet. An event made from a date has none."
    )


class EventPage(BaseModel):
    """One page of the office's list of events."""

    model_config = example(items=[_LIST_ITEM], next_cursor=None)

    items: list[EventListItem]
    next_cursor: str | None = Field(description="Pass it as `cursor` to get the next page; null at the end.")


class StatusItem(BaseModel):
    """The current answer of one invited member, as the office sees it."""

    member_id: int
    name: str
    status: Status = Field(description="The newest answer; `pending`: none yet.")
    extra_text: str | None = Field(description="The memo of the newest answer.")
    responded_at: str | None = Field(description="When the newest answer was given, JST.")
    via: Via | None = Field(description="`admin`: the office answered on the member's behalf.")
    withdrawn: bool = Field(description="The member has left the roster and can no longer answer by LINE.")


class EventDetail(BaseModel):
    """One event with the current answers of all invited members."""

    model_config = example(**_DETAIL)

    id: int
    title: str
    held_at: str = Field(description="When it takes place, JST.")
    body: str | None
    image_url: str | None
    image_preview_url: str | None
    extra_text: ExtraTextField
    targets_total: int = Field(description="How many members are invited (with `as_of`: were invited then).")
    push_stats: PushStats | None = Field(description="null: nothing was sent yet.")
    current_status: list[StatusItem] = Field(description="All invited members, in roster order.")
    created_at: str
    created_by: str = Field(description="Log-in name of the administrator who created it.")
    updated_at: str
    cancelled_at: str | None
    cancel_reason: str | None
    sequence: int = Field(description="How often title, time or state have changed.")
    deadline_at: str | None
    place: str | None
    end_at: str | None = Field(description="When it ends, JST; null: calendars show one hour.")
    counts: AnswerCounts
    push: PushTotals | None = Field(description="Results of the invitations; null: nothing was sent yet.")
    as_of: str | None = Field(description="The time that was asked for, JST; null: now.")


class HistoryItem(BaseModel):
    """One recorded answer, as the office sees it."""

    id: int
    responded_at: str
    member_id: int
    name: str
    status: Literal["attend", "absent"]
    extra_text: str | None
    via: Via


class HistoryPage(BaseModel):
    """One page of the recorded answers to an event."""

    model_config = example(items=[_ANSWER], next_cursor=None)

    items: list[HistoryItem] = Field(description="Newest first.")
    next_cursor: str | None = Field(description="Pass it as `cursor` to get older answers; null at the end.")
