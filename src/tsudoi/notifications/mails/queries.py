from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.mails.models import MailBounce, MailMessage


@dataclass(frozen=True, slots=True)
class MailState:
    """What became of one mail, for the screens of the contexts that decided it."""

    id: int
    purpose: str
    subject_id: str
    revision: int
    status: str
    due_at: datetime
    attempt_count: int
    last_error: str | None
    sent_at: datetime | None


_COLUMNS = [MailMessage.__table__.c[name] for name in MailState.__dataclass_fields__]


def mails_about(tx: ReadTx, subject_kind: str, subject_ids: Collection[str]) -> list[MailState]:
    """All mails about these subjects, the oldest first."""
    wanted = (
        select(*_COLUMNS)
        .where(MailMessage.subject_kind == subject_kind, MailMessage.subject_id.in_(subject_ids))
        .order_by(MailMessage.id)
    )
    return [MailState(**row) for row in tx.execute(wanted).mappings()]


def dead_addresses(tx: ReadTx, addresses: Collection[str]) -> set[str]:
    """Those of the addresses to which nothing is sent any more, in lower case."""
    asked = {address.lower() for address in addresses}
    if not asked:
        return set()
    dead = select(MailBounce.address).where(MailBounce.address.in_(asked), MailBounce.dead_at.is_not(None))
    return set(tx.execute(dead).scalars())
