"""What an answer to an invitation means, and which answers are refused. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tsudoi.core.clock import jst_text
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.scheduling.decision.rules.facts import SlotFacts
from tsudoi.scheduling.thread.errors import OneSlotOnly, SlotPast, UnknownSlot


@dataclass(frozen=True, slots=True)
class SentSlots:
    """The slots of an answer as they were sent: ○ (one by itself and a list) and △."""

    first: str | None
    yes: Sequence[str]
    maybe: Sequence[str]

    def named(self) -> Iterator[tuple[str, str]]:
        """Each slot with the name of its field."""
        if self.first is not None:
            yield "selected_slot_id", self.first
        yield from ((f"selected_slot_ids.{number}", slot_id) for number, slot_id in enumerate(self.yes))
        yield from ((f"maybe_slot_ids.{number}", slot_id) for number, slot_id in enumerate(self.maybe))


@dataclass(frozen=True, slots=True)
class AnswerPolicy:
    """What the thread allows: its slots in the order of time, several of them, and △."""

    slots: tuple[SlotFacts, ...]
    several: bool
    maybe: bool


@dataclass(frozen=True, slots=True)
class ChosenSlots:
    """The slots of a checked answer, in the order of time. `first` stands in the documented column."""

    first: str | None = None
    yes: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()


def chosen_slots(sent: SentSlots, policy: AnswerPolicy, now: datetime) -> ChosenSlots:
    """The slots of somebody who takes part. Raises 400 with the field that is wrong."""
    _refuse_unknown(sent, {slot.slot_id: slot for slot in policy.slots}, now)
    yes, maybe = {*sent.yes, *([] if sent.first is None else [sent.first])}, set(sent.maybe)
    if not yes and not maybe:
        raise InvalidInput(
            "参加できる日を1つ以上選んでください。どの日も難しいときは、「参加できない」と回答してください。",
            [Detail("selected_slot_id", "REQUIRED")],
        )
    if maybe and not policy.maybe:
        raise InvalidInput("この日程調整では △ を選べません。", [Detail("maybe_slot_ids", "NOT_ALLOWED")])
    if yes & maybe:
        raise InvalidInput("同じ日に ○ と △ の両方は選べません。", [Detail("maybe_slot_ids", "CONTRADICTION")])
    if len(yes | maybe) > 1 and not policy.several:
        raise OneSlotOnly("selected_slot_ids" if len(yes) > 1 else "maybe_slot_ids")
    in_time = [slot.slot_id for slot in policy.slots]
    ordered_yes, ordered_maybe = _ordered(in_time, yes), _ordered(in_time, maybe)
    return ChosenSlots(sent.first or (ordered_yes or ordered_maybe)[0], ordered_yes, ordered_maybe)


def refuse_slots_of_declined(sent: SentSlots) -> None:
    """Somebody who declines and names a slot in the same answer means one of the two, and we cannot know which."""
    for field, _ in sent.named():
        raise InvalidInput("参加できないときは、候補日を選ばないでください。", [Detail(field, "NOT_ALLOWED")])


def _refuse_unknown(sent: SentSlots, known: Mapping[str, SlotFacts], now: datetime) -> None:
    for field, slot_id in sent.named():
        slot = known.get(slot_id)
        if slot is None:
            raise UnknownSlot(field)
        if slot.starts_at <= now:
            raise SlotPast(field)


def _ordered(in_time: Iterable[str], chosen: set[str]) -> tuple[str, ...]:
    return tuple(slot_id for slot_id in in_time if slot_id in chosen)


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A checked answer, ready to be stored."""

    thread_id: str
    invitee_key: str
    # The name at this time: the person may be removed later.
    name: str
    status: Literal["selected", "declined"]
    chosen: ChosenSlots
    comment: str | None
    via: str
    answered_by: str | None

    def marks(self) -> list[tuple[str, str]]:
        """Each chosen slot with `yes` or `maybe`."""
        yes = [(slot_id, "yes") for slot_id in self.chosen.yes]
        return yes + [(slot_id, "maybe") for slot_id in self.chosen.maybe]

    def history(self, slots: Iterable[SlotFacts]) -> list[dict[str, str]]:
        """The slots with their times, because they may be removed later."""
        marks = dict(self.marks())
        return [
            {
                "slot_id": slot.slot_id,
                "start_at": jst_text(slot.starts_at),
                "end_at": jst_text(slot.ends_at),
                "answer": marks[slot.slot_id],
            }
            for slot in slots
            if slot.slot_id in marks
        ]
