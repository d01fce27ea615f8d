from sqlalchemy import Text, select, type_coerce

from tsudoi.access.health import COMFORTABLE_BYTES, free_bytes, late_since, silent_loops
from tsudoi.access.registration import ActiveContexts
from tsudoi.core.backup_age import backup_overdue, last_backup
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.claims import waiting
from tsudoi.core.outbox.table import FAILED, PENDING, UNKNOWN
from tsudoi.core.settings import Settings
from tsudoi.line.friends.queries import friend_counts
from tsudoi.line.inbox.models import LineEvent
from tsudoi.line.inbox.service import INBOX
from tsudoi.line.overview.schemas import (
    BackupState,
    DiskState,
    FriendCounts,
    InboxCounts,
    LineState,
    Overview,
    WorkState,
)


def overview(tx: ReadTx, settings: Settings, active: ActiveContexts) -> Overview:
    friends, inbox, backup = friend_counts(tx), waiting(tx, INBOX), last_backup(tx)
    late = late_since(tx, active, dry_run=settings.notification_cron_dry_run)
    free = min(free_bytes(settings).values())
    configured = bool(settings.line_channel_secret and settings.line_channel_access_token)
    newest = select(type_coerce(LineEvent.received_at, Text)).order_by(LineEvent.id.desc()).limit(1)
    return Overview(
        friends=FriendCounts(following=friends[True], blocked=friends[False]),
        last_webhook_at=tx.scalar(newest),
        inbox=InboxCounts(waiting=inbox[PENDING], unknown=inbox[UNKNOWN], failed=inbox[FAILED]),
        line=LineState(configured=configured),
        work=WorkState(silent_loops=silent_loops(tx, active), late_since=None if late is None else jst_text(late)),
        backup=BackupState(
            last_at=None if backup is None else jst_text(backup), overdue=backup_overdue(settings, backup, tx.now)
        ),
        disk=DiskState(free_bytes=free, low=free < COMFORTABLE_BYTES),
    )
