"""Notices as the office sees them. The JSON is snake_case, as the document of the notices has it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from tsudoi.booking.notices.rules.cells import CellStatus
from tsudoi.booking.notices.rules.mails import MailStatus
from tsudoi.booking.notices.rules.own import OwnerNews
from tsudoi.booking.reservations.schemas import Cursor, Day, Reason, RowId, SearchText
from tsudoi.booking.wire import JstTime, WireOut
from tsudoi.core.api_examples import example, strict_example
from tsudoi.notifications.notices.rules.causes import Cause
from tsudoi.notifications.notices.rules.making import Kind

# A request answers for every job that it names, so there is a limit. The screen sends the next request for the rest.
MOST_JOBS = 1_000
_SENT: dict[str, Any] = {
    "status": "SENT",
    "reason": None,
    "message": "2025/11/01 09:00 にLINEが受け付けました。",
    "job_id": 71,
    "scheduled_at": "2025/11/01 09:00",
    "sent_at": "2025/11/01 09:00",
    "attempt_count": 0,
    "last_error": None,
    "resendable": False,
    "may_arrive_twice": False,
    "reachable": True,
    "mail": None,
}
_WAITING: dict[str, Any] = {
    **_SENT,
    "status": "PENDING",
    "message": "2025/11/08 09:00 に送る予定です。対応は不要です。",
    "job_id": 72,
    "scheduled_at": "2025/11/08 09:00",
    "sent_at": None,
}
_NOT_NEEDED: dict[str, Any] = {
    **_WAITING,
    "status": "DASH",
    "reason": "NOT_CANCELLED",
    "message": "予約は取り消されていません。取り消されたときに送ります。対応は不要です。",
    "job_id": None,
    "scheduled_at": None,
}
_ROW: dict[str, Any] = {
    "reservation_id": 501,
    "staff_uid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "staff_id": "446752",
    "staff_name": "山田太郎",
    "reservation_type_name": "インフルエンザワクチン",
    "begins_at": "2025/11/10 09:00",
    "state": "confirmed",
    "line_linked": True,
    "reachable": True,
    "revision": 0,
    "cells": {"CONFIRMATION": _SENT, "REMINDER": _WAITING, "CANCEL_COMPLETED": _NOT_NEEDED},
}
_COUNTS = {"PENDING": 120, "SENT": 480, "FAILED": 3, "UNKNOWN": 1, "DASH": 596, "NONE": 0}

_HAPPENED: dict[str, Any] = {
    "at": "2025-11-01T09:00:00+09:00",
    "kind": "booked",
    "text": "予約しました（2025/11/10 09:00）。",
    "detail": None,
    "actor": "本人",
}


class OwnNotice(WireOut):
    """What the owner of a reservation was told about it by LINE, or by mail instead."""

    model_config = example(told="SENT", remindAt="2025-11-08T09:00:00+09:00")

    told: OwnerNews | None = Field(
        description="The confirmation of the current time. `MAILED`: by mail instead. Null: there was none to send."
    )
    remind_at: JstTime | None = Field(description="When the reminder will be sent; null: there is none to come.")


class NoticeFilters(BaseModel):
    """Which reservations the office wants to see, and which page; what is absent does not limit them."""

    status: CellStatus | None = Field(None, description="Only with a cell in this state.")
    kind: Kind | None = Field(
        None, description="Only by the cell of this kind. Without `status`: those that have a job of this kind."
    )
    first_day: Day | None = Field(None, alias="from", description="The appointment is on this day (JST) or later.")
    last_day: Day | None = Field(None, alias="to", description="The appointment is on this day (JST) or earlier.")
    query: SearchText = Field("", description="A reservation's number, a staff number, or a part of a name.")
    page: Cursor | None = Field(None, description="`next_cursor` of the page before.")
    limit: int = Field(50, ge=1, le=200, description="Reservations per page.")


class MailCell(BaseModel):
    """The mail that went out instead, or in addition."""

    status: MailStatus = Field(description="What became of the mail. `DASH`: it is not sent any more.")
    to_masked: str = Field(description="The address, without most of its first part.")
    sent_at: str | None = Field(description="When the server took it, JST; null: not yet.")
    message: str = Field(description="What that means, in words.")


class NoticeCell(BaseModel):
    """One notice about a reservation, or why there is none."""

    model_config = example(**_SENT)

    status: CellStatus = Field(
        description="`UNKNOWN`: failed, and LINE may have taken it. `DASH`: by rule there is none. `NONE`: missing."
    )
    reason: str | None = Field(description="Why, such as `NO_LINE_LINK`; null for PENDING and SENT.")
    message: str = Field(description="Why it is so and what to do, in words.")
    job_id: int | None = Field(description="The job; null: there is none.")
    scheduled_at: str | None = Field(description="When it is or was due, JST.")
    sent_at: str | None = Field(description="When LINE took it, JST.")
    attempt_count: int = Field(description="Attempts that failed.")
    last_error: str | None = Field(description="What LINE answered to the last failed attempt.")
    resendable: bool = Field(description="Whether the office may have it sent again.")
    may_arrive_twice: bool = Field(description="Whether sending it again needs `accept_duplicate`.")
    reachable: bool = Field(
        description="False: no link, or no friend of the account: LINE takes the message and shows it to nobody."
    )
    mail: MailCell | None = Field(description="The mail about the same; null: there is none.")


class NoticeCells(BaseModel):
    """The three notices of a reservation."""

    CONFIRMATION: NoticeCell = Field(description="That the reservation is certain, or was moved.")
    REMINDER: NoticeCell = Field(description="Two days before.")
    CANCEL_COMPLETED: NoticeCell = Field(description="That it was cancelled.")


class NoticeRow(BaseModel):
    """A reservation with its three notices."""

    model_config = example(**_ROW)

    reservation_id: int = Field(description="The reservation.")
    staff_uid: str = Field(description="The person, by an id that never changes.")
    staff_id: str = Field(description="The person's number.")
    staff_name: str = Field(description="The person's name.")
    reservation_type_name: str = Field(description="What was reserved.")
    begins_at: str = Field(description="The appointment, JST.")
    state: Literal["confirmed", "canceled", "hold"] = Field(description="`hold`: waits for the payment.")
    line_linked: bool = Field(description="Whether the person has linked LINE.")
    reachable: bool = Field(description="Whether LINE shows our messages to the person.")
    revision: int = Field(description="How often it was moved.")
    cells: NoticeCells


class NoticePage(BaseModel):
    """Reservations with their notices, the latest appointment first."""

    model_config = example(items=[_ROW], next_cursor=None)

    items: list[NoticeRow]
    next_cursor: str | None = Field(description="Pass it as `page`; null on the last page.")


class NoticeCounts(BaseModel):
    """How many cells of all reservations are in each state."""

    PENDING: int
    SENT: int
    FAILED: int
    UNKNOWN: int
    DASH: int
    NONE: int


class NoticeQuota(BaseModel):
    """What LINE's monthly limit leaves."""

    limit: int | None = Field(description="Messages per month; null: no limit.")
    used: int | None = Field(description="Used this month, by LINE's approximation.")
    left: int | None = Field(description="Left once everything that is promised has gone out; null: no limit.")
    promised: int = Field(description="Messages of the whole product that are decided and not sent.")


