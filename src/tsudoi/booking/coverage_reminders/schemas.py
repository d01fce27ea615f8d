from typing import Annotated, Any, Literal

from pydantic import Field

from tsudoi.booking.coverage.schemas import PeriodKey
from tsudoi.booking.coverage_reminders.rules import ReminderChannel, ReminderText
from tsudoi.booking.reservations.schemas import RowId, SearchText
from tsudoi.booking.wire import JstTime, WireIn, WireOut, example

_TEXT = (
    "「インフルエンザ予防接種」のご予約がまだのようです。\n"
    "お手数ですが、以下のリンクから、ご都合のよい日時をご予約ください。"
)
_LINK = "https://tsudoi.example.jp/staff/?type=1"
_PERSON: dict[str, Any] = {
    "staffUid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "staffId": "446752",
    "fullName": "山田太郎",
    "departmentId": "3A",
    "departmentName": "3階A病棟",
}
_WAYS: dict[str, Any] = {"line": 9, "mail": 2, "phone": 1}
_QUOTA: dict[str, Any] = {
    "known": True,
    "limit": 5000,
    "used": 1200,
    "promised": 0,
    "left": 3800,
    "cost": 11,
    "enough": True,
}
_ITEM: dict[str, Any] = {
    "id": 3,
    "reservationTypeId": 1,
    "reservationTypeName": "インフルエンザ予防接種",
    "periodKey": "FY2025",
    "departmentId": None,
    "departmentName": None,
    "text": _TEXT,
    "recipients": 11,
    "unreachable": 1,
    "sent": 10,
    "failed": 0,
    "unknown": 0,
    "pending": 0,
    "skipped": 1,
    "createdBy": "admin:jimukyoku",
    "createdAt": "2025-10-01T09:00:00+09:00",
}
_PROBLEM: dict[str, Any] = {
    **_PERSON,
    "status": "skipped",
    "channel": "line",
    "reason": "BOOKED",
    "reasonText": "送る前に予約されたため、送っていません。",
}


class ReminderQuestion(WireIn):
    """Whom a reminder is for, and its text."""

    model_config = example(reservationTypeId=1, periodKey="FY2025", departmentId="3A", text=_TEXT)

    reservation_type_id: RowId = Field(description="The type that they have not booked.")
    period_key: PeriodKey | None = Field(None, description="The fiscal year, `FY2025`; absent: the current one.")
    department_id: SearchText | None = Field(None, description="Only this department; absent: all.")
    text: ReminderText | None = Field(None, description="Absent: the usual text. The link is added at the end.")
    channels: Annotated[list[ReminderChannel], Field(min_length=1, max_length=2)] | None = Field(
        None,
        description="By LINE where it reaches the person, else by mail, if both are given; never both to one person. "
        "Absent: by LINE, and for a type with `mailFallback` by mail too.",
    )


class ReminderOrder(ReminderQuestion):
    """The reminder to send."""

    model_config = example(reservationTypeId=1, periodKey="FY2025", departmentId=None, text=_TEXT)

    confirm_over_quota: bool = Field(False, description="Send to as many as LINE's monthly limit allows.")


class RemindedPerson(WireOut):
    """A staff person who would get the reminder."""

    staff_uid: str
    staff_id: str
    full_name: str
    department_id: str
    department_name: str
    blocked: bool = Field(description="The person has blocked the account, and gets a mail.")
    channel: ReminderChannel = Field(description="How the person gets it.")


class UnreachedPerson(WireOut):
    """A staff person who has not booked and would not get the reminder."""

    staff_uid: str
    staff_id: str
    full_name: str
    department_id: str
    department_name: str
    reason: Literal["NO_LINE_LINK", "NOT_A_FRIEND", "BLOCKED", "NO_MAIL", "QUOTA", "REMINDED_TODAY"]
    reason_text: str = Field(description="For the office, in Japanese.")


class ReminderWays(WireOut):
    """How many of those who have not booked are told by which way."""

    model_config = example(**_WAYS)

    line: int = Field(description="By LINE, as far as the monthly limit leaves something.")
    mail: int = Field(description="By mail.")
    phone: int = Field(description="By neither: somebody has to call them. Without those who were reminded today.")


