"""A PostgreSQL that is there and does not answer: all its processes are stopped, as on a frozen machine."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import OperationalError

from tests.core.db.notes import add, bodies, create_notes, seen_from_outside
from tests.factories.processes import tsudoi
from tests.postgres import PostgresServer, frozen
from tests.servers import eventually
from tsudoi.core.clock import ManualClock
from tsudoi.core.db import driver, server_watch
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.failures import lost_connection
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.schema import found_version, migration_connection
from tsudoi.core.errors import DatabaseUnavailable


@pytest.fixture
def url(own_postgres: PostgresServer) -> Iterator[str]:
    with own_postgres.database() as found:
        yield found


@pytest.fixture
def impatient_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_watch, "_PATIENCE", 0.5)
    monkeypatch.setattr(server_watch, "_ANSWER_SECONDS", 2)
    monkeypatch.setattr(server_watch, "_LOOK_SECONDS", 0.05)


@pytest.fixture
def db(url: str, clock: ManualClock, impatient_watch: None) -> Iterator[Database]:
    database = open_database(url, clock, connections=3)
    database.write_now(create_notes)
    yield database
    database.close()


class TestAFrozenServer:
    def test_is_an_error_for_everybody_and_works_again_by_itself(self, db: Database, url: str) -> None:
        async def ask() -> list[object]:
            reads = [db.read(bodies) for _ in range(10)]
            writes = [db.write(add, f"frozen {number}") for number in range(10)]
            return await asyncio.gather(*reads, *writes, return_exceptions=True)

        async def open_all_connections() -> None:
            await asyncio.gather(*(db.read(lambda tx: tx.scalar(text("SELECT pg_sleep(0.2)"))) for _ in range(3)))

        db.write_now(add, "before")
        asyncio.run(open_all_connections())
        with frozen(url):
            outcomes = asyncio.run(asyncio.wait_for(ask(), 60))
            assert [type(outcome) for outcome in outcomes] == [DatabaseUnavailable] * 20
            asked = time.monotonic()
            with pytest.raises(DatabaseUnavailable):
                db.read_now(bodies)
            assert time.monotonic() - asked < 2, "the next one does not wait to find out"
        eventually(lambda: _works(db))
        assert "before" in db.read_now(bodies)
        assert db.write_now(add, "after") == "after"

    def test_in_the_commit_promises_nothing(self, db: Database, url: str) -> None:
        heard: list[BaseException] = []

        def commit_slowly(tx: Tx) -> None:
            tx.execute(
                text(
                    """CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$"""
                )
            )
            tx.execute(
                text(
                    """CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION wait()"""
                )
            )
            add(tx, "who knows")
            committing.set()

        def write() -> None:
            try:
                db.write_now(commit_slowly)
            except BaseException as error:  # noqa: BLE001 (the test looks at it)
                heard.append(error)

        committing, thread = threading.Event(), threading.Thread(target=write)
        thread.start()
        assert committing.wait(60)
        with frozen(url):
            thread.join(60)
        assert isinstance(heard[0], DatabaseUnavailable)
        assert "確認できませんでした" in heard[0].message
        eventually(lambda: _works(db))

    def test_does_not_keep_the_process(self, db: Database, url: str) -> None:
        def write() -> None:
            with pytest.raises(DatabaseUnavailable):
                db.write_now(add, "frozen")

        with frozen(url):
            thread = threading.Thread(target=write)
            thread.start()
            closing = threading.Thread(target=db.close)
            closing.start()
            closing.join(60)
            thread.join(60)
            assert not closing.is_alive()
        assert seen_from_outside(url) == []


class TestALongVerb:
    def test_is_left_alone_by_a_server_that_answers(self, db: Database) -> None:
        def work(tx: Tx) -> str:
            tx.execute(text("SELECT pg_sleep(1.5)"))
            return add(tx, "long")

        assert db.write_now(work) == "long"
        assert db.read_now(bodies) == ["long"]

    def test_has_an_end_where_only_its_own_connection_is_frozen(
        self, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(server_watch, "_LONGEST_VERB", 1)
        with pytest.raises(DatabaseUnavailable):
            db.write_now(lambda tx: tx.execute(text("SELECT pg_sleep(30)")))
        assert db.write_now(add, "next") == "next"


def test_the_short_transaction_of_cron_has_an_end_too(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_LONGEST_SECONDS", 0.5)
    with driver.driver_transaction(url) as tx:
        assert tx.value("SELECT 1") == 1
    with pytest.raises(driver.DriverError), driver.driver_transaction(url) as tx, frozen(url):
        tx.value("SELECT 1")


@pytest.mark.usefixtures("impatient_watch")
class TestTheStart:
    @pytest.fixture
    def freezing(self, url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """The server freezes as soon as it has let the first connection in."""
        real = PGDialect_psycopg.connect
        with ExitStack() as stack:

            def connect(dialect: PGDialect_psycopg, *arguments: Any, **given: Any) -> Any:
                connection = real(dialect, *arguments, **given)
                stack.enter_context(frozen(url))
                return connection

            monkeypatch.setattr(PGDialect_psycopg, "connect", connect)
            yield

    @pytest.mark.usefixtures("freezing")
    def test_does_not_wait_for_the_version_for_ever(self, url: str) -> None:
        with pytest.raises(OperationalError):
            found_version(url)

    @pytest.mark.usefixtures("freezing")
    def test_does_not_wait_for_the_first_statement_for_ever(self, url: str, clock: ManualClock) -> None:
        with closing(open_database(url, clock, connections=1)) as database, pytest.raises(DatabaseUnavailable):
            database.read_now(lambda tx: tx.scalar(text("SELECT 1")))

    def test_a_migration_ends_too_and_has_changed_nothing(self, url: str) -> None:
        def migrate_slowly() -> None:
            with migration_connection(url) as connection:
                connection.execute(text("CREATE TABLE half (id int)"))
                with frozen(url):
                    connection.execute(text("CREATE TABLE other_half (id int)"))

        with pytest.raises(OperationalError) as failed:
            migrate_slowly()
        assert lost_connection(failed.value)
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT to_regclass('half')").fetchone() == (None,)

    def test_a_migration_may_take_long(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(server_watch, "_LONGEST_VERB", 0.5)
        with migration_connection(url) as connection:
            connection.execute(text("SELECT pg_sleep(2)"))

    def test_every_command_ends_with_one_and_says_why(self, url: str, tmp_path: Path) -> None:
        """Without a deadline the client library waits for more than two minutes, and `tsudoi` here for less."""
        commands = (("serve",), ("migrate",))
        with frozen(url), ThreadPoolExecutor(len(commands)) as threads:
            outcomes = [threads.submit(tsudoi, tmp_path, *words, DATABASE_URL=url) for words in commands]
            for words, outcome in zip(commands, outcomes, strict=True):
                done = outcome.result()
                assert (done.returncode, "The database cannot be opened" in done.stderr) == (1, True), words
                assert "Traceback" not in done.stderr, words


def _works(db: Database) -> bool:
    try:
        db.read_now(bodies)
    except DatabaseUnavailable:
        return False
    return True
