"""What the sender asks right before a message goes out."""

from sqlalchemy import and_, func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import IS_PENDING
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.rules.checking import LINK_CHANGED, MessageSituation
from tsudoi.scheduling.delivery.rules.checking import why_called_off as why
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadInvite, ThreadSelection


def why_not_by_line(tx: ReadTx, message_id: int) -> str | None:
    """Why LINE must not be called: the message must not go out at all, or not this way."""
    return why_called_off(tx, message_id) or (LINK_CHANGED if is_line_gone(tx, message_id) else None)


def why_called_off(tx: ReadTx, message_id: int) -> str | None:
    """Why a message must not go out any more, or None."""
    message, thread, invite, answer = ThreadMessage, SchedulingThread, ThreadInvite, ThreadSelection
    own = and_(answer.thread_id == message.thread_id, answer.invitee_key == message.invitee_key)
    found = tx.execute(
        select(
            *(message.type, message.data, thread.status, thread.sequence, invite.expires_at, answer.responded_at),
        )
        .outerjoin(thread, thread.id == message.thread_id)
        .outerjoin(invite, invite.id == message.invite_id)
        .outerjoin(answer, own)
        .where(message.id == message_id)
    ).first()
    if found is None:
        return why(MessageSituation("", {}, None, 0, None, None), tx.now)
    situation = MessageSituation(
        found.type, found.data, found.status, found.sequence or 0, found.expires_at, found.responded_at
    )
    return why(situation, tx.now)


def is_line_gone(tx: ReadTx, message_id: int) -> bool:
    """Whether the member has unlinked LINE or is no friend since the message was decided, or has another account now.

    The old account may belong to somebody else: the office corrects wrong links.
    """
    message = ThreadMessage
    same = and_(Member.id == ThreadInvite.member_id, Member.line_user_id == message.line_user_id)
    found = tx.execute(
        select(LineFriend.following)
        .select_from(message)
        .join(ThreadInvite, ThreadInvite.id == message.invite_id)
        .join(Member, same)
        .outerjoin(LineFriend, LineFriend.user_id == message.line_user_id)
        .where(message.id == message_id)
    ).first()
    return found is None or found.following is not True


def unsent_messages(tx: ReadTx) -> int:
    """Messages that are decided and not sent, for everybody who asks what LINE's monthly limit leaves."""
    found: int = tx.scalar(select(func.count()).select_from(ThreadMessage).where(ThreadMessage.status == IS_PENDING))
    return found


def thread_of_message(tx: ReadTx, message_id: int) -> str | None:
    found: str | None = tx.scalar(select(ThreadMessage.thread_id).where(ThreadMessage.id == message_id))
    return found


def mail_is_stopped(tx: ReadTx, message_id: int) -> bool:
    """Whether the person has stopped mails about the thread meanwhile."""
    own = select(ThreadInvite.mail_stopped_at).join(ThreadMessage, ThreadMessage.invite_id == ThreadInvite.id)
    return tx.scalar(own.where(ThreadMessage.id == message_id)) is not None
