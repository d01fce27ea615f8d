"""Booking: staff with their PINs, slots, and reservations that cannot be overbooked."""

from datetime import timedelta

from tsudoi.access.registration import AuditSubject, Clockwork, Context, Tag, in_transaction
from tsudoi.booking.login import endpoints as login
from tsudoi.booking.login.service import forget_expired
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.pins.service import forget_old_attempts
from tsudoi.booking.profile import endpoints as profile
from tsudoi.core.secrets_check import RANDOM_HINT, SecretRule

_SECRET = SecretRule(32, RANDOM_HINT)

CONTEXT = Context(
    name="booking",
    routers=(login.router, profile.router),
    tags=(Tag("booking", "Staff of a hospital, slots, and their reservations."),),
    parts=(PinHasher.of,),
    clockwork=(
        Clockwork("forget_old_pin_attempts", timedelta(hours=1), in_transaction(forget_old_attempts)),
        Clockwork("forget_expired_staff_sessions", timedelta(hours=1), in_transaction(forget_expired)),
    ),
    audit_actions={
        "職員": {
            "PIN_LOCKED": "暗証番号をロック",
            "PIN_CHANGE": "暗証番号を変更",
            "REFRESH_REUSE": "使用済みのログイン情報を検知",
            "STAFF_REGISTER": "職員が自己登録",
            "STAFF_UPDATE": "職員の情報を変更",
            "STAFF_LINK": "LINEを連携",
            "STAFF_UNLINK": "LINEの連携を解除",
        }
    },
    audit_subjects={
        "staff:?": AuditSubject("（登録のない職員番号）"),
        "staff": AuditSubject("職員", "/staffs/{id}"),
        "slot": AuditSubject("予約枠", "/slots/{id}"),
        "reservation": AuditSubject("予約"),
        "reservation_type": AuditSubject("予約の種類"),
        "department": AuditSubject("部署"),
    },
    audit_fields={
        "address": "IPアドレス",
        "first": "初期PINでのログイン",
        "refused": "断った理由",
        "emr_patient_id": "患者ID",
        "family_name": "姓",
        "given_name": "名",
        "family_name_kana": "姓（カナ）",
        "given_name_kana": "名（カナ）",
        "job_title": "職種",
        "department_id": "部署",
        "date_of_birth": "生年月日",
        "sex_code": "性別",
    },
    required_settings={"JWT_SECRET": _SECRET, "REFRESH_SECRET": _SECRET, "SECURITY_PIN_PEPPER": _SECRET},
    off_without_settings=True,
)
