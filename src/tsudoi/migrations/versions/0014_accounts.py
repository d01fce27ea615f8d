"""One-time passwords, the second factor, the last use of a session, and registrations that wait for the office."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JstText, UtcText

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("admin_users", sa.Column("one_time_until", JstText(), nullable=True))
    op.add_column("sessions", sa.Column("last_used_at", UtcText(), nullable=True))
    op.create_table(
        "admin_totps",
        sa.Column("admin_id", BigId, autoincrement=False, nullable=False),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("draft_secret", sa.Text(), nullable=True),
        sa.Column("confirmed_at", JstText(), nullable=True),
        sa.Column("last_step", BigId, nullable=True),
        sa.Column("updated_at", JstText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["admin_id"], ["admin_users.id"], name=op.f("fk_admin_totps_admin_id_admin_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("admin_id", name=op.f("pk_admin_totps")),
    )
    op.create_table(
        "admin_recovery_codes",
        sa.Column("admin_id", BigId, autoincrement=False, nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("created_at", JstText(), nullable=False),
        sa.Column("used_at", JstText(), nullable=True),
        sa.ForeignKeyConstraint(
            ["admin_id"],
            ["admin_users.id"],
            name=op.f("fk_admin_recovery_codes_admin_id_admin_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("admin_id", "code_hash", name=op.f("pk_admin_recovery_codes")),
    )
    op.create_table(
        "waiting_registrations",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("full_name", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("picture_url", sa.Text(), nullable=True),
        sa.Column("requested_at", JstText(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_waiting_registrations")),
    )
