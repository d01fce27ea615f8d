"""Clears away pictures that belong to nothing: an upload whose event was refused, or a crash in between."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

import structlog

from tsudoi.core.db.interface import Database
from tsudoi.core.media import MediaStore
from tsudoi.events.pictures import queries, service

# Files are written before their event is committed: what is young may belong to an event that is just being made.
OLD_ENOUGH = timedelta(hours=1)
AT_A_TIME = 200

_log = structlog.stdlib.get_logger(__name__)


def sweep_orphans(db: Database, media: MediaStore) -> int:
    """Returns how many folders were removed. Looks at a few at a time, however many there are."""
    older_than = db.clock.now() - OLD_ENOUGH
    removed = 0
    waiting = _media_keys(media, older_than)
    while media_keys := list(islice(waiting, AT_A_TIME)):
        kept = db.read_now(queries.pointed_at, media_keys)
        removed += sum(service.discard(media, one) for one in media_keys if one not in kept)
    unfinished = media.tidy(older_than)
    if removed or unfinished:
        _log.info("orphaned_pictures_removed", folders=removed, unfinished=unfinished)
    return removed


def _media_keys(media: MediaStore, older_than: datetime) -> Iterator[str]:
    """Only what is named as we name it: anything else was put there by somebody for a reason."""
    for folder in media.folders(older_than):
        area, _, name = folder.partition("/")
        if area == service.AREA and service.is_media_key(name):
            yield name
