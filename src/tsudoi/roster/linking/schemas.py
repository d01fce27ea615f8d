from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example, strict_example

_FRIEND: JsonDict = {
    "user_id": "U0123456789abcdef0123456789abcdef",
    "display_name": "たろう",
    "picture_url": None,
    "following": True,
    "first_contact_at": "2025-08-16T10:00:00+09:00",
    "last_contact_at": "2025-08-17T09:00:01+09:00",
    "suggestions": [{"member_id": 101, "name": "山田太郎", "exact": False}],
}

# The audit trail stores it as text, and PostgreSQL refuses NUL in text.
Reason = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x08]*$")
]


class RegisterRequest(BaseModel):
    """The name by which a LINE user wants to be linked."""

    model_config = strict_example(full_name="山田太郎")

    full_name: str = Field(min_length=1, max_length=50, description="Full name as on the roster.")


class RegisterResponse(BaseModel):
    """The LINE user is linked to a member, or waits for the office's confirmation."""

    model_config = example(ok=True)

    ok: bool = Field(description="False: nobody is linked yet.")
    waiting: bool = Field(False, description="True: the office has to confirm it first.")


class RegistrationHandedOver(BaseModel):
    """The office has been asked."""

    model_config = example(waiting=True)

    waiting: bool = Field(description="False: the LINE user is a member already, and need not wait.")


class RegistrationState(BaseModel):
    """How far the registration of a LINE user is."""

    model_config = example(state="waiting", full_name="山田太郎", requested_at="2025-08-16T10:00:00+09:00")

    state: Literal["linked", "waiting", "none"] = Field(description="`waiting`: the office has to confirm the name.")
    full_name: str | None = Field(description="The name that was typed, while it waits.")
    requested_at: str | None = Field(description="When it was typed, JST.")


class Suggestion(BaseModel):
    """A member with a similar name."""

    member_id: int
    name: str
    exact: bool = Field(description="True: the names are the same after normalisation. False: they are only similar.")
    linked: bool = Field(
        False,
        exclude_if=lambda linked: not linked,
        description="True: the member is linked to another LINE user. Missing otherwise.",
    )


class UnlinkedFriend(BaseModel):
    """A LINE friend without a link, with suggested members."""

    user_id: str = Field(description="LINE's id for this person.")
    display_name: str | None = Field(description="LINE name, or null if LINE has not sent it yet.")
    picture_url: str | None = Field(description="LINE picture.")
    following: bool = Field(description="False: the friend cannot be reached.")
    first_contact_at: str = Field(description="First seen, JST.")
    last_contact_at: str = Field(description="Last seen, JST.")
    typed_name: str | None = Field(
        None,
        exclude_if=lambda name: name is None,
        description="The name that the friend typed last, and that linked nobody. Missing where none was typed.",
    )
    typed_at: str | None = Field(
        None, exclude_if=lambda at: at is None, description="When it was typed, JST. Missing where none was typed."
    )
    suggestions: list[Suggestion] = Field(
        description="Members without a link who have a similar name: to the typed one, else to the LINE name."
    )


class WaitingPerson(BaseModel):
    """A LINE user who typed a name and waits for the office, with suggested members."""

    user_id: str = Field(description="LINE's id for this person.")
    full_name: str = Field(description="The name that was typed.")
    display_name: str | None = Field(description="LINE name.")
    picture_url: str | None = Field(description="LINE picture.")
    requested_at: str = Field(description="When the name was typed, JST.")
    suggestions: list[Suggestion] = Field(description="Members whose name is like the typed one.")


class WaitingPeople(BaseModel):
    """Everybody who waits for the office's confirmation."""

    model_config = example(
        items=[
            {
                "user_id": "U0123456789abcdef0123456789abcdef",
                "full_name": "山田太郎",
                "display_name": "たろう",
                "picture_url": None,
                "requested_at": "2025-08-16T10:00:00+09:00",
                "suggestions": [{"member_id": 101, "name": "山田太郎", "exact": True}],
            }
        ]
    )

    items: list[WaitingPerson] = Field(description="The first hundred; who has waited longest comes first.")


class UnlinkedFriends(BaseModel):
    """One page of LINE friends without a link."""

    model_config = example(items=[_FRIEND], next_cursor=None, total=1)

    items: list[UnlinkedFriend]
    next_cursor: str | None = Field(description="Pass it as `cursor` to get the next page; null on the last.")
    total: int = Field(description="Number of friends on all pages.")


class LinkSummary(BaseModel):
    """How far the roster and LINE are linked, in numbers."""

    model_config = example(unlinked_friends=3, waiting_registrations=1, members=120, linked_members=101)

    unlinked_friends: int = Field(description="LINE users who are no member yet: friends, and who waits to become one.")
    waiting_registrations: int = Field(description="Of these, who waits until the office has confirmed a typed name.")
    members: int = Field(description="Members on the roster, without those who left.")
    linked_members: int = Field(description="Of these, how many are linked to LINE.")


class LinkRequest(BaseModel):
    """The LINE friend and the member to link."""

    model_config = strict_example(user_id="U0123456789abcdef0123456789abcdef", member_id=101, reason="電話で本人に確認")

    user_id: str = Field(pattern=r"^U[0-9a-f]{32}$", description="The LINE friend.")
    member_id: int = Field(strict=True, ge=1, le=2**53, description="The member.")
    reason: Reason = Field(description="How the office knows that they are the same person; kept in the audit trail.")


class UnlinkRequest(BaseModel):
    """The reason for removing a link."""

    model_config = strict_example(reason="別の方のLINEだったため")

    reason: Reason = Field(description="Why the link was wrong; kept in the audit trail.")


class LinkResponse(BaseModel):
    """The link was created."""

    model_config = example(member_id=101)

    member_id: int = Field(description="The member who is linked now.")
