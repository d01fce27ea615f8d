"""Booking: staff with their PINs, slots, and reservations that cannot be overbooked."""

from tsudoi.access.registration import AuditSubject, Context, Tag
from tsudoi.booking.departments import endpoints as departments
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.types import endpoints as types
from tsudoi.core.secrets_check import RANDOM_HINT, SecretRule

_SECRET = SecretRule(32, RANDOM_HINT)

CONTEXT = Context(
    name="booking",
    routers=(
        departments.router,
        departments.public,
        types.router,
    ),
    tags=(Tag("booking", "Staff of a hospital, slots, and their reservations."),),
    parts=(PinHasher.of,),
    audit_actions={
        "予約の準備": {
            "DEPARTMENT_CREATE": "部署を登録",
            "DEPARTMENT_CHANGE": "部署を変更",
            "DEPARTMENT_DELETE": "部署を削除",
            "TYPE_CREATE": "予約の種類を登録",
            "TYPE_CHANGE": "予約の種類を変更",
            "TYPE_DELETE": "予約の種類を削除",
        },
    },
    audit_fields={
        "active": "有効",
        "description": "説明",
        "limit_per_year": "年度あたりの回数",
        "minimum_days_between": "次の予約までの日数",
        "cancel_until_hours": "取消の締切（時間前）",
        "overlap_allowed": "同じ時間の予約",
    },
    audit_subjects={
        "staff": AuditSubject("職員", "/staffs/{id}"),
        "slot": AuditSubject("予約枠", "/slots/{id}"),
        "reservation": AuditSubject("予約"),
        "reservation_type": AuditSubject("予約の種類"),
        "department": AuditSubject("部署"),
    },
    required_settings={"JWT_SECRET": _SECRET, "REFRESH_SECRET": _SECRET, "SECURITY_PIN_PEPPER": _SECRET},
    off_without_settings=True,
)
