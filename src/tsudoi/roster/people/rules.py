"""When two records may be of one person, and how a link came about. Pure: nothing is joined here."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tsudoi.core.names import name_key
from tsudoi.core.person_records import LinkOrigin, PersonRecord, PersonTraits, RecordKey
from tsudoi.roster.members.rules import search_key

Verdict = Literal["same", "different", "open"]
SharedTrait = Literal["line_user", "mail", "name"]

# Who links members, by the actor of the audit trail; an administrator is `admin:<name>`, and a staff person themselves
# `staff:<staff_uid>`.
_ORIGINS: dict[str, LinkOrigin] = {"cli": "sheet", "line:follow": "name", "line:register": "registration"}
_ORIGINS_BY_KIND: dict[str, LinkOrigin] = {"admin": "office", "staff": "portal"}


@dataclass(frozen=True, slots=True)
class DecidedPair:
    """The newest decision about two records."""

    first: RecordKey
    second: RecordKey
    verdict: str
    reason: str | None
    by: str
    at: datetime


def origin_of(actor: str) -> LinkOrigin:
    """How a link came about, by who made it."""
    return _ORIGINS.get(actor) or _ORIGINS_BY_KIND.get(actor.partition(":")[0], "unknown")


def pair(one: RecordKey, other: RecordKey) -> tuple[RecordKey, RecordKey]:
    """Two records in the order in which their pair is stored."""
    return (one, other) if one <= other else (other, one)


def traits_of(records: Iterable[PersonRecord]) -> PersonTraits:
    """What to look for in order to find other records of the same person."""
    records = list(records)
    return PersonTraits(
        frozenset(record.line_user_id for record in records if record.line_user_id),
        frozenset(record.address for record in records if record.address),
        frozenset(key for record in records for key in _name_keys(record.name)),
    )


def shared_traits(one: PersonRecord, other: PersonRecord) -> list[SharedTrait]:
    """Why two records may be of one person. A name is shared only if the readings, where both are known, agree."""
    found: list[SharedTrait] = []
    if one.line_user_id and one.line_user_id == other.line_user_id:
        found.append("line_user")
    if one.address and one.address == other.address:
        found.append("mail")
    if _name_keys(one.name) & _name_keys(other.name) and _same_reading(one.kana, other.kana):
        found.append("name")
    return found


def _name_keys(name: str) -> set[str]:
    """The tables hold keys with and without NFKC, as the organisation chose."""
    return {name_key(name, nfkc=nfkc) for nfkc in (False, True)} - {""}


def _same_reading(one: str | None, other: str | None) -> bool:
    return not one or not other or search_key(one) == search_key(other)
