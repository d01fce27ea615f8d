from typing import Annotated, Self

from pydantic import BaseModel, Field, StringConstraints, model_validator

from tsudoi.core.api_examples import example, strict_example

Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]*$")
]
# Strict, so that `true` is not accepted as a number.
SortOrder = Annotated[int, Field(strict=True, ge=-(2**31), lt=2**31)]
MemberId = Annotated[int, Field(strict=True, ge=1, le=2**53)]


class AudienceItem(BaseModel):
    """One group in the list."""

    id: int
    name: str
    sort_order: int | None
    member_count: int = Field(description="Number of members in the group.")


class AudienceList(BaseModel):
    """All groups."""

    model_config = example(items=[{"id": 1, "name": "理事会", "sort_order": 1, "member_count": 12}])

    items: list[AudienceItem] = Field(description="Ordered by `sort_order` (null at the end), then by name.")


class NewAudience(BaseModel):
    """The group to create."""

    model_config = strict_example(name="理事会", sort_order=1)

    name: Name = Field(description="Unique name.")
    sort_order: SortOrder | None = Field(None, description="Position in lists; smaller comes first.")


class AudienceChange(BaseModel):
    """The fields of a group to change."""

    model_config = strict_example(sort_order=2)

    name: Name | None = Field(None, description="New name.")
    sort_order: SortOrder | None = Field(None, description="New position; null removes it.")
    seen_name: str | None = Field(
        None, max_length=100, description="The name that the screen showed: 409 `CHANGED_MEANWHILE` if it has changed."
    )

    @model_validator(mode="after")
    def _name_is_a_name(self) -> Self:
        """A field that is left out stays unchanged; an explicit null would mean a group without a name."""
        if "name" in self.model_fields_set and self.name is None:
            raise ValueError("name must not be null")
        return self


class AudienceCreated(BaseModel):
    """The id of the new group."""

    model_config = example(id=1)

    id: int


class AudienceChanged(BaseModel):
    """The group was changed."""

    model_config = example(ok=True)

    ok: bool


class AudienceMemberItem(BaseModel):
    """One member of a group."""

    member_id: int
    name: str
    display_order: int | None
    line_user_id_present: bool = Field(description="Whether a LINE user is linked.")
    is_target: int


class AudienceMembers(BaseModel):
    """The members of a group, with a version of the list."""

    model_config = example(
        items=[
            {
                "member_id": 101,
                "name": "山田太郎",
                "display_order": 10,
                "line_user_id_present": True,
                "is_target": 1,
            }
        ],
        version="9f86d081884c7d65",
    )

    items: list[AudienceMemberItem] = Field(description="In roster order.")
    version: str = Field(description="Identifies exactly these members; send it back when you replace them.")


class MembershipRequest(BaseModel):
    """The members that a group should have."""

    model_config = strict_example(member_ids=[101, 102, 103])

    member_ids: list[MemberId] = Field(max_length=100_000, description="All members that the group should have.")
    version: str | None = Field(
        None,
        max_length=64,
        description="`version` of the list that was read: 409 `CHANGED_MEANWHILE` if it has changed.",
    )


class MembershipCount(BaseModel):
    """The group has its new members."""

    model_config = example(count=3)

    count: int = Field(description="Number of members in the group now.")
