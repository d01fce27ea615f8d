"""The JSON of an attendance rule, one class for each type (document 001, appendix B). Pure.

A part that is absent has the value of the document's default rule.
"""

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

LONGEST_KEY, LONGEST_NAME, MOST_KEYS, MOST_GROUPS = 100, 100, 2000, 20
LARGEST_ID = 2**53
_FORBIDDEN = ("Cc", "Cs", "Zl", "Zp")


def _listed_once(keys: list[str]) -> list[str]:
    if len(set(keys)) < len(keys):
        raise PydanticCustomError("DUPLICATE", "a person is listed twice")
    return keys


def _name(text: str) -> str:
    if any(unicodedata.category(one) in _FORBIDDEN for one in text):
        raise PydanticCustomError("CONTROL_CHARACTER", "control characters are not allowed")
    return text


_Key = Annotated[str, Field(max_length=LONGEST_KEY)]
Keys = Annotated[list[_Key], Field(max_length=MOST_KEYS), AfterValidator(_listed_once)]
Number = Annotated[int, Field(ge=0, le=MOST_KEYS)]
AtLeastOne = Annotated[int, Field(ge=1, le=MOST_KEYS)]


class _Part(BaseModel):
    """A part of the JSON: types are strict (`true` is no number), and unknown keys are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class SlotPolicyJson(_Part):
    """Whether a person may choose more than one slot."""

    multiple_slots_allowed: bool = True


class InviteeScopeJson(_Part):
    """Whether people may be asked whom the organisation does not know."""

    allow_unregistered: bool = True


class FinalizePolicyJson(_Part):
    """Whether the rule decides by itself, and for which of several slots."""

    auto_finalize: bool = True
    policy: Literal["EARLIEST_VALID"] = "EARLIEST_VALID"


class NothingMore(_Part):
    """The `rule` of a type that has no numbers."""


class CountOfPeople(_Part):
    """The `rule` of K_OF_N, which repeats the numbers."""

    k: AtLeastOne | None = None
    n: Number | None = None


class RequiredCounts(_Part):
    """The `rule` of REQUIRED_PLUS_K, which repeats the numbers."""

    required_count: Number | None = None
    optional_quorum: Number | None = None


class CountOfGroups(_Part):
    """The `rule` of GROUP_ANY, which repeats the number of its groups."""

    groups: Annotated[int, Field(ge=1, le=MOST_GROUPS)] | None = None


class RuleJson(_Part):
    """What all types have."""

    version: Literal["1.0"] = "1.0"
    slot_policy: SlotPolicyJson = Field(default_factory=SlotPolicyJson)
    invitee_scope: InviteeScopeJson = Field(default_factory=InviteeScopeJson)
    finalize_policy: FinalizePolicyJson = Field(default_factory=FinalizePolicyJson)


class AnyJson(RuleJson):
    """One person is enough."""

    type: Literal["ANY"]
    participants: Keys = Field(default_factory=list)
    rule: NothingMore = Field(default_factory=NothingMore)


class AllJson(RuleJson):
    """Everybody has to be there."""

    type: Literal["ALL"]
    participants: Keys = Field(default_factory=list)
    rule: NothingMore = Field(default_factory=NothingMore)


class KOfNJson(RuleJson):
    """So many of these people are enough."""

    type: Literal["K_OF_N"]
    participants: Keys = Field(default_factory=list)
    k: AtLeastOne | None = None
    rule: CountOfPeople = Field(default_factory=CountOfPeople)


class RequiredPlusKJson(RuleJson):
    """These people have to be there, and so many of the others."""

    type: Literal["REQUIRED_PLUS_K"]
    required: Keys = Field(default_factory=list)
    optional: Keys = Field(default_factory=list)
    quorum: Number | None = None
    rule: RequiredCounts = Field(default_factory=RequiredCounts)


class GroupJson(_Part):
    """A group of GROUP_ANY. `audience_id` says where its people come from; the keys decide."""

    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name)] = ""
    audience_id: Annotated[int, Field(ge=1, le=LARGEST_ID)] | None = None
    any_of_invitee_keys: Keys
    min: AtLeastOne = 1


class GroupAnyJson(RuleJson):
    """Enough people of one of the groups."""

    type: Literal["GROUP_ANY"]
    groups: Annotated[list[GroupJson], Field(min_length=1, max_length=MOST_GROUPS)]
    rule: CountOfGroups = Field(default_factory=CountOfGroups)


AnyRuleJson = Annotated[AnyJson | AllJson | KOfNJson | RequiredPlusKJson | GroupAnyJson, Field(discriminator="type")]
