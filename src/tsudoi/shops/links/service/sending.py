"""The life of a message to a former LINE user: claimed with a lease, called by the sender, settled by the holder."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Row, Table, Text, select, type_coerce

from tsudoi.core.db.interface import Tx
from tsudoi.core.forgetting import update_some
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.table import DONE, FAILED, IS_PENDING, PENDING, UNKNOWN, Outbox, Outcome, RetryPolicy
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.line.delivery.rules import CalledOff, PushLogEntry, SendVerdict, judge, message_id_of, request_id_of
from tsudoi.line.delivery.service import claim_unlogged, mark_logged
from tsudoi.shops.links.models import LinkNotice

LINK_NOTICES = Outbox(cast("Table", LinkNotice.__table__))
# Longer than a batch can take when every call to LINE times out, one after the other.
LEASE = timedelta(seconds=100)
BATCH = 6
# The time limit decides, not the number of attempts, because LINE may be down for hours.
POLICY = RetryPolicy(most_attempts=200)
_ENDS = {SendVerdict.SENT: DONE, SendVerdict.REFUSED: FAILED, SendVerdict.IN_DOUBT: UNKNOWN}
_LINES_AT_A_TIME = 1_000


def claim(tx: Tx) -> Sequence[Row[Any]]:
    return claims.take(tx, LINK_NOTICES, POLICY, LEASE, BATCH)


def settle(tx: Tx, row: Row[Any], outcome: SendOutcome | CalledOff | None) -> PushLogEntry | None:
    """Record the outcome, if the lease is still held. Returns what the push log says about it once it is final."""
    if outcome is None:
        # Released untried. If the lease just ran out, the row would be marked uncertain without a reason.
        claims.retry(tx, LINK_NOTICES, row.id, row.lease_token, row.due_at, row.last_error)
        return None
    judgement = judge(outcome, uncertain=row.uncertain, alone=True)
    if judgement.verdict not in _ENDS:
        unanswered = judgement.verdict is SendVerdict.NO_ANSWER
        later = Outcome.UNKNOWN if unanswered else Outcome.NOT_NOW
        state = claims.settle(tx, LINK_NOTICES, row, later, POLICY, judgement.reason)
        ended = state is not None and state != PENDING
        return _entry(tx.now, row.shop_id, state or FAILED, None, None, judgement.reason) if ended else None
    end, request_id, message_id = _ENDS[judgement.verdict], request_id_of(outcome), message_id_of(outcome)
    own = {"request_id": request_id, "message_id": message_id}
    if not claims.complete(tx, LINK_NOTICES, row.id, row.lease_token, end, judgement.reason, **own):
        return None
    return _entry(tx.now, row.shop_id, end, message_id, request_id, judgement.reason)


def claim_missing_lines(tx: Tx) -> tuple[Sequence[int], list[tuple[PushLogEntry, Sequence[int]]]]:
    """Final messages whose line may be missing in the push log after a crash: their ids, and their lines."""
    ids = claim_unlogged(tx, LINK_NOTICES, _LINES_AT_A_TIME)
    row = LinkNotice
    columns = (row.id, row.updated_at, row.shop_id, row.status, row.message_id, row.request_id, row.last_error)
    found: Sequence[Any] = tx.execute(select(*columns).where(row.id.in_(ids)).order_by(row.id)).all() if ids else ()
    return ids, [(_entry(*one[1:]), [one.id]) for one in found]


def mark(tx: Tx, ids: Sequence[int]) -> None:
    mark_logged(tx, LINK_NOTICES, ids)


def _entry(
    at: datetime, shop_id: int, state: str, message_id: str | None, request_id: str | None, reason: str | None
) -> PushLogEntry:
    ids = {"shop_id": shop_id}
    return PushLogEntry(at, "link_notice", state, ids, "link_notice_id", message_id, request_id, reason=reason)


def forget_texts(tx: Tx, kept_for: timedelta) -> int:
    """Remove the texts of some messages that are older. That they were sent stays on record."""
    old = (LinkNotice.created_at < tx.now - kept_for, LinkNotice.status != IS_PENDING)
    return update_some(tx, LinkNotice, {"messages": []}, *old, type_coerce(LinkNotice.messages, Text) != "[]")
