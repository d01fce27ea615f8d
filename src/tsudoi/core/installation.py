"""Which database this is, whose pictures the media store holds, and whether a restored copy may send."""

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlalchemy import update

from tsudoi.core import audit
from tsudoi.core.clock import parse_text
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.media import MediaOfAnotherDatabase, MediaStore
from tsudoi.core.models import Installation

# So many characters of an id are shown, and are enough to type.
SHOWN = 8
_LOOK = RawSql("SELECT database_id, copy_of, confirmed_at_utc FROM installation")
# A copy that nobody has confirmed. A condition in SQL, so that what claims work asks it in the same statement.
IS_HELD = "EXISTS (SELECT 1 FROM installation WHERE copy_of IS NOT NULL AND confirmed_at_utc IS NULL)"
_HELD = RawSql(f"SELECT 1 WHERE {IS_HELD}")

# The keys of all pictures that rows name. The contexts know them.
NamedPictures = Callable[[ReadTx], Iterable[str]]


@dataclass(frozen=True, slots=True)
class DatabaseIdentity:
    """The id of this database, and of the one that it was restored from."""

    database_id: str
    copy_of: str | None = None
    confirmed_at: datetime | None = None

    @property
    def is_held(self) -> bool:
        """A restored copy that nobody has confirmed sends nothing, because the original may have sent it already."""
        return self.copy_of is not None and self.confirmed_at is None

    @property
    def origin(self) -> str:
        """The database whose data these are: a copy that nobody has confirmed has done nothing of its own."""
        return self.copy_of if self.copy_of is not None and self.is_held else self.database_id


class NotThisCopy(Exception):
    """What was typed is not the beginning of the id of the database that this one was restored from."""


class ForeignPictures(Exception):
    """The media store belongs to another database (`stamp`), or nobody can tell to which (None)."""

    def __init__(self, stamp: str | None) -> None:
        self.stamp = stamp
        super().__init__(stamp or "no stamp")


def identity(tx: ReadTx) -> DatabaseIdentity:
    row = _LOOK.first(tx, {})
    assert row is not None  # noqa: S101 (the migration makes the row, and nobody removes it)
    return DatabaseIdentity(row[0], row[1], None if row[2] is None else parse_text(row[2]))


def is_held(tx: ReadTx) -> bool:
    return _HELD.first(tx, {}) is not None


class SendingHold:
    """Asked before each request that has an effect outside. A copy that was confirmed is not asked about again."""

    def __init__(self, db: Database | None) -> None:
        self._db = db
        self._released = db is None

    def is_on(self) -> bool:
        if self._db is not None and not self._released:
            self._released = not self._db.read_now(is_held)
        return not self._released


def owner_of(db: Database) -> Callable[[], str]:
    """For a media store: asks for the id at the first need, and remembers it."""
    known: list[str] = []

    def owner() -> str:
        if not known:
            known.append(db.read_now(identity).database_id)
        return known[0]

    return owner


def become_copy(tx: Tx) -> DatabaseIdentity:
    """Give a restored database an id of its own, so that it is not taken for the one that it was copied from."""
    before = identity(tx)
    fresh = DatabaseIdentity(str(uuid.uuid4()), before.origin)
    ours = {"database_id": fresh.database_id, "copy_of": fresh.copy_of}
    tx.execute(update(Installation).values(**ours, made_at_utc=tx.now, confirmed_at_utc=None))
    return fresh


def confirm_copy(tx: Tx, beginning: str) -> DatabaseIdentity:
    """From now on the copy sends. `beginning`: the first characters of the id of the database that it is a copy of."""
    found = identity(tx)
    if found.copy_of is None or len(beginning) < SHOWN or not found.copy_of.startswith(beginning.strip().lower()):
        raise NotThisCopy
    if found.is_held:
        tx.execute(update(Installation).values(confirmed_at_utc=tx.now))
        audit.record(tx, "cli", "COPY_CONFIRM", "installation", new={"copy_of": found.copy_of})
    return identity(tx)


def require_own_pictures(db: Database, media: MediaStore, named: NamedPictures) -> None:
    """Compare the stamp of the media store with our id, and stamp a store that has none and is ours.

    A store without a stamp is ours when it is empty, or when a row of ours names a picture in it (it was filled by a
    version that wrote no stamp). Raises `ForeignPictures`. A copy that nobody has confirmed may read the store of the
    database that it was copied from, and changes nothing in it.
    """
    ours, stamp = db.read_now(identity), media.stamp()
    if stamp == ours.database_id or (ours.is_held and stamp == ours.copy_of):
        return
    if stamp is not None:
        raise ForeignPictures(stamp)
    if media.is_empty():
        _set_first_stamp(media, ours)
    elif media.stamp() == ours.database_id:
        return  # Another process has stamped the store since we looked, and put its first picture there.
    elif not db.read_now(_names_one_of, media, named):
        raise ForeignPictures(None)
    elif not ours.is_held:
        _set_first_stamp(media, ours)


def _set_first_stamp(media: MediaStore, ours: DatabaseIdentity) -> None:
    try:
        media.set_stamp(ours.database_id, instead_of=None)
    except MediaOfAnotherDatabase as lost:
        raise ForeignPictures(media.stamp()) from lost


def _names_one_of(tx: ReadTx, media: MediaStore, named: NamedPictures) -> bool:
    return any(_exists(media, key) for key in named(tx))


def missing_pictures(db: Database, media: MediaStore, named: NamedPictures) -> list[str]:
    """The keys that rows name and that the store does not have."""
    return [key for key in db.read_now(lambda tx: list(named(tx))) if not _exists(media, key)]


def _exists(media: MediaStore, key: str) -> bool:
    file = media.open(key)
    if file is None:
        return False
    file.close()
    return True


def adopt_pictures(db: Database, media: MediaStore, beginning: str | None) -> None:
    """Make the store that of this database, by the decision of a person.

    A store of another database is taken over only from somebody who types the first characters of that database's id.
    """
    ours, stamp = db.read_now(identity), media.stamp()
    if stamp == ours.database_id:
        return
    if stamp is not None and (not beginning or len(beginning) < SHOWN or not stamp.startswith(beginning)):
        raise ForeignPictures(stamp)
    media.set_stamp(ours.database_id, instead_of=stamp)
    db.write_now(_note_adoption, stamp)


def _note_adoption(tx: Tx, stamp: str | None) -> None:
    audit.record(tx, "cli", "MEDIA_ADOPT", "installation", new={"stamp": stamp})


def shown(keys: Iterable[str], most: int = 5) -> str:
    """Some of them by name, for a message."""
    listed = list(keys)
    more = f" … (+{len(listed) - most})" if len(listed) > most else ""
    return ", ".join(islice(listed, most)) + more
