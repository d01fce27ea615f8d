"""Writes the jobs of a reservation, in the transaction that confirms, moves or cancels it.

A job that is due at once is put into `tx.enqueued`, so that the request can try it right after the commit. A decision
not to make a job is written down too. The caller holds the lock of the reservation.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime

from tsudoi.core.clock import parse_utc, utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.notices.rules.making import Appointment, DashReason, Kind, reminder_at, told_at

TABLE = "notification_jobs"

_JOB = """INSERT INTO notification_jobs
        (reservation_id, kind, revision, scheduled_at, retry_key, created_at, updated_at) VALUES {rows}
    ON CONFLICT DO NOTHING RETURNING job_id, kind"""
_INSERT = RawSql(_JOB.format(rows="(:reservation_id, :kind, :revision, :scheduled_at, :retry_key, :now, :now)"))
# A seat that was given back unpaid may be paid for afterwards. Then there is another reason, and a mail may go out.
_SKIPPED = """INSERT INTO notification_skips (reservation_id, kind, revision, reason, at) VALUES {rows}
    ON CONFLICT (reservation_id, kind, revision) DO UPDATE SET reason = excluded.reason, at = excluded.at
    WHERE notification_skips.reason = 'NOT_CONFIRMED'"""
_SKIP = RawSql(_SKIPPED.format(rows="(:reservation_id, :kind, :revision, :reason, :now)"))
# Two rows in one statement, because every booking writes them.
_INSERT_BOTH = RawSql(
    _JOB.format(
        rows="""(:reservation_id, 'CONFIRMATION', :revision, :told_at, :retry_key, :now, :now),
        (:reservation_id, 'REMINDER', :revision, :scheduled_at, :other_key, :now, :now)"""
    )
)
_SKIP_BOTH = RawSql(
    _SKIPPED.format(
        rows="""(:reservation_id, 'CONFIRMATION', :revision, 'NO_LINE_LINK', :now),
        (:reservation_id, 'REMINDER', :revision, 'NO_LINE_LINK', :now)"""
    )
)
# The booking itself has revision 0.
_LAST_MOVE_TOLD = RawSql(
    """SELECT max(first_attempt_at) FROM notification_jobs
    WHERE reservation_id = :reservation_id AND kind = 'CONFIRMATION' AND revision > 0"""
)
_UNSKIP = RawSql(
    """DELETE FROM notification_skips
    WHERE reservation_id = :reservation_id AND kind = :kind AND revision = :revision AND reason = 'NO_LINE_LINK'"""
)
# `maybe_sent` is 1 from the transaction right before a call until LINE has answered. A job that is 0 was not sent, even
# if a sender has claimed it: that sender will find it closed.
_DASH = """UPDATE notification_jobs SET status = 'DASH', dash_reason = :reason, lease_token = NULL, lease_until = NULL,
        updated_at = :now
    WHERE {open} AND maybe_sent = 0{lock})"""
# A call that is under way now is left alone: its sender writes what LINE answers. A lease that ran out belongs to a
# sender that died.
_GIVE_UP = """UPDATE notification_jobs SET status = 'FAILED', outcome_unknown = 1, attempt_count = attempt_count + 1,
        last_error = :error, lease_token = NULL, lease_until = NULL, updated_at = :now
    WHERE {open} AND maybe_sent = 1 AND (lease_until IS NULL OR lease_until <= :now){lock})"""
_OPEN = """job_id IN (SELECT job_id FROM notification_jobs WHERE reservation_id = :reservation_id AND status = 'PENDING'
        AND kind <> 'CANCEL_COMPLETED'"""


def _for(dialect: str, statement: str) -> RawSql:
    # A job that a sender locks at this moment is left alone. To wait for the sender could be a deadlock, and is not
    # needed: it reads the reservation again before it calls.
    lock = " FOR UPDATE SKIP LOCKED" if dialect == "postgresql" else ""
    return RawSql(statement.format(open=_OPEN, lock=lock))


_DASHES = {dialect: _for(dialect, _DASH) for dialect in ("sqlite", "postgresql")}
_GIVE_UPS = {dialect: _for(dialect, _GIVE_UP) for dialect in ("sqlite", "postgresql")}


def confirmed(tx: Tx, appointment: Appointment, tell_at: datetime | None = None) -> None:
    """The seat is certain: tell it now, or at `tell_at`, and remind of it two days before."""
    now, at, first = utc_text(tx.now), reminder_at(appointment.begins_at, tx.now), tell_at or tx.now
    both = {"reservation_id": appointment.reservation_id, "revision": appointment.revision, "now": now}
    if not appointment.linked:
        _SKIP_BOTH.changed(tx, both)
    elif at is None:
        _make(tx, appointment, "CONFIRMATION", first)
        _skip(tx, appointment, "REMINDER", "LESS_THAN_48H")
    else:
        keys = {"retry_key": str(uuid.uuid4()), "other_key": str(uuid.uuid4())}
        made = _INSERT_BOTH.all(tx, {**both, **keys, "told_at": utc_text(first), "scheduled_at": utc_text(at)})
        if first <= tx.now:
            tx.enqueued.extend((TABLE, job_id) for job_id, kind in made if kind == "CONFIRMATION")


def moved(tx: Tx, appointment: Appointment) -> None:
    """`appointment` has the new revision and the new time. Moves within seconds of each other are told as one."""
    _close(tx, appointment.reservation_id, "MOVED")
    last = _LAST_MOVE_TOLD.first(tx, {"reservation_id": appointment.reservation_id})
    last_told_at = None if last is None or last[0] is None else parse_utc(last[0])
    confirmed(tx, appointment, told_at(last_told_at, tx.now))


def canceled(tx: Tx, appointment: Appointment, *, tell: bool) -> None:
    """`tell`: the person knew of the reservation or has paid for it. An unpaid seat that is given back is no news."""
    _close(tx, appointment.reservation_id, "CANCELLED")
    if not tell:
        _skip(tx, appointment, "CANCEL_COMPLETED", "NOT_CONFIRMED")
    elif not appointment.linked:
        _skip(tx, appointment, "CANCEL_COMPLETED", "NO_LINE_LINK")
    else:
        _make(tx, appointment, "CANCEL_COMPLETED", tx.now)


def linked(tx: Tx, appointments: Iterable[Appointment]) -> None:
    """The person has linked LINE: remind of what is ahead. The confirmation is no news any more."""
    for appointment in appointments:
        key = {"reservation_id": appointment.reservation_id, "kind": "REMINDER", "revision": appointment.revision}
        _UNSKIP.changed(tx, key)
        _make_reminder(tx, appointment)


def _make_reminder(tx: Tx, appointment: Appointment) -> None:
    at = reminder_at(appointment.begins_at, tx.now)
    if at is None:
        _skip(tx, appointment, "REMINDER", "LESS_THAN_48H")
    else:
        _make(tx, appointment, "REMINDER", at)


def _make(tx: Tx, appointment: Appointment, kind: Kind, at: datetime) -> None:
    values = {**_key(appointment, kind), "scheduled_at": utc_text(at), "retry_key": str(uuid.uuid4())}
    made = _INSERT.first(tx, {**values, "now": utc_text(tx.now)})
    if made is not None and at <= tx.now:
        tx.enqueued.append((TABLE, int(made[0])))


def _skip(tx: Tx, appointment: Appointment, kind: Kind, reason: DashReason) -> None:
    _SKIP.changed(tx, {**_key(appointment, kind), "reason": reason, "now": utc_text(tx.now)})


def _key(appointment: Appointment, kind: Kind) -> dict[str, str | int]:
    return {"reservation_id": appointment.reservation_id, "kind": kind, "revision": appointment.revision}


def _close(tx: Tx, reservation_id: int, reason: DashReason) -> None:
    """Open jobs are not sent any more. One that may have been sent stays unknown: asking LINE could deliver it."""
    given = {"reservation_id": reservation_id, "now": utc_text(tx.now)}
    _DASHES[tx.dialect].changed(tx, {**given, "reason": reason})
    error = f"UNKNOWN: {reason} before LINE had answered"
    _GIVE_UPS[tx.dialect].changed(tx, {**given, "error": error})
