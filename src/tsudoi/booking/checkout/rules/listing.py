"""The columns of the office's list of payments, as a file. Pure."""

from typing import Any

from tsudoi.core.clock import display
from tsudoi.core.csv_text import Cell

# The names and the widths of the columns.
COLUMNS = (
    ("支払い番号", 10),
    ("予約番号", 10),
    ("職員番号", 12),
    ("氏名", 18),
    ("予約の種類", 24),
    ("日付", 12),
    ("金額（円）", 12),
    ("状態", 14),
    ("作成日時", 18),
    ("支払日時", 18),
    ("返金", 12),
    ("返金の理由", 24),
    ("StripeのID", 34),
)
STATUS_NAMES = {
    "CREATING": "準備中",
    "OPEN": "支払い待ち",
    "WAITING": "コンビニ払い待ち",
    "PAID": "支払い済み",
    "EXPIRED": "期限切れ",
    "FAILED": "失敗",
}
REFUND_NAMES = {"PENDING": "返金手続き中", "DONE": "返金済み", "FAILED": "返金できていません"}


def cells(payment: Any) -> tuple[Cell, ...]:
    refund = payment.refund
    return (
        payment.id,
        payment.reservation_id,
        payment.staff_id,
        payment.full_name,
        payment.reservation_type_name,
        payment.service_date_local,
        payment.amount_jpy,
        STATUS_NAMES[payment.status],
        display(payment.created_at),
        display(payment.paid_at) if payment.paid_at else "",
        REFUND_NAMES[refund.status] if refund else "",
        refund.reason if refund else "",
        payment.payment_intent_id or payment.session_id or "",
    )
