"""An outbox of the test's own, with the columns that every outbox has."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Row, Table, insert, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from tests.conftest import NOON
from tsudoi.core.columns import BigId
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.outbox.claims import claim
from tsudoi.core.outbox.table import Outbox, OutboxColumns

LEASE = timedelta(minutes=1)


class _Base(DeclarativeBase):
    pass


class Parcel(OutboxColumns, _Base):
    __tablename__ = "parcels"

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)


PARCELS = Outbox(cast("Table", Parcel.__table__))


def post(tx: Tx, due: Iterable[datetime]) -> None:
    """A fresh table with one parcel for each time."""
    PARCELS.table.create(tx.connection)
    tx.execute(insert(Parcel), [{"due_at": at, "updated_at": NOON} for at in due])


def take(tx: Tx, limit: int = 10) -> Sequence[Row[Any]]:
    return claim(tx, PARCELS, LEASE, limit)


def parcel(tx: ReadTx, number: int = 1) -> Row[Any]:
    return tx.execute(select(PARCELS.table).where(PARCELS.column("id") == number)).one()
