"""What can be wrong with the JSON of a rule although each of its fields has the right form. Pure."""

from collections.abc import Iterator

from tsudoi.core.errors import Detail
from tsudoi.scheduling.decision.rules.rule_json import (
    AllJson,
    AnyJson,
    GroupAnyJson,
    KOfNJson,
    RequiredPlusKJson,
    RuleJson,
)


def k_of(parsed: KOfNJson) -> int:
    """The number stands twice in the document's example; one of the two is enough."""
    found = parsed.k or parsed.rule.k
    if found is None:
        raise ValueError("K_OF_N without k")
    return found


def quorum_of(parsed: RequiredPlusKJson) -> int:
    found = parsed.rule.optional_quorum if parsed.quorum is None else parsed.quorum
    return found or 0


def wrong_numbers(parsed: RuleJson) -> Iterator[Detail]:
    match parsed:
        case KOfNJson():
            yield from _wrong_count(parsed)
        case RequiredPlusKJson():
            yield from _wrong_quorum(parsed)
        case GroupAnyJson():
            if parsed.rule.groups not in (None, len(parsed.groups)):
                yield Detail("rule.rule.groups", "MISMATCH")
            for number, group in enumerate(parsed.groups):
                if group.min > len(group.any_of_invitee_keys):
                    yield Detail(f"rule.groups.{number}.min", "TOO_LARGE")


def _wrong_count(parsed: KOfNJson) -> Iterator[Detail]:
    listed = len(parsed.participants)
    if parsed.k is None and parsed.rule.k is None:
        yield Detail("rule.k", "REQUIRED")
    elif None not in (parsed.k, parsed.rule.k) and parsed.k != parsed.rule.k:
        yield Detail("rule.rule.k", "MISMATCH")
    elif listed and k_of(parsed) > listed:
        yield Detail("rule.k", "TOO_LARGE")
    if listed and parsed.rule.n not in (None, listed):
        yield Detail("rule.rule.n", "MISMATCH")


def _wrong_quorum(parsed: RequiredPlusKJson) -> Iterator[Detail]:
    counts, quorum = parsed.rule, quorum_of(parsed)
    if parsed.quorum is None and counts.optional_quorum is None:
        yield Detail("rule.quorum", "REQUIRED")
    elif counts.optional_quorum not in (None, quorum):
        yield Detail("rule.rule.optional_quorum", "MISMATCH")
    elif parsed.optional and quorum > len(parsed.optional):
        yield Detail("rule.quorum", "TOO_LARGE")
    elif quorum == 0 and not parsed.required:
        yield Detail("rule.quorum", "TOO_SMALL")
    if counts.required_count not in (None, len(parsed.required)):
        yield Detail("rule.rule.required_count", "MISMATCH")


def _lists(parsed: RuleJson) -> Iterator[tuple[str, list[str]]]:
    match parsed:
        case AnyJson() | AllJson() | KOfNJson():
            yield "participants", parsed.participants
        case RequiredPlusKJson():
            yield "required", parsed.required
            yield "optional", parsed.optional
        case GroupAnyJson():
            for number, group in enumerate(parsed.groups):
                yield f"groups.{number}.any_of_invitee_keys", group.any_of_invitee_keys


def strangers(parsed: RuleJson, invited: frozenset[str]) -> Iterator[Detail]:
    for field, keys in _lists(parsed):
        for number, key in enumerate(keys):
            if key not in invited:
                yield Detail(f"rule.{field}.{number}", "NOT_INVITED")
