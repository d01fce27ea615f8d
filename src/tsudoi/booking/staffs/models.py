from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class StaffAccount(Base):
    """A staff person and their account. Rows are never deleted; who leaves gets the status `left`."""

    __tablename__ = "staffs"
    __table_args__ = (
        CheckConstraint("length(staff_id) BETWEEN 1 AND 20", name="staff_id_length"),
        # What is left after removing the digits at both ends is empty only when there is nothing but digits.
        CheckConstraint("length(trim(staff_id, '0123456789')) = 0", name="staff_id_digits"),
        CheckConstraint("length(trim(emr_patient_id, '0123456789')) = 0", name="emr_patient_id_digits"),
        CheckConstraint("sex_code IN ('1', '2')", name="known_sex_code"),
        CheckConstraint("pin_retry_count >= 0", name="pin_retry_count"),
        CheckConstraint("pin_must_change IN (0, 1)", name="pin_must_change"),
        CheckConstraint("version >= 1", name="version"),
        CheckConstraint("status IN ('active', 'suspended', 'left')", name="known_status"),
        CheckConstraint("role IN ('STAFF', 'ADMIN')", name="known_role"),
        CheckConstraint("source IN ('import', 'self', 'office')", name="known_source"),
        CheckConstraint("email LIKE '%_@_%'", name="email"),
        Index("idx_staffs_department_id", "department_id"),
        Index("idx_staffs_family_name_kana", "family_name_kana"),
    )

    # An id of our own that never changes; everything in the database refers to it.
    staff_uid: Mapped[str] = mapped_column(Text, primary_key=True)
    # The number on the badge. The office may change it.
    staff_id: Mapped[str] = mapped_column(Text, unique=True)
    emr_patient_id: Mapped[str | None] = mapped_column(Text, unique=True)
    family_name: Mapped[str] = mapped_column(Text)
    given_name: Mapped[str] = mapped_column(Text)
    family_name_kana: Mapped[str | None] = mapped_column(Text)
    given_name_kana: Mapped[str | None] = mapped_column(Text)
    job_title: Mapped[str] = mapped_column(Text)
    department_id: Mapped[str] = mapped_column(Text, ForeignKey("departments.id", onupdate="CASCADE"))
    # NULL until the person has completed the profile; a guard asks for them before a reservation.
    date_of_birth: Mapped[str | None] = mapped_column(Text)
    sex_code: Mapped[str | None] = mapped_column(Text)
    pin_hash: Mapped[str] = mapped_column(Text)
    # Failures since the last success. They are counted before the hash is computed.
    pin_retry_count: Mapped[int] = mapped_column(Integer, server_default="0")
    # When the account was locked; NULL: it is not. Only an administrator unlocks it.
    pin_locked_until: Mapped[datetime | None] = mapped_column(UtcText)
    pin_updated_at: Mapped[datetime] = mapped_column(UtcText)
    # Which parameters of the hash were used (`pins.rules.PIN_VERSION`).
    pin_version: Mapped[int] = mapped_column(Integer)
    pin_must_change: Mapped[int] = mapped_column(Integer)
    # Counts the changes of the profile, for optimistic locking.
    version: Mapped[int] = mapped_column(Integer, server_default="1")
    status: Mapped[str] = mapped_column(Text, server_default="active")
    role: Mapped[str] = mapped_column(Text, server_default="STAFF")
    last_login_at: Mapped[datetime | None] = mapped_column(UtcText)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)
    # How the account came to be, and when the office confirmed a self-registered one.
    source: Mapped[str] = mapped_column(Text, server_default="office")
    confirmed_at: Mapped[datetime | None] = mapped_column(UtcText)
    import_batch_id: Mapped[str | None] = mapped_column(Text)
    # The initial PIN is public knowledge, so it works until this time only.
    activate_until: Mapped[datetime | None] = mapped_column(UtcText)
    # Set when the personal data of a person who left were masked.
    masked_at: Mapped[datetime | None] = mapped_column(UtcText)
    line_user_id: Mapped[str | None] = mapped_column(Text, unique=True)
    # Notices go there when LINE does not reach the person and the type allows it.
    email: Mapped[str | None] = mapped_column(Text)
    # How often the person has renewed the keys of the own calendar files.
    calendar_renewals: Mapped[int] = mapped_column(Integer, server_default="0")
    # Names, readings and number, folded by `roster.members.rules.search_key`. NULL in a row written by hand.
    search_text: Mapped[str | None] = mapped_column(Text)


class StaffDevice(Base):
    """A browser in which this person has logged in before. It has a failure count of its own."""

    __tablename__ = "staff_devices"

    token_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    staff_uid: Mapped[str] = mapped_column(
        Text, ForeignKey("staffs.staff_uid", ondelete="CASCADE"), primary_key=True, index=True
    )
    created_at: Mapped[datetime] = mapped_column(UtcText)


class RegistrationCode(Base):
    """A code that the office shows in-house, without which nobody can register. The newest one counts."""

    __tablename__ = "registration_codes"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    code: Mapped[str] = mapped_column(Text)
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)
