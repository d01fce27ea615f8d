from collections.abc import Sequence

from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.events.event.models import Event


def pointed_at(tx: ReadTx, media_keys: Sequence[str]) -> set[str]:
    """The keys among these that belong to an event."""
    return set(tx.execute(select(Event.media_key).where(Event.media_key.in_(media_keys))).scalars())


def media_keys(tx: ReadTx) -> list[str]:
    """The folders of the media store in which the pictures of all events are."""
    found: Sequence[str] = tx.execute(select(Event.media_key).where(Event.media_key.is_not(None))).scalars().all()
    return list(found)
