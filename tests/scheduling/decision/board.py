"""Small threads to judge: people have one letter, slots one digit."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from tsudoi.scheduling.decision.rules.facts import DecisionRule, InviteeFacts, SlotFacts, ThreadFacts
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE, checked_rule

NOW = datetime(2026, 12, 1, 3, tzinfo=UTC)
HOUR = timedelta(hours=1)
NAMES = {"a": "青木", "b": "馬場", "c": "千葉", "d": "土井", "e": "江口", "f": "福田"}


def slot(slot_id: str, hours: float, *, length: float = 1) -> SlotFacts:
    starts_at = NOW + hours * HOUR
    return SlotFacts(slot_id, starts_at, starts_at + length * HOUR)


# Three slots tomorrow, and one that begins at this instant.
SLOTS = (slot("0", 0), slot("1", 24), slot("2", 25), slot("3", 26))


def person(text: str) -> InviteeFacts:
    """`a` has not answered, `a!` has lapsed, `a-` declined, `a12` said ○ to 1 and 2, `a1?2` also △ to 2.

    `a12!` answered before the invitation lapsed.
    """
    key, answer, lapsed = text[0], text[1:].removesuffix("!"), text.endswith("!")
    yes, _, maybe = answer.partition("?")
    status = "declined" if answer == "-" else "selected" if answer else "pending"
    expires_at = NOW if lapsed else NOW + HOUR
    return InviteeFacts(key, NAMES[key], status, frozenset(yes) - {"-"}, frozenset(maybe), expires_at)


def thread(people: str, rule: DecisionRule | None, **changes: Any) -> ThreadFacts:
    invitees = tuple(person(text) for text in people.split())
    given: dict[str, Any] = {"status": "active", "rule": rule, "slots": SLOTS, "invitees": invitees}
    return ThreadFacts(**(given | changes))


def rule_json(kind: str, **fields: Any) -> dict[str, Any]:
    return DEFAULT_RULE | {"type": kind} | fields


def rule(kind: str, *, invited: Iterable[str] = "abcdef", **fields: Any) -> DecisionRule:
    return checked_rule(rule_json(kind, **fields), frozenset(invited))
