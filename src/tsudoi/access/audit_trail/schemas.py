from typing import Any, Literal

from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example

_ENTRY: JsonDict = {
    "id": 7,
    "at": "2025-08-17T09:00:01+09:00",
    "actor": "admin:jimukyoku",
    "actorType": "ADMIN",
    "action": "LOGIN_SUCCESS",
    "subject": "admin:jimukyoku",
    "reason": None,
    "old": None,
    "new": None,
}

ActorType = Literal["ADMIN", "STAFF", "SYSTEM", "OTHER"]


class AuditEntry(BaseModel):
    """One action in the audit trail."""

    id: int
    at: str = Field(description="When, JST.")
    actor: str = Field(description="Who: `admin:<name>`, `staff:<staffUid>`, `cli`, `nobody` for a failed log-in.")
    actor_type: ActorType = Field(
        serialization_alias="actorType", description="The kind of actor, from the prefix of `actor`."
    )
    action: str = Field(description="What was done.")
    subject: str = Field(description="To whom or what.")
    reason: str | None = Field(description="Why, where a reason was asked for.")
    old: dict[str, Any] | None = Field(description="The values before.")
    new: dict[str, Any] | None = Field(description="The values after.")


class AuditPage(BaseModel):
    """One page of the audit trail, newest first."""

    model_config = example(items=[_ENTRY], next_cursor=None)

    items: list[AuditEntry]
    next_cursor: str | None = Field(description="Pass it as `cursor` to get older entries; null at the end.")
