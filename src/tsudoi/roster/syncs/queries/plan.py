"""The sheet against the roster: each row is judged by the rules, and what concerns many rows at once is asked for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.syncs.queries import roster
from tsudoi.roster.syncs.queries.sheet import Sheet
from tsudoi.roster.syncs.rules.cells import Refused, Row
from tsudoi.roster.syncs.rules.columns import Columns
from tsudoi.roster.syncs.rules.plan import (
    KEPT_NAME,
    LINKED,
    TAKEN,
    Change,
    Counts,
    Existing,
    Withdrawal,
    change,
    next_basis,
)

_ROW = ", ".join(f"judged.{name}" for name in Row._fields)
_MEMBER = ", ".join(f"roster.{name}" for name in Existing._fields)
_PAIRS = "judged JOIN roster USING (id) WHERE refused IS NULL"
_NEW = "judged WHERE refused IS NULL AND id NOT IN (SELECT id FROM roster)"
# A row whose id cannot be read still keeps the member whom its name or its LINE account means.
_MEANT = """
(EXISTS (SELECT 1 FROM sheet WHERE sheet.id IS NULL AND sheet.name_key = roster.name_key)
  OR EXISTS (SELECT 1 FROM sheet WHERE sheet.id IS NULL AND sheet.line_user_id = roster.line_user_id))
"""
_MISSING = "withdrawn IS NULL AND NOT EXISTS (SELECT 1 FROM sheet WHERE sheet.id = roster.id)"
_WITHDRAWN = f"roster WHERE {_MISSING} AND NOT {_MEANT}"
# Where both can be said of a row, the later one in the order of the roster stays.
_LINKED_OR_TAKEN = """
INSERT OR REPLACE INTO late SELECT number, reason FROM (
  SELECT number, roster.id AS met, ? AS reason FROM sheet JOIN roster ON roster.id = sheet.id
    WHERE reasons IS NULL AND sheet.line_user_id <> roster.line_user_id
  UNION ALL
  SELECT number, roster.id, ? FROM roster JOIN sheet ON sheet.line_user_id = roster.line_user_id
    WHERE reasons IS NULL AND sheet.id <> roster.id
) ORDER BY met
"""
# A refused row leaves its member with the old name, which no other row may then take; and so on from there.
_NAMES_KEPT = f"""
WITH RECURSIVE kept (id, name_key) AS (
  SELECT id, name_key FROM roster WHERE withdrawn IS NULL
    AND EXISTS (SELECT 1 FROM judged WHERE judged.id = roster.id AND refused IS NOT NULL)
  UNION
  SELECT id, name_key FROM roster WHERE {_MISSING} AND {_MEANT}
  UNION
  SELECT roster.id, roster.name_key FROM kept
    JOIN sheet ON sheet.name_key = kept.name_key AND sheet.id <> kept.id AND reasons IS NULL
    JOIN roster ON roster.id = sheet.id AND withdrawn IS NULL
)
INSERT OR IGNORE INTO late SELECT number, ? FROM kept
  JOIN sheet ON sheet.name_key = kept.name_key AND sheet.id <> kept.id AND reasons IS NULL
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """Its lists are read from the sheet's file each time, in the order of the sheet; the next plan replaces them."""

    sheet: Sheet
    counts: Counts
    # Tells whether the roster is still the one that was planned for.
    basis: int

    @property
    def columns(self) -> Columns:
        return self.sheet.columns

    def new(self) -> Iterator[Row]:
        return (Row._make(row) for row in self.sheet.ask(f"SELECT {_ROW} FROM {_NEW} ORDER BY number"))

    def changed(self) -> Iterator[Change]:
        chosen = f"SELECT {_ROW}, {_MEMBER} FROM {_PAIRS} AND number IN (SELECT number FROM changed) ORDER BY number"
        return _changes(self.columns, self.sheet.ask(chosen))

    def kinds(self) -> list[str]:
        """Changes of the same fields are of one kind; there are few in a run."""
        return [kind for (kind,) in self.sheet.ask("SELECT DISTINCT names FROM changed")]

    def changed_alike(self, kind: str) -> Iterator[Change]:
        chosen = f"SELECT {_ROW}, {_MEMBER} FROM {_PAIRS} AND number IN (SELECT number FROM changed WHERE names = ?)"
        return _changes(self.columns, self.sheet.ask(chosen, kind))

    def withdrawn(self) -> Iterator[Withdrawal]:
        return (Withdrawal(*row) for row in self.sheet.ask(f"SELECT id, name FROM {_WITHDRAWN} ORDER BY id"))

    def refused(self) -> Iterator[Refused]:
        chosen = "SELECT number, refused, name, id FROM judged WHERE refused IS NOT NULL ORDER BY number"
        return (Refused(number, tuple(told.split("\n")), *who) for number, told, *who in self.sheet.ask(chosen))

    def links(self) -> Iterator[tuple[int, str]]:
        """Member id and LINE user id of everybody whom the sheet links."""
        yield from ((row.id, row.line_user_id) for row in self.new() if row.line_user_id)
        yield from ((each.id, each.new["line_user_id"]) for each in self.changed() if "line_user_id" in each.new)


def make_plan(tx: ReadTx, sheet: Sheet) -> Plan:
    roster.with_little_memory(tx)
    return compare(sheet, roster.everybody(tx))


def compare(sheet: Sheet, members: Iterable[Existing]) -> Plan:
    """The members come in the order of their ids and are looked at once."""
    basis = _Basis()
    sheet.put("roster", (basis.seen(member) for member in members))
    sheet.run("DELETE FROM late")
    sheet.run(_LINKED_OR_TAKEN, LINKED, TAKEN)
    sheet.run(_NAMES_KEPT, KEPT_NAME)
    pairs = sheet.ask(f"SELECT {_ROW}, {_MEMBER} FROM {_PAIRS}")
    sheet.put("changed", ((each.number, " ".join(each.new)) for each in _changes(sheet.columns, pairs)))
    return Plan(sheet, _counts(sheet), basis.found)


class _Basis:
    """Takes note of the roster while it goes by."""

    def __init__(self) -> None:
        self.found = 0

    def seen(self, member: Existing) -> Existing:
        self.found = next_basis(self.found, member)
        return member if member.withdrawn is None else member._replace(withdrawn=str(member.withdrawn))


def _changes(columns: Columns, pairs: Iterator[Any]) -> Iterator[Change]:
    width = len(Row._fields)
    for pair in pairs:
        found = change(columns, Row._make(pair[:width]), Existing._make(pair[width:]))
        if found is not None:
            yield found


def _counts(sheet: Sheet) -> Counts:
    changed = sheet.count("changed")
    return Counts(
        new=sheet.count(_NEW),
        changed=changed,
        withdrawn=sheet.count(_WITHDRAWN),
        unchanged=sheet.count(_PAIRS) - changed,
        refused=sheet.count("judged WHERE refused IS NOT NULL"),
        live=sheet.count("roster WHERE withdrawn IS NULL"),
    )
