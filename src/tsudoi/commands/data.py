"""Settings and database of small commands, which start without loading the whole product."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from tsudoi.commands.demo_file import contradicts, for_this_command, settings_of_running_demo
from tsudoi.commands.refusals import Refusal, database_refusal, foreign_pictures, settings_fault
from tsudoi.core.clock import SystemClock
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.settings import Settings, names_of_settings
from tsudoi.core.settings_file import SettingsFile, SettingsUnreadable, find_settings_file, unknown_names

# SQLAlchemy is loaded when the database is opened, because some commands read nothing but the settings.
if TYPE_CHECKING:
    from tsudoi.core.db.interface import Database, ReadTx

_SERVER = re.compile(
    r"([a-z]+)(?:\+[a-z0-9]+)?://(?:[^@/?#]*@)?((?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\])?(?::\d+)?)(/[^@?#]*)?(?:\?[^@]*)?"
)
_KIND = re.compile(r"[a-z]+(?:\+[a-z0-9]+)?://")


def read_settings(*, new_database: bool = False, in_log: bool = False) -> Settings:
    """The settings of a command that uses the data; standard error says whose data these are.

    `new_database`: the command may make a SQLite file of which the settings file of the installation knows nothing.
    `in_log`: standard error is the log, in which every line is JSON.
    """
    file, settings, own = _read()
    if own:
        _require_known_database(file, settings, allowed=new_database)
    # The processes of the demo have this variable. The panel of the demo says everything once.
    if "TSUDOI_COMMAND" not in os.environ:
        words = [_whose_data(file if own else None, settings)]
        if file is not None and own:
            words += [f"tsudoi: {file.path}: {one}" for one in unknown_names(file, names_of_settings())]
        _say(words, settings, in_log=in_log)
    return settings


def read_settings_alone() -> Settings:
    """The settings of a command that uses no data."""
    return _read()[1]


def _read() -> tuple[SettingsFile | None, Settings, bool]:
    """The settings of the environment and the file, or of the demo that runs in `DATA_DIR` unless they contradict it.

    With `TSUDOI_DEMO=1` the settings of the demo are always used. The last value says that they are not the demo's.
    """
    try:
        file, own = find_settings_file(), Settings()
        demo = settings_of_running_demo(own.data_dir)
        if demo is None or (contradicts(own, demo) and not own.tsudoi_demo):
            return file, own, not own.tsudoi_demo
        return file, for_this_command(own, demo), False
    except SettingsUnreadable as unreadable:
        raise Refusal(str(unreadable)) from unreadable
    except ValidationError as error:
        found = [(".".join(map(str, e["loc"])).upper(), e["type"], e.get("ctx", {})) for e in error.errors()]
        faults = "\n".join(f"  - {settings_fault(*one)}" for one in found)
        raise Refusal(f"設定を読み取れません / Settings cannot be read:\n{faults}") from error


def _require_known_database(file: SettingsFile | None, settings: Settings, *, allowed: bool) -> None:
    """Beside an installation, an empty database that nobody asked for is a mistake: a variable, or another folder."""
    if allowed or file is None or not file.production or not settings.on_sqlite:
        return
    path, named = _sqlite_file(settings.database), _named_in(file)
    if path is None or path.exists() or (named is not None and path == _sqlite_file(named)):
        return
    other = "" if named is None else _without_password(named)
    raise Refusal(
        f"{path} にデータベースはまだありません。{file.path} のデータベースは {other or '決められていません'} です"
        " [NEW_DATABASE]\n"
        f"There is no database at {path} yet; the settings file names {other or 'none'}.\n"
        f"→ 設定ファイルに DATA_DIR か DATABASE_URL を書くか、環境変数を外してください。新しく作る場合は、"
        f"migrate か restore に --new-database を付けてください（{tsudoi_command()} migrate --new-database）"
        " / name it in the file, or make a new one with --new-database"
    )


def _named_in(file: SettingsFile) -> str | None:
    """The database as the file alone says it."""
    if url := file.values.get("DATABASE_URL"):
        return url
    folder = file.values.get("DATA_DIR")
    return f"sqlite:///{(Path(folder) / 'tsudoi.sqlite3').absolute()}" if folder else None


def _sqlite_file(url: str) -> Path | None:
    path = url.partition("?")[0].partition(":///")[2]
    return Path(path) if path and path != ":memory:" else None


def _say(words: Sequence[str], settings: Settings, *, in_log: bool) -> None:
    if not in_log:
        print(*words, sep="\n", file=sys.stderr, flush=True)  # noqa: T201
        return
    import structlog

    from tsudoi.core.log import configure_logging

    configure_logging(settings.log_level)
    for text in words:
        structlog.get_logger(__name__).info(text)


def _whose_data(file: SettingsFile | None, settings: Settings) -> str:
    source = "demo" if settings.tsudoi_demo else "environment"
    if file is not None:
        source = str(file.path.absolute())
    return (
        f"tsudoi: database {_without_password(settings.database)} · folder {settings.data_dir.absolute()}"
        f" · settings {source}"
    )


def _without_password(url: str) -> str:
    """The file, or the server and the name of the database: nothing of the user, the password and the options.

    A password that is not encoded makes it unclear where it ends. Then only the kind of the database is shown.
    """
    if url.startswith("sqlite"):
        return str(_sqlite_file(url) or url)
    found = _SERVER.fullmatch(url)
    return f"{found[1]}://{found[2]}{found[3] or ''}" if found else f"{(_KIND.match(url) or ['?'])[0]}…"


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
