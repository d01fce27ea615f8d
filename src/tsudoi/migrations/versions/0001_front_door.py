"""Front door."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, JstText, UtcText

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "api_call_logs",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("status_code", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("latency_ms", sa.Integer(), nullable=False),
        sa.Column("external_request_id", sa.Text(), nullable=True),
        sa.Column("request_body", sa.Text(), nullable=True),
        sa.Column("response_body", sa.Text(), nullable=True),
        sa.Column("created_at_utc", UtcText(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_call_logs")),
    )
    op.create_index("idx_api_call_logs_created", "api_call_logs", ["created_at_utc"], unique=False)
    op.create_index("idx_api_call_logs_target", "api_call_logs", ["target", "created_at_utc"], unique=False)
    op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("last_id", BigId, nullable=False),
        sa.Column("last_hash", sa.Text(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_audit_head_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_head")),
    )
    op.create_table(
        "audit_logs",
        sa.Column("id", BigId, autoincrement=False, nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("old", sa.Text(), nullable=True),
        sa.Column("new", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("previous_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_logs")),
        sa.UniqueConstraint("hash", name=op.f("uq_audit_logs_hash")),
    )
    op.create_index("idx_audit_logs_action", "audit_logs", ["action", "id"], unique=False)
    op.create_index("idx_audit_logs_actor", "audit_logs", ["actor", "id"], unique=False)
    op.create_index("idx_audit_logs_subject", "audit_logs", ["subject", "id"], unique=False)
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", UtcText(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("lease_until", UtcText(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("expires_at", UtcText(), nullable=False),
        sa.CheckConstraint("(status IS NULL) = (body IS NULL)", name=op.f("ck_idempotency_keys_finished_whole")),
        sa.PrimaryKeyConstraint("principal", "route", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_index("idx_idempotency_keys_expires_at", "idempotency_keys", ["expires_at"], unique=False)
    op.create_table(
        "line_events",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("event_key", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("event_ms", BigId, nullable=False),
        sa.Column("redelivered", sa.Boolean(), nullable=False),
        sa.Column("payload", JsonText(), nullable=False),
        sa.Column("received_at", JstText(), nullable=False),
        sa.Column("status", sa.Text(), server_default="PENDING", nullable=False),
        sa.Column("due_at", UtcText(), nullable=False),
        sa.Column("attempt_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("first_attempt_at", UtcText(), nullable=True),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcText(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN')", name=op.f("ck_line_events_known_status")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_line_events")),
        sa.UniqueConstraint("event_key", name=op.f("uq_line_events_event_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_line_events_status", "line_events", ["status"], unique=False)
    op.create_index("idx_line_events_user", "line_events", ["user_id", "id"], unique=False)
    op.create_index(
        "idx_line_events_waiting",
        "line_events",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
    op.create_table(
        "line_friends",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("picture_url", sa.Text(), nullable=True),
        sa.Column("following", sa.Boolean(), nullable=False),
        sa.Column("state_ms", BigId, nullable=False),
        sa.Column("first_contact_at", JstText(), nullable=False),
        sa.Column("last_contact_at", JstText(), nullable=False),
        sa.Column("updated_at", JstText(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_line_friends")),
    )
    op.create_index("idx_line_friends_contact", "line_friends", ["last_contact_at", "user_id"], unique=False)
    op.create_index("idx_line_friends_following", "line_friends", ["following"], unique=False)
    op.create_table(
        "lockouts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("locked_until", UtcText(), nullable=True),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_lockouts")),
    )
    op.create_table(
        "members",
        sa.Column("id", BigId, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("display_order", sa.Integer(), nullable=True),
        sa.Column("line_user_id", sa.Text(), nullable=True),
        sa.Column("line_display_name", sa.Text(), nullable=True),
        sa.Column("is_target", sa.Integer(), server_default="0", nullable=False),
        sa.Column("role", sa.Text(), server_default="member", nullable=False),
        sa.Column("created_at", JstText(), nullable=False),
        sa.Column("updated_at", JstText(), nullable=False),
        sa.CheckConstraint("role IN ('member', 'admin')", name=op.f("ck_members_known_role")),
        sa.CheckConstraint("is_target IN (0, 1)", name=op.f("ck_members_is_target")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("line_user_id", name=op.f("uq_members_line_user_id")),
    )
    op.create_index("idx_members_display_order", "members", ["display_order"], unique=False)
    op.create_index("idx_members_is_target", "members", ["is_target"], unique=False)
    op.create_index("idx_members_name_key", "members", ["name_key"], unique=False)
    op.create_table(
        "rate_limits",
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.Column("window_ends_at", UtcText(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_rate_limits")),
    )
    op.create_table(
        "sessions",
        sa.Column("id_hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("data", JsonText(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("expires_at", UtcText(), nullable=False),
        sa.Column("revoked_at", UtcText(), nullable=True),
        sa.CheckConstraint("kind IN ('admin', 'liff', 'token')", name=op.f("ck_sessions_known_kind")),
        sa.PrimaryKeyConstraint("id_hash", name=op.f("pk_sessions")),
    )
    op.create_index("idx_sessions_expires_at", "sessions", ["expires_at"], unique=False)
    op.create_index("idx_sessions_subject", "sessions", ["kind", "subject"], unique=False)
    op.create_table(
        "admin_users",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("member_id", BigId, nullable=True),
        sa.Column("created_at", JstText(), nullable=False),
        sa.Column("updated_at", JstText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_admin_users_member_id"),
            onupdate="CASCADE",
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admin_users")),
        sa.UniqueConstraint("username", name=op.f("uq_admin_users_username")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "trusted_devices",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("admin_id", BigId, nullable=False),
        sa.Column("created_at", JstText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["admin_id"], ["admin_users.id"], name=op.f("fk_trusted_devices_admin_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_trusted_devices")),
    )
    op.create_index(op.f("idx_trusted_devices_admin_id"), "trusted_devices", ["admin_id"], unique=False)
    op.execute(f"INSERT INTO audit_head (id, last_id, last_hash) VALUES (1, 0, '{'0' * 64}')")
    _make_append_only("audit_logs")


def _make_append_only(table: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"""CREATE FUNCTION refuse_change_of_{table}() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"""
        )
        op.execute(
            f"""CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_{table}()"""
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"""CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table}
            BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"""
        )
