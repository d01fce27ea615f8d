"""How the sender learns about reservations. It knows nothing of the context that has them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.notifications.notices.rules.facts import NoticeFacts


@dataclass(frozen=True, slots=True)
class NoticeReader:
    """A part of the runtime that the context with the reservations makes. Without it no notice is sent."""

    # Locks these reservations against a change and returns the ids that it locked. It must not wait: one that another
    # transaction holds at this moment is left out (`FOR NO KEY UPDATE SKIP LOCKED`), and the sender asks again.
    lock: Callable[[Tx, Sequence[int]], Collection[int]]
    # Reads them as they are now. A dry run reads without a lock.
    facts: Callable[[ReadTx, Sequence[int]], dict[int, NoticeFacts]]
