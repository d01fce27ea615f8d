"""The decided date as a file for the calendar of an invitee."""

from tsudoi.core.db.interface import ReadTx
from tsudoi.scheduling.delivery.queries.people import addressees, announced_thread
from tsudoi.scheduling.delivery.rules.calendar import DatedEntry, thread_calendar
from tsudoi.scheduling.delivery.rules.messages import MessageSettings
from tsudoi.scheduling.invitations.errors import NothingDecided
from tsudoi.scheduling.thread.errors import ThreadCancelled


def own_calendar(tx: ReadTx, common: MessageSettings, thread_id: str, invitee_key: str) -> bytes:
    """Published and not sent: the file has no attendee, and the mail's entry of the same date is not doubled."""
    thread, people = announced_thread(tx, thread_id), addressees(tx, thread_id, [invitee_key])
    if thread is not None and thread.status == "cancelled":
        raise ThreadCancelled
    final = thread.final_slot if thread is not None and thread.status == "finalized" else None
    if thread is None or final is None or not people:
        raise NothingDecided
    return thread_calendar(common, thread, people[0], DatedEntry("PUBLISH", final.starts_at, final.ends_at), tx.now)
