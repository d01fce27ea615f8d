from typing import Any

from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example

_SYNC: JsonDict = {
    "finished_at": "2025-08-16T10:00:00+09:00",
    "source": "sheet",
    "created": 2,
    "changed": 1,
    "withdrawn": 0,
    "unchanged": 117,
    "refused": 1,
    "refusals": [{"row": 14, "reason": "EMPTY_NAME"}],
}


class SyncSummary(BaseModel):
    """The numbers of one sync, with the first refused rows."""

    finished_at: str = Field(description="Time of the end of the sync, JST.")
    source: str = Field(description="The sheet or file that was read.")
    created: int
    changed: int
    withdrawn: int
    unchanged: int
    refused: int = Field(description="Number of rows that were not used.")
    refusals: list[dict[str, Any]] = Field(description="The first refused rows, with row number and reason.")


class LastSync(BaseModel):
    """The last sync, if there was one."""

    model_config = example(last=_SYNC)

    last: SyncSummary | None = Field(description="Null if the roster was never synchronised.")
