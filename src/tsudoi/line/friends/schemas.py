from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example

_FRIEND: JsonDict = {
    "user_id": "U0123456789abcdef0123456789abcdef",
    "display_name": "山田 太郎",
    "picture_url": None,
    "following": True,
    "first_contact_at": "2025-08-16T10:00:00+09:00",
    "last_contact_at": "2025-08-17T09:00:01+09:00",
}


class Friend(BaseModel):
    """One LINE friend of the official account."""

    user_id: str = Field(description="LINE's id for this person in our provider.")
    display_name: str | None = Field(description="LINE name, or null if LINE has not sent it yet.")
    picture_url: str | None = Field(description="LINE picture.")
    following: bool = Field(description="False: the friend has blocked or removed the account and cannot be reached.")
    first_contact_at: str = Field(description="First seen, JST.")
    last_contact_at: str = Field(description="Last follow, unfollow or page opened, JST.")


class FriendList(BaseModel):
    """One page of LINE friends."""

    model_config = example(items=[_FRIEND], next_cursor=None, total=1)

    items: list[Friend]
    next_cursor: str | None = Field(description="Pass it as `cursor` to get the next page; null on the last.")
    total: int = Field(description="Number of friends on all pages.")
