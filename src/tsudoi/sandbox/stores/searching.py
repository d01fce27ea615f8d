"""Finds customers and reservations as the lists of STORES do."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tsudoi.sandbox.stores.records import digits

Record = dict[str, Any]

# The field behind each word of `sort`.
SORTS = {
    "booking_made": "booking_made_at",
    "booking_start": "booking_start",
    "latest_changed": "latest_changed_at",
}


@dataclass(frozen=True)
class CustomerSearch:
    """What a caller asks for. None means that it does not matter."""

    merchants: Collection[str]
    email: str | None = None
    phone_number: str | None = None
    name: str | None = None

    def finds(self, record: Record) -> bool:
        return (
            record["merchant_canonical_id"] in self.merchants
            and _contains(record["email"], self.email)
            and _contains(record["name"], self.name)
            and self._has_phone(record)
        )

    def _has_phone(self, record: Record) -> bool:
        """The number is compared with the digits of the record; a number with hyphens is found nowhere."""
        numbers = (record["primary_phone_number"], record["phone_number"])
        return self.phone_number is None or self.phone_number in {digits(number) for number in numbers if number}


@dataclass(frozen=True)
class ReservationSearch:
    """What a caller asks for. Times are compared as moments, whatever their offset is."""

    merchants: Collection[str]
    status: str | None = None
    start_from: datetime | None = None
    start_to: datetime | None = None
    made_from: datetime | None = None
    made_to: datetime | None = None

    def finds(self, record: Record) -> bool:
        return (
            record["merchant_canonical_id"] in self.merchants
            and self.status in (None, record["status"])
            and _within(record["booking_start"], self.start_from, self.start_to)
            and _within(record["booking_made_at"], self.made_from, self.made_to)
        )


def order_of(sort: str | None) -> tuple[Callable[[Record], Any], bool] | None:
    """The key and whether it is the other way round; None for a word that does not exist."""
    if sort is None:
        return (lambda record: record["canonical_id"]), False
    word, _, way = sort.rpartition("_")
    if word not in SORTS or way not in ("asc", "desc"):
        return None
    field = SORTS[word]
    return (lambda record: (datetime.fromisoformat(record[field]), record["canonical_id"])), way == "desc"


def _contains(text: str | None, part: str | None) -> bool:
    return part is None or part.casefold() in (text or "").casefold()


def _within(text: str, first: datetime | None, last: datetime | None) -> bool:
    moment = datetime.fromisoformat(text)
    return (first is None or moment >= first) and (last is None or moment <= last)
