"""A copy of a PostgreSQL database by `pg_dump`, and a copy put into the place of what is there.

The programs of the server's own version are needed: an older `pg_dump` refuses a newer server.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tsudoi.core.backup.manifest import BadBackup

# While a backup takes its place, what was there before is kept in this schema.
_REPLACED = "tsudoi_replaced"
_MOST_SAID = 1000
_SECONDS_TO_LEAVE = 3
# A server that is frozen still accepts connections, and says nothing.
_CONNECT_SECONDS = 5
_TABLES = """
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY 1"""
_FUNCTIONS = """
    SELECT p.oid::regprocedure::text FROM pg_proc p
    WHERE p.pronamespace = '{schema}'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    ORDER BY 1"""
_OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""


@dataclass(frozen=True, slots=True)
class PostgresPrograms:
    """Where `pg_dump`, `pg_restore` and `psql` are: in a folder of the settings, or on the PATH."""

    folder: Path | None

    def find(self, name: str) -> str:
        found = shutil.which(name, path=str(self.folder) if self.folder else None)
        if found is None:
            where = str(self.folder) if self.folder else "PATH"
            raise BadBackup(
                f"{name} が見つかりません（{where}）。サーバーと同じ版の PostgreSQL クライアントを入れるか、"
                "PG_BIN_DIR を設定してください。\n"
                f"{name} was not found ({where}); install the client of the server's version, or set PG_BIN_DIR."
            )
        return found

    def run(self, url: str, name: str, *arguments: str, stdin: Any = None) -> None:
        done = subprocess.run(  # noqa: S603 (programs of PostgreSQL, with arguments of ours)
            [self.find(name), *arguments], env=_environment(url), stdin=stdin, capture_output=True, check=False
        )
        _require_success(name, done.returncode, done.stderr)


def _require_success(name: str, code: int, said: bytes) -> None:
    if code != 0:
        reason = said.decode(errors="replace").strip()[-_MOST_SAID:]
        raise BadBackup(f"{name} が失敗しました / {name} failed:\n{reason}")


def _environment(url: str) -> dict[str, str]:
    """The address in variables, because everybody on the machine can read the arguments of a process."""
    from psycopg.pq import Conninfo  # noqa: PLC0415 (SQLite does not need it)

    options = Conninfo.parse(_plain(url).encode())
    given = {one.envvar.decode(): one.val.decode() for one in options if one.envvar and one.val}
    return {"PGCONNECT_TIMEOUT": str(_CONNECT_SECONDS), **os.environ, **given}


def _plain(url: str) -> str:
    return f"postgresql://{url.partition('://')[2]}"


def _connect(url: str) -> Any:
    import psycopg  # noqa: PLC0415 (SQLite does not need it)

    try:
        return psycopg.connect(_plain(url), connect_timeout=_CONNECT_SECONDS)
    except psycopg.Error as error:
        raise BadBackup(f"データベースに接続できません / cannot connect: {str(error).strip()}") from error


def copy_postgres(url: str, target: Path, programs: PostgresPrograms) -> tuple[str, dict[str, int]]:
    """Dump one consistent state; returns its schema version and the rows of each table in that very state."""
    programs.find("pg_dump")
    with _connect(url) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        snapshot = connection.execute("SELECT pg_export_snapshot()").fetchone()[0]
        found = inspect_postgres(connection)
        # The dump sees what this transaction sees, as long as it is open.
        programs.run(
            url,
            "pg_dump",
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--exclude-schema={_REPLACED}",
            f"--snapshot={snapshot}",
            f"--file={target}",
        )
    target.chmod(0o600)
    return found


def inspect_postgres(connection: Any) -> tuple[str, dict[str, int]]:
    from psycopg import sql  # noqa: PLC0415 (SQLite does not need it)

    tables = [name for (name,) in connection.execute(_TABLES)]
    count = sql.SQL("SELECT count(*) FROM public.{}")
    rows = {name: connection.execute(count.format(sql.Identifier(name))).fetchone()[0] for name in tables}
    version = connection.execute("SELECT version_num FROM public.alembic_version").fetchone()[0]
    return str(version), rows


def put_in_place(url: str, dump: Path, programs: PostgresPrograms, finish: Callable[[], None]) -> None:
    """Load a dump in one transaction that first moves what is there aside; `finish` checks and migrates it.

    If the load fails, the transaction has changed nothing. If `finish` fails, the old tables are moved back.
    """
    for name in ("pg_restore", "psql"):
        programs.find(name)
    with _connect(url) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {_REPLACED} CASCADE")
    prelude = dump.with_name("prelude.sql")
    prelude.write_text(_move("public", _REPLACED, url, create=True), encoding="utf-8")
    script = dump.with_name("restore.sql")
    programs.run(url, "pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(dump))
    with script.open("rb") as content:
        once = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
        programs.run(url, "psql", *once, f"--file={prelude}", "--file=-", stdin=content)
    with _moved_back_on_failure(url):
        finish()
    with _connect(url) as connection:
        connection.execute(f"DROP SCHEMA {_REPLACED} CASCADE")


@contextmanager
def _moved_back_on_failure(url: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        back = _move(_REPLACED, "public", url)
        with _connect(url) as connection:
            connection.execute(_drop_all(connection))
            connection.execute(back)
            connection.execute(f"DROP SCHEMA {_REPLACED} CASCADE")
        raise


def _move(source: str, target: str, url: str, *, create: bool = False) -> str:
    """Statements that move every table and function of ours; indexes and sequences go with their tables."""
    with _connect(url) as connection:
        tables = [name for (name,) in connection.execute(_TABLES.replace("'public'", f"'{source}'"))]
        connection.execute("SET search_path = ''")
        functions = [name for (name,) in connection.execute(_FUNCTIONS.format(schema=source))]
    statements = [f"CREATE SCHEMA {target}"] if create else []
    statements += [f"ALTER TABLE {source}.{_quoted(name)} SET SCHEMA {target}" for name in tables]
    # PostgreSQL wrote these with their schema, because no schema is in the search path.
    statements += [f"ALTER FUNCTION {name} SET SCHEMA {target}" for name in functions]
    return "".join(f"{statement};\n" for statement in statements)


def _drop_all(connection: Any) -> str:
    tables = [_quoted(name) for (name,) in connection.execute(_TABLES)]
    connection.execute("SET LOCAL search_path = ''")
    functions = [name for (name,) in connection.execute(_FUNCTIONS.format(schema="public"))]
    statements = [f"DROP TABLE public.{name} CASCADE" for name in tables]
    statements += [f"DROP FUNCTION {name} CASCADE" for name in functions]
    return "".join(f"{statement};\n" for statement in statements)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def is_in_use(url: str) -> bool:
    """Whether others stay connected. A connection that was just closed may be listed for a moment."""
    with _connect(url) as connection:
        deadline = time.monotonic() + _SECONDS_TO_LEAVE
        while connection.execute(_OTHERS).fetchone()[0]:
            if time.monotonic() > deadline:
                return True
            time.sleep(0.1)
            connection.rollback()  # A transaction sees one state of the list.
    return False


def inspect_url(url: str) -> tuple[str, dict[str, int]]:
    with _connect(url) as connection:
        return inspect_postgres(connection)
