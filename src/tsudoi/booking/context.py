"""Booking: staff with their PINs, slots, and reservations that cannot be overbooked."""

from tsudoi.access.registration import AuditSubject, Context, NavigationItem, Tag
from tsudoi.booking.planning.endpoints import many as many_slots
from tsudoi.booking.planning.endpoints import slots as planned_slots
from tsudoi.booking.slots import endpoints as open_slots
from tsudoi.core.secrets_check import RANDOM_HINT, SecretRule

_SECRET = SecretRule(32, RANDOM_HINT)

CONTEXT = Context(
    name="booking",
    routers=(
        open_slots.router,
        # This router comes before the next, because `calendar` is no slot id.
        many_slots.router,
        planned_slots.router,
    ),
    tags=(Tag("booking", "Staff of a hospital, slots, and their reservations."),),
    navigation=(
        NavigationItem("receive", "予約", "/booking", "booking"),
        NavigationItem("people", "職員", "/staffs", "staffs"),
    ),
    audit_actions={
        "予約枠": {
            "SLOT_CREATE": "予約枠を作成",
            "SLOT_CHANGE": "予約枠を変更",
            "SLOT_DELETE": "予約枠を削除",
            "SLOT_PUBLISH": "予約枠を公開",
            "SLOT_CLOSE": "予約枠の受付を終了",
        }
    },
    audit_fields={
        "reservation_type_id": "予約の種類",
        "service_date_local": "実施日",
        "start_minute_of_day": "開始（分）",
        "duration_minutes": "長さ（分）",
        "capacity": "定員",
        "booking_start": "受付開始",
        "booking_end": "受付締切",
        "notes": "備考",
        "quotas": "部署ごとの定員",
        "slots": "予約枠の数",
        "from": "最初の日",
        "to": "最後の日",
    },
    audit_subjects={
        "staff": AuditSubject("職員", "/staffs/{id}"),
        "slot": AuditSubject("予約枠", "/booking/slots/{id}"),
        "reservation": AuditSubject("予約"),
        "reservation_type": AuditSubject("予約の種類"),
        "department": AuditSubject("部署"),
    },
    required_settings={"JWT_SECRET": _SECRET, "REFRESH_SECRET": _SECRET, "SECURITY_PIN_PEPPER": _SECRET},
    off_without_settings=True,
)
