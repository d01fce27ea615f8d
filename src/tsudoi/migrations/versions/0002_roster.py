"""Members by e-mail and withdrawal, audiences, what each sync did, what became of an answer to a webhook."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, JstText

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "audiences",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sort_order", sa.Integer(), nullable=True),
        sa.Column("created_at", JstText(), nullable=False),
        sa.Column("updated_at", JstText(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audiences")),
        sa.UniqueConstraint("name", name=op.f("uq_audiences_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "member_syncs",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("created", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.Integer(), nullable=False),
        sa.Column("unchanged", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("refusals", JsonText(), nullable=False),
        sa.Column("finished_at", JstText(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member_syncs")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "audience_members",
        sa.Column("audience_id", BigId, autoincrement=False, nullable=False),
        sa.Column("member_id", BigId, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["audience_id"],
            ["audiences.id"],
            name=op.f("fk_audience_members_audience_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_audience_members_member_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("audience_id", "member_id", name=op.f("pk_audience_members")),
    )
    op.create_table(
        "undone_links",
        sa.Column("member_id", BigId, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("created_at", JstText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_undone_links_member_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("member_id", "user_id", name=op.f("pk_undone_links")),
    )
    op.create_index("idx_audmem_member", "audience_members", ["member_id"], unique=False)
    # Spelt out, because a constraint cannot be added to a table of SQLite afterwards.
    op.execute(
        "ALTER TABLE line_events ADD COLUMN reply TEXT CONSTRAINT ck_line_events_known_reply"
        " CHECK (reply IN ('trying', 'sent', 'failed', 'unknown'))"
    )
    op.add_column("line_events", sa.Column("uncertain", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("members", sa.Column("email", sa.Text(), nullable=True))
    op.add_column("members", sa.Column("withdrawn_at", JstText(), nullable=True))
