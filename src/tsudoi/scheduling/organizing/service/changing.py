"""Changes the words and the settings of a thread, and sends the invitations of a draft."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, case, func, select, update

from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.scheduling.delivery.queries.people import reached_by_line
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageSettings
from tsudoi.scheduling.organizing.errors import NotADraft, NothingToAsk, StaleThread
from tsudoi.scheduling.organizing.queries.people import asked_people
from tsudoi.scheduling.organizing.queries.thread import slot_items, thread_row
from tsudoi.scheduling.organizing.schemas.requests import SendOrder, ThreadChange
from tsudoi.scheduling.organizing.schemas.responses import ThreadChanged
from tsudoi.scheduling.organizing.service.checking import deadline_faults, expiry, refuse
from tsudoi.scheduling.organizing.service.opening import changed, locked, locked_open, require_time_to_answer
from tsudoi.scheduling.outcomes.service import people_told, touch
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.errors import ThreadCancelled
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadInvite


def change_thread(tx: Tx, organizer: Organizer, thread_id: str, change: ThreadChange) -> ThreadChanged:
    """Write the fields that were sent and differ. Nobody is told, and nothing is decided by that."""
    row = locked_open(tx, thread_id)
    if change.revision not in (None, row.revision):
        raise StaleThread
    values = _differing(row, change)
    if "deadline_at" in values or "decide_at_deadline" in values:
        merged = {"deadline_at": row.deadline_at, "decide_at_deadline": row.decide_at_deadline, **values}
        is_kept = "deadline_at" not in values
        faults = deadline_faults(merged["deadline_at"], tx.now, decides=bool(merged["decide_at_deadline"]))
        refuse([fault for fault in faults if not (is_kept and fault.field == "deadline_at")])
    if not values:
        return changed(tx, thread_id)
    tx.execute(update(SchedulingThread).where(SchedulingThread.id == thread_id).values(**values))
    if "deadline_at" in values:
        _move_expiry(tx, thread_id, expiry(tx.now, values["deadline_at"]))
    touch(tx, thread_id)
    old = {name: _text(getattr(row, name)) for name in values}
    new = {name: _text(value) for name, value in values.items()}
    audit.record(tx, organizer.actor, "THREAD_CHANGE", f"thread:{thread_id}", old=old, new=new)
    return changed(tx, thread_id)


def draft_by_line(tx: ReadTx, common: MessageSettings, thread_id: str, _order: SendOrder) -> int:
    """How many would be invited by LINE."""
    return reached_by_line(tx, common, thread_id) if thread_row(tx, thread_id).status == "draft" else 0


def send_thread(
    tx: Tx, common: MessageSettings, organizer: Organizer, thread_id: str, _order: SendOrder
) -> ThreadChanged:
    """Turn a draft into a thread that asks: the time to answer begins now."""
    row = locked(tx, thread_id)
    if row.status == "cancelled":
        raise ThreadCancelled
    if row.status != "draft":
        raise NotADraft
    require_time_to_answer(row, tx.now)
    if not asked_people(tx, thread_id) or all(slot.start_at <= tx.now for slot in slot_items(tx, thread_id)):
        raise NothingToAsk
    sent_at = func.coalesce(SchedulingThread.sent_at, utc_text(tx.now))
    values: dict[str, Any] = {"status": "active", "sent_at": sent_at}
    tx.execute(update(SchedulingThread).where(SchedulingThread.id == thread_id).values(**values))
    _move_expiry(tx, thread_id, expiry(tx.now, row.deadline_at))
    touch(tx, thread_id)
    told = people_told(tx, common, thread_id, Announcement("invite"))
    audit.record(tx, organizer.actor, "THREAD_SEND", f"thread:{thread_id}", new={"told": told})
    return changed(tx, thread_id, told)


def expire_invitations(tx: Tx) -> int:
    """Note that the time to answer is over, so that the document's own SQL counts right. Returns how many."""
    over = (ThreadInvite.status == "pending", ThreadInvite.expires_at <= tx.now)
    threads = sorted(tx.execute(select(ThreadInvite.thread_id).where(*over).distinct()).scalars())
    for thread_id in threads:
        # The thread first, as everybody who changes one does, so that nobody waits for the other in a circle.
        touch(tx, thread_id)
    mine = ThreadInvite.thread_id.in_(threads)
    return tx.execute(update(ThreadInvite).where(mine, *over).values(status="expired")).rowcount if threads else 0


def _differing(row: Row[Any], change: ThreadChange) -> dict[str, Any]:
    """Switches are integers in the table."""
    sent = {name: getattr(change, name) for name in change.model_fields_set - {"revision"}}
    values = {name: int(value) if isinstance(value, bool) else value for name, value in sent.items()}
    return {name: value for name, value in values.items() if getattr(row, name) != value}


def _move_expiry(tx: Tx, thread_id: str, until: datetime) -> None:
    status = case((ThreadInvite.status == "expired", "pending"), else_=ThreadInvite.status)
    everybody = update(ThreadInvite).where(ThreadInvite.thread_id == thread_id)
    tx.execute(everybody.values(expires_at=until, status=status))


def _text(value: Any) -> Any:
    return utc_text(value) if isinstance(value, datetime) else value
