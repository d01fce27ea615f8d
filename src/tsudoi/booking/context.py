"""Booking: staff with their PINs, slots, and reservations that cannot be overbooked."""

from tsudoi.access.registration import AuditSubject, Context, Tag
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.core.secrets_check import RANDOM_HINT, SecretRule

_SECRET = SecretRule(32, RANDOM_HINT)

CONTEXT = Context(
    name="booking",
    routers=(),
    tags=(Tag("booking", "Staff of a hospital, slots, and their reservations."),),
    parts=(PinHasher.of,),
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
