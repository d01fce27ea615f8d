from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.queries import dead_addresses
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.rules.channels import sendable_address
from tsudoi.scheduling.delivery.rules.messages import Addressee
from tsudoi.scheduling.organizing.rules.people import PersonDraft

# Stands in links for the token and for the id of the thread, which nobody has yet.
UNKNOWN_YET = "○○"


def drafted_addressees(tx: ReadTx, people: Sequence[PersonDraft], expires_at: datetime) -> list[Addressee]:
    """People who are not invited yet, as messages would reach them."""
    ids = [person.member_id for person in people if person.member_id is not None]
    wanted = select(Member.id, Member.line_user_id, LineFriend.following).outerjoin(
        LineFriend, LineFriend.user_id == Member.line_user_id
    )
    members: dict[int, Row[Any]] = {row.id: row for row in tx.execute(wanted.where(Member.id.in_(ids)))} if ids else {}
    dead = dead_addresses(tx, {person.email for person in people if person.email})
    return [_addressee(person, members.get(person.member_id or 0), dead, expires_at) for person in people]


def _addressee(person: PersonDraft, member: Row[Any] | None, dead: set[str], expires_at: datetime) -> Addressee:
    address = sendable_address(person.email) or person.email
    return Addressee(
        invite_id="",
        invitee_key=person.key,
        name=person.name,
        token=UNKNOWN_YET,
        expires_at=expires_at,
        address=address,
        is_member=member is not None,
        line_user_id=None if member is None else member.line_user_id,
        blocked=member is not None and member.following is False,
        never_added=member is not None and member.following is None,
        bounced=address.lower() in dead,
    )
