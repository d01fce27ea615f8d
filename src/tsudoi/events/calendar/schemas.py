from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example


class CalendarKeysRenewed(BaseModel):
    """The addresses of this member's calendar files are other ones from now on."""

    model_config = example(renewed_at="2025-08-16T12:00:00+09:00")

    renewed_at: str = Field(description="When, JST.")
