"""Staff, departments, slots and reservations."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, UtcText

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "departments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("active", sa.Integer(), server_default="1", nullable=False),
        sa.Column("folded_id", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.CheckConstraint("active IN (0, 1)", name=op.f("ck_departments_active")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_departments")),
        sa.UniqueConstraint("folded_id", name=op.f("uq_departments_folded_id")),
    )
    op.create_table(
        "reservation_types",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("active", sa.Integer(), server_default="1", nullable=False),
        sa.Column("limit_per_year", sa.Integer(), server_default="1", nullable=True),
        sa.Column("minimum_days_between", sa.Integer(), nullable=True),
        sa.Column("cancel_until_hours", sa.Integer(), server_default="0", nullable=False),
        sa.Column("overlap_allowed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("price_jpy", sa.Integer(), nullable=True),
        sa.Column("hold_minutes", sa.Integer(), server_default="35", nullable=False),
        sa.Column("konbini", sa.Integer(), server_default="0", nullable=False),
        sa.Column("refund_until_hours", sa.Integer(), nullable=True),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("silent_at_night", sa.Integer(), server_default="0", nullable=False),
        sa.Column("mail_fallback", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", UtcText(), server_default=sa.func.current_timestamp(), nullable=False),
        sa.Column("updated_at", UtcText(), server_default=sa.func.current_timestamp(), nullable=False),
        sa.CheckConstraint("active IN (0, 1)", name=op.f("ck_reservation_types_active")),
        sa.CheckConstraint("cancel_until_hours >= 0", name=op.f("ck_reservation_types_cancel_until_hours")),
        sa.CheckConstraint("limit_per_year >= 1", name=op.f("ck_reservation_types_limit_per_year")),
        sa.CheckConstraint("minimum_days_between >= 1", name=op.f("ck_reservation_types_minimum_days_between")),
        sa.CheckConstraint("overlap_allowed IN (0, 1)", name=op.f("ck_reservation_types_overlap_allowed")),
        sa.CheckConstraint("price_jpy BETWEEN 50 AND 9999999", name=op.f("ck_reservation_types_price_jpy")),
        sa.CheckConstraint("hold_minutes BETWEEN 30 AND 1440", name=op.f("ck_reservation_types_hold_minutes")),
        sa.CheckConstraint("konbini IN (0, 1)", name=op.f("ck_reservation_types_konbini")),
        sa.CheckConstraint("refund_until_hours >= 0", name=op.f("ck_reservation_types_refund_until_hours")),
        sa.CheckConstraint("silent_at_night IN (0, 1)", name=op.f("ck_reservation_types_silent_at_night")),
        sa.CheckConstraint("mail_fallback IN (0, 1)", name=op.f("ck_reservation_types_mail_fallback")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reservation_types")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "reservation_slots",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("reservation_type_id", BigId, nullable=False),
        sa.Column("service_date_local", sa.Text(), nullable=False),
        sa.Column("start_minute_of_day", sa.Integer(), nullable=False),
        sa.Column("duration_minutes", sa.Integer(), nullable=False),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.Column("booked_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("status", sa.Text(), server_default="draft", nullable=False),
        sa.Column("booking_start", UtcText(), nullable=True),
        sa.Column("booking_end", UtcText(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.CheckConstraint(
            "status IN ('draft', 'published', 'closed')", name=op.f("ck_reservation_slots_known_status")
        ),
        sa.CheckConstraint("booked_count BETWEEN 0 AND capacity", name=op.f("ck_reservation_slots_booked_count")),
        sa.CheckConstraint("capacity >= 1", name=op.f("ck_reservation_slots_capacity")),
        sa.CheckConstraint("duration_minutes >= 1", name=op.f("ck_reservation_slots_duration_minutes")),
        sa.CheckConstraint("length(service_date_local) = 10", name=op.f("ck_reservation_slots_service_date_local")),
        sa.CheckConstraint(
            "start_minute_of_day + duration_minutes <= 1440", name=op.f("ck_reservation_slots_ends_on_its_day")
        ),
        sa.CheckConstraint(
            "start_minute_of_day BETWEEN 0 AND 1439", name=op.f("ck_reservation_slots_start_minute_of_day")
        ),
        sa.ForeignKeyConstraint(
            ["reservation_type_id"], ["reservation_types.id"], name=op.f("fk_reservation_slots_reservation_type_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reservation_slots")),
        sa.UniqueConstraint("id", "reservation_type_id", name=op.f("uq_reservation_slots_id_reservation_type_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_reservation_slots_day", "reservation_slots", ["service_date_local", "start_minute_of_day"], unique=False
    )
    op.create_index("idx_reservation_slots_type", "reservation_slots", ["reservation_type_id"], unique=False)
    op.create_table(
        "staffs",
        sa.Column("staff_uid", sa.Text(), nullable=False),
        sa.Column("staff_id", sa.Text(), nullable=False),
        sa.Column("emr_patient_id", sa.Text(), nullable=True),
        sa.Column("family_name", sa.Text(), nullable=False),
        sa.Column("given_name", sa.Text(), nullable=False),
        sa.Column("family_name_kana", sa.Text(), nullable=True),
        sa.Column("given_name_kana", sa.Text(), nullable=True),
        sa.Column("job_title", sa.Text(), nullable=False),
        sa.Column("department_id", sa.Text(), nullable=False),
        sa.Column("date_of_birth", sa.Text(), nullable=True),
        sa.Column("sex_code", sa.Text(), nullable=True),
        sa.Column("pin_hash", sa.Text(), nullable=False),
        sa.Column("pin_retry_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("pin_locked_until", UtcText(), nullable=True),
        sa.Column("pin_updated_at", UtcText(), nullable=False),
        sa.Column("pin_version", sa.Integer(), nullable=False),
        sa.Column("pin_must_change", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("role", sa.Text(), server_default="STAFF", nullable=False),
        sa.Column("last_login_at", UtcText(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.Column("source", sa.Text(), server_default="office", nullable=False),
        sa.Column("confirmed_at", UtcText(), nullable=True),
        sa.Column("import_batch_id", sa.Text(), nullable=True),
        sa.Column("activate_until", UtcText(), nullable=True),
        sa.Column("masked_at", UtcText(), nullable=True),
        sa.Column("line_user_id", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("search_text", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "length(trim(emr_patient_id, '0123456789')) = 0", name=op.f("ck_staffs_emr_patient_id_digits")
        ),
        sa.CheckConstraint("length(trim(staff_id, '0123456789')) = 0", name=op.f("ck_staffs_staff_id_digits")),
        sa.CheckConstraint("email LIKE '%_@_%'", name=op.f("ck_staffs_email")),
        sa.CheckConstraint("role IN ('STAFF', 'ADMIN')", name=op.f("ck_staffs_known_role")),
        sa.CheckConstraint("sex_code IN ('1', '2')", name=op.f("ck_staffs_known_sex_code")),
        sa.CheckConstraint("source IN ('import', 'self', 'office')", name=op.f("ck_staffs_known_source")),
        sa.CheckConstraint("status IN ('active', 'suspended', 'left')", name=op.f("ck_staffs_known_status")),
        sa.CheckConstraint("length(staff_id) BETWEEN 1 AND 20", name=op.f("ck_staffs_staff_id_length")),
        sa.CheckConstraint("pin_must_change IN (0, 1)", name=op.f("ck_staffs_pin_must_change")),
        sa.CheckConstraint("pin_retry_count >= 0", name=op.f("ck_staffs_pin_retry_count")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_staffs_version")),
        sa.ForeignKeyConstraint(
            ["department_id"], ["departments.id"], name=op.f("fk_staffs_department_id"), onupdate="CASCADE"
        ),
        sa.PrimaryKeyConstraint("staff_uid", name=op.f("pk_staffs")),
        sa.UniqueConstraint("emr_patient_id", name=op.f("uq_staffs_emr_patient_id")),
        sa.UniqueConstraint("line_user_id", name=op.f("uq_staffs_line_user_id")),
        sa.UniqueConstraint("staff_id", name=op.f("uq_staffs_staff_id")),
    )
    op.create_index("idx_staffs_department_id", "staffs", ["department_id"], unique=False)
    op.create_index("idx_staffs_family_name_kana", "staffs", ["family_name_kana"], unique=False)
    op.create_table(
        "refresh_sessions",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("staff_uid", sa.Text(), nullable=False),
        sa.Column("staff_id_snapshot", sa.Text(), nullable=True),
        sa.Column("refresh_token_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", UtcText(), nullable=False),
        sa.Column("revoked_at", UtcText(), nullable=True),
        sa.Column("last_used_at", UtcText(), nullable=True),
        sa.Column("user_agent", sa.Text(), nullable=True),
        sa.Column("ip_address", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.Column("family_id", sa.Text(), nullable=True),
        sa.Column("successor_id", BigId, nullable=True),
        sa.Column("revoked_because", sa.Text(), nullable=True),
        sa.Column("transport", sa.Text(), server_default="body", nullable=False),
        sa.CheckConstraint("transport IN ('body', 'cookie')", name=op.f("ck_refresh_sessions_known_transport")),
        sa.ForeignKeyConstraint(["staff_uid"], ["staffs.staff_uid"], name=op.f("fk_refresh_sessions_staff_uid")),
        sa.ForeignKeyConstraint(
            ["successor_id"], ["refresh_sessions.id"], name=op.f("fk_refresh_sessions_successor_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refresh_sessions")),
        sa.UniqueConstraint("refresh_token_hash", name=op.f("uq_refresh_sessions_refresh_token_hash")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_refresh_sessions_expires_at", "refresh_sessions", ["expires_at"], unique=False)
    op.create_index("idx_refresh_sessions_family_id", "refresh_sessions", ["family_id"], unique=False)
    op.create_index("idx_refresh_sessions_staff_uid", "refresh_sessions", ["staff_uid"], unique=False)
    op.create_index("idx_refresh_sessions_successor_id", "refresh_sessions", ["successor_id"], unique=False)
    op.create_table(
        "reservations",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("staff_uid", sa.Text(), nullable=False),
        sa.Column("staff_id", sa.Text(), nullable=False),
        sa.Column("reservation_type_id", BigId, nullable=False),
        sa.Column("slot_id", BigId, nullable=False),
        sa.Column("service_date_local", sa.Text(), nullable=False),
        sa.Column("start_minute_of_day", sa.Integer(), nullable=False),
        sa.Column("duration_minutes", sa.Integer(), nullable=False),
        sa.Column("period_key", sa.Text(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.Column("canceled_at", UtcText(), nullable=True),
        sa.Column("once_per_year", sa.Integer(), server_default="1", nullable=False),
        sa.Column("department_id", sa.Text(), nullable=True),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("attendance", sa.Text(), nullable=True),
        sa.Column("attendance_at", UtcText(), nullable=True),
        sa.Column("canceled_by", sa.Text(), nullable=True),
        sa.Column("cancel_reason", sa.Text(), nullable=True),
        sa.Column("confirmed_at", UtcText(), nullable=True),
        sa.Column("hold_expires_at", UtcText(), nullable=True),
        sa.Column("price_jpy", sa.Integer(), nullable=True),
        sa.CheckConstraint("attendance IN ('came', 'absent')", name=op.f("ck_reservations_known_attendance")),
        sa.CheckConstraint("once_per_year IN (0, 1)", name=op.f("ck_reservations_once_per_year")),
        sa.CheckConstraint("price_jpy >= 1", name=op.f("ck_reservations_price_jpy")),
        sa.CheckConstraint("revision >= 0", name=op.f("ck_reservations_revision")),
        sa.ForeignKeyConstraint(
            ["department_id"], ["departments.id"], name=op.f("fk_reservations_department_id"), onupdate="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reservation_type_id"], ["reservation_types.id"], name=op.f("fk_reservations_reservation_type_id")
        ),
        sa.ForeignKeyConstraint(
            ["slot_id", "reservation_type_id"],
            ["reservation_slots.id", "reservation_slots.reservation_type_id"],
            name="fk_reservations_slot_and_type",
        ),
        sa.ForeignKeyConstraint(["slot_id"], ["reservation_slots.id"], name=op.f("fk_reservations_slot_id")),
        sa.ForeignKeyConstraint(["staff_uid"], ["staffs.staff_uid"], name=op.f("fk_reservations_staff_uid")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reservations")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_reservations_coverage", "reservations", ["reservation_type_id", "period_key", "staff_uid"], unique=False
    )
    op.create_index("idx_reservations_day", "reservations", ["service_date_local", "start_minute_of_day"], unique=False)
    op.create_index(
        "idx_reservations_holds",
        "reservations",
        ["hold_expires_at"],
        unique=False,
        sqlite_where=sa.text("canceled_at IS NULL AND confirmed_at IS NULL AND hold_expires_at IS NOT NULL"),
        postgresql_where=sa.text("canceled_at IS NULL AND confirmed_at IS NULL AND hold_expires_at IS NOT NULL"),
    )
    op.create_index("idx_reservations_staff", "reservations", ["staff_uid", "service_date_local"], unique=False)
    op.create_index(
        "uq_reservations_slot",
        "reservations",
        ["slot_id", "staff_uid"],
        unique=True,
        sqlite_where=sa.text("canceled_at IS NULL"),
        postgresql_where=sa.text("canceled_at IS NULL"),
    )
    op.create_index(
        "uq_reservations_year",
        "reservations",
        ["staff_uid", "reservation_type_id", "period_key"],
        unique=True,
        sqlite_where=sa.text("canceled_at IS NULL AND once_per_year = 1"),
        postgresql_where=sa.text("canceled_at IS NULL AND once_per_year = 1"),
    )
    op.create_table(
        "slot_quotas",
        sa.Column("slot_id", BigId, autoincrement=False, nullable=False),
        sa.Column("department_id", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.CheckConstraint("seats >= 0", name=op.f("ck_slot_quotas_seats")),
        sa.ForeignKeyConstraint(
            ["department_id"], ["departments.id"], name=op.f("fk_slot_quotas_department_id"), onupdate="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["slot_id"], ["reservation_slots.id"], name=op.f("fk_slot_quotas_slot_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("slot_id", "department_id", name=op.f("pk_slot_quotas")),
    )
    op.create_table(
        "staff_devices",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("staff_uid", sa.Text(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["staff_uid"], ["staffs.staff_uid"], name=op.f("fk_staff_devices_staff_uid"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", "staff_uid", name=op.f("pk_staff_devices")),
    )
    op.create_index(op.f("idx_staff_devices_staff_uid"), "staff_devices", ["staff_uid"], unique=False)
    op.create_table(
        "waiting_places",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("slot_id", BigId, nullable=False),
        sa.Column("staff_uid", sa.Text(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("ended_at", UtcText(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("reservation_id", BigId, nullable=True),
        sa.Column("skipped_because", sa.Text(), nullable=True),
        sa.Column("skipped_at", UtcText(), nullable=True),
        sa.CheckConstraint(
            "outcome IN ('promoted', 'left', 'withdrawn', 'expired')", name=op.f("ck_waiting_places_known_outcome")
        ),
        sa.CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name=op.f("ck_waiting_places_ended_with_outcome")),
        sa.ForeignKeyConstraint(["reservation_id"], ["reservations.id"], name=op.f("fk_waiting_places_reservation_id")),
        sa.ForeignKeyConstraint(["slot_id"], ["reservation_slots.id"], name=op.f("fk_waiting_places_slot_id")),
        sa.ForeignKeyConstraint(["staff_uid"], ["staffs.staff_uid"], name=op.f("fk_waiting_places_staff_uid")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_waiting_places")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_waiting_places_line", "waiting_places", ["slot_id", "id"], unique=False)
    op.create_index("idx_waiting_places_staff", "waiting_places", ["staff_uid"], unique=False)
    op.create_index(
        "uq_waiting_places_slot",
        "waiting_places",
        ["slot_id", "staff_uid"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "registration_codes",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registration_codes")),
        sqlite_autoincrement=True,
    )