class ReminderCost(WireOut):
    """What the reminder costs, and what LINE's monthly limit leaves."""

    known: bool = Field(description="Whether LINE answered.")
    limit: int | None = Field(description="Messages per month; null: no limit, or not known.")
    used: int | None = Field(description="Used this month, by LINE's count.")
    promised: int = Field(description="Messages of the whole product that are decided and not sent yet.")
    left: int | None = Field(description="What is left after those; null: no limit, or not known.")
    cost: int = Field(description="How many messages this reminder is.")
    enough: bool | None = Field(description="null: not known.")


class ReminderPreview(WireOut):
    """What a reminder would do."""

    model_config = example(
        periodKey="FY2025",
        text=_TEXT,
        link=_LINK,
        messages=[{"type": "text", "text": f"{_TEXT}\n{_LINK}"}],
        recipientsTotal=11,
        byChannel=_WAYS,
        recipients=[{**_PERSON, "blocked": False, "channel": "line"}],
        unreachableTotal=1,
        unreachable=[{**_PERSON, "reason": "NO_LINE_LINK", "reasonText": "LINEと連携していません"}],
        freeSeats=40,
        quota=_QUOTA,
    )

    period_key: str = Field(description="The fiscal year.")
    text: str = Field(description="The given text, or the usual one.")
    link: str = Field(description="The slots of the type in the staff portal.")
    messages: list[dict[str, Any]] = Field(description="As LINE gets them.")
    recipients_total: int = Field(description="How many would get it, by LINE or by mail.")
    by_channel: ReminderWays
    recipients: list[RemindedPerson] = Field(description="The first 200, by department and number.")
    unreachable_total: int = Field(description="How many have not booked either, and would not get it.")
    unreachable: list[UnreachedPerson] = Field(description="The first 200, by department and number.")
    free_seats: int = Field(description="Seats of the type that can be booked now; 0: a reminder leads nowhere.")
    quota: ReminderCost


class ReminderQueued(WireOut):
    """The reminder is stored, and the worker sends it."""

    model_config = example(id=3, recipients=11, keptBack=0, unreachable=1, byChannel=_WAYS)

    id: int
    recipients: int = Field(description="How many people it is for.")
    kept_back: int = Field(description="How many of them LINE's monthly limit does not allow.")
    unreachable: int = Field(description="How many have not booked either, and do not get it.")
    by_channel: ReminderWays


class ReminderItem(WireOut):
    """A reminder and what became of it."""

    model_config = example(**_ITEM)

    id: int
    reservation_type_id: int
    reservation_type_name: str
    period_key: str
    department_id: str | None = Field(description="null: all departments.")
    department_name: str | None
    text: str
    recipients: int = Field(description="How many people it is for.")
    unreachable: int = Field(description="How many had not booked either, and could not be reached.")
    sent: int = Field(description="Accepted by LINE or by the mail server.")
    failed: int = Field(description="Certainly not sent.")
    unknown: int = Field(description="No certain answer; not sent again by itself.")
    pending: int = Field(description="Not final yet.")
    skipped: int = Field(description="Left out, because they booked, left or unlinked before it went out.")
    created_by: str
    created_at: JstTime


class ReminderPage(WireOut):
    """Reminders, the newest first."""

    model_config = example(items=[_ITEM], nextCursor=None)

    items: list[ReminderItem]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")


class ReminderProblem(WireOut):
    """A recipient whose reminder is not known to be sent, and why."""

    staff_uid: str
    staff_id: str
    full_name: str
    department_id: str
    department_name: str
    status: Literal["failed", "unknown", "pending", "skipped"]
    channel: ReminderChannel = Field(description="How the person was to get it.")
    reason: str | None = Field(description="For programs: `BOOKED`, `QUOTA`, or LINE's status and message.")
    reason_text: str = Field(description="For the office, in Japanese.")


class ReminderDetail(ReminderItem):
    """A reminder with those who are not known to have got it."""

    model_config = example(**_ITEM, problems=[_PROBLEM])

    problems: list[ReminderProblem] = Field(description="At most 500: by state, department and number.")
