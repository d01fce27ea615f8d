"""Booking: staff with their PINs, slots, and reservations that cannot be overbooked."""

from datetime import timedelta

from tsudoi.access.registration import AuditSubject, Clockwork, Context, Tag, in_transaction
from tsudoi.booking.coverage import endpoints as coverage
from tsudoi.booking.reception import endpoints as reception
from tsudoi.booking.reservations.endpoints import calendar
from tsudoi.booking.reservations.endpoints import office as office_reservations
from tsudoi.booking.reservations.endpoints import own as own_reservations
from tsudoi.booking.reservations.service.waiting import expire
from tsudoi.core.secrets_check import RANDOM_HINT, SecretRule

_SECRET = SecretRule(32, RANDOM_HINT)

CONTEXT = Context(
    name="booking",
    routers=(
        # This router is the first, because it is called most.
        own_reservations.bookings,
        # This one comes before the reservations, because `123.ics` is no id.
        calendar.router,
        own_reservations.router,
        office_reservations.files,
        office_reservations.router,
        reception.router,
        coverage.router,
    ),
    tags=(Tag("booking", "Staff of a hospital, slots, and their reservations."),),
    clockwork=(Clockwork("expire_waiting_places", timedelta(minutes=10), in_transaction(expire)),),
    audit_actions={
        "予約": {
            "RESERVE_CREATE": "予約",
            "RESERVE_UPDATE": "予約を変更",
            "RESERVE_CANCEL": "予約を取り消し",
            "ATTENDANCE": "受付（来場・欠席）",
            "WAIT_JOIN": "キャンセル待ちに登録",
            "WAIT_LEAVE": "キャンセル待ちを取りやめ",
            "WAIT_PROMOTE": "キャンセル待ちから予約",
            "RESERVATION_EXPORT": "予約を書き出し",
        }
    },
    audit_fields={
        "slot_id": "予約枠",
        "service_date_local": "日付",
        "start_minute_of_day": "開始（分）",
        "staff_uid": "職員",
        "attendance": "来場・欠席",
        "waiting_id": "キャンセル待ち",
        "freed_by": "空きを作った操作",
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
