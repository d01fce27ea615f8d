from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

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


class SyncDone(BaseModel):
    finished_at: str = Field(description="When, JST.")
    source: str = Field(description="Where the rows came from.")
    created: int
    changed: int
    withdrawn: int
    unchanged: int
    refused: int = Field(description="Rows that were left out.")
    refusals: list[dict[str, Any]] = Field(description="The first of them, with row number and reason.")


class LastSync(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"last": _SYNC}]})

    last: SyncDone | None = Field(description="Null: the roster was never synchronised.")
