from typing import Annotated, Literal

from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example, strict_example
from tsudoi.events.event.rules import LONGEST_EXTRA_TEXT

Status = Literal["attend", "absent"]
MyStatus = Literal["pending", "attend", "absent"]
MemberId = Annotated[int, Field(strict=True, ge=1, le=2**53)]


class Answer(BaseModel):
    """A member's answer to an invitation."""

    model_config = strict_example(status="attend", extra_text="10分ほど遅れます")

    status: Status = Field(description="Whether the member will attend.")
    extra_text: str | None = Field(
        None,
        description=f"The memo: one line of {LONGEST_EXTRA_TEXT} characters at most. It is ignored where the event"
        " has no memo field, and with `absent` where only those who attend may fill it in.",
    )


class AnswerRecorded(BaseModel):
    """The answer as it was recorded."""

    model_config = example(
        ok=True, current="attend", extra_text="10分ほど遅れます", responded_at="2025-09-01T12:00:00+09:00"
    )

    ok: bool = Field(description="Always true: the answer is on disk.")
    current: Status = Field(description="The answer that counts from now on.")
    extra_text: str | None = Field(description="The memo as it was stored.")
    responded_at: str = Field(description="When it was recorded.")


class AnswerOnBehalf(Answer):
    """An answer that the office records for a member."""

    model_config = strict_example(member_id=101, status="absent", extra_text=None)

    member_id: MemberId = Field(description="The member for whom the office answers; an invited one.")


class MemberExtraTextField(BaseModel):
    """The memo field of an event, as a member sees it."""

    enabled: bool = Field(description="Whether there is a memo field.")
    label: str = Field(description="The label of the field.")
    attend_only: bool = Field(description="Whether only those who attend may fill it in.")


class MyEventItem(BaseModel):
    """One event in the list of a member."""

    id: int
    title: str
    held_at: str
    my_status: MyStatus
    my_responded_at: str | None = Field(description="When the answer that counts was given.")
    cancelled: bool
    over: bool = Field(description="Whether its day in Japan is over; such events come last.")


_ITEM = {
    "id": 123,
    "title": "理事会9月",
    "held_at": "2025-09-10T19:00:00+09:00",
    "my_status": "pending",
    "my_responded_at": None,
    "cancelled": False,
    "over": False,
}


class MyEvents(BaseModel):
    """The events that the member is invited to."""

    model_config = example(items=[_ITEM])

    items: list[MyEventItem] = Field(
        description="Unanswered first, then by date; past events come last, the latest first (50 at most)."
    )


class MyEventDetail(BaseModel):
    """One event with the member's own answer."""

    model_config = example(
        id=123,
        title="理事会9月",
        held_at="2025-09-10T19:00:00+09:00",
        body="出欠のご回答をお願いします。",
        image_preview_url="https://example.jp/files/events/Zk3.../notice_p.jpg",
        image_url="https://example.jp/files/events/Zk3.../notice_o.jpg",
        extra_text={"enabled": True, "label": "備考", "attend_only": True},
        my_status="attend",
        my_last_extra_text="10分ほど遅れます",
        my_responded_at="2025-09-01T12:00:00+09:00",
        my_name="山田太郎",
        cancelled=False,
        cancel_reason=None,
        deadline_at=None,
        over=False,
        closed=False,
        place="本部 会議室",
        end_at="2025-09-10T20:30:00+09:00",
        calendar_url="https://example.jp/api/liff/events/123.ics?key=abc",
    )

    id: int
    title: str
    held_at: str
    body: str | None
    image_preview_url: str | None
    image_url: str | None
    extra_text: MemberExtraTextField
    my_status: MyStatus
    my_last_extra_text: str | None
    my_responded_at: str | None
    my_name: str = Field(description="The name of the member who answers.")
    cancelled: bool
    cancel_reason: str | None
    deadline_at: str | None
    over: bool = Field(description="Whether its day in Japan is over. Members may answer all the same, see `closed`.")
    closed: bool = Field(
        description="Whether answers are refused because its day is over; only with `EVENTS_CLOSE_AFTER_DAY=on`."
    )
    place: str | None
    end_at: str | None = Field(description="When it ends, where that is known.")
    calendar_url: str = Field(description="An iCalendar file that also opens outside LINE.")


class MemberStatusItem(BaseModel):
    """The current answer of one invited member, as other members see it."""

    member_id: int
    name: str
    status: MyStatus


class StatusList(BaseModel):
    """The current answers of all invited members."""

    model_config = example(items=[{"member_id": 101, "name": "山田太郎", "status": "attend"}])

    items: list[MemberStatusItem] = Field(description="All invited members, in roster order.")


class MemberHistoryItem(BaseModel):
    """One recorded answer, as members see it."""

    responded_at: str
    member_id: int
    name: str
    status: Status
    extra_text: str | None


class HistoryList(BaseModel):
    """All recorded answers to an event."""

    model_config = example(
        items=[
            {
                "responded_at": "2025-09-01T12:00:00+09:00",
                "member_id": 101,
                "name": "山田太郎",
                "status": "attend",
                "extra_text": None,
            }
        ]
    )

    items: list[MemberHistoryItem] = Field(description="Every answer, the newest first (1,000 at most).")
