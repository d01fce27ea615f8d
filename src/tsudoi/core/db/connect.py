"""Opens the database that `DATABASE_URL` names."""

from pathlib import Path

from sqlalchemy.engine import make_url

from tsudoi.core.clock import Clock
from tsudoi.core.db.interface import Database


def sqlite_path(url: str) -> Path | None:
    parsed = make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def postgres_url(url: str) -> str:
    """Use psycopg 3 for both spellings, `postgres://` and `postgresql://`."""
    _, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}"


def open_database(url: str, clock: Clock, connections: int = 10, *, audit_keys: tuple[bytes, ...] = ()) -> Database:
    """`audit_keys`: what signs the audit trail. Every command that may write has to hand them over."""
    path = sqlite_path(url) if url.startswith("sqlite") else None
    if path is not None:
        from tsudoi.core.db.sqlite import SqliteDatabase  # noqa: PLC0415 (only the back end in use is loaded)

        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return SqliteDatabase(path, clock, audit_keys=audit_keys)
    from tsudoi.core.db.postgres import PostgresDatabase  # noqa: PLC0415 (as above)

    return PostgresDatabase(postgres_url(url), clock, connections, audit_keys)
