from pydantic import BaseModel, Field

from tsudoi.alarms.wire import JstTime
from tsudoi.core.api_examples import example

_CALL = {
    "id": 4711,
    "created_at": "2026-11-20T10:15:00+09:00",
    "request_id": "0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f",
    "channel": "help",
    "component": "StoresGateway.resolve_customer_by_contact",
    "shop_id": 1,
    "shop_name": "名古屋栄店",
    "target": "stores",
    "operation": "customers",
    "method": "GET",
    "url": "https://api.stores.dev/reserve/202101/customers?email=***",
    "attempt": 1,
    "status_code": 200,
    "error": None,
    "error_code": None,
    "latency_ms": 180,
    "external_request_id": None,
}


class CallItem(BaseModel):
    """One call to an outside system, without personal data and secrets."""

    model_config = example(**_CALL)

    id: int
    created_at: JstTime
    request_id: str | None = Field(description="All calls of one request have the same.")
    channel: str | None
    component: str | None
    shop_id: int | None
    shop_name: str | None
    target: str = Field(description="The outside system.")
    operation: str
    method: str
    url: str
    attempt: int = Field(description="1, and more for a repetition.")
    status_code: int | None = Field(description="null: there was no answer.")
    error: str | None
    error_code: str | None
    latency_ms: int
    external_request_id: str | None = Field(description="The outside system's own id of the call.")


class CallDetail(CallItem):
    """One call with its masked bodies."""

    model_config = example(**_CALL, request_body=None, response_body='{"customers":[]}', curl="curl -X GET https://…")

    request_body: str | None
    response_body: str | None
    curl: str = Field(description="A command to copy. What is masked has to be filled in by hand.")


class CallPage(BaseModel):
    """A page of calls, the newest first."""

    model_config = example(calls=[_CALL], next_before=None)

    calls: list[CallItem]
    next_before: int | None = Field(description="Pass it as `before` to get older calls; null at the end.")
