"""Groups of a rule that are given by an audience. Pure; the JSON that is given stays as it is."""

from collections.abc import Mapping, Sequence
from typing import Any

from tsudoi.scheduling.decision.rules.rule_json import LARGEST_ID


def audiences_of(raw: dict[str, Any]) -> list[int]:
    """The audiences that the groups of a rule name. What cannot be an id is refused when the rule is checked."""
    return [group["audience_id"] for group in _groups(raw) if _is_id(group.get("audience_id"))]


def with_audiences(raw: dict[str, Any], keys_of: Mapping[int, Sequence[str]]) -> dict[str, Any]:
    """A group that names an audience and no people gets the people of that audience."""
    if not _groups(raw):
        return raw
    return {**raw, "groups": [_group_filled(group, keys_of) for group in raw["groups"]]}


def _groups(raw: dict[str, Any]) -> list[dict[str, Any]]:
    groups = raw.get("groups")
    return [group for group in groups if isinstance(group, dict)] if isinstance(groups, list) else []


def _group_filled(group: Any, keys_of: Mapping[int, Sequence[str]]) -> Any:
    if not isinstance(group, dict) or "any_of_invitee_keys" in group or not _is_id(group.get("audience_id")):
        return group
    return {**group, "any_of_invitee_keys": list(keys_of.get(group["audience_id"], ()))}


def _is_id(value: Any) -> bool:
    return type(value) is int and 1 <= value <= LARGEST_ID
