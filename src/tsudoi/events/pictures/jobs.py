"""Removes pictures that belong to no event, because the event was refused or the process died in between."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

import structlog

from tsudoi.core.db.interface import Database
from tsudoi.core.media import MediaStore
from tsudoi.events.pictures import queries, service

# Files are written before their event is committed, so a young file may belong to an event that is being created.
OLD_ENOUGH = timedelta(hours=1)
AT_A_TIME = 200

_log = structlog.stdlib.get_logger(__name__)


def sweep_orphans(db: Database, media: MediaStore) -> int:
    """Returns how many folders were removed. They are read in batches, because there may be many.

    Raises `MediaOfAnotherDatabase`, and removes nothing, where the store is not that of this database. The store
    compares its stamp at each removal too.
    """
    media.require_owner()
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
    """Only folders with our kind of name; others were put there by somebody else."""
    for folder in media.folders(older_than):
        area, _, name = folder.partition("/")
        if area == service.AREA and service.is_media_key(name):
            yield name
