"""Reservations with the three notices of their current revision."""

import unicodedata
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, exists, or_, select, tuple_
from sqlalchemy.orm import aliased

from tsudoi.booking.notices.queries.mails import mails_in_place_of_notices
from tsudoi.booking.notices.rules.cells import KINDS, CellFacts, StoredNotice, cell_status, resend_facts
from tsudoi.booking.notices.rules.mails import StoredMail, mail_message, mail_status
from tsudoi.booking.notices.rules.messages import cell_message
from tsudoi.booking.notices.schemas import MailCell, NoticeCell, NoticeCells, NoticeFilters, NoticePage, NoticeRow
from tsudoi.booking.payments.models import Payment
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.office import named
from tsudoi.booking.slots.rules import begins_at
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.staffs.rules import full_name
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.line.delivery.rules import line_state
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.notices.models import NotificationJob, NotificationSkip
from tsudoi.notifications.notices.rules.making import Kind
from tsudoi.notifications.notices.rules.resending import may_arrive_twice, refusal

_JOBS = {kind: aliased(NotificationJob, name=f"job_{kind.lower()}") for kind in KINDS}
_SKIPS = {kind: aliased(NotificationSkip, name=f"skip_{kind.lower()}") for kind in KINDS}
_JOB_COLUMNS = (
    "job_id",
    "status",
    "scheduled_at",
    "updated_at",
    "attempt_count",
    "last_error",
    "first_attempt_at",
    "outcome_unknown",
    "maybe_sent",
    "dash_reason",
)
_PLACE = (Reservation.service_date_local, Reservation.start_minute_of_day, Reservation.id)
_LARGEST_ID = 2**53
# By reservation, revision and kind.
Mails = dict[tuple[int, int, str], StoredMail]

# The same as `rules.cells.needs_none_because`, so that the database can filter and count.
CONFIRMED = or_(Reservation.confirmed_at.is_not(None), Reservation.hold_expires_at.is_(None))
_CANCELED = Reservation.canceled_at.is_not(None)
_PAID = exists().where(Payment.reservation_id == Reservation.id, Payment.paid_at.is_not(None))
_NEEDED: dict[Kind, ColumnElement[bool]] = {
    "CONFIRMATION": CONFIRMED,
    "REMINDER": and_(CONFIRMED, ~_CANCELED),
    "CANCEL_COMPLETED": and_(_CANCELED, or_(CONFIRMED, _PAID)),
}


def cell_status_of(kind: Kind) -> ColumnElement[str]:
    """What a cell shows, in SQL. The statement has to be joined by `with_notices`."""
    job, skip = _JOBS[kind], _SKIPS[kind]
    return case(
        (and_(job.status == "FAILED", job.outcome_unknown == 1), "UNKNOWN"),
        (job.status.is_not(None), job.status),
        (and_(_NEEDED[kind], skip.reason.is_(None)), "NONE"),
        else_="DASH",
    )


