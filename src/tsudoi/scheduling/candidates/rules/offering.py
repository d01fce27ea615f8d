"""Whom a model may choose from: known people behind ids that mean nothing, and what it is told about them. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tsudoi.core.known_people import KnownPerson
from tsudoi.core.log import mask_text
from tsudoi.roster.members.rules import search_key

MOST_OFFERED = 200
_LONGEST_DESCRIPTION = 2_000
# A member is offered as a member, also if the same address belongs to a staff person or was typed in before.
_KINDS = ("lm:", "u:", "e:")
# Below this a part of a name is no name: 林 stands in many other words.
_SHORTEST_NAME = 2


@dataclass(frozen=True, slots=True)
class MeetingText:
    """What the organiser wrote: the text that a model gets as data."""

    title: str
    description: str | None = None

    @property
    def data(self) -> dict[str, str]:
        """Without addresses and telephone numbers: a model does not need them."""
        description = (self.description or "")[:_LONGEST_DESCRIPTION]
        return {"title": mask_text(self.title), "description": mask_text(description)}

    @property
    def searched(self) -> str:
        return search_key(f"{self.title} {self.description or ''}")


@dataclass(frozen=True, slots=True)
class OfferedPerson:
    """A person with the number of earlier invitations. `named`: the organiser's text has the name."""

    person: KnownPerson
    invited: int
    named: bool

    @property
    def facts(self) -> dict[str, Any]:
        """What the model is told: no name, no address, no telephone number, no key."""
        one = self.person
        facts = {"groups": list(one.groups), "role": one.role, "department": one.department}
        told = {name: value for name, value in facts.items() if value}
        return {**told, "invited_before": self.invited, **({"named_in_text": True} if self.named else {})}


@dataclass(frozen=True, slots=True)
class Offer:
    """The people of one question by their ids, `c001` and so on, and the names of all whom we know, as search keys."""

    people: Mapping[str, OfferedPerson]
    all_names: frozenset[str]

    @property
    def data(self) -> list[dict[str, Any]]:
        return [{"id": number, **offered.facts} for number, offered in self.people.items()]


def offer(
    known: Collection[KnownPerson], invited: Mapping[str, int], about: MeetingText, most: int = MOST_OFFERED
) -> Offer:
    """The same people in the same order for the same question.

    If there are too many, those go first who are named in the text, then those whose group, role or department is,
    then those who were asked most often.
    """
    text, everybody = about.searched, merged(known)
    words = {word for one in everybody for word in _words(one)}
    mentioned = {word for word in words if search_key(word) in text}
    offered = [OfferedPerson(one, invited.get(one.key, 0), _is_named(one.name, text)) for one in everybody]
    ranked = sorted(offered, key=lambda one: (not one.named, -len(mentioned & _words(one.person)), -one.invited))
    numbered = {f"c{number:03}": one for number, one in enumerate(ranked[:most], 1)}
    return Offer(numbered, frozenset(search_key(one.name) for one in everybody))


def merged(known: Collection[KnownPerson]) -> list[KnownPerson]:
    """Everybody once. Members who share an address are people of their own; anybody else with it is one of them."""
    found: dict[str, KnownPerson] = {}
    kind_of: dict[str, str] = {}
    for kind in _KINDS:
        for one in (each for each in known if each.key.startswith(kind)):
            address = one.email.lower()
            if one.key not in found and (not address or kind_of.setdefault(address, kind) == kind):
                found[one.key] = one
    return list(found.values())


def _words(person: KnownPerson) -> set[str]:
    return {word for word in (*person.groups, person.role, person.department) if word}


def _is_named(name: str, text: str) -> bool:
    """The full name, or its part before the first space, which is the family name in Japan."""
    parts = {search_key(name), search_key(name.split(maxsplit=1)[0] if name.strip() else "")}
    return any(len(part) >= _SHORTEST_NAME and part in text for part in parts)
