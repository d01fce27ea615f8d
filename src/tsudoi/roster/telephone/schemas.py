from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, PlainSerializer, StringConstraints
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example, strict_example
from tsudoi.core.clock import jst_text

_CALL: JsonDict = {
    "id": 12,
    "kind": "thread",
    "subject_id": "7c1f8c5e-2f0e-4c61-9a41-0c9e7d0d0001",
    "title": "臨時理事会",
    "url": "/threads/7c1f8c5e-2f0e-4c61-9a41-0c9e7d0d0001",
    "member_id": 101,
    "person_key": "lm:101",
    "name": "山田太郎",
    "phone": None,
    "why": "LINEと連携していません。メールアドレスが登録されていません",
    "text": "「臨時理事会」の日程を決めるため、ご都合をお聞きください。候補日：12/10（木）14:00、12/11（金）14:00",
    "since": "2025-09-01T10:00:00+09:00",
    "done_at": None,
    "done_by": None,
    "result": None,
    "note": None,
}
CallResult = Literal["told", "unreachable"]
Moment = Annotated[datetime, PlainSerializer(jst_text, return_type=str)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00-\x08]*$")]


class TelephoneItem(BaseModel):
    """Somebody to call, or somebody who was called."""

    model_config = example(**_CALL)

    id: int
    kind: str = Field(description="What it is about, such as `thread`.")
    subject_id: str = Field(description="The thread, event and so on.")
    title: str
    url: str | None = Field(description="The page of the console that shows it, below the console's prefix.")
    member_id: int | None
    person_key: str = Field(description="`lm:<member>`, `e:<16 hex digits>`, `u:staff:<uid>`.")
    name: str
    phone: str | None = Field(description="The telephone number, where one is known.")
    why: str = Field(description="In Japanese: why nothing else reaches the person.")
    text: str = Field(description="In Japanese: what to say.")
    since: Moment
    done_at: Moment | None
    done_by: str | None = Field(description="The administrator who ticked it off, such as `admin:1`.")
    result: CallResult | None
    note: str | None


class TelephoneKindItem(BaseModel):
    """One kind of calls that the list may have."""

    kind: str
    label: str = Field(description="In Japanese, for a filter.")
    open: int = Field(description="How many calls of this kind are to be made now.")


class TelephoneList(BaseModel):
    """Whom to call, the longest waiting first."""

    model_config = example(items=[_CALL], kinds=[{"kind": "thread", "label": "日程調整", "open": 1}], truncated=False)

    items: list[TelephoneItem]
    kinds: list[TelephoneKindItem]
    truncated: bool = Field(description="There are more than 1,000; the list shows the first ones.")


class CallDone(BaseModel):
    """What became of a call."""

    model_config = strict_example(result="told", note="14日の18時なら来られるとのこと")

    result: CallResult = Field(description="`told`: the person knows. `unreachable`: nobody answered.")
    note: Note = ""
