"""The columns of the office's list of reservations, as a file. Pure."""

from typing import Any

from tsudoi.core.clock import display
from tsudoi.core.csv_text import Cell

# The names and the widths of the columns.
COLUMNS = (
    ("予約番号", 10),
    ("日付", 12),
    ("開始", 8),
    ("分", 6),
    ("予約の種類", 24),
    ("職員番号", 12),
    ("氏名", 18),
    ("フリガナ", 22),
    ("部署コード", 12),
    ("部署", 18),
    ("職種", 14),
    ("患者番号", 14),
    ("生年月日", 12),
    ("性別", 8),
    ("状態", 10),
    ("予約日時", 18),
    ("取消日時", 18),
)
_SEX = {"1": "男", "2": "女"}
_ISO_5218 = {"1": 1, "2": 2}
_UNKNOWN = 0
_ATTENDANCE = {"came": "来場", "absent": "欠席", None: "予約中"}
_HELD, _EXPIRED, _CANCELED = "支払い待ち", "期限切れ", "取消"


def clock_time(minute_of_day: int) -> str:
    return f"{minute_of_day // 60:02d}:{minute_of_day % 60:02d}"


def sex(code: str | None, *, iso_5218: bool) -> Cell:
    """A word for people, or the number of ISO 5218, where 0 means that it is not known."""
    return _ISO_5218.get(code or "", _UNKNOWN) if iso_5218 else _SEX.get(code or "", "")


def state(row: Any, *, expired: bool) -> str:
    """`expired`: not paid for in time."""
    if expired:
        return _EXPIRED
    if row.canceled_at:
        return _CANCELED
    is_held = row.confirmed_at is None and row.hold_expires_at is not None
    return _HELD if is_held else _ATTENDANCE[row.attendance]


def cells(row: Any, *, iso_5218: bool, expired: bool = False) -> tuple[Cell, ...]:
    return (
        row.id,
        row.service_date_local,
        clock_time(row.start_minute_of_day),
        row.duration_minutes,
        row.reservation_type_name,
        row.staff_id,
        row.family_name + row.given_name,
        (row.family_name_kana or "") + (row.given_name_kana or ""),
        row.person_department_id,
        row.department_name,
        row.job_title,
        row.emr_patient_id,
        row.date_of_birth,
        sex(row.sex_code, iso_5218=iso_5218),
        state(row, expired=expired),
        display(row.created_at),
        display(row.canceled_at) if row.canceled_at else "",
    )
