"""Looks for people in all contexts at once."""

from collections.abc import Iterable

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import PersonSearch
from tsudoi.core.person_sources import PersonSource
from tsudoi.roster.members.rules import search_key
from tsudoi.roster.people.schemas import FoundRecords, PeopleFound, RecordItem


def people_found(tx: ReadTx, sources: Iterable[PersonSource], words: str, most: int) -> PeopleFound:
    """At most so many records of each kind, and how many there are."""
    wanted = PersonSearch(words, search_key)
    groups = [_found(tx, source, wanted, most) for source in sources]
    return PeopleFound(query=words, groups=[group for group in groups if group.total])


def _found(tx: ReadTx, source: PersonSource, wanted: PersonSearch, most: int) -> FoundRecords:
    ids = source.search(tx, wanted)
    shown = {record.key.id: record for record in source.read(tx, ids[:most])} if ids else {}
    # The records come in any order, the ids in that of the search.
    items = [RecordItem.of(shown[one], source.label) for one in ids[:most] if one in shown]
    return FoundRecords(kind=source.kind, label=source.label, total=len(ids), items=items)
