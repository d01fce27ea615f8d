"""Creates a thread in two transactions, because a model may be asked for people in between.

The first writes the thread, and without it nothing. Rule, slots and people are then written as far as possible.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import insert

from tsudoi.core import audit
from tsudoi.core.clock import display, utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.scheduling.decision.rules.facts import DecisionRule
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE, checked_rule
from tsudoi.scheduling.delivery.rules.messages import MessageSettings
from tsudoi.scheduling.organizing.rules.people import PeopleDraft, PersonDraft
from tsudoi.scheduling.organizing.rules.slots import ThreadSlotDraft
from tsudoi.scheduling.organizing.rules.warnings import (
    RULE_NOT_CREATED,
    OrganizerWarning,
    duplicate_people,
    invite_not_created,
    slot_not_created,
)
from tsudoi.scheduling.organizing.schemas.requests import NewThread
from tsudoi.scheduling.organizing.schemas.responses import (
    RuleHead,
    ThreadCreated,
    ThreadHead,
    ThreadSlotItem,
    ThreadWarning,
)
from tsudoi.scheduling.organizing.service.checking import filled_rule, people_to_ask, slots_of
from tsudoi.scheduling.organizing.service.inviting import candidates, invite_people, tell_of_invitations
from tsudoi.scheduling.organizing.service.surviving import succeeds
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.models import AttendanceRule, SchedulingSlot, SchedulingThread
from tsudoi.scheduling.thread.rules.keys import is_registered

# Fields of the order that are columns of the thread.
_COLUMNS = (
    *("title", "description", "timezone", "place", "deadline_at", "decide_at_deadline", "remind_before_deadline"),
    *("maybe_allowed", "answers_visible", "mail_subject"),
)


@dataclass(frozen=True, slots=True)
class ThreadBegun:
    """What the first transaction wrote. It is kept with the key, so that a copy of the request goes on from here."""

    thread_id: str
    created_at: str
    # None: it could not be written.
    rule: dict[str, Any] | None
    slots: list[ThreadSlotItem]
    people: list[PersonDraft]
    # Nobody was named, so that a model may suggest people.
    may_suggest: bool
    # People whom the organisation does not know may be asked.
    unregistered: bool
    warnings: list[OrganizerWarning]


@dataclass(frozen=True, slots=True)
class CheckedThread:
    """A thread that can be created: everything that it needs, and nothing written yet."""

    slots: list[ThreadSlotDraft]
    raw: dict[str, Any]
    rule: DecisionRule
    # People whom the organisation does not know may be asked.
    unregistered: bool
    wanted: PeopleDraft


def checked_thread(tx: ReadTx, new: NewThread) -> CheckedThread:
    """Check everything, for the creation and for its preview."""
    drafts = slots_of(new, tx.now)
    raw = filled_rule(tx, new.rule) if new.rule is not None else DEFAULT_RULE
    scope = raw.get("invitee_scope")
    unregistered = not (isinstance(scope, dict) and scope.get("allow_unregistered") is False)
    named = (new.invitees or (), new.audience_ids or (), new.member_ids or ())
    wanted = people_to_ask(tx, *named, unregistered=unregistered)
    return CheckedThread(drafts, raw, checked_rule(raw, wanted.keys), unregistered, wanted)


def begin_thread(tx: Tx, organizer: Organizer, new: NewThread) -> ThreadBegun:
    """Check everything, write the thread, and then its rule and its slots as far as possible."""
    checked = checked_thread(tx, new)
    raw, wanted = checked.raw, checked.wanted
    thread_id = _insert_thread(tx, organizer, new)
    rule_made = succeeds(tx, thread_id, "rule_not_created", partial(insert_rule, tx, thread_id, raw))
    slots, missing = insert_slots(tx, thread_id, checked.slots)
    warnings = [*([] if rule_made else [RULE_NOT_CREATED]), *missing, *duplicate_people(wanted.duplicates)]
    told = {"title": new.title, "status": "active" if new.send else "draft", "thread_slots": len(slots)}
    audit.record(tx, organizer.actor, "THREAD_CREATE", f"thread:{thread_id}", new=told)
    return ThreadBegun(
        thread_id=thread_id,
        created_at=utc_text(tx.now),
        rule=raw if rule_made else None,
        slots=slots,
        people=wanted.people,
        may_suggest=new.invitees is None and new.audience_ids is None and new.member_ids is None,
        unregistered=checked.unregistered,
        warnings=warnings,
    )


def finish_thread(
    tx: Tx,
    common: MessageSettings,
    organizer: Organizer,
    new: NewThread,
    begun: ThreadBegun,
    suggested: Sequence[PersonDraft],
) -> ThreadCreated:
    """Ask the people, and tell them unless it is a draft."""
    people = [*begun.people, *(one for one in suggested if begun.unregistered or is_registered(one.key))]
    invited = invite_people(tx, begun.thread_id, new.deadline_at, people)
    warnings = list(begun.warnings)
    made = {one.person.key for one in invited}
    warnings += [invite_not_created(person.name) for person in people if person.key not in made]
    if new.send:
        warnings += tell_of_invitations(tx, common, begun.thread_id, invited)
    if invited:
        audit.record(
            tx, organizer.actor, "THREAD_INVITE", f"thread:{begun.thread_id}", new={"invitee_keys": sorted(made)}
        )
    return ThreadCreated(
        thread=_head(organizer, new, begun),
        attendance_rule=None if begun.rule is None else rule_head(begun.thread_id, begun.rule),
        slots=begun.slots,
        candidates=candidates(common, people, invited),
        message=f"Thread created with {len(invited)} candidate invitations sent",
        warnings=[ThreadWarning(code=one.code, message=one.message) for one in warnings],
    )


def rule_head(thread_id: str, raw: dict[str, Any]) -> RuleHead:
    return RuleHead(thread_id=thread_id, type=raw["type"], rule_json=raw, finalize_policy="EARLIEST_VALID")


def insert_rule(tx: Tx, thread_id: str, raw: dict[str, Any], version: int = 1) -> None:
    times = {"created_at": tx.now, "updated_at": tx.now}
    tx.execute(insert(AttendanceRule).values(thread_id=thread_id, rule_json=raw, version=version, **times))


def insert_slots(
    tx: Tx, thread_id: str, drafts: Sequence[ThreadSlotDraft]
) -> tuple[list[ThreadSlotItem], list[OrganizerWarning]]:
    """The slots that could be written, in the order of time, and a warning for each of the others."""
    made, warnings = list[ThreadSlotItem](), list[OrganizerWarning]()
    for draft in sorted(drafts, key=lambda slot: (slot.start_at, slot.end_at)):
        item = slot_item(thread_id, draft)
        if succeeds(tx, thread_id, "slot_not_created", partial(_insert_slot, tx, item)):
            made.append(item)
        else:
            warnings.append(slot_not_created(display(draft.start_at)))
    return made, warnings


def _insert_slot(tx: Tx, item: ThreadSlotItem) -> None:
    tx.execute(insert(SchedulingSlot).values(slot_values(tx, item)))


def slot_values(tx: Tx, item: ThreadSlotItem) -> dict[str, Any]:
    return {name: getattr(item, name) for name in ThreadSlotItem.model_fields} | {"created_at": tx.now}


def slot_item(thread_id: str, draft: ThreadSlotDraft) -> ThreadSlotItem:
    return ThreadSlotItem(
        slot_id=str(uuid.uuid4()),
        thread_id=thread_id,
        start_at=draft.start_at,
        end_at=draft.end_at,
        timezone=draft.timezone,
        label=draft.label,
    )


def _insert_thread(tx: Tx, organizer: Organizer, new: NewThread) -> str:
    thread_id = str(uuid.uuid4())
    values = {name: getattr(new, name) for name in _COLUMNS}
    # The columns are integers, as those of the document's other switches.
    values = {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
    tx.execute(
        insert(SchedulingThread).values(
            **values,
            id=thread_id,
            organizer_user_id=organizer.user_id,
            status="active" if new.send else "draft",
            mode="one_on_one",
            created_at=tx.now,
            updated_at=tx.now,
            sent_at=tx.now if new.send else None,
        )
    )
    return thread_id


def _head(organizer: Organizer, new: NewThread, begun: ThreadBegun) -> ThreadHead:
    return ThreadHead(
        id=begun.thread_id,
        title=new.title,
        description=new.description,
        organizer_user_id=organizer.user_id,
        status="active" if new.send else "draft",
        created_at=begun.created_at,
    )
