"""Writes what changes the state of a thread for everybody: its decision, and the count of its changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import update

from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.db.upsert import upsert
from tsudoi.core.feed import Feeds, Subject
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageSettings
from tsudoi.scheduling.delivery.service.enqueueing import tell
from tsudoi.scheduling.thread.errors import ThreadFinalized
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadFinalize

_RULE_DECIDES = "system"
# Raw SQL, because every answer runs it.
_TOUCH = RawSql("UPDATE scheduling_threads SET revision = revision + 1, updated_at = :now WHERE id = :thread_id")


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A slot that is decided. Without `by` the rule decided it, and nobody in person."""

    slot_id: str
    participants: Sequence[str]
    reason: str | None
    # `admin:<id>`, as the table has it.
    by: str | None = None
    # The same person as the audit trail names them.
    actor: str = _RULE_DECIDES
    notify: bool = True


def write_decision(tx: Tx, common: MessageSettings, thread_id: str, decision: NewDecision) -> int:
    """Store the decision and tell everybody who was asked; returns how many are told.

    The caller has locked the thread. Where another program decided it all the same, the primary key refuses ours.
    """
    _insert(tx, thread_id, decision)
    _set_finalized(tx, thread_id)
    announcement = Announcement("decision", reason=decision.reason if decision.by else None)
    told = people_told(tx, common, thread_id, announcement) if decision.notify else 0
    new = {
        "selected_slot_id": decision.slot_id,
        "final_participants": list(decision.participants),
        "auto": decision.by is None,
        "told": told,
    }
    audit.record(tx, decision.actor, "THREAD_FINALIZE", f"thread:{thread_id}", reason=decision.reason, new=new)
    return told


def people_told(tx: Tx, common: MessageSettings, thread_id: str, announcement: Announcement) -> int:
    """Tell everybody who is invited. Those whom the office has to call are not told by us."""
    return sum(person.channel != "call" for person in tell(tx, common, thread_id, announcement))


def touch(tx: Tx, thread_id: str, feeds: Feeds | None = None) -> None:
    """Count a change of the thread. Screens that follow it find it within a second, and with `feeds` at once."""
    _TOUCH.changed(tx, {"thread_id": thread_id, "now": utc_text(tx.now)})
    if feeds is not None:
        tx.after_commit(lambda: feeds.nudge(subject_of(thread_id)))


def subject_of(thread_id: str) -> Subject:
    """How live screens name the thread."""
    return ("thread", thread_id)


def _insert(tx: Tx, thread_id: str, decision: NewDecision) -> None:
    statement = upsert(tx, ThreadFinalize).values(
        thread_id=thread_id,
        selected_slot_id=decision.slot_id,
        finalized_by_user_id=decision.by,
        finalized_at=tx.now,
        reason=decision.reason,
        auto_finalized=int(decision.by is None),
        final_participants=list(decision.participants),
    )
    if tx.scalar(statement.on_conflict_do_nothing().returning(ThreadFinalize.thread_id)) is None:
        raise ThreadFinalized


def _set_finalized(tx: Tx, thread_id: str) -> None:
    values = {
        "status": "finalized",
        "sequence": SchedulingThread.sequence + 1,
        "revision": SchedulingThread.revision + 1,
        "updated_at": tx.now,
    }
    tx.execute(update(SchedulingThread).where(SchedulingThread.id == thread_id).values(**values))
