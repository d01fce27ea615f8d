"""A thread and the people to tell, as messages need them."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.queries import dead_addresses
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.rules.channels import sendable_address, way_to
from tsudoi.scheduling.delivery.rules.messages import (
    OF_ONE_STATE,
    Addressee,
    AnnouncedSlot,
    AnnouncedThread,
    MessageSettings,
)
from tsudoi.scheduling.thread.models import (
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadLateAnswer,
    ThreadSelection,
)


def announced_thread(tx: ReadTx, thread_id: str) -> AnnouncedThread | None:
    """None: there is no such thread."""
    table, final = SchedulingThread, ThreadFinalize
    wanted = (
        select(
            *(table.title, table.description, table.place, table.mail_subject, table.status, table.sequence),
            *(final.selected_slot_id, final.final_participants),
        )
        .outerjoin(final, final.thread_id == table.id)
        .where(table.id == thread_id)
    )
    row = tx.execute(wanted).first()
    if row is None:
        return None
    participants = row.final_participants if isinstance(row.final_participants, list) else []
    return AnnouncedThread(
        id=thread_id,
        title=row.title or "",
        description=row.description,
        place=row.place,
        mail_subject=row.mail_subject,
        status=row.status or "draft",
        sequence=row.sequence,
        slots=_slots(tx, thread_id),
        final_slot_id=row.selected_slot_id,
        participants=frozenset(str(one) for one in participants),
    )


def _slots(tx: ReadTx, thread_id: str) -> tuple[AnnouncedSlot, ...]:
    slot = SchedulingSlot
    wanted = select(slot.slot_id, slot.start_at, slot.end_at, slot.timezone).where(slot.thread_id == thread_id)
    found = [AnnouncedSlot(row.slot_id, row.start_at, row.end_at, row.timezone) for row in tx.execute(wanted)]
    return tuple(sorted(found, key=lambda one: (one.starts_at, one.ends_at, one.slot_id)))


def addressees(
    tx: ReadTx, thread_id: str, keys: Collection[str] | None = None, before: int | None = None
) -> list[Addressee]:
    """The people who are invited, in the order of their invitation; only these keys, or all.

    `before`: their calendars are as they were before this message.
    """
    invite, answer = ThreadInvite, ThreadSelection
    own = and_(answer.thread_id == invite.thread_id, answer.invitee_key == invite.invitee_key)
    wanted = (
        select(
            *(invite.id, invite.invitee_key, invite.candidate_name, invite.token, invite.expires_at, invite.email),
            *(invite.mail_stopped_at, invite.member_id, answer.status, answer.responded_at),
            *(Member.line_user_id, Member.withdrawn_at, Member.email.label("member_email"), LineFriend.following),
        )
        .outerjoin(answer, own)
        .outerjoin(Member, Member.id == invite.member_id)
        .outerjoin(LineFriend, LineFriend.user_id == Member.line_user_id)
        .where(invite.thread_id == thread_id, invite.invitee_key.is_not(None))
        .order_by(invite.created_at, invite.id)
    )
    rows = [row for row in tx.execute(wanted) if keys is None or row.invitee_key in keys]
    dead = dead_addresses(tx, {_address(row) for row in rows})
    calendars, late = _in_calendars(tx, thread_id, before), late_answers(tx, thread_id)
    return [_addressee(row, dead, calendars, late.get(row.invitee_key)) for row in rows]


def late_answers(tx: ReadTx, thread_id: str, until: datetime | None = None) -> dict[str, Row[Any]]:
    """By key: what people said after the decision that stands, the newest one of each. `until`: not later than this."""
    late = ThreadLateAnswer
    newest = (
        select(func.max(late.id))
        .join(ThreadFinalize, ThreadFinalize.thread_id == late.thread_id)
        .where(late.thread_id == thread_id, late.answered_at >= ThreadFinalize.finalized_at)
        .group_by(late.invitee_key)
    )
    if until is not None:
        newest = newest.where(late.answered_at <= until)
    columns = (late.invitee_key, late.coming, late.comment, late.via, late.answered_by, late.answered_at)
    return {row.invitee_key: row for row in tx.execute(select(*columns).where(late.id.in_(newest)))}


def reached_by_line(tx: ReadTx, common: MessageSettings, thread_id: str, keys: Collection[str] | None = None) -> int:
    """How many of these people, or of everybody who is invited, a message would reach by LINE."""
    return sum(way_to(person, common).channel == "line" for person in addressees(tx, thread_id, keys))


def bounced_people(tx: ReadTx, thread_id: str) -> set[str]:
    """The invitations of those whose address mails came back from."""
    wanted = (
        select(ThreadInvite.id, ThreadInvite.email, Member.email.label("member_email"))
        .outerjoin(Member, Member.id == ThreadInvite.member_id)
        .where(ThreadInvite.thread_id == thread_id)
    )
    addresses = {row.id: _address(row).lower() for row in tx.execute(wanted)}
    dead = dead_addresses(tx, set(addresses.values()))
    return {invite_id for invite_id, address in addresses.items() if address in dead}


def _address(row: Row[Any]) -> str:
    """A member's address may change in the roster after the invitation."""
    found: str = row.member_email or row.email
    return sendable_address(found) or found


def _addressee(
    row: Row[Any], dead: Collection[str], calendars: dict[str, dict[str, Any]], late: Row[Any] | None
) -> Addressee:
    address = _address(row)
    noted = calendars.get(row.id)
    return Addressee(
        invite_id=row.id,
        invitee_key=row.invitee_key,
        name=row.candidate_name,
        token=row.token,
        expires_at=row.expires_at,
        address=address,
        is_member=row.member_id is not None,
        line_user_id=row.line_user_id,
        # Unknown to `line_friends`: LINE has not told us that the account is blocked.
        blocked=row.following is False,
        withdrawn=row.withdrawn_at is not None,
        mail_stopped=row.mail_stopped_at is not None,
        bounced=address.lower() in dead,
        answer=row.status or "pending",
        responded_at=row.responded_at,
        in_calendar=noted if noted and noted.get("method") == "REQUEST" else None,
        coming_late=None if late is None else bool(late.coming),
    )


def _in_calendars(tx: ReadTx, thread_id: str, before: int | None) -> dict[str, dict[str, Any]]:
    """By invitation: the newest calendar entry that we sent or are about to send."""
    row = ThreadMessage
    sent = select(row.invite_id, row.data).where(
        row.thread_id == thread_id, row.type.in_(OF_ONE_STATE), row.status != "CALLED_OFF"
    )
    if before is not None:
        sent = sent.where(row.id < before)
    found = {one.invite_id: one.data.get("calendar") for one in tx.execute(sent.order_by(row.id))}
    return {invite_id: noted for invite_id, noted in found.items() if noted}


def reminders_of_day(tx: ReadTx, thread_id: str, day: str) -> dict[str, int]:
    """By invitation: how many reminders of this Japanese day there are, also those that did not arrive."""
    row = ThreadMessage
    named = row.job_id.like("reminder-%-" + day + "%")
    counted = select(row.invite_id, func.count().label("number")).where(
        row.thread_id == thread_id, row.type == "reminder", named
    )
    return {one.invite_id: one.number for one in tx.execute(counted.group_by(row.invite_id))}
