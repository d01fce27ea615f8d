"""An absence can leave the fiscal year free, so that the person books again."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

# The statements are the same on both databases. A constraint that is added with its column rebuilds no table on SQLite.
_FREES_YEAR = """ALTER TABLE reservations ADD COLUMN frees_year INTEGER DEFAULT 0 NOT NULL
    CONSTRAINT ck_reservations_frees_year CHECK (frees_year IN (0, 1))
    CONSTRAINT ck_reservations_only_an_absence_frees_the_year CHECK (frees_year = 0 OR attendance = 'absent')"""
_TYPES = """ALTER TABLE reservation_types ADD COLUMN absent_frees_year INTEGER DEFAULT 0 NOT NULL
    CONSTRAINT ck_reservation_types_absent_frees_year CHECK (absent_frees_year IN (0, 1))"""


def upgrade() -> None:
    op.execute(_FREES_YEAR)
    op.execute(_TYPES)
    takes_the_year = sa.text("canceled_at IS NULL AND once_per_year = 1 AND frees_year = 0")
    op.drop_index("uq_reservations_year", table_name="reservations")
    op.create_index(
        "uq_reservations_year",
        "reservations",
        ["staff_uid", "reservation_type_id", "period_key"],
        unique=True,
        sqlite_where=takes_the_year,
        postgresql_where=takes_the_year,
    )
