from typing import Literal

from pydantic import BaseModel, Field

from tsudoi.core.api_examples import example

Kind = Literal["invite", "late", "reminder", "change", "cancel"]


class DeliveryProblem(BaseModel):
    """A recipient whose message is not known to be sent."""

    member_id: int
    name: str
    status: Literal["fail", "unknown", "pending"] = Field(
        description="`fail`: certainly not sent. `unknown`: LINE gave no certain answer; not sent again by itself. "
        "`pending`: not final yet."
    )
    reason: str | None = Field(description="For programs: `QUOTA`, `cancelled`, or LINE's status and message.")
    reason_text: str = Field(description="For the office, in Japanese.")


class Resend(BaseModel):
    """A later broadcast that repeated a message for those whom LINE's monthly limit had kept back."""

    broadcast_id: int = Field(description="The later broadcast.")
    created_at: str = Field(description="When the office decided it (JST).")
    people: int = Field(description="How many recipients it took over.")


class BroadcastDeliveries(BaseModel):
    """The delivery results of one broadcast."""

    broadcast_id: int
    kind: Kind = Field(description="The kind of message.")
    created_at: str = Field(description="When the office decided it (JST).")
    created_by: str = Field(description="Who decided it.")
    recipients: int = Field(description="How many people it was meant for.")
    success: int = Field(description="Accepted by LINE.")
    fail: int = Field(description="Certainly not sent.")
    unknown: int = Field(description="No certain answer from LINE.")
    pending: int = Field(description="Not final yet.")
    resendable: int = Field(
        description="How many of those whom LINE's monthly limit kept back can be sent to now, with `…/resend`."
    )
    resends: list[Resend] = Field(
        description="Who was sent to again, the oldest first. They still count as `fail` here, because this message "
        "did not reach them; the event counts them with the later broadcast only."
    )
    problems_total: int = Field(description="How many are not `success` and were not sent to again, listed or not.")
    problems: list[DeliveryProblem] = Field(
        description="At most 500: failures first, then unknown ones, then those that wait; each in roster order."
    )


class EventDeliveries(BaseModel):
    """The delivery results of every broadcast of an event."""

    model_config = example(
        items=[
            {
                "broadcast_id": 7,
                "kind": "invite",
                "created_at": "2025-08-16T12:00:00+09:00",
                "created_by": "admin:jimukyoku",
                "recipients": 45,
                "success": 44,
                "fail": 1,
                "unknown": 0,
                "pending": 0,
                "resendable": 1,
                "resends": [],
                "problems_total": 1,
                "problems": [
                    {
                        "member_id": 101,
                        "name": "山田太郎",
                        "status": "fail",
                        "reason": "QUOTA",
                        "reason_text": "LINEの今月の送信上限に達したため、送っていません。",
                    }
                ],
            }
        ]
    )

    items: list[BroadcastDeliveries] = Field(description="The newest broadcast first.")
