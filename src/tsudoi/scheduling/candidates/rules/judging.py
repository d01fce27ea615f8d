"""What is taken from the answer of a model. Everything that is not one of the offered people is dropped. Pure."""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tsudoi.core.known_people import KnownPerson
from tsudoi.core.log import mask_text
from tsudoi.core.names import is_unseen
from tsudoi.roster.members.rules import search_key
from tsudoi.scheduling.candidates.rules.asking import LONGEST_REASON, MOST_CANDIDATES
from tsudoi.scheduling.candidates.rules.offering import Offer

# A link, or an address in any spelling: nobody should follow what a model made up.
_LINK = re.compile(r"(?i)https?:|www\.|[@＠]")
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_SHORTEST_NAME = 2


@dataclass(frozen=True, slots=True)
class SuggestedCandidate:
    """A known person, and why the model thinks that they should be asked."""

    person: KnownPerson
    reason: str


def judge(text: str, offer: Offer) -> list[SuggestedCandidate] | None:
    """The people whom the answer names properly, the first ones of them. None: it is no answer to the question."""
    entries = _entries(text)
    return None if entries is None else list(_chosen(entries, offer))[:MOST_CANDIDATES]


def _entries(text: str) -> list[Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    entries = found.get("candidates") if isinstance(found, dict) else None
    return entries if isinstance(entries, list) else None


def _chosen(entries: list[Any], offer: Offer) -> Iterator[SuggestedCandidate]:
    taken = set[str]()
    for entry in entries:
        number, reason = (entry.get("id"), entry.get("reason")) if isinstance(entry, dict) else (None, None)
        if not isinstance(number, str) or not isinstance(reason, str) or number in taken:
            continue
        offered = offer.people.get(number)
        if offered is None or not is_fitting(reason.strip(), offered.person, offer):
            continue
        taken.add(number)
        yield SuggestedCandidate(offered.person, reason.strip())


def is_fitting(reason: str, person: KnownPerson, offer: Offer) -> bool:
    """A reason is short and visible, leads nowhere, and speaks of nobody else."""
    if is_unseen(reason) or len(reason) > LONGEST_REASON:
        return False
    if any(unicodedata.category(one) in _INVISIBLE for one in reason):
        return False
    if _LINK.search(reason) or mask_text(reason) != reason:
        return False
    plain, own = search_key(reason), search_key(person.name)
    rest = plain.replace(own, "") if own else plain
    return not any(len(name) >= _SHORTEST_NAME and name in rest for name in offer.all_names if name != own)
