"""Works out what an action would send, and writes nothing."""

from dataclasses import dataclass, field

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.scheduling.decision.queries import facts_of
from tsudoi.scheduling.decision.rules.evaluating import evaluate
from tsudoi.scheduling.decision.rules.sentences import rule_sentence
from tsudoi.scheduling.delivery.queries.people import addressees, announced_thread
from tsudoi.scheduling.delivery.rules.messages import AnnouncedSlot, AnnouncedThread, Announcement, MessageSettings
from tsudoi.scheduling.organizing.queries.drafting import UNKNOWN_YET, drafted_addressees
from tsudoi.scheduling.organizing.rules.slots import ThreadSlotDraft
from tsudoi.scheduling.organizing.rules.warnings import OrganizerWarning, duplicate_people
from tsudoi.scheduling.organizing.schemas.requests import NewThread, PreviewOrder
from tsudoi.scheduling.organizing.schemas.responses import SkippedPerson, ThreadSlotItem
from tsudoi.scheduling.organizing.service.checking import expiry
from tsudoi.scheduling.organizing.service.creating import checked_thread
from tsudoi.scheduling.previews.rules import KINDS, PlannedMessages, as_if_decided, planned
from tsudoi.scheduling.reminders.rules import ReminderWish
from tsudoi.scheduling.reminders.service import choose
from tsudoi.scheduling.thread.errors import NoSuchThread, UnknownSlot


@dataclass(frozen=True, slots=True)
class ActionPlan:
    """The messages of an action on a thread, and who gets none."""

    messages: PlannedMessages
    skipped: list[SkippedPerson] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CreationPlan:
    """A thread as it would be created."""

    messages: PlannedMessages
    rule_sentence: str
    slots: list[ThreadSlotItem]
    warnings: list[OrganizerWarning]


def plan_action(tx: ReadTx, common: MessageSettings, thread_id: str, order: PreviewOrder) -> ActionPlan:
    if order.action == "remind":
        return _plan_reminder(tx, common, thread_id, order)
    thread = announced_thread(tx, thread_id)
    if thread is None:
        raise NoSuchThread
    if order.action == "finalize":
        thread = _decided(tx, thread, order.slot_id)
    keys = None if order.invitee_keys is None else set(order.invitee_keys)
    announcement = Announcement(KINDS[order.action], order.message, order.reason)
    return ActionPlan(planned(common, thread, addressees(tx, thread_id, keys), announcement, tx.now))


def _plan_reminder(tx: ReadTx, common: MessageSettings, thread_id: str, order: PreviewOrder) -> ActionPlan:
    keys = None if order.invitee_keys is None else tuple(order.invitee_keys)
    choice = choose(tx, common, thread_id, ReminderWish(keys, force=order.force))
    messages = planned(common, choice.thread, choice.people, Announcement("reminder", order.message), tx.now)
    skipped = [SkippedPerson(invitee_key=key, reason=reason) for key, reason in choice.skipped]
    return ActionPlan(messages, skipped)


def _decided(tx: ReadTx, thread: AnnouncedThread, slot_id: str | None) -> AnnouncedThread:
    if slot_id is None:
        raise InvalidInput(details=[Detail("slot_id", "REQUIRED")])
    found = facts_of(tx, thread.id)
    decided = None if found is None else as_if_decided(thread, found.facts, evaluate(found.facts, tx.now), slot_id)
    if decided is None:
        raise UnknownSlot("slot_id")
    return decided


def plan_creation(tx: ReadTx, common: MessageSettings, new: NewThread) -> CreationPlan:
    """The same checks as for the creation itself, so that a good preview can be created."""
    checked = checked_thread(tx, new)
    people = drafted_addressees(tx, checked.wanted.people, expiry(tx.now, new.deadline_at))
    slots = sorted(checked.slots, key=lambda slot: (slot.start_at, slot.end_at))
    messages = planned(common, _drafted_thread(new, slots), people, Announcement("invite"), tx.now)
    names = {person.key: person.name for person in checked.wanted.people}
    return CreationPlan(
        messages=messages,
        rule_sentence=rule_sentence(checked.rule, names),
        slots=[_item(slot) for slot in slots],
        warnings=duplicate_people(checked.wanted.duplicates),
    )


def _drafted_thread(new: NewThread, slots: list[ThreadSlotDraft]) -> AnnouncedThread:
    return AnnouncedThread(
        id=UNKNOWN_YET,
        title=new.title,
        description=new.description,
        place=new.place,
        mail_subject=new.mail_subject,
        status="draft",
        sequence=0,
        slots=tuple(AnnouncedSlot("", slot.start_at, slot.end_at, slot.timezone) for slot in slots),
    )


def _item(slot: ThreadSlotDraft) -> ThreadSlotItem:
    """Without ids, which it gets when it is stored."""
    times = {"start_at": slot.start_at, "end_at": slot.end_at, "timezone": slot.timezone}
    return ThreadSlotItem.model_validate({"slot_id": "", "thread_id": "", "label": slot.label, **times})
