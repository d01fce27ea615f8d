"""Sessions of staff: opening, rotating, revoking."""

from typing import Literal

from sqlalchemy import update

from tsudoi.booking.login.models import RefreshSession
from tsudoi.core.db.interface import Tx

RevokedBecause = Literal["rotated", "logout", "reuse", "pin_change", "pin_reset", "office", "locked"]


def revoke_all(tx: Tx, staff_uid: str, because: RevokedBecause, *, keep_family: str | None = None) -> int:
    """Revoke the live sessions of a person, except those of one log-in, and return how many there were."""
    live = update(RefreshSession).where(RefreshSession.staff_uid == staff_uid, RefreshSession.revoked_at.is_(None))
    if keep_family is not None:
        live = live.where(RefreshSession.family_id.is_distinct_from(keep_family))
    return tx.execute(live.values(revoked_at=tx.now, revoked_because=because, updated_at=tx.now)).rowcount