class NoticePause(BaseModel):
    """Since when and why no notice is sent."""

    since: str = Field(description="JST.")
    by: str = Field(description="Who paused it.")
    reason: str = Field(description="Why.")


class FailureCause(BaseModel):
    """A reason for which notices failed whose appointments are still ahead."""

    reason: Cause = Field(description="The reason, as in the cells.")
    count: int = Field(description="How many notices failed for it.")
    resendable: int = Field(description="How many of them can be sent again without the risk of a duplicate.")


class NoticeSummary(BaseModel):
    """Whether notices go out, in numbers."""

    model_config = example(
        counts=_COUNTS,
        quota={"limit": 5000, "used": 620, "left": 4260, "promised": 120},
        last_run="2025/11/01 09:01",
        oldest_due=None,
        failures_in_a_row=0,
        paused=None,
        dry_run=False,
        causes=[{"reason": "QUOTA", "count": 3, "resendable": 3}],
    )

    counts: NoticeCounts
    quota: NoticeQuota | None = Field(description="Null: LINE did not answer.")
    last_run: str | None = Field(description="When the command that sends was last alive, JST; null: never.")
    oldest_due: str | None = Field(description="Since when the oldest overdue notice waits, JST; null: none does.")
    failures_in_a_row: int = Field(description="How many attempts have failed since the last success.")
    paused: NoticePause | None = Field(description="Null: notices are sent.")
    dry_run: bool = Field(
        description="Whether `NOTIFICATION_CRON_DRY_RUN` holds back what goes out about reservations."
    )
    causes: list[FailureCause] = Field(description="Why notices failed, the most frequent reason first.")


