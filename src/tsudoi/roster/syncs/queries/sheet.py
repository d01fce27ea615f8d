"""The sheet as it was read, in a file of its own, so that a long one takes no more memory than a short one.

SQLite makes the file, shows it to nobody, and deletes it when it is closed. Next to the sheet there is room for the
roster that it is compared with, because to find what stands twice or is missing is work for a database.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any

from tsudoi.roster.syncs.rules.cells import Refused, Row, is_blank, read_row
from tsudoi.roster.syncs.rules.columns import Columns, read_headers
from tsudoi.roster.syncs.rules.plan import UNIQUE, twice

# The columns of `sheet` and `roster` are the fields of `Row` and `Existing`, in their order. `late` holds what speaks
# against a good row once the roster is known, `changed` the names of the fields that a row changes.
_TABLES = """
PRAGMA journal_mode=OFF;
PRAGMA temp_store=FILE;
CREATE TABLE sheet (
  number INTEGER PRIMARY KEY, id INTEGER, name TEXT, name_key TEXT, display_order INTEGER, role TEXT, line_user_id TEXT,
  is_target INTEGER, email TEXT, shows_line_name INTEGER, reasons TEXT
);
CREATE TABLE twice (number INTEGER, place INTEGER, reason TEXT, PRIMARY KEY (number, place)) WITHOUT ROWID;
CREATE TABLE roster (
  id INTEGER PRIMARY KEY, name TEXT, name_key TEXT, display_order INTEGER, role TEXT, line_user_id TEXT,
  is_target INTEGER, email TEXT, withdrawn TEXT
);
CREATE TABLE late (number INTEGER PRIMARY KEY, reason TEXT);
CREATE TABLE changed (number INTEGER PRIMARY KEY, names TEXT);
CREATE TABLE linked (id INTEGER PRIMARY KEY, line_user_id TEXT, line_name TEXT);
CREATE VIEW judged AS SELECT sheet.*, coalesce(reasons, reason) AS refused FROM sheet LEFT JOIN late USING (number);
"""
_INDEXES = """
CREATE INDEX sheet_id ON sheet (id);
CREATE INDEX sheet_name_key ON sheet (name_key);
CREATE INDEX sheet_line_user_id ON sheet (line_user_id);
"""
_REFUSE_TWICE = """
UPDATE sheet SET reasons = (SELECT group_concat(reason, char(10)) FROM twice WHERE twice.number = sheet.number)
WHERE number IN (SELECT number FROM twice)
"""


class Sheet:
    """The first row holds the headers. Rows that contradict one another are all refused."""

    def __init__(self, numbered: Iterable[tuple[int, Sequence[Any]]], *, nfkc: bool) -> None:
        source = iter(numbered)
        self.columns: Columns = read_headers(next(source, (1, ()))[1])
        # Planning and writing have threads of their own, but never at the same time.
        self._file = sqlite3.connect("", check_same_thread=False)
        try:
            self._file.executescript(_TABLES)
            self.put("sheet", (_stored(row) for row in _read(self.columns, source, nfkc=nfkc)))
            self._file.executescript(_INDEXES)
            self.put("twice", (fault for place, name in enumerate(UNIQUE) for fault in self._repeated(place, name)))
            self.run(_REFUSE_TWICE)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._file.close()

    def ask(self, question: str, *parameters: Any) -> Iterator[Any]:
        """Rows as they are read from the file; nothing else may be written to the tables meanwhile."""
        return self._file.execute(question, parameters)

    def count(self, of: str) -> int:
        return int(next(self.ask(f"SELECT count(*) FROM {of}"))[0])

    def run(self, statement: str, *parameters: Any) -> None:
        self._file.execute(statement, parameters)

    def put(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """In the place of what stood there before."""
        self.run(f"DELETE FROM {table}")
        source = iter(rows)
        first = next(source, None)
        if first is not None:
            marks = ", ".join("?" * len(first))
            self._file.executemany(f"INSERT INTO {table} VALUES ({marks})", chain([first], source))

    def _repeated(self, place: int, name: str) -> Iterator[tuple[int, int, str]]:
        found = self.ask(
            f"SELECT {name}, number, reasons IS NULL FROM sheet WHERE {name} IN"
            f" (SELECT {name} FROM sheet GROUP BY {name} HAVING count(*) > 1) ORDER BY {name}, number"
        )
        for _, rows in groupby(found, key=itemgetter(0)):
            some = list(islice(rows, 4))
            reason = twice(name, [number for _, number, _ in some])
            # A row that is bad by itself counts as one of them, but has its own reasons.
            yield from ((number, place, reason) for _, number, good in chain(some, rows) if good)


def _read(columns: Columns, source: Iterable[tuple[int, Sequence[Any]]], *, nfkc: bool) -> Iterator[Row | Refused]:
    return (read_row(columns, number, cells, nfkc=nfkc) for number, cells in source if not is_blank(columns, cells))


def _stored(row: Row | Refused) -> tuple[Any, ...]:
    if isinstance(row, Row):
        return (*row, None)
    meant = (row.number, row.id, row.name, row.name_key or None, None, None, row.line_user_id)
    return (*meant, None, None, None, "\n".join(row.reasons))
