"""The fault suites run small in `make test` and at full size in `make prove`."""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

FULL = os.environ.get("PROVE") == "full"


T = TypeVar("T")


def share(items: Iterable[T], dialect: str, parts: int = 2, turn: int = 0) -> Iterator[T]:
    """One part of a long list, another for each database; at full size all of it for both.

    Of two parts, each item is tried on one of the databases. Who asks again and again with the next turn may make more
    parts: each item then meets every other question, and not all of them.
    """
    return iter(items) if FULL else islice(items, (turn + (dialect != "sqlite")) % parts, None, parts)


def size(small: int, full: int) -> int:
    return full if FULL else small
