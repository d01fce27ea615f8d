"""Stores the two files of an event in the media store, in a folder whose name cannot be guessed."""

import re

import structlog

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Unavailable
from tsudoi.core.media import MediaOfAnotherDatabase, MediaStore
from tsudoi.core.tokens import new_token
from tsudoi.events.pictures import queries
from tsudoi.events.pictures.rules.picture import PreparedPicture

ORIGINAL, PREVIEW = "notice_o.jpg", "notice_p.jpg"
AREA = "events"
_MEDIA_KEY = re.compile(r"[A-Za-z0-9_-]{43}")

_log = structlog.stdlib.get_logger(__name__)


def store(media: MediaStore, prepared: PreparedPicture) -> str:
    """Store both files or none; returns the new media key. Its event has to be committed within an hour."""
    media_key = new_token()
    try:
        media.put(path(media_key, ORIGINAL), prepared.original)
        media.put(path(media_key, PREVIEW), prepared.preview)
    except BaseException:
        discard(media, media_key)
        raise
    return media_key


def discard(media: MediaStore, media_key: str) -> bool:
    """Remove the files when the event was not created. What cannot be removed now is removed by the sweep."""
    try:
        media.delete(f"{AREA}/{media_key}")
    except MediaOfAnotherDatabase:
        raise
    except Unavailable:
        _log.warning("picture_not_removed", exc_info=True)
        return False
    return True


def named_pictures(tx: ReadTx) -> list[str]:
    """The keys of the files of all events, for backups and `tsudoi doctor`."""
    return [path(key, name) for key in queries.media_keys(tx) for name in (ORIGINAL, PREVIEW)]


def urls(public_base_url: str, media_key: str) -> tuple[str, str]:
    """The addresses of the picture in full size and of the small one."""
    folder = f"{public_base_url}/files/{AREA}/{media_key}"
    return f"{folder}/{ORIGINAL}", f"{folder}/{PREVIEW}"


def path(media_key: str, name: str) -> str:
    return f"{AREA}/{media_key}/{name}"


def is_media_key(text: str) -> bool:
    return _MEDIA_KEY.fullmatch(text) is not None
