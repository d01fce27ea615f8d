from typing import cast

from sqlalchemy import Table, insert

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import Outbox
from tsudoi.scratch.notes.models import ScratchNote

NOTES = Outbox(cast("Table", ScratchNote.__table__))


def add_note(tx: Tx, body: str) -> None:
    tx.execute(insert(ScratchNote).values(body=body, due_at=tx.now, updated_at=tx.now))
