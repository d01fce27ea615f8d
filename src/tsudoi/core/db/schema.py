"""The version of the database, and the migration to the version that the code needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from sqlalchemy import Connection, MetaData, inspect, text

from tsudoi.core.db.base import Base
from tsudoi.core.db.connect import postgres_url, sqlite_path
from tsudoi.core.db.sqlite import open_engine
from tsudoi.core.db.version import SchemaMismatch, wanted_version

# The number is arbitrary, but every Tsudoi process must use the same one.
_MIGRATION_LOCK = 7_340_021


def found_version(url: str) -> str | None:
    """None for a database without a schema, and for a file that does not exist, which a look must not create."""
    path = _file_of(url)
    if path is not None and not path.exists():
        return None
    with _connected(url) as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if version is None else str(version)


def require_current(url: str) -> None:
    found, wanted = found_version(url), wanted_version()
    if found != wanted:
        raise SchemaMismatch(found, wanted)


def migrate(url: str) -> None:
    """Bring the schema up to date in one transaction, so that a kill in the middle changes nothing."""
    from alembic import command  # noqa: PLC0415 (slow to import, and needed by this one function only)
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "tsudoi:migrations")
    config.set_main_option("path_separator", "os")
    with migration_connection(url) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def migration_connection(url: str) -> Iterator[Connection]:
    """One transaction for the whole upgrade. Only one process can migrate at a time."""
    with _connected(url) as connection:
        if connection.dialect.name == "sqlite":
            # SQLite alters a table by copying and dropping it, and the drop would cascade to rows that refer to it.
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
            connection.exec_driver_sql("BEGIN EXCLUSIVE")
            try:
                yield connection
                _require_no_orphans(connection)
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            yield connection
            connection.commit()


def _require_no_orphans(connection: Connection) -> None:
    orphan = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if orphan is not None:
        raise RuntimeError(f"FOREIGN KEY broken: a row of {orphan[0]} points at a row of {orphan[2]} that is not there")


def _file_of(url: str) -> Path | None:
    """The file of an SQLite database; its folder exists, or cannot be made, which is an error that says so."""
    path = sqlite_path(url) if url.startswith("sqlite") else None
    if path is not None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    path = _file_of(url)
    if path is None:
        from tsudoi.core.db.postgres import schema_connection  # noqa: PLC0415 (only the back end in use is loaded)

        with schema_connection(postgres_url(url)) as connection:
            yield connection
        return
    engine = open_engine(path)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def all_models() -> MetaData:
    """Import every `models` module by its name, so that a new context needs no entry in a list."""
    package = import_module("tsudoi")
    for module in walk_packages(package.__path__, "tsudoi."):
        if module.name.endswith(".models"):
            import_module(module.name)
    return Base.metadata
