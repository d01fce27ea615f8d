from typing import Any, Literal

from pydantic import BaseModel, Field

from tsudoi.alarms.calls.schemas import CallItem
from tsudoi.alarms.wire import JstTime, OfficeReason, StrictBody
from tsudoi.core.api_examples import example

TicketStatus = Literal["open", "acknowledged", "closed"]

_AT = "2026-11-20T10:15:00+09:00"
_TICKET = {
    "id": 9876,
    "shop_id": 1,
    "shop_name": "名古屋栄店",
    "rule_code": "API_ERROR_CRITICAL",
    "severity": "critical",
    "title": "STORES予約APIが3回連続で失敗しました。",
    "status": "open",
    "occurrences": 4,
    "opened_at": _AT,
    "last_seen_at": _AT,
    "acknowledged_at": None,
    "acknowledged_by": None,
    "closed_at": None,
    "closed_by": None,
    "all_clear_at": None,
    "request_id": "0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f",
    "details": {"component": "StoresGateway.resolve_customer_by_contact", "last_status_code": 500},
}
_MEANING = {
    "effect": "お客さまが、本人確認をできません。",
    "advice": "STORESの障害情報を確認してください。",
}
_ATTEMPT = {"kind": "alarm", "channel": "chatwork", "outcome": "sent", "reason": None, "attempted_at": _AT}


class TicketNote(StrictBody):
    """What somebody found out or did. The audit trail keeps it."""

    model_config = example(note="STORESの障害。復旧を確認。")

    note: OfficeReason | None = None


class TicketItem(BaseModel):
    """A trouble that somebody has to look at."""

    model_config = example(**_TICKET)

    id: int
    shop_id: int | None
    shop_name: str | None
    rule_code: str | None
    severity: str = Field(description="`info`, `warn` or `critical`.")
    title: str
    status: TicketStatus
    occurrences: int = Field(description="How often it was seen since it was opened.")
    opened_at: JstTime
    last_seen_at: JstTime
    acknowledged_at: JstTime | None
    acknowledged_by: str | None
    closed_at: JstTime | None
    closed_by: str | None
    all_clear_at: JstTime | None = Field(description="When it was last seen that the trouble was over.")
    request_id: str | None = Field(description="The request during which it was seen last.")
    details: dict[str, Any]


class AttemptItem(BaseModel):
    """What one channel did with an alarm or an all-clear."""

    model_config = example(**_ATTEMPT)

    kind: Literal["alarm", "all_clear"]
    channel: Literal["chatwork", "email", "sms"]
    outcome: Literal["sent", "failed", "unknown", "skipped"]
    reason: str | None
    attempted_at: JstTime


class TroubleMeaning(BaseModel):
    """What a trouble that the product has found means, in the words of its alarm."""

    model_config = example(**_MEANING)

    effect: str = Field(description="Whom it concerns.")
    advice: str = Field(description="What to do about it.")


class TicketDetail(TicketItem):
    """A ticket with what the channels did, and the calls of the request during which it was seen last."""

    model_config = example(**_TICKET, meaning=_MEANING, attempts=[_ATTEMPT], calls=[])

    meaning: TroubleMeaning | None = Field(description="null for a ticket that somebody has asked for.")

    attempts: list[AttemptItem]
    calls: list[CallItem]


class TicketCounts(BaseModel):
    """How many tickets there are, by status."""

    open: int
    acknowledged: int
    closed: int


class TicketPage(BaseModel):
    """A page of tickets, the newest first."""

    model_config = example(tickets=[_TICKET], counts={"open": 1, "acknowledged": 0, "closed": 3}, next_before=None)

    tickets: list[TicketItem]
    counts: TicketCounts
    next_before: int | None = Field(description="Pass it as `before` to get older tickets; null at the end.")
