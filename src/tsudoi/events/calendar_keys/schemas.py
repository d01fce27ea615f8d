from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tsudoi.core.api_examples import example


class CalendarRenewalRequest(BaseModel):
    """The member knows what a renewal does."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"confirm": True}})

    confirm: Literal[True] = Field(description="That all earlier addresses stop working.")


class CalendarKeysRenewed(BaseModel):
    """The addresses of this member's calendar files are other ones from now on."""

    model_config = example(renewed_at="2025-08-16T12:00:00+09:00")

    renewed_at: str = Field(description="When, JST.")
