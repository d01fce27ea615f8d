"""Asks further people, or some of them again, and takes somebody off the list."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select

from tsudoi.core import audit
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.roster.telephone.service import close_call
from tsudoi.scheduling.decision.queries import facts_of
from tsudoi.scheduling.delivery.queries.people import reached_by_line
from tsudoi.scheduling.delivery.rules.channels import way_to
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageSettings
from tsudoi.scheduling.delivery.service.calling import THREAD_CALL
from tsudoi.scheduling.delivery.service.enqueueing import tell
from tsudoi.scheduling.organizing.errors import NoSuchInvitee, TooManyPeople
from tsudoi.scheduling.organizing.queries.drafting import drafted_addressees
from tsudoi.scheduling.organizing.queries.people import asked_people
from tsudoi.scheduling.organizing.queries.thread import thread_row
from tsudoi.scheduling.organizing.rules.people import MOST_PEOPLE, PeopleDraft, PersonDraft, not_yet_asked
from tsudoi.scheduling.organizing.rules.warnings import (
    OrganizerWarning,
    duplicate_people,
    invite_not_created,
    not_asked_again,
)
from tsudoi.scheduling.organizing.schemas.requests import InviteesToAdd
from tsudoi.scheduling.organizing.schemas.responses import InviteesAdded, ThreadWarning
from tsudoi.scheduling.organizing.service.checking import people_to_ask
from tsudoi.scheduling.organizing.service.inviting import (
    MadeInvite,
    candidates,
    invite_people,
    tell_of_invitations,
)
from tsudoi.scheduling.organizing.service.opening import (
    locked,
    locked_open,
    new_expiry,
    renew,
    require_open,
    require_time_to_answer,
)
from tsudoi.scheduling.organizing.service.rule import drop_from_rule
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.models import ThreadInvite, ThreadSelection

_DECLINED = "はすでに不参加と回答しています。もう一度お願いする場合は「不参加の人にも送る」を選んでください。"
_ANSWERED = "はすでに回答しています。"
_INVITED = "はすでに招待されています。"


@dataclass(frozen=True, slots=True)
class _Known:
    """The people of an order who are in the thread already: those to ask again, and why not the others."""

    again: list[MadeInvite]
    warnings: list[OrganizerWarning]


def add_invitees(
    tx: Tx, common: MessageSettings, organizer: Organizer, thread_id: str, order: InviteesToAdd
) -> InviteesAdded:
    """Who is in the thread already is asked again under the same link; who declined, only by `force`."""
    row = locked(tx, thread_id)
    decided = row.status == "finalized" and order.after_decision
    if not decided:
        require_open(row)
        require_time_to_answer(row, tx.now)
    asked = asked_people(tx, thread_id)
    wanted = _wanted(tx, thread_id, order, asked)
    new = [person for person in wanted.people if person.key not in asked]
    if len(asked) + len(new) > MOST_PEOPLE:
        raise TooManyPeople("invitees", MOST_PEOPLE)
    among = [person for person in wanted.people if person.key in asked]
    known = _invited_already(among) if decided else _known(tx, thread_id, among, force=order.force)
    # After a decision there is no deadline to keep, and the time begins anew if the decision is taken back.
    made = invite_people(tx, thread_id, None if decided else row.deadline_at, new)
    renew(tx, thread_id, new_expiry(row, tx.now), [one.person.key for one in known.again])
    warnings = [*duplicate_people(wanted.duplicates), *known.warnings, *_failed(new, made)]
    if row.status == "active":
        warnings += tell_of_invitations(tx, common, thread_id, made)
        tell(tx, common, thread_id, Announcement("reminder"), [one.person.key for one in known.again])
    if decided:
        tell(tx, common, thread_id, Announcement("added"), [one.person.key for one in made])
    touch(tx, thread_id)
    invited = [*made, *known.again]
    keys = [one.person.key for one in invited]
    audit.record(tx, organizer.actor, "THREAD_INVITE", f"thread:{thread_id}", new={"invitee_keys": keys})
    return InviteesAdded(
        candidates=candidates(common, [*new, *(one.person for one in known.again)], invited),
        message=_message(row.status, len(invited)),
        warnings=[ThreadWarning(code=one.code, message=one.message) for one in warnings],
    )


def invitations_by_line(tx: ReadTx, common: MessageSettings, thread_id: str, order: InviteesToAdd) -> int:
    """How many would be invited or asked again by LINE."""
    status = thread_row(tx, thread_id).status
    decided = status == "finalized" and order.after_decision
    if status != "active" and not decided:
        return 0
    asked = asked_people(tx, thread_id)
    wanted = _wanted(tx, thread_id, order, asked).people
    new = drafted_addressees(tx, [person for person in wanted if person.key not in asked], tx.now)
    among = [person for person in wanted if person.key in asked]
    known = _invited_already(among) if decided else _known(tx, thread_id, among, force=order.force)
    again = reached_by_line(tx, common, thread_id, [one.person.key for one in known.again])
    return again + sum(way_to(person, common).channel == "line" for person in new)


def remove_invitee(tx: Tx, organizer: Organizer, thread_id: str, key: str) -> None:
    """Take somebody off the list, with the answer and with the place in the rule. What was answered stays on record."""
    locked_open(tx, thread_id)
    mine = (ThreadInvite.thread_id == thread_id, ThreadInvite.invitee_key == key)
    invite = tx.execute(select(ThreadInvite.id, ThreadInvite.candidate_name).where(*mine)).one_or_none()
    if invite is None:
        raise NoSuchInvitee
    drop_from_rule(tx, thread_id, key, [one for one in asked_people(tx, thread_id) if one != key])
    answer = (ThreadSelection.thread_id == thread_id, ThreadSelection.invitee_key == key)
    tx.execute(delete(ThreadSelection).where(*answer))
    tx.execute(delete(ThreadInvite).where(*mine))
    close_call(tx, THREAD_CALL, thread_id, key, "removed")
    touch(tx, thread_id)
    old = {"invitee_key": key, "name": invite.candidate_name}
    audit.record(tx, organizer.actor, "THREAD_UNINVITE", f"thread:{thread_id}", old=old)


def _wanted(tx: ReadTx, thread_id: str, order: InviteesToAdd, asked: dict[str, str]) -> PeopleDraft:
    found = facts_of(tx, thread_id)
    rule = found.facts.rule if found else None
    unregistered = rule is None or rule.allow_unregistered
    named = (order.invitees, order.audience_ids, order.member_ids)
    return not_yet_asked(people_to_ask(tx, *named, unregistered=unregistered), asked)


def _known(tx: ReadTx, thread_id: str, people: Sequence[PersonDraft], *, force: bool) -> _Known:
    keys = [person.key for person in people]
    columns = (ThreadInvite.invitee_key, ThreadInvite.token, ThreadInvite.status)
    mine = (ThreadInvite.thread_id == thread_id, ThreadInvite.invitee_key.in_(keys))
    rows = {row.invitee_key: row for row in tx.execute(select(*columns).where(*mine))}
    declined = [one.name for one in people if rows[one.key].status == "declined" and not force]
    answered = [one.name for one in people if rows[one.key].status == "accepted"]
    again = [
        MadeInvite(one, rows[one.key].token)
        for one in people
        if rows[one.key].status in (("pending", "expired", "declined") if force else ("pending", "expired"))
    ]
    return _Known(
        again, [*not_asked_again(declined, "DECLINED", _DECLINED), *not_asked_again(answered, "ANSWERED", _ANSWERED)]
    )


def _invited_already(people: Sequence[PersonDraft]) -> _Known:
    """After a decision nobody is asked again: everybody who was invited has been told the date."""
    return _Known([], not_asked_again([one.name for one in people], "INVITED", _INVITED))


def _failed(people: Sequence[PersonDraft], made: Sequence[MadeInvite]) -> list[OrganizerWarning]:
    keys = {one.person.key for one in made}
    return [invite_not_created(person.name) for person in people if person.key not in keys]


def _message(status: str, count: int) -> str:
    if status == "finalized":
        return f"{count}人を追加し、決まった日程を知らせます。"
    if status == "draft":
        return f"{count}人を招待する人に加えました。送信するまで、誰にも知らせません。"
    return f"{count}人に招待を送ります。"
