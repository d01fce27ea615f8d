"""Asks people: an invitation and an open answer for each, and the message that leads there."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import insert

from tsudoi.core.db.interface import Tx
from tsudoi.core.tokens import new_token
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageSettings
from tsudoi.scheduling.delivery.service.enqueueing import tell
from tsudoi.scheduling.organizing.rules.people import PersonDraft
from tsudoi.scheduling.organizing.rules.warnings import OrganizerWarning, message_not_created
from tsudoi.scheduling.organizing.schemas.responses import InvitedCandidate
from tsudoi.scheduling.organizing.service.checking import expiry
from tsudoi.scheduling.organizing.service.surviving import succeeds
from tsudoi.scheduling.thread.models import ThreadInvite, ThreadSelection


@dataclass(frozen=True, slots=True)
class MadeInvite:
    """An invitation that was made."""

    person: PersonDraft
    token: str


def invite_people(
    tx: Tx, thread_id: str, deadline_at: datetime | None, people: Sequence[PersonDraft]
) -> list[MadeInvite]:
    """Ask these people, who are not in the thread yet. One who could not be invited is missing in the result.

    All at once first: where that fails, each alone, so that one of them cannot keep the others out.
    """
    if not people:
        return []
    # A microsecond apart, because the time of an invitation is its place in every list.
    made = [(person, _rows(tx, thread_id, deadline_at, person, number)) for number, person in enumerate(people)]
    if succeeds(tx, thread_id, None, partial(_insert, tx, [rows for _, rows in made])):
        stored = made
    else:
        alone: Callable[[Any], bool] = lambda rows: succeeds(  # noqa: E731 (read once, below)
            tx, thread_id, "invite_not_created", partial(_insert, tx, [rows])
        )
        stored = [one for one in made if alone(one[1])]
    return [MadeInvite(person, invite["token"]) for person, (invite, _) in stored]


def tell_of_invitations(
    tx: Tx, common: MessageSettings, thread_id: str, invited: Sequence[MadeInvite]
) -> list[OrganizerWarning]:
    """Write the messages. The invitations stay where that fails: the office can send them again."""
    send = partial(_tell, tx, common, thread_id)
    if not invited or succeeds(tx, thread_id, None, partial(send, invited)):
        return []
    return [
        message_not_created(one.person.name)
        for one in invited
        if not succeeds(tx, thread_id, "message_not_created", partial(send, [one]))
    ]


def candidates(
    common: MessageSettings, people: Sequence[PersonDraft], invited: Sequence[MadeInvite]
) -> list[InvitedCandidate]:
    """Everybody who was to be asked. Found by key and never by place: a token leads to one person's answers."""
    tokens = {one.person.key: one.token for one in invited}
    return [_candidate(common, person, tokens.get(person.key)) for person in people]


def _candidate(common: MessageSettings, person: PersonDraft, token: str | None) -> InvitedCandidate:
    return InvitedCandidate(
        name=person.name,
        email=person.email,
        reason=person.reason,
        invite_token=token,
        invite_url=None if token is None else common.links.invitation(token),
        invitee_key=None if token is None else person.key,
    )


def _tell(tx: Tx, common: MessageSettings, thread_id: str, invited: Sequence[MadeInvite]) -> None:
    tell(tx, common, thread_id, Announcement("invite"), [one.person.key for one in invited])


def _rows(
    tx: Tx, thread_id: str, deadline_at: datetime | None, person: PersonDraft, number: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    created_at = tx.now + timedelta(microseconds=number)
    shared = {"thread_id": thread_id, "invitee_key": person.key, "created_at": created_at}
    invite = {
        **shared,
        "id": str(uuid.uuid4()),
        "token": new_token(),
        "email": person.email,
        "candidate_name": person.name,
        "candidate_reason": person.reason,
        "expires_at": expiry(created_at, deadline_at),
        "member_id": person.member_id,
    }
    return invite, {**shared, "selection_id": str(uuid.uuid4())}


def _insert(tx: Tx, rows: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    tx.execute(insert(ThreadInvite), [invite for invite, _ in rows])
    tx.execute(insert(ThreadSelection), [selection for _, selection in rows])
