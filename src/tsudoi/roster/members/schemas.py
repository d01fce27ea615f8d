from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example

# Query parameters are text, and `Literal[0, 1]` does not accept text.
Flag = Annotated[Literal[0, 1], BeforeValidator({"0": 0, "1": 1}.get)]

_MEMBER: JsonDict = {
    "id": 101,
    "name": "山田太郎",
    "kana": "やまだ たろう",
    "display_order": 10,
    "line_user_id_present": True,
    "is_target": 1,
    "role": "member",
    "line_display_name": "山田太郎",
    "reachable": True,
    "withdrawn": False,
    "last_contact_at": "2025-08-17T09:00:01+09:00",
}


class MemberItem(BaseModel):
    """One member of the roster."""

    id: int = Field(description="The member's id on the roster sheet.")
    name: str = Field(description="Name as on the roster.")
    kana: str | None = Field(description="Reading of the name as on the roster; null where the sheet has none.")
    display_order: int | None = Field(description="Position on the roster; null: at the end.")
    line_user_id_present: bool = Field(description="Whether a LINE user is linked.")
    is_target: int = Field(description="1: the member may be chosen as a recipient.")
    role: str = Field(description="`member` or `admin`.")
    line_display_name: str | None = Field(description="LINE name as last seen.")
    reachable: bool = Field(
        description="Whether LINE reaches the member: linked, and a friend of the account. LINE also takes messages to "
        "those who never added it or have blocked it, and shows them to nobody."
    )
    withdrawn: bool = Field(description="True: the member is no longer in the sheet; kept for the history.")
    last_contact_at: str | None = Field(
        description="When the linked LINE user was last seen, JST; null: never added the account."
    )


class MemberList(BaseModel):
    """All members in roster order."""

    model_config = example(items=[_MEMBER])

    items: list[MemberItem]


class CandidateItem(BaseModel):
    """A member who could be invited."""

    member_id: int
    name: str
    kana: str | None = Field(description="Reading of the name; null where the sheet has none.")
    display_order: int | None


class CandidateList(BaseModel):
    """The members who could be invited."""

    model_config = example(items=[{"member_id": 101, "name": "山田太郎", "kana": "やまだ たろう", "display_order": 10}])

    items: list[CandidateItem] = Field(description="In roster order.")
