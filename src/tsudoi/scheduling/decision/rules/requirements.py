"""What each type of rule asks for: all of some people, and a number of others. Pure.

Every rule is a list of demands of which one has to be met, so that the rest of the engine knows no types.
"""

from dataclasses import dataclass

from tsudoi.scheduling.decision.rules.crowd import Crowd
from tsudoi.scheduling.decision.rules.facts import DecisionRule


@dataclass(frozen=True, slots=True)
class Demand:
    """All people of `all_of`, and `least` people of `any_of`."""

    all_of: int
    any_of: int
    least: int
    # People who are demanded but not invited. They can never say yes.
    absent: tuple[str, ...] = ()

    def is_met(self, yes: int) -> bool:
        enough = self.all_of & ~yes == 0 and (yes & self.any_of).bit_count() >= self.least
        return enough and not self.absent

    def lack(self, yes: int) -> "Lack":
        count = max(0, self.least - (yes & self.any_of).bit_count())
        return Lack(self.all_of & ~yes, self.any_of if count else 0, count, self.absent)


@dataclass(frozen=True, slots=True)
class Lack:
    """What a demand still needs: all of these, and `count` of those."""

    all_of: int
    any_of: int
    count: int
    absent: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.all_of.bit_count() + self.count + len(self.absent)


def demands_of(rule: DecisionRule, crowd: Crowd) -> tuple[Demand, ...]:
    """No demands: the rule can never be met."""
    match rule.type:
        case "ALL":
            return _everybody(rule.participants, crowd)
        case "REQUIRED_PLUS_K":
            return _required(rule, crowd)
        case "GROUP_ANY":
            return tuple(Demand(0, crowd.mask(group.keys), group.least) for group in rule.groups)
        case "K_OF_N":
            return (Demand(0, _named(rule.participants, crowd), rule.k),)
    return (Demand(0, _named(rule.participants, crowd), 1),)


def _named(keys: tuple[str, ...], crowd: Crowd) -> int:
    return crowd.mask(keys) if keys else crowd.everybody


def _everybody(keys: tuple[str, ...], crowd: Crowd) -> tuple[Demand, ...]:
    wanted = _named(keys, crowd)
    absent = crowd.absent(keys)
    return (Demand(wanted, 0, 0, absent),) if wanted or absent else ()


def _required(rule: DecisionRule, crowd: Crowd) -> tuple[Demand, ...]:
    """Somebody who is in both lists counts as required only."""
    if not rule.required and rule.quorum < 1:
        return ()
    required = crowd.mask(rule.required)
    optional = _named(rule.optional, crowd) & ~required
    return (Demand(required, optional, rule.quorum, crowd.absent(rule.required)),)
