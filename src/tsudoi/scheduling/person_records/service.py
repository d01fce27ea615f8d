"""What threads store about a person. The answers stay without a name, because they have decided a date."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, case, func, literal, or_, select, tuple_

from tsudoi.core.outbox.table import IS_PENDING
from tsudoi.core.person_data import ERASED_NAME, PersonIds, PersonTable
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import ThreadAnswer, ThreadInvite, ThreadLateAnswer, ThreadSelection


def _invited(ids: PersonIds) -> ColumnElement[bool]:
    return or_(ThreadInvite.member_id.in_(ids.member_ids), func.lower(ThreadInvite.email).in_(ids.addresses))


def _of_invited(model: type[ThreadAnswer | ThreadLateAnswer | ThreadSelection], ids: PersonIds) -> ColumnElement[bool]:
    found = select(ThreadInvite.thread_id, ThreadInvite.invitee_key).where(_invited(ids))
    return tuple_(model.thread_id, model.invitee_key).in_(found)


def _without_person(now: datetime) -> dict[str, Any]:
    """The link no longer works, and nobody waits for an answer any more."""
    return {
        "email": "",
        "candidate_name": ERASED_NAME,
        "candidate_reason": None,
        "token": literal("erased-") + ThreadInvite.id,
        "status": case((ThreadInvite.status == "pending", "expired"), else_=ThreadInvite.status),
        "mail_stopped_at": now,
    }


# The invitations come last: the other tables are found through them.
THREAD_TABLES = (
    PersonTable(
        ThreadMessage,
        "日程調整のお知らせ",
        lambda ids: or_(
            ThreadMessage.invite_id.in_(select(ThreadInvite.id).where(_invited(ids))),
            func.lower(ThreadMessage.to).in_(ids.addresses),
            ThreadMessage.line_user_id.in_(ids.line_user_ids),
        ),
        "blanked",
        lambda _now: {"to": "", "subject": "", "data": {}, "line_user_id": None, "messages": None},
        hidden=frozenset({"lease_token", "retry_key", "data"}),
        obstacle=lambda: ThreadMessage.status == IS_PENDING,
        obstacle_reason="送信を待っています。送り終わってからお試しください",
    ),
    PersonTable(
        ThreadAnswer,
        "日程調整の回答の履歴",
        lambda ids: _of_invited(ThreadAnswer, ids),
        "blanked",
        lambda _now: {"name": ERASED_NAME, "comment": None},
    ),
    PersonTable(
        ThreadLateAnswer,
        "日程が決まったあとの回答",
        lambda ids: _of_invited(ThreadLateAnswer, ids),
        "blanked",
        lambda _now: {"name": ERASED_NAME, "comment": None},
    ),
    PersonTable(
        ThreadSelection,
        "日程調整の回答",
        lambda ids: _of_invited(ThreadSelection, ids),
        "blanked",
        lambda _now: {"comment": None},
    ),
    PersonTable(ThreadInvite, "日程調整への招待", _invited, "blanked", _without_person, hidden=frozenset({"token"})),
)
