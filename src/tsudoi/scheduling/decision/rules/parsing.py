"""From the JSON of an attendance rule to the rule that the engine understands. Pure."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from tsudoi.core.errors import Detail
from tsudoi.scheduling.decision.errors import BadRule
from tsudoi.scheduling.decision.rules.checking import k_of, quorum_of, strangers, wrong_numbers
from tsudoi.scheduling.decision.rules.facts import DecisionRule, RuleGroup
from tsudoi.scheduling.decision.rules.rule_json import (
    AllJson,
    AnyJson,
    AnyRuleJson,
    GroupAnyJson,
    KOfNJson,
    RequiredPlusKJson,
    RuleJson,
)

DEFAULT_RULE: dict[str, Any] = {
    "version": "1.0",
    "type": "ANY",
    "slot_policy": {"multiple_slots_allowed": True},
    "invitee_scope": {"allow_unregistered": True},
    "rule": {},
    "finalize_policy": {"auto_finalize": True, "policy": "EARLIEST_VALID"},
}
_JSON: TypeAdapter[RuleJson] = TypeAdapter(AnyRuleJson)
_TYPES = frozenset({"ANY", "ALL", "K_OF_N", "REQUIRED_PLUS_K", "GROUP_ANY"})
_MOST_DETAILS = 50
# Lists whose emptiness means everybody who is invited.
_MEANS_EVERYBODY = ("participants", "optional")
_REASONS = {
    "missing": "REQUIRED",
    "union_tag_not_found": "REQUIRED",
    "union_tag_invalid": "NOT_ALLOWED",
    "literal_error": "NOT_ALLOWED",
    "extra_forbidden": "UNKNOWN_FIELD",
    "string_too_long": "TOO_LONG",
    "too_long": "TOO_LONG",
    "too_short": "TOO_SHORT",
    "greater_than_equal": "TOO_SMALL",
    "less_than_equal": "TOO_LARGE",
}


@lru_cache(maxsize=1024)
def stored_rule(text: str | None) -> DecisionRule | None:
    """None: there is no rule, or nobody can understand it; then nothing is decided by itself.

    Whatever another program added is ignored, and the numbers are taken as they are: a rule that asks for more people
    than it lists is shown as impossible.
    """
    try:
        return None if text is None else _rule(_JSON.validate_python(orjson.loads(text), extra="ignore"))
    except ValueError:
        return None


def checked_rule(raw: dict[str, Any], invitee_keys: Collection[str]) -> DecisionRule:
    """Every person whom the rule names has to be an invitee of the thread."""
    try:
        parsed = _JSON.validate_python(raw)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise BadRule([_detail(fault["type"], fault["loc"]) for fault in faults[:_MOST_DETAILS]]) from None
    found = [*wrong_numbers(parsed), *strangers(parsed, frozenset(invitee_keys))]
    if found:
        raise BadRule(found[:_MOST_DETAILS])
    return _rule(parsed)


def without_person(raw: dict[str, Any], key: str) -> dict[str, Any]:
    """The rule without somebody who is no longer invited.

    The numbers of people that it asks for stay: if too few are left, the thread is shown as impossible. A list that
    becomes empty would mean "everybody" from now on. Such a rule no longer decides by itself, until the organiser has
    looked at it.
    """
    changed = dict(raw)
    for field in (*_MEANS_EVERYBODY, "required"):
        before = changed.get(field)
        if isinstance(before, list) and key in before:
            changed[field] = [one for one in before if one != key]
            if not changed[field] and field in _MEANS_EVERYBODY:
                changed["finalize_policy"] = {**_object(changed.get("finalize_policy")), "auto_finalize": False}
    if isinstance(raw.get("groups"), list):
        changed["groups"] = [_group_without(group, key) for group in raw["groups"]]
    return _with_counts(changed)


def _detail(kind: str, location: tuple[int | str, ...]) -> Detail:
    """The location begins with the type of the rule where it is known, which is no field."""
    inside = location[1:] if location and location[0] in _TYPES else location
    if kind.startswith("union_tag"):
        inside = ("type",)
    reason = kind if kind.isupper() else _REASONS.get(kind, "INVALID_FORMAT")
    return Detail(".".join(["rule", *map(str, inside)]), reason)


def _rule(parsed: RuleJson) -> DecisionRule:
    switches: dict[str, Any] = {
        "multiple_slots_allowed": parsed.slot_policy.multiple_slots_allowed,
        "allow_unregistered": parsed.invitee_scope.allow_unregistered,
        "auto_finalize": parsed.finalize_policy.auto_finalize,
    }
    match parsed:
        case AnyJson() | AllJson():
            return DecisionRule(parsed.type, participants=tuple(parsed.participants), **switches)
        case KOfNJson():
            return DecisionRule("K_OF_N", participants=tuple(parsed.participants), k=k_of(parsed), **switches)
        case RequiredPlusKJson():
            required, optional = tuple(parsed.required), tuple(parsed.optional)
            quorum = quorum_of(parsed)
            return DecisionRule("REQUIRED_PLUS_K", required=required, optional=optional, quorum=quorum, **switches)
        case GroupAnyJson():
            groups = (
                RuleGroup(group.name, tuple(group.any_of_invitee_keys), group.min, group.audience_id)
                for group in parsed.groups
            )
            return DecisionRule("GROUP_ANY", groups=tuple(groups), **switches)
    raise ValueError(parsed)


def _group_without(group: Any, key: str) -> Any:
    keys = _object(group).get("any_of_invitee_keys")
    if not isinstance(keys, list) or key not in keys:
        return group
    return {**group, "any_of_invitee_keys": [one for one in keys if one != key]}


def _with_counts(raw: dict[str, Any]) -> dict[str, Any]:
    """`n` and `required_count` repeat the length of a list, so they follow it."""
    counts = dict(_object(raw.get("rule")))
    for name, field in (("n", "participants"), ("required_count", "required")):
        if name in counts and isinstance(raw.get(field), list):
            counts[name] = len(raw[field])
    return {**raw, "rule": counts} if "rule" in raw else raw


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
