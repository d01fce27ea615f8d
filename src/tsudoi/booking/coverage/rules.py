"""Percentages, and the columns of the coverage file. Pure."""

from typing import Any

from tsudoi.core.csv_text import Cell

COLUMNS = (
    ("職員番号", 12),
    ("氏名", 18),
    ("フリガナ", 22),
    ("部署コード", 12),
    ("部署", 18),
    ("職種", 14),
    ("状態", 10),
    ("予約日", 12),
)


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def cells(person: Any) -> tuple[Cell, ...]:
    booked = "予約済み" if person.booked else "支払い待ち" if person.held else "未予約"
    # Somebody who did not come may book again, and has not done so yet.
    absent = "欠席" if person.booked else f"欠席（{booked}）"
    state = {"came": "来場", "absent": absent, None: booked}[person.attendance]
    return (
        person.staff_id,
        person.full_name,
        person.full_name_kana,
        person.department_id,
        person.department_name,
        person.job_title,
        state,
        person.service_date_local,
    )
