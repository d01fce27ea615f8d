"""Checks an order of the office against the clock and the roster, before anything is written."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.roster.audiences.errors import UnknownAudiences
from tsudoi.roster.audiences.queries import unknown_ids
from tsudoi.scheduling.decision.rules.audiences import audiences_of, with_audiences
from tsudoi.scheduling.organizing.errors import TooManyPeople
from tsudoi.scheduling.organizing.queries.people import keys_by_audience, members_of
from tsudoi.scheduling.organizing.rules.people import MOST_PEOPLE, PeopleDraft, each_once, people_by_mail
from tsudoi.scheduling.organizing.rules.slots import (
    ThreadSlotDraft,
    default_slots,
    moment_faults,
    slot_faults,
    zone_faults,
)
from tsudoi.scheduling.organizing.schemas.requests import NewInvitee, NewSlot, NewThread

_TIME_TO_ANSWER = timedelta(hours=72)


def refuse(faults: Sequence[Detail]) -> None:
    if faults:
        raise InvalidInput(details=faults)


def slot_drafts(slots: Sequence[NewSlot], zone: str) -> list[ThreadSlotDraft]:
    """Whole seconds, because the table has no more."""
    return [
        ThreadSlotDraft(
            slot.start_at.replace(microsecond=0),
            slot.end_at.replace(microsecond=0),
            slot.timezone or zone,
            slot.label,
        )
        for slot in slots
    ]


def slots_of(new: NewThread, now: datetime) -> list[ThreadSlotDraft]:
    """The slots of a new thread: those that were given, or the default ones."""
    refuse(zone_faults("timezone", new.timezone))
    faults = deadline_faults(new.deadline_at, now, decides=new.decide_at_deadline)
    if new.slots is None:
        refuse(faults)
        return default_slots(now, new.timezone)
    drafts = slot_drafts(new.slots, new.timezone)
    refuse([*slot_faults(drafts, now, ()), *faults])
    return drafts


def deadline_faults(deadline: datetime | None, now: datetime, *, decides: bool) -> list[Detail]:
    if deadline is None:
        return [Detail("decide_at_deadline", "DEADLINE_REQUIRED")] if decides else []
    return moment_faults("deadline_at", deadline, now)


def expiry(now: datetime, deadline: datetime | None) -> datetime:
    """Until when somebody who is asked now may answer."""
    return deadline or now + _TIME_TO_ANSWER


def people_to_ask(
    tx: ReadTx,
    invitees: Sequence[NewInvitee],
    audience_ids: Sequence[int],
    member_ids: Sequence[int] = (),
    *,
    unregistered: bool,
) -> PeopleDraft:
    """Everybody who is named, each once. `unregistered`: people may be asked by mail alone."""
    by_mail, faults = people_by_mail([(one.name, one.email) for one in invitees])
    if not unregistered:
        faults = [Detail(f"invitees.{number}.email", "NOT_ALLOWED") for number in range(len(invitees))]
    refuse(faults)
    found = each_once(members_of(tx, audience_ids, member_ids) if audience_ids or member_ids else [], by_mail)
    if len(found.people) > MOST_PEOPLE:
        raise TooManyPeople("audience_ids", MOST_PEOPLE)
    return found


def filled_rule(tx: ReadTx, raw: dict[str, Any]) -> dict[str, Any]:
    """The rule in which a group that names an audience has the people of that audience."""
    audience_ids = audiences_of(raw)
    if not audience_ids:
        return raw
    unknown = unknown_ids(tx, audience_ids)
    if unknown:
        raise UnknownAudiences(unknown)
    return with_audiences(raw, keys_by_audience(tx, audience_ids))
