"""What an action would send. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from tsudoi.scheduling.decision.rules.evaluating import participants_of
from tsudoi.scheduling.decision.rules.facts import Evaluation, ThreadFacts
from tsudoi.scheduling.delivery.rules.channels import Way, ways_to
from tsudoi.scheduling.delivery.rules.composing import compose
from tsudoi.scheduling.delivery.rules.messages import (
    Addressee,
    AnnouncedThread,
    Announcement,
    ComposedMessage,
    MessageChannel,
    MessageKind,
    MessageSettings,
)

PreviewAction = Literal["send", "remind", "finalize", "cancel", "reopen", "add_slots"]
KINDS: dict[PreviewAction, MessageKind] = {
    "send": "invite",
    "remind": "reminder",
    "finalize": "decision",
    "cancel": "cancelled",
    "reopen": "reopened",
    "add_slots": "slots_added",
}


@dataclass(frozen=True, slots=True)
class PlannedMessages:
    """The people with the way to each, and the message as one of them would read it."""

    ways: list[tuple[Addressee, Way]]
    sample: ComposedMessage

    def count(self, channel: MessageChannel) -> int:
        return sum(way.channel == channel for _, way in self.ways)


def planned(
    common: MessageSettings,
    thread: AnnouncedThread,
    people: Sequence[Addressee],
    announcement: Announcement,
    now: datetime,
) -> PlannedMessages:
    """The sample is the message to the first person who takes part, because it says the most."""
    taking_part = [person for person in people if person.invitee_key in thread.participants]
    nobody = Addressee("", "", "○○", "", now, "", is_member=False)
    reader = (taking_part or list(people) or [nobody])[0]
    return PlannedMessages(ways_to(people, common, None), compose(common, thread, reader, announcement, now))


def as_if_decided(
    thread: AnnouncedThread, facts: ThreadFacts, evaluation: Evaluation, slot_id: str
) -> AnnouncedThread | None:
    """The thread after a decision for this slot. None: the thread has no such slot."""
    slot = next((one for one in evaluation.slots if one.slot_id == slot_id), None)
    if slot is None:
        return None
    participants = frozenset(participants_of(slot, facts))
    return replace(thread, final_slot_id=slot_id, participants=participants, sequence=thread.sequence + 1)
