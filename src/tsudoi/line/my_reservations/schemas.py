from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, PlainSerializer
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example
from tsudoi.core.clock import jst_text
from tsudoi.core.visitor_reservations import NoticeState, ReservationGap, VisitorReservation

_NOTICE: JsonDict = {
    "label": "予約確定のお知らせ",
    "channel": "line",
    "state": "sent",
    "at": "2026-11-18T09:00:00+09:00",
}
_RESERVATION: JsonDict = {
    "source": "stores",
    "id": "111",
    "place": "名古屋駅前ルーム",
    "title": "ルームA",
    "begins_at": "2026-11-20T18:00:00+09:00",
    "ends_at": "2026-11-20T20:00:00+09:00",
    "status": "accepted",
    "status_label": "予約確定",
    "key": {"state": "stub", "message": "鍵の状態は、この画面ではまだ確認できません。"},
    "notices": [_NOTICE],
}
_GAP: JsonDict = {
    "source": "stores",
    "place": "栄ルーム",
    "state": "failed",
    "message": "ただいま確認できません。",
    "path": "/shops/skae",
}
JapaneseTime = Annotated[datetime, PlainSerializer(jst_text, return_type=str)]


class OwnNoticeItem(BaseModel):
    """Something that we told the person, or will tell."""

    model_config = example(**_NOTICE)

    label: str = Field(description="What it is about.")
    channel: Literal["line", "mail"] = Field(description="The way it goes.")
    state: NoticeState = Field(description="What became of it.")
    at: JapaneseTime = Field(description="When that was, or will be.")


class LockState(BaseModel):
    """The key of the door."""

    model_config = example(state="stub", message="鍵の状態は、この画面ではまだ確認できません。")

    state: Literal["stub"] = Field(description="Always `stub`: locks are not connected in this version.")
    message: str = Field(description="What the person does instead.")


class OwnReservationItem(BaseModel):
    """One reservation of the LINE user."""

    model_config = example(**_RESERVATION)

    source: str = Field(description="`stores`, or `booking` for our own.")
    id: str = Field(description="Its id there.")
    place: str = Field(description="The shop, or the kind of appointment.")
    title: str = Field(description="What was booked.")
    begins_at: JapaneseTime = Field(description="Beginning, Japanese time.")
    ends_at: JapaneseTime | None = Field(description="End, if it is known.")
    status: str = Field(description="The status in the words of its source.")
    status_label: str = Field(description="The same for people; who cancelled it, where the source says so.")
    key: LockState | None = Field(description="The key; null where there is no lock, and once cancelled.")
    notices: list[OwnNoticeItem] = Field(description="What we told the person, the oldest first.")

    @staticmethod
    def of(one: VisitorReservation) -> "OwnReservationItem":
        key = None if one.key_message is None else LockState(state="stub", message=one.key_message)
        notices = [OwnNoticeItem(label=n.label, channel=n.channel, state=n.state, at=n.at) for n in one.notices]
        return OwnReservationItem(
            source=one.source,
            id=one.id,
            place=one.place,
            title=one.title,
            begins_at=one.begins_at,
            ends_at=one.ends_at,
            status=one.status,
            status_label=one.status_label,
            key=key,
            notices=notices,
        )


class ReservationGapItem(BaseModel):
    """A place whose reservations cannot be shown now."""

    model_config = example(**_GAP)

    source: str = Field(description="As in a reservation.")
    place: str = Field(description="The shop.")
    state: Literal["failed", "broken"] = Field(description="`broken`: the person has to prove again who it is.")
    message: str = Field(description="What to do.")
    path: str | None = Field(description="Where, below the member pages.")

    @staticmethod
    def of(gap: ReservationGap) -> "ReservationGapItem":
        return ReservationGapItem(
            source=gap.source, place=gap.place, state=gap.state, message=gap.message, path=gap.path
        )


class OwnReservationList(BaseModel):
    """All reservations of the LINE user in one list, by time."""

    model_config = example(reservations=[_RESERVATION], gaps=[_GAP])

    reservations: list[OwnReservationItem] = Field(
        description="Those to come or going on, and those at STORES that were cancelled within a day of now, by time."
    )
    gaps: list[ReservationGapItem] = Field(description="What is missing in the list, and why.")
