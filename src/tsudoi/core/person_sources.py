"""What each context knows about people: its records, the links between them, and what no longer fits together.

The page about one person (`roster/people`) is above some contexts and below others. It asks them all through these
objects, which they register, and imports none of them.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, SQLColumnExpression, func, literal, null

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import PersonLink, PersonRecord, PersonSearch, PersonTraits, RecordKind

AnySelect = Select[*tuple[Any, ...]]
AnyColumn = SQLColumnExpression[Any]
# The kind, the id and the name of another record.
OtherRecord = tuple[RecordKind, AnyColumn, AnyColumn]


@dataclass(frozen=True, slots=True)
class PersonSource:
    """The records of one kind, as their context reads them. Each function runs a fixed number of statements."""

    kind: RecordKind
    label: str
    # The ids of all records that match, the best ones first.
    search: Callable[[ReadTx, PersonSearch], Sequence[str]]
    read: Callable[[ReadTx, Collection[str]], Sequence[PersonRecord]]
    # The ids of at most so many records with one of the traits.
    having: Callable[[ReadTx, PersonTraits, int], Sequence[str]]
    # The links that are stored with these records.
    links: Callable[[ReadTx, Collection[str]], Sequence[PersonLink]] = lambda _tx, _ids: ()


@dataclass(frozen=True, slots=True)
class DriftCheck:
    """Something about people that does not fit together. `statement` selects the columns of `drift_row`, in order."""

    code: str
    title: str
    # What it means and what to do about it.
    advice: str
    # The page where it is mended. `{id}` is the id of the first record, and `{place}` the column `place`.
    path: str
    statement: Callable[[], AnySelect]


def drift_row(
    kind: RecordKind,
    record_id: AnyColumn,
    name: AnyColumn,
    *,
    other: OtherRecord | None = None,
    note: AnyColumn | None = None,
    place: AnyColumn | None = None,
) -> list[ColumnElement[Any]]:
    """The columns of a finding: the record, perhaps another one that contradicts it, and a note."""
    other_kind, other_id, other_name = other or (None, null(), null())
    return [
        literal(kind).label("kind"),
        record_id.label("id"),
        name.label("name"),
        literal(other_kind).label("other_kind"),
        other_id.label("other_id"),
        other_name.label("other_name"),
        (null() if note is None else note).label("note"),
        (null() if place is None else place).label("place"),
    ]


def without_spaces(name: AnyColumn) -> ColumnElement[str]:
    """A name in a column as `name_key` writes most names, so that SQL can compare it."""
    return func.lower(func.replace(func.replace(name, " ", ""), "\u3000", ""))
