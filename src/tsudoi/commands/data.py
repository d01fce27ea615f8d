"""Settings and database of small commands, which start without loading the whole product."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import ValidationError

from tsudoi.commands.demo_file import contradicts, for_this_command, settings_of_running_demo
from tsudoi.commands.refusals import Refusal, database_refusal, foreign_pictures, settings_fault
from tsudoi.core.clock import SystemClock
from tsudoi.core.settings import Settings

# SQLAlchemy is loaded when the database is opened, because some commands read nothing but the settings.
if TYPE_CHECKING:
    from tsudoi.core.db.interface import Database, ReadTx


def read_settings() -> Settings:
    """The settings of the environment and `.env`, or of the demo that runs in `DATA_DIR` if they do not contradict it.

    With `TSUDOI_DEMO=1` the settings of the demo are always used.
    """
    try:
        own = Settings()
        demo = settings_of_running_demo(own.data_dir)
        if demo is None or (contradicts(own, demo) and not own.tsudoi_demo):
            return own
        return for_this_command(own, demo)
    except ValidationError as error:
        found = [(".".join(map(str, e["loc"])).upper(), e["type"], e.get("ctx", {})) for e in error.errors()]
        faults = "\n".join(f"  - {settings_fault(*one)}" for one in found)
        raise Refusal(f"設定を読み取れません / Settings cannot be read:\n{faults}") from error


@contextmanager
def reachable() -> Iterator[None]:
    """Explain a database that cannot be opened."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise database_refusal(error) from error


@contextmanager
def database_of(settings: Settings) -> Iterator["Database"]:
    from tsudoi.core.db.connect import open_database
    from tsudoi.core.db.schema import require_current

    with reachable():
        require_current(settings.database)
    db = open_database(settings.database, SystemClock(), connections=2, audit_keys=settings.audit_keys)
    try:
        yield db
    finally:
        db.close()


def require_own_pictures(settings: Settings, db: "Database") -> None:
    """Refuse to work with a media store of another database."""
    from tsudoi.core import installation
    from tsudoi.core.media import DirectoryStore, MediaUnavailable

    try:
        installation.require_own_pictures(db, DirectoryStore(settings.media_dir), named_pictures)
    except installation.ForeignPictures as foreign:
        raise foreign_pictures(foreign.stamp, settings.media_dir) from foreign
    except MediaUnavailable as error:
        raise Refusal(
            f"{settings.media_dir} を使えません / the folder cannot be used: {error.__cause__}\n"
            "→ フォルダーの所有者と権限を確認してください / check its owner and mode"
        ) from error


def named_pictures(tx: "ReadTx") -> Iterable[str]:
    """The pictures that rows of any part of the product name."""
    from tsudoi.access.registration import ActiveContexts
    from tsudoi.contexts import CONTEXTS

    return ActiveContexts(CONTEXTS).media_keys(tx)
