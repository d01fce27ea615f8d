"""The request for suggestions and its answer."""

from typing import Annotated

from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example, strict_example
from tsudoi.scheduling.thread.rules.texts import ThreadDescription, ThreadTitle


class SuggestionRequest(BaseModel):
    """What the meeting is about. Nothing is stored, and nobody is asked."""

    model_config = strict_example(title="決算の打ち合わせ", description="会計と監事で確認します。", audience_ids=[3])

    title: ThreadTitle
    description: ThreadDescription | None = None
    audience_ids: list[Annotated[int, Field(strict=True, ge=1, le=2**53)]] | None = Field(
        None, min_length=1, max_length=50, description="Choose among the members of these groups only."
    )


class SuggestedPerson(BaseModel):
    """A person whom the model suggests, from those whom the organisation knows."""

    name: str
    email: str
    member_id: int | None
    invitee_key: str
    reason: str


class Suggestions(BaseModel):
    """Suggestions of the model. Nobody is asked by them."""

    model_config = example(
        candidates=[
            {
                "name": "山田太郎",
                "email": "yamada@example.jp",
                "member_id": 101,
                "invitee_key": "lm:101",
                "reason": "会計担当",
            }
        ],
        unavailable=None,
    )

    candidates: list[SuggestedPerson]
    unavailable: str | None = Field(description="Why there are none, in Japanese.")
