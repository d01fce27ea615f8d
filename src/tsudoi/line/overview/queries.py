from sqlalchemy import Text, select, type_coerce

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.claims import waiting
from tsudoi.core.outbox.table import FAILED, PENDING, UNKNOWN
from tsudoi.line.friends.queries import friend_counts
from tsudoi.line.inbox.models import LineEvent
from tsudoi.line.inbox.service import INBOX
from tsudoi.line.overview.schemas import FriendCounts, InboxCounts, LineState, Overview


def overview(tx: ReadTx, *, line_configured: bool) -> Overview:
    friends, inbox = friend_counts(tx), waiting(tx, INBOX)
    newest = select(type_coerce(LineEvent.received_at, Text)).order_by(LineEvent.id.desc()).limit(1)
    return Overview(
        friends=FriendCounts(following=friends[True], blocked=friends[False]),
        last_webhook_at=tx.scalar(newest),
        inbox=InboxCounts(waiting=inbox[PENDING], unknown=inbox[UNKNOWN], failed=inbox[FAILED]),
        line=LineState(configured=line_configured),
    )