class ResendOne(BaseModel):
    """The decision to send a failed notice again."""

    model_config = strict_example(reason="LINEの障害が直ったため", accept_duplicate=False)

    reason: Reason = Field(description="Why; the audit trail keeps it.")
    accept_duplicate: bool = Field(
        False, strict=True, description="Send it even if it may have arrived more than 23 hours ago."
    )


class ResendMany(BaseModel):
    """The decision to send many failed notices again: these, or all that failed for one reason."""

    model_config = strict_example(cause="QUOTA", reason="翌月になり、上限が戻ったため")

    job_ids: Annotated[list[RowId], Field(min_length=1, max_length=MOST_JOBS)] | None = Field(
        None, description="The notices."
    )
    cause: Cause | None = Field(None, description="All that failed for this reason and can still be sent.")
    reason: Reason = Field(description="Why; the audit trail keeps it.")

    @model_validator(mode="after")
    def _one_of_both(self) -> "ResendMany":
        if (self.job_ids is None) == (self.cause is None):
            raise PydanticCustomError("REQUIRED", "give either job_ids or cause")
        return self


class RefusedNotice(BaseModel):
    """A notice that is not sent again, and why."""

    job_id: int
    code: str = Field(description="As the code of the error for a single notice.")
    message: str = Field(description="The same in words.")


class QueuedNotice(BaseModel):
    """A notice that waits for the next run of the command."""

    model_config = example(job_id=71, status="PENDING", scheduled_at="2025/11/01 10:00")

    job_id: int
    status: Literal["PENDING"] = "PENDING"
    scheduled_at: str = Field(description="From when on it is due, JST.")


class QueuedNotices(BaseModel):
    """What became of a decision about many notices."""

    model_config = example(
        queued=2, refused=[{"job_id": 73, "code": "ALREADY_SENT", "message": "この通知は送信済みです。"}], more=False
    )

    queued: int = Field(description="How many wait for the next run of the command.")
    refused: list[RefusedNotice]
    more: bool = Field(description="Whether there are further notices of this cause; send the request again.")


class TimelineItem(WireOut):
    """Something that happened to a reservation."""

    model_config = example(**_HAPPENED)

    at: JstTime = Field(description="When.")
    kind: str = Field(
        description="What: `booked`, `held`, `paid`, `confirmed`, `told`, `reminded`, `moved`, `canceled`, `came`, …"
    )
    text: str = Field(description="The same in words.")
    detail: str | None = Field(description="A reason, or the words of LINE or Stripe.")
    actor: str | None = Field(description="Who did it; null: the product itself.")


class ReservationTimeline(WireOut):
    """Everything that happened to a reservation, the first first."""

    model_config = example(reservationId=501, items=[_HAPPENED])

    reservation_id: int = Field(description="The reservation.")
    items: list[TimelineItem]
