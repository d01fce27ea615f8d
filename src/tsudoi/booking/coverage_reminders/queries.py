from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, Text, and_, case, cast, func, select

from tsudoi.booking.coverage.errors import NoSuchReservationType
from tsudoi.booking.coverage.queries import people_of
from tsudoi.booking.coverage_reminders import rules
from tsudoi.booking.coverage_reminders.errors import NoSuchReminder, PastFiscalYear, ReminderOfInactiveType
from tsudoi.booking.coverage_reminders.models import CoverageReminder, CoverageReminderRecipient
from tsudoi.booking.coverage_reminders.rules import MissingPerson
from tsudoi.booking.coverage_reminders.schemas import (
    ReminderDetail,
    ReminderItem,
    ReminderPage,
    ReminderProblem,
    ReminderQuestion,
)
from tsudoi.booking.departments.models import Department
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.holds import hold_ran_out
from tsudoi.booking.reservations.rules.deciding import period_days
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.slots.rules import SlotState, not_open_because, period_key
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.staffs.rules import full_name
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import DONE, FAILED, IS_PENDING, PENDING, UNKNOWN
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.line.delivery.rules import line_state
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.queries import dead_addresses

_MOST_PROBLEMS = 500
_WORDS = {PENDING: "pending", DONE: "sent", FAILED: "failed", UNKNOWN: "unknown", rules.SKIPPED: "skipped"}
# Those whom somebody should look at come first.
_URGENCY = case({FAILED: 0, UNKNOWN: 1, PENDING: 2}, value=CoverageReminderRecipient.status, else_=3)


def type_to_remind_of(tx: ReadTx, type_id: int) -> Row[Any]:
    columns = (ReservationType.name, ReservationType.active, ReservationType.mail_fallback)
    row = tx.execute(select(*columns).where(ReservationType.id == type_id)).first()
    if row is None:
        raise NoSuchReservationType
    if not row.active:
        raise ReminderOfInactiveType
    return row


def period_of(tx: ReadTx, asked: ReminderQuestion) -> str:
    this_year = period_key(jst_date(tx.now))
    if asked.period_key is not None and asked.period_key < this_year:
        raise PastFiscalYear
    return asked.period_key or this_year


def missing_people(tx: ReadTx, asked: ReminderQuestion, key: str, *, mail_is_on: bool) -> list[MissingPerson]:
    """Those who have not booked, reachable or not, by department and number. Who is about to pay has booked."""
    today = (
        select(CoverageReminderRecipient.id)
        .where(
            CoverageReminderRecipient.staff_uid == StaffAccount.staff_uid,
            CoverageReminderRecipient.reservation_type_id == asked.reservation_type_id,
            CoverageReminderRecipient.reminder_day == jst_date(tx.now),
        )
        .exists()
    )
    people = people_of(asked.reservation_type_id, key, tx.now)
    columns = people.selected_columns
    statement = (
        people.add_columns(
            *(StaffAccount.line_user_id, StaffAccount.email, today.label("reminded_today"), LineFriend.following)
        )
        .where(columns.booked == 0, columns.held == 0)
        .order_by(StaffAccount.department_id, StaffAccount.staff_id)
    )
    if asked.department_id is not None:
        statement = statement.where(StaffAccount.department_id == asked.department_id)
    rows = tx.execute(statement).all()
    known = {row.email for row in rows if row.email} if mail_is_on else set()
    dead = dead_addresses(tx, known)
    return [
        MissingPerson(
            row.staff_uid,
            row.staff_id,
            full_name(row.family_name, row.given_name),
            row.department_id,
            row.department_name,
            row.line_user_id,
            line_state(row.line_user_id, row.following),
            row.email if row.email in known and row.email.lower() not in dead else None,
            reminded_today=bool(row.reminded_today),
        )
        for row in rows
    ]


def free_seats(tx: ReadTx, type_id: int, key: str) -> int:
    """How many seats of the type can be booked now in this fiscal year."""
    first_day, last_day = period_days(key)
    names = ("status", "service_date_local", "start_minute_of_day", "booking_start", "booking_end", "capacity")
    table = ReservationSlot.__table__.c
    found = select(*(table[name] for name in names), table.booked_count).where(
        ReservationSlot.reservation_type_id == type_id,
        ReservationSlot.status == "published",
        ReservationSlot.service_date_local.between(max(first_day, jst_date(tx.now)), last_day),
    )
    slots = [SlotState(type_active=True, **row) for row in tx.execute(found).mappings()]
    return sum(slot.seats_left for slot in slots if not_open_because(slot, tx.now) is None)


def why_skipped(tx: ReadTx, staff_uid: str, line_user_id: str | None, type_id: int, key: str) -> str | None:
    """Read immediately before the call to LINE."""
    row = person_now(tx, staff_uid, type_id, key)
    return rules.why_skipped(row.status, row.line_user_id, line_user_id, booked=bool(row.booked))


