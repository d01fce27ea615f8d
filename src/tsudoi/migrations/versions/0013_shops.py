"""Shops, their secrets and parameters, customers' links and proofs, tickets and escalations (document 004)."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, UtcText

revision = "0013"
down_revision = "0012"

# The rows of these tables may be written by hand, without their times. The text has the width of `UtcText`.
_NOW = {
    "sqlite": "(strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000+00:00')",
    "postgresql": """to_char(now() AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')""",
}


def upgrade() -> None:
    now = sa.text(_NOW[op.get_bind().dialect.name])
    op.create_table(
        "connectivity_checks",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("checked_at_utc", UtcText(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("results_json", JsonText(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connectivity_checks")),
    )
    op.create_index("idx_connectivity_checks_checked", "connectivity_checks", ["checked_at_utc"], unique=False)
    op.create_table(
        "escalation_rules",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("rule_code", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("channel_chatwork", sa.Integer(), server_default="0", nullable=False),
        sa.Column("channel_email", sa.Integer(), server_default="0", nullable=False),
        sa.Column("channel_sms", sa.Integer(), server_default="0", nullable=False),
        sa.Column("chatwork_room_id", sa.Text(), nullable=True),
        sa.Column("email_to", sa.Text(), nullable=True),
        sa.Column("sms_to", sa.Text(), nullable=True),
        sa.Column("throttle_minutes", sa.Integer(), server_default="30", nullable=False),
        sa.Column("active", sa.Integer(), server_default="1", nullable=False),
        sa.Column("params_json", JsonText(), nullable=True),
        sa.Column("created_at_utc", UtcText(), server_default=now, nullable=False),
        sa.Column("updated_at_utc", UtcText(), server_default=now, nullable=False),
        sa.CheckConstraint("severity IN ('info', 'warn', 'critical')", name=op.f("ck_escalation_rules_known_severity")),
        sa.CheckConstraint("throttle_minutes >= 0", name=op.f("ck_escalation_rules_throttle_in_the_future")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_escalation_rules")),
        sa.UniqueConstraint("rule_code", name=op.f("uq_escalation_rules_rule_code")),
    )
    op.create_table(
        "options_master",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("option_code", sa.Text(), nullable=False),
        sa.Column("option_name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("default_value", sa.Integer(), nullable=True),
        sa.Column("editable_by_store", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", UtcText(), server_default=now, nullable=False),
        sa.Column("updated_at", UtcText(), server_default=now, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_options_master")),
        sa.UniqueConstraint("option_code", name=op.f("uq_options_master_option_code")),
    )
    op.create_table(
        "outside_states",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("failures_in_a_row", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_success_at_utc", UtcText(), nullable=True),
        sa.Column("last_failure_at_utc", UtcText(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("open_until_utc", UtcText(), nullable=True),
        sa.Column("probe_until_utc", UtcText(), nullable=True),
        sa.CheckConstraint("failures_in_a_row >= 0", name=op.f("ck_outside_states_counted")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outside_states")),
        sa.UniqueConstraint("shop_id", "system", name=op.f("uq_outside_states_shop_id_system")),
    )
    op.create_table(
        "shops",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("merchant_public_id", sa.Text(), nullable=True),
        sa.Column("shop_status", sa.Text(), server_default="open", nullable=False),
        sa.Column("shop_email", sa.Text(), nullable=True),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("stores_public_url", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), server_default=now, nullable=False),
        sa.Column("updated_at", UtcText(), server_default=now, nullable=False),
        sa.CheckConstraint("shop_status IN ('preparing', 'open', 'closed')", name=op.f("ck_shops_known_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shops")),
        sa.UniqueConstraint("code", name=op.f("uq_shops_code")),
        sa.UniqueConstraint("merchant_public_id", name=op.f("uq_shops_merchant_public_id")),
    )
    op.create_table(
        "sys_events",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("occurred_at_utc", UtcText(), nullable=False),
        sa.Column("event_type", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("shop_id", BigId, nullable=True),
        sa.Column("payload_json", JsonText(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sys_events")),
    )
    op.create_index("idx_sys_events_occurred", "sys_events", ["occurred_at_utc"], unique=False)
    op.create_index("idx_sys_events_type", "sys_events", ["event_type", "occurred_at_utc"], unique=False)
    op.create_table(
        "sys_params",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", BigId, nullable=True),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("value_type", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("created_at_utc", UtcText(), server_default=now, nullable=False),
        sa.Column("updated_at_utc", UtcText(), server_default=now, nullable=False),
        sa.CheckConstraint("(scope = 'global') = (scope_id IS NULL)", name=op.f("ck_sys_params_scope_has_its_id")),
        sa.CheckConstraint("scope IN ('global', 'shop', 'channel')", name=op.f("ck_sys_params_known_scope")),
        sa.CheckConstraint("value_type IN ('int', 'string', 'bool', 'json')", name=op.f("ck_sys_params_known_type")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sys_params")),
    )
    op.create_index(
        "uniq_sys_param_global",
        "sys_params",
        ["key"],
        unique=True,
        sqlite_where=sa.text("scope_id IS NULL"),
        postgresql_where=sa.text("scope_id IS NULL"),
    )
    op.create_index("uniq_sys_param_scoped", "sys_params", ["scope", "scope_id", "key"], unique=True)
    op.create_table(
        "customer_links",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("channel_type", sa.Text(), nullable=False),
        sa.Column("external_user_id", sa.Text(), nullable=False),
        sa.Column("stores_customer_id", sa.Text(), nullable=False),
        sa.Column("created_at_utc", UtcText(), nullable=False),
        sa.Column("updated_at_utc", UtcText(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_customer_links_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customer_links")),
    )
    op.create_index("idx_customer_links_user", "customer_links", ["channel_type", "external_user_id"], unique=False)
    op.create_index(
        "uniq_customer_link_1", "customer_links", ["shop_id", "channel_type", "external_user_id"], unique=True
    )
    op.create_index(
        "uniq_customer_link_2", "customer_links", ["shop_id", "channel_type", "stores_customer_id"], unique=True
    )
    op.create_table(
        "identity_proofs",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("email_hash", sa.Text(), nullable=False),
        sa.Column("phone_hash", sa.Text(), nullable=True),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("contact_enc", sa.Text(), nullable=False),
        sa.Column("line_user_id", sa.Text(), nullable=True),
        sa.Column("created_at_utc", UtcText(), nullable=False),
        sa.Column("expires_at_utc", UtcText(), nullable=False),
        sa.Column("used_at_utc", UtcText(), nullable=True),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("purpose IN ('help_link', 'liff_code')", name=op.f("ck_identity_proofs_known_purpose")),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_identity_proofs_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity_proofs")),
    )
    op.create_index("idx_identity_proofs_email", "identity_proofs", ["email_hash", "expires_at_utc"], unique=False)
    op.create_index("idx_identity_proofs_expires", "identity_proofs", ["expires_at_utc"], unique=False)
    op.create_index("idx_identity_proofs_secret", "identity_proofs", ["secret_hash"], unique=False)
    op.create_table(
        "session_snapshots",
        sa.Column("session_hash", sa.Text(), nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("taken_at_utc", UtcText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_hash"],
            ["sessions.id_hash"],
            name=op.f("fk_session_snapshots_session_hash"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_session_snapshots_shop_id")),
        sa.PrimaryKeyConstraint("session_hash", "shop_id", name=op.f("pk_session_snapshots")),
    )
    op.create_table(
        "link_notices",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("line_user_id", sa.Text(), nullable=False),
        sa.Column("messages", JsonText(), nullable=False),
        sa.Column("retry_key", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("logged", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("status", sa.Text(), server_default="PENDING", nullable=False),
        sa.Column("due_at", UtcText(), nullable=False),
        sa.Column("attempt_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("first_attempt_at", UtcText(), nullable=True),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcText(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("uncertain", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN')", name=op.f("ck_link_notices_known_status")
        ),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_link_notices_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link_notices")),
        sa.UniqueConstraint("retry_key", name=op.f("uq_link_notices_retry_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_link_notices_due",
        "link_notices",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
    op.create_index("idx_link_notices_status", "link_notices", ["status"], unique=False)
    op.create_index(
        "idx_link_notices_unlogged",
        "link_notices",
        ["id"],
        unique=False,
        sqlite_where=sa.text("logged = 0"),
        postgresql_where=sa.text("NOT logged"),
    )
    op.create_table(
        "shop_internal_info",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("info_type", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("updated_at", UtcText(), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_shop_internal_info_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_internal_info")),
        sa.UniqueConstraint("shop_id", "info_type", name=op.f("uq_shop_internal_info_shop_id_info_type")),
    )
    op.create_table(
        "shop_options",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("option_id", BigId, nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("updated_at", UtcText(), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(["option_id"], ["options_master.id"], name=op.f("fk_shop_options_option_id")),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_shop_options_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_options")),
        sa.UniqueConstraint("shop_id", "option_id", name=op.f("uq_shop_options_shop_id_option_id")),
    )
    op.create_table(
        "shop_secrets",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("shop_id", BigId, nullable=False),
        sa.Column("k", sa.Text(), nullable=False),
        sa.Column("v_enc", sa.Text(), nullable=False),
        sa.Column("last_four", sa.Text(), nullable=True),
        sa.Column("updated_at", UtcText(), server_default=now, nullable=False),
        sa.Column("last_used_at", UtcText(), nullable=True),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_shop_secrets_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_secrets")),
        sa.UniqueConstraint("shop_id", "k", name=op.f("uq_shop_secrets_shop_id_k")),
    )
    op.create_table(
        "tickets",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("shop_id", BigId, nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("rule_code", sa.Text(), nullable=True),
        sa.Column("dedupe_key", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("details_json", JsonText(), nullable=False),
        sa.Column("status", sa.Text(), server_default="open", nullable=False),
        sa.Column("occurrences", sa.Integer(), server_default="1", nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("opened_at_utc", UtcText(), nullable=False),
        sa.Column("last_seen_at_utc", UtcText(), nullable=False),
        sa.Column("alarmed_at_utc", UtcText(), nullable=True),
        sa.Column("acknowledged_at_utc", UtcText(), nullable=True),
        sa.Column("acknowledged_by", sa.Text(), nullable=True),
        sa.Column("closed_at_utc", UtcText(), nullable=True),
        sa.Column("closed_by", sa.Text(), nullable=True),
        sa.Column("all_clear_at_utc", UtcText(), nullable=True),
        sa.CheckConstraint("(status = 'closed') = (closed_at_utc IS NOT NULL)", name=op.f("ck_tickets_closed_whole")),
        sa.CheckConstraint("status IN ('open', 'acknowledged', 'closed')", name=op.f("ck_tickets_known_status")),
        sa.CheckConstraint("occurrences >= 1", name=op.f("ck_tickets_happened")),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_tickets_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tickets")),
    )
    op.create_index("idx_tickets_status", "tickets", ["status", "last_seen_at_utc"], unique=False)
    op.create_index(
        "uniq_ticket_not_closed",
        "tickets",
        ["dedupe_key"],
        unique=True,
        sqlite_where=sa.text("status <> 'closed'"),
        postgresql_where=sa.text("status <> 'closed'"),
    )
    op.create_table(
        "escalation_attempts",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("ticket_id", BigId, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("attempted_at_utc", UtcText(), nullable=False),
        sa.CheckConstraint(
            "channel IN ('chatwork', 'email', 'sms')", name=op.f("ck_escalation_attempts_known_channel")
        ),
        sa.CheckConstraint("kind IN ('alarm', 'all_clear')", name=op.f("ck_escalation_attempts_known_kind")),
        sa.CheckConstraint(
            "outcome IN ('sent', 'failed', 'unknown', 'skipped')", name=op.f("ck_escalation_attempts_known_outcome")
        ),
        sa.ForeignKeyConstraint(["ticket_id"], ["tickets.id"], name=op.f("fk_escalation_attempts_ticket_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_escalation_attempts")),
    )
    op.create_index("idx_escalation_attempts_ticket", "escalation_attempts", ["ticket_id", "id"], unique=False)
    op.add_column("api_call_logs", sa.Column("channel", sa.Text(), nullable=True))
    op.add_column("api_call_logs", sa.Column("component", sa.Text(), nullable=True))
    op.add_column("api_call_logs", sa.Column("shop_id", BigId, nullable=True))
    op.add_column("api_call_logs", sa.Column("error_code", sa.Text(), nullable=True))
    op.create_index("idx_api_call_logs_request", "api_call_logs", ["request_id"], unique=False)
    _make_person_decisions()


def _make_person_decisions() -> None:
    """What the office decided about two records of people. Rows are only added; triggers refuse everything else."""
    kinds = "('member', 'staff', 'line', 'customer', 'address')"
    op.create_table(
        "person_decisions",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("first_kind", sa.Text(), nullable=False),
        sa.Column("first_id", sa.Text(), nullable=False),
        sa.Column("second_kind", sa.Text(), nullable=False),
        sa.Column("second_id", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("decided_at", UtcText(), nullable=False),
        sa.CheckConstraint("verdict IN ('same', 'different', 'open')", name=op.f("ck_person_decisions_known_verdict")),
        sa.CheckConstraint(f"first_kind IN {kinds}", name=op.f("ck_person_decisions_known_first_kind")),
        sa.CheckConstraint(f"second_kind IN {kinds}", name=op.f("ck_person_decisions_known_second_kind")),
        sa.CheckConstraint(
            "first_kind <> second_kind OR first_id <> second_id", name=op.f("ck_person_decisions_two_records")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_decisions")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_person_decisions_first",
        "person_decisions",
        ["first_kind", "first_id", "second_kind", "second_id", "id"],
        unique=False,
    )
    op.create_index("idx_person_decisions_second", "person_decisions", ["second_kind", "second_id"], unique=False)
    # The page about one person looks for the invitations of an address.
    op.create_index("idx_thread_invites_key", "thread_invites", ["invitee_key"], unique=False)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            """CREATE FUNCTION refuse_change_of_person_decisions() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'person_decisions is append-only'; END $$"""
        )
        op.execute(
            """CREATE TRIGGER person_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON person_decisions
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_person_decisions()"""
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"""CREATE TRIGGER person_decisions_no_{change.lower()} BEFORE {change} ON person_decisions
            BEGIN SELECT RAISE(ABORT, 'person_decisions is append-only'); END"""
        )