def with_notices(statement: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Join the jobs and skips of the current revision to a statement about reservations."""
    for kind in KINDS:
        for model in (_JOBS[kind], _SKIPS[kind]):
            same = (model.reservation_id == Reservation.id, model.kind == kind, model.revision == Reservation.revision)
            statement = statement.outerjoin(model, and_(*same))
    return statement


def notice_page(tx: ReadTx, asked: NoticeFilters) -> NoticePage:
    """The latest appointment first."""
    statement = _filtered(asked)
    if asked.page is not None:
        statement = statement.where(tuple_(*_PLACE) < tuple(decode_cursor(asked.page, str, int, int)))
    rows = tx.execute(statement.order_by(*(column.desc() for column in _PLACE)).limit(asked.limit + 1)).all()
    shown = rows[: asked.limit]
    last = shown[-1] if len(rows) > asked.limit else None
    cursor = encode_cursor(last.service_date_local, last.start_minute_of_day, last.id) if last is not None else None
    found = mails_in_place_of_notices(tx, [row.id for row in shown])
    mails = {(mail.reservation_id, mail.revision, mail.kind): mail for mail in found}
    return NoticePage(items=[_row(tx, row, mails) for row in shown], next_cursor=cursor)


def _columns() -> list[Any]:
    notices: list[Any] = []
    for kind in KINDS:
        notices += [getattr(_JOBS[kind], name).label(f"{kind}_{name}") for name in _JOB_COLUMNS]
        notices.append(_SKIPS[kind].reason.label(f"{kind}_skip"))
    return notices


def _filtered(asked: NoticeFilters) -> Select[*tuple[Any, ...]]:
    facts = (
        CONFIRMED.label("is_confirmed"),
        _PAID.label("is_paid"),
        ReservationType.name.label("reservation_type_name"),
        StaffAccount.staff_id.label("number"),
        StaffAccount.family_name,
        StaffAccount.given_name,
        StaffAccount.line_user_id,
        LineFriend.following,
    )
    statement = (
        select(*(Reservation.__table__.c), *facts, *_columns())
        .select_from(Reservation)
        .join(ReservationType, ReservationType.id == Reservation.reservation_type_id)
        .join(StaffAccount, StaffAccount.staff_uid == Reservation.staff_uid)
        .outerjoin(LineFriend, LineFriend.user_id == StaffAccount.line_user_id)
    )
    statement = with_notices(statement)
    if asked.first_day is not None:
        statement = statement.where(Reservation.service_date_local >= asked.first_day)
    if asked.last_day is not None:
        statement = statement.where(Reservation.service_date_local <= asked.last_day)
    if asked.query.strip():
        statement = statement.where(_found(asked.query))
    if asked.status is not None:
        kinds = KINDS if asked.kind is None else (asked.kind,)
        statement = statement.where(or_(*(_shows(kind, asked.status) for kind in kinds)))
    elif asked.kind is not None:
        statement = statement.where(_JOBS[asked.kind].job_id.is_not(None))
    return statement


def _shows(kind: Kind, status: str) -> ColumnElement[bool]:
    shows = cell_status_of(kind) == status
    if status not in ("FAILED", "UNKNOWN"):
        return shows
    # There are few of these, and the database has an index for them.
    few = select(NotificationJob.reservation_id).where(NotificationJob.status == "FAILED")
    return and_(Reservation.id.in_(few), shows)


def _found(words: str) -> ColumnElement[bool]:
    """A number is a whole reservation number or staff number, because parts of numbers would find too many."""
    number = unicodedata.normalize("NFKC", words).strip()
    if not (number.isascii() and number.isdigit()):
        return named(words)
    by_number = StaffAccount.staff_id == number
    return or_(Reservation.id == int(number), by_number) if int(number) <= _LARGEST_ID else by_number


def _has_run_out(row: Row[Any], now: datetime) -> bool:
    """The time to pay is over, and the clockwork has not given the seat back yet. Who has paid is told otherwise."""
    return not row.is_confirmed and not row.is_paid and bool(row.hold_expires_at <= now)


def _row(tx: ReadTx, row: Row[Any], mails: Mails) -> NoticeRow:
    facts = CellFacts(
        revision=row.revision,
        begins_at=begins_at(row.service_date_local, row.start_minute_of_day),
        confirmed=bool(row.is_confirmed),
        canceled=row.canceled_at is not None or _has_run_out(row, tx.now),
        paid=bool(row.is_paid),
        linked=row.line_user_id is not None,
        line_state=line_state(row.line_user_id, row.following),
    )
    return NoticeRow(
        reservation_id=row.id,
        staff_uid=row.staff_uid,
        staff_id=row.number,
        staff_name=full_name(row.family_name, row.given_name),
        reservation_type_name=row.reservation_type_name,
        begins_at=display(facts.begins_at),
        state="canceled" if facts.canceled else "confirmed" if facts.confirmed else "hold",
        line_linked=facts.linked,
        reachable=facts.line_state == "reachable",
        revision=row.revision,
        cells=NoticeCells(**{kind: _cell(tx, kind, facts, row, mails) for kind in KINDS}),
    )


def _mail(tx: ReadTx, mail: StoredMail | None) -> MailCell | None:
    if mail is None:
        return None
    status = mail_status(mail)
    sent_at = display(mail.at) if status == "SENT" else None
    return MailCell(status=status, to_masked=mail.to_masked, sent_at=sent_at, message=mail_message(mail, tx.now))


def _cell(tx: ReadTx, kind: Kind, facts: CellFacts, row: Row[Any], mails: Mails) -> NoticeCell:
    values = row._mapping  # noqa: SLF001 (the public name of a row's dict)
    stored = {name: values[f"{kind}_{name}"] for name in _JOB_COLUMNS}
    notice = None if stored["job_id"] is None else StoredNotice(**stored)
    shown = cell_status(kind, facts, notice, values[f"{kind}_skip"])
    resend = None if notice is None else resend_facts(kind, facts, notice)
    mail = _mail(tx, mails.get((row.id, row.revision, kind)))
    return NoticeCell(
        status=shown[0],
        reason=shown[1],
        message=cell_message(kind, facts, notice, shown, tx.now, has_mail=mail is not None),
        job_id=notice and notice.job_id,
        scheduled_at=notice and display(notice.scheduled_at),
        sent_at=display(notice.updated_at) if notice is not None and shown[0] == "SENT" else None,
        attempt_count=notice.attempt_count if notice else 0,
        last_error=notice and notice.last_error,
        resendable=resend is not None and refusal(resend, tx.now, accept_duplicate=True) is None,
        may_arrive_twice=resend is not None and shown[0] in ("FAILED", "UNKNOWN") and may_arrive_twice(resend, tx.now),
        reachable=facts.line_state == "reachable",
        mail=mail,
    )
