"""The fault suites run small in `make test` and at full size in `make prove`."""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

FULL = os.environ.get("PROVE") == "full"


T = TypeVar("T")


def share(items: Iterable[T], dialect: str) -> Iterator[T]:
    """Half of a long list for each database, so that all of it is tried on one of them; at full size all on both."""
    return iter(items) if FULL else islice(items, dialect != "sqlite", None, 2)


def size(small: int, full: int) -> int:
    return full if FULL else small
