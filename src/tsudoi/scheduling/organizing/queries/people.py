"""The people who can be asked: members of groups, and those whom the thread asks already."""

from collections.abc import Sequence

from sqlalchemy import or_, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.audiences.errors import UnknownAudiences, UnknownMembers
from tsudoi.roster.audiences.models import AudienceMember
from tsudoi.roster.audiences.queries import unknown_ids
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order
from tsudoi.scheduling.organizing.rules.people import PersonDraft
from tsudoi.scheduling.thread.models import ThreadInvite
from tsudoi.scheduling.thread.rules.keys import member_key


def members_of(tx: ReadTx, audience_ids: Sequence[int], member_ids: Sequence[int] = ()) -> list[PersonDraft]:
    """The members of these groups and those named one by one who have not left, each once, in the roster's order."""
    unknown = unknown_ids(tx, audience_ids) if audience_ids else []
    if unknown:
        raise UnknownAudiences(unknown)
    chosen = select(AudienceMember.member_id).where(AudienceMember.audience_id.in_(audience_ids))
    statement = (
        select(Member.id, Member.name, Member.email)
        .where(or_(Member.id.in_(chosen), Member.id.in_(member_ids)), Member.withdrawn_at.is_(None))
        .order_by(*roster_order())
    )
    found = [PersonDraft(member_key(row.id), row.name, row.email or "", row.id) for row in tx.execute(statement)]
    missing = set(member_ids) - {person.member_id for person in found}
    if missing:
        raise UnknownMembers("member_ids", sorted(missing))
    return found


def keys_by_audience(tx: ReadTx, audience_ids: Sequence[int]) -> dict[int, list[str]]:
    """The keys of the members of each group who have not left."""
    statement = (
        select(AudienceMember.audience_id, Member.id)
        .join(Member, Member.id == AudienceMember.member_id)
        .where(AudienceMember.audience_id.in_(audience_ids), Member.withdrawn_at.is_(None))
        .order_by(*roster_order())
    )
    found: dict[int, list[str]] = {}
    for row in tx.execute(statement):
        found.setdefault(row.audience_id, []).append(member_key(row.id))
    return found


def asked_people(tx: ReadTx, thread_id: str) -> dict[str, str]:
    """The key and the address of everybody in the thread."""
    statement = select(ThreadInvite.invitee_key, ThreadInvite.email).where(
        ThreadInvite.thread_id == thread_id, ThreadInvite.invitee_key.is_not(None)
    )
    return {row.invitee_key: row.email for row in tx.execute(statement)}
