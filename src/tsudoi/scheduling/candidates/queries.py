"""Whom the organisation asked before, and how often."""

from collections.abc import Sequence

from sqlalchemy import exists, func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.known_people import KnownPerson
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadInvite

# Databases limit the number of values in one statement.
_KEYS_AT_A_TIME = 5_000


def past_invitees(tx: ReadTx, most: int) -> Sequence[KnownPerson]:
    """People outside the roster who were asked by mail before, those who were asked last first.

    Who has left the organisation, or cannot be reached at the address, is not among them.
    """
    address = func.lower(ThreadInvite.email)
    left = exists().where(Member.withdrawn_at.is_not(None), func.lower(Member.email) == address)
    dead = exists().where(MailBounce.dead_at.is_not(None), func.lower(MailBounce.address) == address)
    rows = tx.execute(
        select(ThreadInvite.invitee_key, ThreadInvite.candidate_name, ThreadInvite.email)
        .join(SchedulingThread, SchedulingThread.id == ThreadInvite.thread_id)
        .where(SchedulingThread.status != "draft", ThreadInvite.invitee_key.startswith("e:"), ThreadInvite.email != "")
        .where(~left, ~dead)
        .order_by(ThreadInvite.created_at.desc(), ThreadInvite.id)
        .limit(most)
    )
    newest = dict[str, KnownPerson]()
    for row in rows:
        newest.setdefault(row.invitee_key, KnownPerson(row.invitee_key, row.candidate_name, row.email))
    return list(newest.values())


def times_invited(tx: ReadTx, keys: Sequence[str]) -> dict[str, int]:
    """How many threads have asked each of these people. A draft has asked nobody."""
    found = dict[str, int]()
    for start in range(0, len(keys), _KEYS_AT_A_TIME):
        counted = (
            select(ThreadInvite.invitee_key, func.count().label("times"))
            .join(SchedulingThread, SchedulingThread.id == ThreadInvite.thread_id)
            .where(SchedulingThread.status != "draft")
            .where(ThreadInvite.invitee_key.in_(keys[start : start + _KEYS_AT_A_TIME]))
            .group_by(ThreadInvite.invitee_key)
        )
        found.update({row.invitee_key: row.times for row in tx.execute(counted)})
    return found
