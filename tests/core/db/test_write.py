import asyncio
from contextlib import suppress
from contextvars import ContextVar
from threading import Event

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError
from structlog.testing import capture_logs

from tests.conftest import NOON
from tests.core.db.notes import NOTES, Refused, add, add_then_fail, bodies, hold, seen_from_outside
from tests.product_fixtures import postgresql_only
from tsudoi.core.db import postgres
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.errors import DatabaseUnavailable

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


class TestWriteSoon:
    def test_all_are_written_before_the_database_is_closed(self, db: Database, database_url: str) -> None:
        for number in range(20):
            db.write_soon(add, f"n{number}")
        db.close()
        assert seen_from_outside(database_url) == [f"n{number}" for number in range(20)]

    def test_one_that_fails_undoes_itself_alone_and_is_logged(self, db: Database, database_url: str) -> None:
        """They may share a transaction. The first holds the others up, so that they do."""
        started, release = Event(), Event()
        with capture_logs() as logs:
            db.write_soon(hold, started, release)
            assert started.wait(10)
            for number in range(6):
                db.write_soon(add_then_fail if number == 3 else add, f"n{number}")
            release.set()
            db.close()
        assert seen_from_outside(database_url) == ["n0", "n1", "n2", "n4", "n5"]
        assert [entry["event"] for entry in logs] == ["write_failed"]

    def test_those_that_wait_share_a_transaction_and_keep_their_context(self, db: Database) -> None:
        started, release, seen = Event(), Event(), list[tuple[ReadTx, str]]()
        db.write_soon(hold, started, release)
        assert started.wait(10)
        for name in ("anna", "ben"):
            WHO.set(name)
            db.write_soon(lambda tx: seen.append((tx, WHO.get())))
        release.set()
        db.close()
        assert [name for _, name in seen] == ["anna", "ben"]
        assert len({id(tx.connection) for tx, _ in seen}) == 1

    @postgresql_only
    def test_a_commit_of_unknown_fate_is_not_repeated(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        runs: list[str] = []

        def away(_connection: object) -> None:
            raise DatabaseUnavailable

        def note(_tx: Tx, name: str) -> None:
            runs.append(name)

        started, release = Event(), Event()
        db.write_soon(hold, started, release)
        assert started.wait(10)
        monkeypatch.setattr(postgres, "_require_sound", away)
        for name in ("anna", "ben"):
            db.write_soon(note, name)
        release.set()
        db.close()
        assert runs == ["anna", "ben"]


class TestOneTransactionPerVerb:
    def test_what_the_verb_returns_comes_back(self, db: Database) -> None:
        assert db.write_now(add, "a") == "a"
        assert asyncio.run(db.write(add, body="b")) == "b"

    def test_all_statements_of_a_verb_or_none(self, db: Database, database_url: str) -> None:
        def two_then_fail(tx: Tx) -> None:
            add(tx, "first")
            add_then_fail(tx, "second")

        with pytest.raises(Refused, match="second"):
            db.write_now(two_then_fail)
        assert seen_from_outside(database_url) == []

    def test_nobody_sees_a_verb_that_is_not_done(self, db: Database, database_url: str) -> None:
        def look_from_outside(tx: Tx) -> list[str]:
            add(tx, "half")
            return seen_from_outside(database_url)

        assert db.write_now(look_from_outside) == []
        assert seen_from_outside(database_url) == ["half"]

    def test_the_next_verb_is_a_new_transaction(self, db: Database) -> None:
        db.write_now(add, "a")
        with pytest.raises(Refused):
            db.write_now(add_then_fail, "b")
        db.write_now(add, "c")
        assert db.read_now(bodies) == ["a", "c"]

    def test_a_broken_statement_is_the_verbs_own_error(self, db: Database) -> None:
        db.write_now(add, "twice")
        with pytest.raises(IntegrityError):
            db.write_now(add, "twice")

    def test_a_savepoint_inside_a_verb_can_fail_alone(self, db: Database) -> None:
        def insist(tx: Tx) -> None:
            add(tx, "before")
            with pytest.raises(IntegrityError), tx.connection.begin_nested():
                add(tx, "before")
            add(tx, "after")

        db.write_now(insist)
        assert db.read_now(bodies) == ["before", "after"]

    def test_a_swallowed_error_never_becomes_a_false_success(self, db: Database, database_url: str) -> None:
        """PostgreSQL answers COMMIT with a silent rollback after a failed statement; SQLite keeps the rest."""

        def swallow(tx: Tx) -> str:
            add(tx, "kept?")
            with pytest.raises(IntegrityError):
                add(tx, "kept?")
            return "done"

        try:
            answer = db.write_now(swallow)
        except RuntimeError:
            answer = "refused"
        assert (answer, seen_from_outside(database_url)) in [("done", ["kept?"]), ("refused", [])]

    def test_the_time_is_the_clocks(self, db: Database) -> None:
        assert db.write_now(lambda tx: tx.now) == NOON
        assert db.read_now(lambda tx: tx.now) == NOON

    def test_parts_fail_alone_one_after_the_other_and_inside_one_another(self, db: Database) -> None:
        def insist(tx: Tx) -> None:
            for body in ("a", "b", "c"):
                with suppress(Refused), tx.part():
                    (add_then_fail if body == "b" else add)(tx, body)
            with suppress(Refused), tx.part():
                add(tx, "outer, undone")
                with tx.part():
                    add(tx, "inner, undone with it")
                with suppress(Refused), tx.part():
                    add_then_fail(tx, "inner, undone alone")
                raise Refused
            with tx.part():
                add(tx, "d")
                with suppress(Refused), tx.part():
                    add_then_fail(tx, "undone")
                add(tx, "e")

        db.write_now(insist)
        assert db.read_now(bodies) == ["a", "c", "d", "e"]


class TestAnswers:
    def test_leave_only_after_the_commit(self, db: Database, database_url: str) -> None:
        async def write_and_look(body: str) -> bool:
            await db.write(add, body)
            return body in seen_from_outside(database_url)

        async def many() -> list[bool]:
            return await asyncio.gather(*(write_and_look(f"n{number}") for number in range(12)))

        assert all(asyncio.run(many()))

    def test_a_commit_that_fails_gives_no_result(self, db: Database, database_url: str) -> None:
        """A deferred constraint speaks up at the commit, when the verb has long returned."""
        replies = "CREATE TABLE replies (note_id INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)"
        db.write_now(lambda tx: tx.execute(text(replies)))
        ran = []

        def reply_to_nobody(tx: Tx) -> str:
            add(tx, "lost")
            tx.execute(text("INSERT INTO replies (note_id) VALUES (999)"))
            tx.after_commit(lambda: ran.append("after"))
            ran.append("verb")
            return "done"

        with pytest.raises(Exception, match=r"(?i)foreign key"):
            db.write_now(reply_to_nobody)
        assert ran == ["verb"]
        assert seen_from_outside(database_url) == []
        assert db.write_now(add, "next") == "next"

    def test_a_stop_iteration_does_not_hang_the_caller(self, db: Database) -> None:
        """An asyncio future refuses to carry this one error."""

        def nothing_there(_tx: ReadTx) -> object:
            return next(iter(()))

        async def write_all() -> list[object]:
            calls = [db.write(nothing_there), db.write(add, "a"), db.read(nothing_there), db.read(lambda _: "b")]
            return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 10)

        answers = asyncio.run(write_all())
        assert isinstance(answers[0], RuntimeError)
        assert isinstance(answers[2], RuntimeError)
        assert (answers[1], answers[3]) == ("a", "b")

    def test_an_exit_in_a_verb_does_not_take_the_database_along(self, db: Database) -> None:
        with pytest.raises(SystemExit):
            db.write_now(lambda _tx: exec("raise SystemExit(3)"))
        assert db.write_now(add, "alive") == "alive"


