"""The envelope of API_COMM: what is asked, and the result with its six keys. Frozen and typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

ResultStatus = Literal["success", "error"]
ErrorType = Literal["validation", "external_api", "system"]

INVALID_REQUEST = "INVALID_REQUEST"
STORES_RATE_LIMITED = "STORES_RATE_LIMITED"


@dataclass(frozen=True, slots=True)
class ApiCommRequest:
    """What an upper layer asks of API_COMM. A `request_id` never comes from a client's header."""

    channel: str
    actor_type: str
    shop_id: int | None
    # What people typed stands here, so that it does not appear in a trace.
    payload: Mapping[str, Any] = field(default_factory=dict, repr=False)
    request_id: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "request_id": self.request_id,
            "channel": self.channel,
            "actor_type": self.actor_type,
            "shop_id": self.shop_id,
            "payload": self.payload,
        }


@dataclass(frozen=True, slots=True)
class ApiCommError:
    """Why a call failed. `details` has only the keys that apply."""

    type: ErrorType
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ApiCommMeta:
    """Facts about the call itself. `latency_ms` is the time of this call, with its retries."""

    request_id: str
    component: str
    latency_ms: int
    cached: bool


@dataclass(frozen=True, slots=True)
class ApiCommResult:
    """The result of every operation. `error` is None on success. `data` may be about people."""

    status: ResultStatus
    code: str
    message: str | None
    data: dict[str, Any] | None = field(repr=False)
    error: ApiCommError | None
    meta: ApiCommMeta

    @property
    def succeeded(self) -> bool:
        return self.status == "success"

    def as_dict(self) -> dict[str, Any]:
        error = None if self.error is None else {"type": self.error.type, "details": dict(self.error.details)}
        return {
            "status": self.status,
            "code": self.code,
            "message": self.message,
            "data": self.data,
            "error": error,
            "meta": {
                "request_id": self.meta.request_id,
                "component": self.meta.component,
                "latency_ms": self.meta.latency_ms,
                "cached": self.meta.cached,
            },
        }


@dataclass(frozen=True, slots=True)
class OperationResult:
    """What one operation found out. `ApiComm` adds the facts about the call."""

    code: str
    message: str | None = None
    data: dict[str, Any] | None = field(default=None, repr=False)
    error: ApiCommError | None = None
    # Whether the same question of the same request gets this result again, without another call.
    cacheable: bool = False


@dataclass(frozen=True, slots=True)
class FieldError:
    """A field that is wrong, and why, in the words that a person may read."""

    field: str
    message: str


def invalid(errors: Sequence[FieldError]) -> OperationResult:
    found = [{"field": one.field, "message": one.message} for one in errors]
    return OperationResult(
        INVALID_REQUEST,
        "入力内容に誤りがあります。",
        error=ApiCommError("validation", {"field_errors": found, "retryable": False}),
    )


def system_failure(code: str, reason: str, message: str, *, retryable: bool) -> OperationResult:
    """We failed, not the outside system: something is not configured, the database is away, or there is a bug."""
    return OperationResult(code, message, error=ApiCommError("system", {"reason": reason, "retryable": retryable}))
