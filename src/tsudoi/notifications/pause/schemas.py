from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from tsudoi.core.api_examples import example, strict_example

Reason = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=r"^[^\x00-\x08]*$")
]
_PAUSE = {"paused_at": "2026/12/08 10:00", "paused_by": "jimukyoku", "reason": "文面を確認するため"}


class PauseRequest(BaseModel):
    """Why notices are paused or go on."""

    model_config = strict_example(reason="文面を確認するため")

    reason: Reason = Field(description="The audit trail keeps it.")


class PauseItem(BaseModel):
    """A pause that is going on."""

    model_config = example(**_PAUSE)

    paused_at: str = Field(description="`YYYY/MM/DD HH:mm` in Japan.")
    paused_by: str
    reason: str


class PauseState(BaseModel):
    """Whether notices are paused."""

    model_config = example(paused=_PAUSE)

    paused: PauseItem | None = Field(description="null: notices are sent.")