class TestAfterCommit:
    def test_runs_when_the_row_is_there(self, db: Database, database_url: str) -> None:
        seen: list[list[str]] = []

        def verb(tx: Tx) -> None:
            add(tx, "a")
            tx.after_commit(lambda: seen.append(seen_from_outside(database_url)))
            assert seen == []

        db.write_now(verb)
        assert seen == [["a"]]

    def test_does_not_run_for_a_verb_that_failed(self, db: Database) -> None:
        ran: list[str] = []

        def verb(tx: Tx) -> None:
            tx.after_commit(lambda: ran.append("after"))
            raise Refused

        with pytest.raises(Refused):
            db.write_now(verb)
        db.write_now(add, "next")
        assert ran == []

    def test_its_failure_is_logged_and_nothing_else(self, db: Database) -> None:
        ran: list[str] = []

        def verb(tx: Tx) -> str:
            tx.after_commit(lambda: exec("raise SystemExit"))
            tx.after_commit(lambda: exec("raise ValueError"))
            tx.after_commit(lambda: ran.append("the next one"))
            return add(tx, "a")

        with capture_logs() as logs:
            assert db.write_now(verb) == "a"
        assert [entry["event"] for entry in logs] == ["after_commit_failed"] * 2
        assert ran == ["the next one"]
        assert db.read_now(bodies) == ["a"]


class TestCallers:
    def test_their_context_reaches_the_verb(self, db: Database) -> None:
        async def from_a_loop() -> tuple[str, str]:
            return await db.write(lambda _tx: WHO.get()), await db.read(lambda _tx: WHO.get())

        token = WHO.set("alice")
        try:
            assert asyncio.run(from_a_loop()) == ("alice", "alice")
            assert db.write_now(lambda _tx: WHO.get()) == "alice"
            assert db.read_now(lambda _tx: WHO.get()) == "alice"
        finally:
            WHO.reset(token)

    def test_one_that_goes_away_disturbs_nobody(self, db: Database) -> None:
        async def cancel_one() -> list[str]:
            started, release = Event(), Event()
            held = asyncio.ensure_future(db.write(hold, started, release))
            await asyncio.to_thread(started.wait, 10)
            gone = asyncio.ensure_future(db.write(add, "from one who left"))
            stays = asyncio.ensure_future(db.write(add, "from one who stays"))
            await asyncio.sleep(0)
            gone.cancel()
            release.set()
            await held
            with pytest.raises(asyncio.CancelledError):
                await gone
            await stays
            return await db.read(bodies)

        assert "from one who stays" in asyncio.run(cancel_one())
        assert db.write_now(add, "later") == "later"

    def test_a_whole_event_loop_that_goes_away_disturbs_nobody(self, db: Database) -> None:
        started, release = Event(), Event()
        loop = asyncio.new_event_loop()
        task = loop.create_task(db.write(hold, started, release))
        loop.run_until_complete(asyncio.sleep(0))
        assert started.wait(10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.close()
        release.set()
        assert db.write_now(add, "alive") == "alive"

    def test_many_rows_in_one_statement(self, db: Database) -> None:
        db.write_now(lambda tx: tx.execute(insert(NOTES), [{"body": "a"}, {"body": "b"}]))
        assert db.read_now(bodies) == ["a", "b"]
