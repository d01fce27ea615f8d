"""The judgement of one slot. Pure.

All rules are monotone: one more yes never spoils a slot. So a slot is possible exactly if it would be valid once
everybody who may still answer has said yes.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from tsudoi.scheduling.decision.rules.crowd import Crowd
from tsudoi.scheduling.decision.rules.facts import SlotEvaluation, SlotFacts
from tsudoi.scheduling.decision.rules.requirements import Demand, Lack

_NOTHING = Lack(0, 0, 0)


class AnsweredSlot(NamedTuple):
    """A slot, and who said ○ and △ to it."""

    slot: SlotFacts
    yes: int
    maybe: int


class JudgedSlot(NamedTuple):
    """What the rule says about a slot."""

    chosen: AnsweredSlot
    begun: bool = True
    valid: bool = False
    valid_with_maybe: bool = False
    # The rule is fulfilled by what counts now, which is ○, or ○ and △.
    decides: bool = False
    possible: bool = False
    # What the demand that needs the fewest people still needs.
    lack: Lack = _NOTHING
    # Open people who can help to fulfil a demand.
    wanted: int = 0


@dataclass(frozen=True, slots=True)
class SlotJudge:
    """Judges the slots of one thread at one instant."""

    demands: tuple[Demand, ...]
    open_people: int
    now: datetime
    count_maybe: bool

    def judge(self, chosen: AnsweredSlot) -> JudgedSlot:
        if chosen.slot.starts_at <= self.now:
            return JudgedSlot(chosen)
        both = chosen.yes | chosen.maybe
        counted = both if self.count_maybe else chosen.yes
        valid = self._is_met(chosen.yes)
        valid_with_maybe = self._is_met(both) if chosen.maybe else valid
        reachable = [demand for demand in self.demands if demand.is_met(counted | self.open_people)]
        lacks = [demand.lack(counted) for demand in reachable or self.demands]
        return JudgedSlot(
            chosen,
            begun=False,
            valid=valid,
            valid_with_maybe=valid_with_maybe,
            decides=valid_with_maybe if self.count_maybe else valid,
            possible=bool(reachable),
            lack=min(lacks, key=lambda lack: lack.size, default=_NOTHING),
            wanted=self._wanted(lacks) if reachable else 0,
        )

    def _is_met(self, yes: int) -> bool:
        return any(demand.is_met(yes) for demand in self.demands)

    def _wanted(self, lacks: list[Lack]) -> int:
        found = 0
        for lack in lacks:
            found |= lack.all_of | lack.any_of
        return found & self.open_people

    def described(self, judged: JudgedSlot, crowd: Crowd) -> SlotEvaluation:
        chosen, lack = judged.chosen, judged.lack
        return SlotEvaluation(
            slot_id=chosen.slot.slot_id,
            begun=judged.begun,
            yes=crowd.keys(chosen.yes),
            maybe=crowd.keys(chosen.maybe),
            valid=judged.valid,
            valid_with_maybe=judged.valid_with_maybe,
            possible=judged.possible,
            missing_all=crowd.keys(lack.all_of) + lack.absent,
            missing_any=crowd.keys(lack.any_of & self.open_people),
            missing_count=lack.count,
        )
