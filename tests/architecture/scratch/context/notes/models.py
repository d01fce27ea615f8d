from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns


class ScratchNote(OutboxColumns, Base):
    """A note that is to be sent."""

    __tablename__ = "scratch_notes"

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    body: Mapped[str] = mapped_column(Text)
