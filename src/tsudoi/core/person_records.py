"""One row about a person, a link between two of them, and what to compare and to search by. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

RecordKind = Literal["member", "staff", "line", "customer", "address"]
RecordState = Literal["active", "withdrawn", "suspended", "left", "blocked", "broken"]
LinkOrigin = Literal["sheet", "name", "office", "registration", "portal", "proof", "unknown"]


class RecordKey(NamedTuple):
    """The name of a record in the whole product, such as `member` `101`."""

    kind: RecordKind
    id: str

    @property
    def subject(self) -> str:
        """How the audit trail names it."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """One row about a person: a member, a staff account, a LINE user, a customer of a shop, or a mail address."""

    key: RecordKey
    # Empty where nobody told us a name.
    name: str
    state: RecordState = "active"
    kana: str | None = None
    # As the office may see it here; masked where no other screen shows it.
    contact: str | None = None
    # The next two are compared with those of other records. The address is in lower case and is not shown.
    line_user_id: str | None = None
    address: str | None = None
    # Further facts for people to read: a label and a value.
    facts: tuple[tuple[str, str], ...] = ()
    # The page of the console where the record is looked after.
    path: str | None = None


@dataclass(frozen=True, slots=True)
class PersonLink:
    """A stored link between two records, and how it came about. `by` is an actor of the audit trail."""

    first: RecordKey
    second: RecordKey
    origin: LinkOrigin
    at: datetime | None = None
    by: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PersonSearch:
    """What somebody looks for. `fold` is the search key of the roster, which contexts below it cannot import."""

    words: str
    fold: Callable[[str], str]

    def filter(self, rows: Iterable[Sequence[Any]]) -> list[str]:
        """The ids of the rows that match: the id comes first in each row, and the texts follow."""
        wanted = self.fold(self.words)
        if not wanted:
            return []
        fold = self.fold
        found = (str(row[0]) for row in rows if any(text and wanted in fold(text) for text in row[1:]))
        # A repeated id, such as an address with two names, counts once.
        return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class PersonTraits:
    """What the records of a person have. Another record that has one of these may be of the same person."""

    line_user_ids: frozenset[str] = frozenset()
    # In lower case.
    addresses: frozenset[str] = frozenset()
    # The names without white space (`name_key`).
    name_keys: frozenset[str] = frozenset()
