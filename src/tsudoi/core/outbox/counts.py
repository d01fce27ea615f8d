"""The number of waiting rows, for health checks, metrics and the office's screens."""

from datetime import datetime

from sqlalchemy import false, func, literal_column, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import FAILED, PENDING, UNKNOWN, Outbox


def waiting(tx: ReadTx, outbox: Outbox) -> dict[str, int]:
    """Count the rows in each state except done, which nobody has to act on."""
    status = outbox.column(outbox.status)
    flag = false() if outbox.outcome_unknown is None else outbox.column(outbox.outcome_unknown)
    words = {outbox.words.of(state): state for state in (UNKNOWN, FAILED, PENDING)}
    counted = (
        select(status.label("word"), flag.label("unknown"), func.count().label("rows"))
        .where(status.in_([literal_column(f"'{word}'") for word in words]))
        .group_by(status, *(() if outbox.outcome_unknown is None else (flag,)))
    )
    found = {PENDING: 0, FAILED: 0, UNKNOWN: 0}
    for row in tx.execute(counted).mappings():
        found[UNKNOWN if row["unknown"] else words[row["word"]]] += row["rows"]
    return found


def oldest_due(tx: ReadTx, outbox: Outbox) -> datetime | None:
    due = outbox.column(outbox.due)
    found: datetime | None = tx.scalar(select(func.min(due)).where(outbox.is_pending, due <= tx.now))
    return found
