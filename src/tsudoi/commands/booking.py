"""`tsudoi booking check` and `show`."""

from rich.console import Console
from sqlalchemy import select

from tsudoi.booking.notices.queries.timeline import timeline
from tsudoi.booking.notices.rules.timeline import TimelineEntry
from tsudoi.booking.reservations.errors import NoSuchReservation
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.reservations.queries.reservations import own_page
from tsudoi.booking.reservations.rules.listing import clock_time
from tsudoi.booking.reservations.schemas import ReservationItem
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.clock import display
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.interface import ReadTx

_NEWEST = 200
_LARGEST_ID = 2**53
# What the command shows of a person. The PIN's hash and the LINE user id stay in the database.
_SHOWN = (
    "staff_uid staff_id family_name given_name family_name_kana given_name_kana job_title department_id emr_patient_id"
    " date_of_birth sex_code status role source created_at updated_at last_login_at masked_at"
)


def check() -> int:
    """Exit code 1 if a count is wrong; each slot at which something is wrong is named."""
    with database_of(read_settings()) as db:
        found = db.read_now(lambda tx: list(flaws(tx)))
    console = Console(highlight=False)
    for slot_id, flaw in found:
        console.print(f"slot {slot_id}: {flaw}", soft_wrap=True)
    if found:
        console.print(f"予約枠の数が合いません / {len(found)} problems")
        return 1
    console.print("予約枠の数は、すべて予約と一致しています / every count is right")
    return 0


def show(reservation: str | None, staff: str | None) -> int:
    """What happened to a reservation, and everything that is stored about a person.

    A number without a word may be a reservation's, a person's, or both: then both are shown.
    """
    if reservation is None and staff is None:
        raise Refusal(f"予約か職員の番号を書いてください / give a number: {tsudoi_command()} booking show 501")
    with database_of(read_settings()) as db:
        lines = db.read_now(lambda tx: [*_reservation_lines(tx, reservation), *_person_lines(tx, staff)])
    console = Console(highlight=False)
    for line in lines or [_not_found(reservation, staff)]:
        console.print(line, markup=False, soft_wrap=True)
    return 0 if lines else 1


def _not_found(reservation: str | None, staff: str | None) -> str:
    if reservation is None:
        return f"職員番号 {staff} は見つかりません / no staff person has the number {staff}"
    if staff is None:
        return f"予約 {reservation} は見つかりません / there is no reservation {reservation}"
    return f"番号 {staff} の予約も職員も見つかりません / no reservation and no staff person has the number {staff}"


def _reservation_lines(tx: ReadTx, number: str | None) -> list[str]:
    if number is None or not (number.isascii() and number.isdigit()) or int(number) > _LARGEST_ID:
        return []
    try:
        entries = timeline(tx, int(number))
    except NoSuchReservation:
        return []
    return [f"予約 {int(number)} / reservation {int(number)}", *map(_entry_line, entries)]


def _entry_line(entry: TimelineEntry) -> str:
    parts = (display(entry.at), entry.kind, entry.text, entry.actor, entry.detail)
    return "  ".join(part for part in parts if part)


def _person_lines(tx: ReadTx, staff_id: str | None) -> list[str]:
    found = None if staff_id is None else _person(tx, staff_id)
    if found is None:
        return []
    fields, reservations = found
    shown = [f"{name}: {'' if value is None else value}" for name, value in fields.items()]
    return [*shown, *map(_reservation_line, reservations)]


def _person(tx: ReadTx, staff_id: str) -> tuple[dict[str, object], list[ReservationItem]] | None:
    row = (
        tx.execute(select(*StaffAccount.__table__.c).where(StaffAccount.staff_id == staff_id)).mappings().one_or_none()
    )
    if row is None:
        return None
    return {name: row[name] for name in _SHOWN.split()}, own_page(tx, row["staff_uid"], _NEWEST, None).items


def _reservation_line(item: ReservationItem) -> str:
    when = f"{item.service_date_local} {clock_time(item.start_minute_of_day)}"
    state = "canceled" if item.canceled_at else item.attendance or "booked"
    return f"reservation {item.id}: {when} {item.reservation_type_name} ({item.period_key}) {state}"
