from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from tsudoi.alarms.wire import JstTime, StrictBody
from tsudoi.core.api_examples import example

Target = Literal["stores", "chatwork", "sms", "line", "openai", "remotelock"]
HealthCode = Literal["HEALTH_OK", "HEALTH_WARN", "HEALTH_ERROR"]

_RESULTS: dict[str, dict[str, Any]] = {
    "stores": {"status": "ok", "latency_ms": 200, "message": "正常に疎通しました"},
    "remotelock": {"status": "stub", "latency_ms": None, "message": "v1.4ではスタブモードです"},
}
_CHECK = {
    "id": 12,
    "checked_at": "2026-11-20T10:15:00+09:00",
    "code": "HEALTH_OK",
    "results": _RESULTS,
    "asked_by": "admin:jimukyoku",
    "request_id": "0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f",
}


class CheckRequest(StrictBody):
    """Which outside systems to ask; all of them if nothing is said."""

    model_config = example(targets=["stores", "line"])

    targets: Annotated[list[Target], Field(min_length=1, max_length=6)] | None = None


class TargetResult(BaseModel):
    """How one outside system answered."""

    model_config = example(**_RESULTS["stores"])

    status: Literal["ok", "warn", "fail", "stub"]
    latency_ms: int | None = None
    message: str


class CheckItem(BaseModel):
    """One check that a person asked for."""

    model_config = example(**_CHECK)

    id: int
    checked_at: JstTime
    code: HealthCode
    results: dict[str, TargetResult]
    asked_by: str
    request_id: str


class CheckHistory(BaseModel):
    """The newest thirty checks."""

    model_config = example(history=[_CHECK])

    history: list[CheckItem]


class CheckOutcome(BaseModel):
    """What the check found."""

    model_config = example(
        code="HEALTH_OK", results=_RESULTS, request_id=_CHECK["request_id"], message="すべて正常です。"
    )

    code: HealthCode
    message: str | None
    results: dict[str, TargetResult]
    request_id: str


def target_results(data: Any) -> dict[str, TargetResult]:
    """The results as they are stored. A row that was written by hand may hold anything."""
    entries = data.items() if isinstance(data, dict) else ()
    return {str(name): TargetResult.model_validate(one) for name, one in entries if isinstance(one, dict)}


def health_code(text: str) -> HealthCode:
    return TypeAdapter(HealthCode).validate_python(text)
