from sqlalchemy import select

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.syncs.models import MemberSync
from tsudoi.roster.syncs.schemas import LastSync, SyncDone


def last_sync(tx: ReadTx) -> LastSync:
    row = tx.execute(select(MemberSync).order_by(MemberSync.id.desc()).limit(1)).first()
    if row is None:
        return LastSync(last=None)
    numbers = {name: getattr(row, name) for name in ("created", "changed", "withdrawn", "unchanged", "refused")}
    done = SyncDone(finished_at=jst_text(row.finished_at), source=row.source, refusals=row.refusals, **numbers)
    return LastSync(last=done)