def person_now(tx: ReadTx, staff_uid: str, type_id: int, key: str) -> Row[Any]:
    """Whether somebody is still to be reminded, and where to."""
    live = select(Reservation.id).where(
        Reservation.staff_uid == staff_uid,
        Reservation.reservation_type_id == type_id,
        Reservation.period_key == key,
        Reservation.canceled_at.is_(None),
        Reservation.frees_year == 0,
        ~hold_ran_out(tx.now),
    )
    columns = (StaffAccount.status, StaffAccount.line_user_id, StaffAccount.email)
    found = select(*columns, live.exists().label("booked"))
    return tx.execute(found.where(StaffAccount.staff_uid == staff_uid)).one()


def unsent_reminders(tx: ReadTx) -> int:
    """Messages by LINE that are decided and not sent, for everybody who asks what LINE's monthly limit leaves."""
    pending = select(func.count()).select_from(CoverageReminderRecipient)
    by_line = CoverageReminderRecipient.channel == "line"
    found: int = tx.scalar(pending.where(CoverageReminderRecipient.status == IS_PENDING, by_line))
    return found


def ended_mails(tx: ReadTx) -> Sequence[Row[Any]]:
    """Mails whose outcome is not copied to their recipients yet, some at a time."""
    row, mail = CoverageReminderRecipient, MailMessage
    about = and_(mail.subject_kind == rules.MAIL_SUBJECT, mail.subject_id == cast(row.id, Text))
    ended = select(row.id, mail.status, mail.last_error).join(mail, about)
    waits = (row.status == IS_PENDING, row.channel == "mail", mail.status != PENDING)
    return tx.execute(ended.where(*waits).order_by(row.id).limit(_MOST_PROBLEMS)).all()


def reminder_page(tx: ReadTx, type_id: int | None, limit: int, cursor: str | None) -> ReminderPage:
    statement = _items().order_by(CoverageReminder.id.desc()).limit(limit + 1)
    if type_id is not None:
        statement = statement.where(CoverageReminder.reservation_type_id == type_id)
    if cursor is not None:
        statement = statement.where(CoverageReminder.id < decode_cursor(cursor, int)[0])
    rows = tx.execute(statement).mappings().all()
    items = [ReminderItem.model_validate(dict(row)) for row in rows[:limit]]
    return ReminderPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


def reminder_detail(tx: ReadTx, reminder_id: int) -> ReminderDetail:
    row = tx.execute(_items().where(CoverageReminder.id == reminder_id)).mappings().first()
    if row is None:
        raise NoSuchReminder
    return ReminderDetail.model_validate({**row, "problems": _problems(tx, reminder_id)})


def _items() -> Select[Any]:
    """Each reminder with its counts. There are few reminders on a page, so each is counted by itself."""
    recipient = CoverageReminderRecipient
    counted = func.count().label("people")
    counts = [
        select(counted)
        .where(recipient.reminder_id == CoverageReminder.id, recipient.status == state)
        .correlate(CoverageReminder)
        .scalar_subquery()
        .label(word)
        for state, word in _WORDS.items()
    ]
    names = (ReservationType.name.label("reservation_type_name"), Department.name.label("department_name"))
    return (
        select(*(column for column in CoverageReminder.__table__.c if column.name != "messages"), *names, *counts)
        .join(ReservationType, ReservationType.id == CoverageReminder.reservation_type_id)
        .outerjoin(Department, Department.id == CoverageReminder.department_id)
    )


def _problems(tx: ReadTx, reminder_id: int) -> list[ReminderProblem]:
    recipient = CoverageReminderRecipient
    statement = (
        select(
            recipient.staff_uid,
            recipient.status,
            recipient.last_error,
            recipient.channel,
            StaffAccount.staff_id,
            StaffAccount.family_name,
            StaffAccount.given_name,
            StaffAccount.department_id,
            Department.name.label("department_name"),
        )
        .join(StaffAccount, StaffAccount.staff_uid == recipient.staff_uid)
        .join(Department, Department.id == StaffAccount.department_id)
        .where(and_(recipient.reminder_id == reminder_id, recipient.status != DONE))
        .order_by(_URGENCY, StaffAccount.department_id, StaffAccount.staff_id)
        .limit(_MOST_PROBLEMS)
    )
    return [
        ReminderProblem.model_validate(
            {
                **row,
                "full_name": full_name(row["family_name"], row["given_name"]),
                "status": _WORDS[row["status"]],
                "reason": row["last_error"],
                "reason_text": rules.explanation(row["status"], row["last_error"], row["channel"]),
            }
        )
        for row in tx.execute(statement).mappings()
    ]
