from datetime import datetime

from sqlalchemy import func, select

from tsudoi.access.second_factor.models import AdminTotp, RecoveryCode
from tsudoi.core.db.interface import ReadTx


def on_since(tx: ReadTx, admin_id: int) -> datetime | None:
    found: datetime | None = tx.scalar(select(AdminTotp.confirmed_at).where(AdminTotp.admin_id == admin_id))
    return found


def is_on(tx: ReadTx, admin_id: int) -> bool:
    return on_since(tx, admin_id) is not None


def codes_left(tx: ReadTx, admin_id: int) -> int:
    """How many recovery codes can still be used."""
    unused = select(func.count()).where(RecoveryCode.admin_id == admin_id, RecoveryCode.used_at.is_(None))
    found: int = tx.scalar(unused)
    return found


def owners(tx: ReadTx) -> set[int]:
    """The administrators who have a second factor."""
    return set(tx.execute(select(AdminTotp.admin_id).where(AdminTotp.confirmed_at.is_not(None))).scalars())
