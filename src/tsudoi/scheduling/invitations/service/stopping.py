"""Somebody wants no more mails about a thread, or wants them again."""

from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.principals import Invitee

# How the audit trail names a person who has the link of an invitation.
INVITEE = "invitee"
_STOP = RawSql("UPDATE thread_invites SET mail_stopped_at = :now WHERE id = :invite_id AND mail_stopped_at IS NULL")
_RESUME = RawSql(
    "UPDATE thread_invites SET mail_stopped_at = NULL WHERE id = :invite_id AND mail_stopped_at IS NOT NULL"
)


def stop_mails(tx: Tx, invitee: Invitee) -> None:
    """The first time is kept. What has not gone out yet is called off when its turn comes."""
    if _STOP.changed(tx, {"invite_id": invitee.invite_id, "now": utc_text(tx.now)}):
        _record(tx, invitee, "THREAD_MAILS_STOP")


def resume_mails(tx: Tx, invitee: Invitee) -> None:
    """From now on messages go by mail again. What was called off meanwhile is not sent belatedly."""
    if _RESUME.changed(tx, {"invite_id": invitee.invite_id}):
        _record(tx, invitee, "THREAD_MAILS_RESUME")


def _record(tx: Tx, invitee: Invitee, action: str) -> None:
    touch(tx, invitee.thread_id)
    new = {"invitee_key": invitee.invitee_key, "name": invitee.name}
    audit.record(tx, INVITEE, action, f"thread:{invitee.thread_id}", new=new)
