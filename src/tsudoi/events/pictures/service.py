"""Two files per event in the media store, below a name that nobody can guess."""

import re

import structlog

from tsudoi.core.errors import Unavailable
from tsudoi.core.media import MediaStore
from tsudoi.core.tokens import new_token
from tsudoi.events.pictures.rules.picture import Prepared

ORIGINAL, PREVIEW = "notice_o.jpg", "notice_p.jpg"
AREA = "events"
_MEDIA_KEY = re.compile(r"[A-Za-z0-9_-]{43}")

_log = structlog.stdlib.get_logger(__name__)


def store(media: MediaStore, prepared: Prepared) -> str:
    """Both files or none; gives the new media key. An event that points at it has to be committed within the hour."""
    media_key = new_token()
    try:
        media.put(path(media_key, ORIGINAL), prepared.original)
        media.put(path(media_key, PREVIEW), prepared.preview)
    except BaseException:
        discard(media, media_key)
        raise
    return media_key


def discard(media: MediaStore, media_key: str) -> bool:
    """For when the event did not come to be. What cannot be removed now is removed by the sweep."""
    try:
        media.delete(f"{AREA}/{media_key}")
    except Unavailable:
        _log.warning("picture_not_removed", exc_info=True)
        return False
    return True


def urls(public_base_url: str, media_key: str) -> tuple[str, str]:
    """Of the picture in full size and of the small one."""
    folder = f"{public_base_url}/files/{AREA}/{media_key}"
    return f"{folder}/{ORIGINAL}", f"{folder}/{PREVIEW}"


def path(media_key: str, name: str) -> str:
    return f"{AREA}/{media_key}/{name}"


def is_media_key(text: str) -> bool:
    return _MEDIA_KEY.fullmatch(text) is not None
