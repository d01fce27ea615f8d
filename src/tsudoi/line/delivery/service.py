"""Which final rows of an outbox have no line in the push log yet. The outbox has a column `logged`."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from functools import cache

from sqlalchemy import Executable, bindparam, or_, select, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN, Outbox

FINAL = (DONE, FAILED, UNKNOWN)
# A sender writes the line of a settled row within moments, unless it died.
_GRACE = timedelta(minutes=1)


def claim_unlogged(tx: Tx, outbox: Outbox, limit: int, final: tuple[str, ...] = FINAL) -> Sequence[int]:
    """Claim final rows whose line may be missing. Their lease is not needed any more, so it is used again here."""
    table, until = outbox.table, outbox.column("lease_until")
    found = (
        select(table.c.id)
        .where(
            ~table.c.logged,
            table.c.status.in_(final),
            table.c.updated_at <= tx.now - _GRACE,
            or_(until.is_(None), until <= tx.now),
        )
        .order_by(table.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("found")
        .prefix_with("MATERIALIZED")
    )
    statement = (
        update(table)
        .where(table.c.id.in_(select(found.c.id)))
        .values(lease_token=secrets.token_hex(16), lease_until=tx.now + _GRACE)
        .returning(table.c.id)
    )
    return sorted(tx.execute(statement).scalars())


def mark_logged(tx: Tx, outbox: Outbox, ids: Sequence[int], final: tuple[str, ...] = FINAL) -> None:
    """The lines of these rows are written."""
    tx.execute(_mark(outbox, final), {"ids": ids})


# Cached, because it runs for every few calls to LINE and building it takes longer than running it.
@cache
def _mark(outbox: Outbox, final: tuple[str, ...]) -> Executable:
    chosen = outbox.column("id").in_(bindparam("ids", expanding=True))
    final_rows = update(outbox.table).where(chosen, outbox.column("status").in_(final))
    return final_rows.values(logged=True, lease_token=None, lease_until=None)
