"""Everything that is known about one person: the records, their links, and who else it may be.

The records of a person are the one that was asked for and those that an administrator has joined to it by a click. The
records that a stored link names are shown beside them. Everything else is a suggestion.
"""

from collections.abc import Collection, Mapping

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import PersonLink, PersonRecord, PersonTraits, RecordKey
from tsudoi.core.person_sources import PersonSource
from tsudoi.roster.people.errors import NoSuchPerson
from tsudoi.roster.people.queries.decisions import decisions_about
from tsudoi.roster.people.rules import DecidedPair, shared_traits, traits_of
from tsudoi.roster.people.schemas import (
    DecidedApart,
    LinkItem,
    PersonPage,
    PossiblePerson,
    RecordItem,
    RecordName,
    RecordRole,
    ShownRecord,
)

# A person has a handful of records. More can only come from clicks that were wrong, and the page must still open.
_MOST_JOINED = 50
_MOST_SUGGESTED = 20

Sources = Mapping[str, PersonSource]
Records = dict[RecordKey, PersonRecord]


def person_page(tx: ReadTx, sources: Sources, key: RecordKey) -> PersonPage:
    joined, decisions = _joined(tx, key)
    links = links_of(tx, sources, joined)
    beside = {end for link in links for end in (link.first, link.second)} - joined
    own, linked = read_records(tx, sources, joined), read_records(tx, sources, beside)
    if key not in own:
        if not links or key.kind != "line":
            raise NoSuchPerson
        own[key] = _without_row(key)
    linked |= {end: _without_row(end) for end in beside - linked.keys()}
    apart = [pair for pair in decisions if pair.verdict == "different"]
    ruled_out = {end for pair in apart for end in (pair.first, pair.second)}
    return PersonPage(
        kind=key.kind,
        id=key.id,
        name=next((record.name for record in (own[key], *own.values(), *linked.values()) if record.name), ""),
        records=_shown(sources, key, own, linked),
        links=[
            *map(LinkItem.stored, links),
            *(LinkItem.decided(pair) for pair in decisions if pair.verdict == "same" and pair.first in own),
        ],
        suggestions=_suggestions(tx, sources, own, ruled_out | own.keys() | linked.keys()),
        decided_apart=_decided_apart(tx, sources, joined, apart),
    )


def _joined(tx: ReadTx, key: RecordKey) -> tuple[set[RecordKey], list[DecidedPair]]:
    """The records of this person by the clicks of administrators, and all decisions about them."""
    joined, new = {key}, {key}
    decisions = dict[tuple[RecordKey, RecordKey], DecidedPair]()
    while new and len(joined) < _MOST_JOINED:
        found = decisions_about(tx, new)
        decisions |= {(pair.first, pair.second): pair for pair in found}
        new = {end for pair in found if pair.verdict == "same" for end in (pair.first, pair.second)} - joined
        joined |= new
    return joined, list(decisions.values())


def joined_records(tx: ReadTx, key: RecordKey) -> set[RecordKey]:
    """The record and those that administrators have joined to it."""
    return _joined(tx, key)[0]


def links_of(tx: ReadTx, sources: Sources, keys: Collection[RecordKey]) -> list[PersonLink]:
    """The stored links that begin or end at one of these records. All of them have a LINE user at one end."""
    of_line_users = PersonTraits(line_user_ids=frozenset(key.id for key in keys if key.kind == "line"))
    found: list[PersonLink] = []
    for source in sources.values():
        ids = {key.id for key in keys if key.kind == source.kind}
        if of_line_users.line_user_ids:
            ids |= set(source.having(tx, of_line_users, _MOST_JOINED))
        found += source.links(tx, ids) if ids else ()
    return [link for link in found if link.first in keys or link.second in keys]


def read_records(tx: ReadTx, sources: Sources, keys: Collection[RecordKey]) -> Records:
    found: Records = {}
    for source in sources.values():
        ids = {key.id for key in keys if key.kind == source.kind}
        found |= {record.key: record for record in source.read(tx, ids)} if ids else {}
    return {key: record for key, record in found.items() if key in keys}


def _without_row(key: RecordKey) -> PersonRecord:
    """A LINE user whom a link names, and who has never added the account as far as we know."""
    return PersonRecord(key, "", "broken", line_user_id=key.id, facts=(("LINEのID", key.id),))


def _shown(sources: Sources, key: RecordKey, own: Records, linked: Records) -> list[ShownRecord]:
    """The record that was asked for first, then those joined to it, then those that their links name."""
    roles: list[tuple[PersonRecord, RecordRole]] = [(own[key], "self")]
    roles += [(record, "joined") for one, record in own.items() if one != key]
    roles += [(record, "linked") for record in linked.values()]
    return [ShownRecord.with_role(record, _label(sources, record.key), role) for record, role in roles]


def _suggestions(tx: ReadTx, sources: Sources, own: Records, ruled_out: Collection[RecordKey]) -> list[PossiblePerson]:
    traits, found = traits_of(own.values()), list[PossiblePerson]()
    for source in sources.values():
        # Those that are shown already have the traits too, so they are asked for on top.
        ids = source.having(tx, traits, _MOST_SUGGESTED + len(ruled_out))
        candidates = [one for one in ids if RecordKey(source.kind, one) not in ruled_out][:_MOST_SUGGESTED]
        records = source.read(tx, candidates) if candidates else ()
        found += [item for record in records if (item := _possible(record, source.label, own)) is not None]
    return sorted(found, key=lambda item: -len(item.shared))


def _possible(record: PersonRecord, label: str, own: Records) -> PossiblePerson | None:
    """With the one of our records that has most in common with it."""
    shared, closest = max(((shared_traits(one, record), one) for one in own.values()), key=lambda found: len(found[0]))
    if not shared:
        return None
    return PossiblePerson(record=RecordItem.of(record, label), shared=shared, beside=RecordName.of(closest))


def _decided_apart(
    tx: ReadTx, sources: Sources, joined: Collection[RecordKey], apart: Collection[DecidedPair]
) -> list[DecidedApart]:
    others = {pair.second if pair.first in joined else pair.first: pair for pair in apart}
    records = read_records(tx, sources, others)
    return [
        DecidedApart.of(pair, RecordItem.of(records[other], _label(sources, other)), other)
        for other, pair in others.items()
        if other in records
    ]


def _label(sources: Sources, key: RecordKey) -> str:
    return sources[key.kind].label if key.kind in sources else ""
