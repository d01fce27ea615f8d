"""`tsudoi booking check` and `show`."""

from rich.console import Console
from sqlalchemy import select

from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.reservations.queries.reservations import own_page
from tsudoi.booking.reservations.rules.listing import clock_time
from tsudoi.booking.reservations.schemas import ReservationItem
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.commands.data import database_of, read_settings
from tsudoi.core.db.interface import ReadTx

_NEWEST = 200
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


def show(staff_id: str) -> int:
    """Everything that is stored about a person, for a person who asks for it."""
    with database_of(read_settings()) as db:
        found = db.read_now(_person, staff_id)
    console = Console(highlight=False)
    if found is None:
        console.print(f"職員番号 {staff_id} は見つかりません / no staff person has the number {staff_id}", markup=False)
        return 1
    fields, reservations = found
    for name, value in fields.items():
        console.print(f"{name}: {'' if value is None else value}", markup=False, soft_wrap=True)
    for item in reservations:
        console.print(_line(item), markup=False, soft_wrap=True)
    return 0


def _person(tx: ReadTx, staff_id: str) -> tuple[dict[str, object], list[ReservationItem]] | None:
    row = (
        tx.execute(select(*StaffAccount.__table__.c).where(StaffAccount.staff_id == staff_id)).mappings().one_or_none()
    )
    if row is None:
        return None
    return {name: row[name] for name in _SHOWN.split()}, own_page(tx, row["staff_uid"], _NEWEST, None).items


def _line(item: ReservationItem) -> str:
    when = f"{item.service_date_local} {clock_time(item.start_minute_of_day)}"
    state = "canceled" if item.canceled_at else item.attendance or "booked"
    return f"reservation {item.id}: {when} {item.reservation_type_name} ({item.period_key}) {state}"
