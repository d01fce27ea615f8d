"""The telephone list: whom the office has to call, and who called."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, UtcText

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "telephone_calls",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=False),
        sa.Column("person_key", sa.Text(), nullable=False),
        sa.Column("member_id", BigId, nullable=True),
        sa.Column("ref", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("since", UtcText(), nullable=False),
        sa.Column("until_at", UtcText(), nullable=True),
        sa.Column("done_at", UtcText(), nullable=True),
        sa.Column("done_by", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("closed_at", UtcText(), nullable=True),
        sa.Column("closed_why", sa.Text(), nullable=True),
        sa.CheckConstraint("result IN ('told', 'unreachable')", name=op.f("ck_telephone_calls_known_result")),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_telephone_calls_member_id"),
            onupdate="CASCADE",
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_telephone_calls")),
        sa.UniqueConstraint("ref", name=op.f("uq_telephone_calls_ref")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_telephone_calls_member", "telephone_calls", ["member_id"])
    op.create_index("idx_telephone_calls_since", "telephone_calls", ["since", "id"])
    person = ["kind", "subject_id", "person_key"]
    op.create_index("idx_telephone_calls_subject", "telephone_calls", person)
    is_open = sa.text("done_at IS NULL AND closed_at IS NULL")
    op.create_index(
        "uq_telephone_calls_open",
        "telephone_calls",
        person,
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
