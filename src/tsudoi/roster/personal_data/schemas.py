from pydantic import BaseModel, ConfigDict, Field

from tsudoi.core.api_examples import example
from tsudoi.core.person_data import ErasedRows
from tsudoi.roster.people.schemas import RecordName

_TABLE = {"table": "event_responses", "title": "出欠の回答", "rows": 12, "fate": "blanked"}


class PlannedTable(BaseModel):
    """What becomes of the rows of one table."""

    table: str
    title: str
    rows: int = Field(description="Rows about the person.")
    fate: ErasedRows = Field(description="`blanked`: they stay without names, addresses and texts.")


class ErasurePlan(BaseModel):
    """What erasing the person would do. Nothing has been changed."""

    model_config = example(
        records=[{"kind": "member", "id": "101", "name": "山田太郎"}], tables=[_TABLE], obstacles=[], shared_line=False
    )

    records: list[RecordName] = Field(
        description="The records of the person: the one asked for, and those joined to it."
    )
    tables: list[PlannedTable]
    obstacles: list[str] = Field(description="What has to be done first; empty: the person can be erased.")
    shared_line: bool = Field(description="Whether somebody else's record uses the same LINE user, who then stays.")


class ErasureRequest(BaseModel):
    """The order to erase a person, after a look at the plan."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"reason": "本人からの申し出", "expected_rows": 12}},
    )

    reason: str = Field(
        min_length=1, max_length=200, pattern=r"^[^\x00]*\S[^\x00]*$", description="Why; it is audited."
    )
    expected_rows: int = Field(ge=0, le=2**53, description="The sum of `rows` in the plan that was shown.")


class ErasureResult(BaseModel):
    """What was erased."""

    model_config = example(tables=[_TABLE])

    tables: list[PlannedTable]
