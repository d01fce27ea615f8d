from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
import structlog
from sqlalchemy import RowMapping, select, text, update

from tests.conftest import NOON
from tsudoi.core.audit import (
    FIRST_HASH,
    AuditKeyMissing,
    ChainCheck,
    begin_signing,
    head,
    record,
    row_hash,
    verify,
)
from tsudoi.core.clock import ManualClock, utc_text
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.models import AuditHead, AuditLog


class Refused(Exception):
    pass


def _five_deeds(tx: Tx) -> None:
    for number in range(1, 6):
        record(tx, f"admin:{number}", "member.rename", f"member:{number}", old={"name": "旧"}, new={"name": "新"})


class RolledBack(Exception):
    def __init__(self, verdict: ChainCheck) -> None:
        super().__init__()
        self.verdict = verdict


EDITABLE = ["at", "actor", "action", "subject", "reason", "old", "new", "request_id", "hash", "previous_hash"]
TAMPERING = {
    "first row removed": (1, ["DELETE FROM audit_logs WHERE id = 1"]),
    "middle row removed": (3, ["DELETE FROM audit_logs WHERE id = 3"]),
    "last row removed": (5, ["DELETE FROM audit_logs WHERE id = 5"]),
    "all rows removed": (1, ["DELETE FROM audit_logs"]),
    "row removed and gap closed": (
        3,
        ["DELETE FROM audit_logs WHERE id = 3"]
        + [f"UPDATE audit_logs SET id = {number - 1} WHERE id = {number}" for number in (4, 5)],
    ),
    "rows swapped": (
        2,
        [f"UPDATE audit_logs SET id = {new} WHERE id = {old}" for old, new in ((2, 99), (3, 2), (99, 3))],
    ),
    "row renumbered": (1, ["UPDATE audit_logs SET id = 0 WHERE id = 1"]),
    "number in the head edited": (6, ["UPDATE audit_head SET last_id = 4"]),
    "hash in the head edited": (6, ["UPDATE audit_head SET last_hash = 'x'"]),
}


def _row(tx: ReadTx, number: int) -> RowMapping:
    return tx.execute(select(AuditLog).where(AuditLog.id == number)).mappings().one()


def _check_after(db: Database, *statements: str) -> ChainCheck:
    """Tamper, verify, and undo it all, so that one database serves for every kind of tampering."""

    def tamper_and_verify(tx: Tx) -> None:
        _tamper(tx, *statements)
        raise RolledBack(verify(tx))

    with pytest.raises(RolledBack) as caught:
        db.write_now(tamper_and_verify)
    return caught.value.verdict


def _tamper(tx: Tx, *statements: str) -> None:
    """As somebody would who owns the database: the triggers first."""
    if tx.dialect == "postgresql":
        tx.execute(text("DROP TRIGGER audit_logs_append_only ON audit_logs"))
    else:
        for change in ("update", "delete"):
            tx.execute(text(f"DROP TRIGGER audit_logs_no_{change}"))
    for statement in statements:
        tx.execute(text(statement))


class TestRecord:
    def test_says_who_what_when_why_and_from_what_to_what(self, db: Database) -> None:
        with structlog.contextvars.bound_contextvars(request_id="r-1"):
            db.write_now(
                record, "admin:1", "member.rename", "member:7", reason="結婚", old={"b": 1, "a": 2}, new={"b": 3}
            )
        row = db.read_now(lambda tx: tx.execute(select(AuditLog)).one())
        assert (row.id, row.at, row.actor, row.action, row.subject) == (
            1,
            utc_text(NOON),
            "admin:1",
            "member.rename",
            "member:7",
        )
        assert (row.reason, row.old, row.new, row.request_id) == ("結婚", '{"a":2,"b":1}', '{"b":3}', "r-1")
        assert row.previous_hash == FIRST_HASH

    def test_of_a_verb_that_failed_leaves_neither_row_nor_gap(self, db: Database) -> None:
        def record_and_fail(tx: Tx) -> None:
            record(tx, "admin:1", "member.delete", "member:1")
            raise Refused

        db.write_now(_five_deeds)
        with pytest.raises(Refused):
            db.write_now(record_and_fail)
        db.write_now(record, "admin:1", "member.create", "member:9")
        verdict = db.read_now(verify)
        assert (verdict.checked, verdict.broken_at) == (6, None)


class TestAppendOnly:
    @pytest.mark.parametrize(
        "change", ["UPDATE audit_logs SET actor = 'nobody'", "DELETE FROM audit_logs WHERE id = 5"]
    )
    def test_the_database_refuses_changes(self, db: Database, change: str) -> None:
        db.write_now(_five_deeds)
        with pytest.raises(Exception, match="append-only"):
            db.write_now(lambda tx: tx.execute(text(change)))
        assert db.read_now(verify).checked == 5

    @pytest.mark.parametrize("backend", ["postgresql"], indirect=True)
    def test_the_database_refuses_to_empty_the_table(self, db: Database) -> None:
        with pytest.raises(Exception, match="append-only"):
            db.write_now(lambda tx: tx.execute(text("TRUNCATE audit_logs")))


OLD_KEY, KEY = b"an-older-key-of-the-tests-0123456789", b"the-audit-key-of-the-tests-0123456789"


@pytest.fixture
def opened(database_url: str, clock: ManualClock) -> Iterator[Callable[..., Database]]:
    """The same database, as processes with such keys open it."""
    with ExitStack() as stack:

        def open_with(*keys: bytes) -> Database:
            return stack.enter_context(closing(open_database(database_url, clock, audit_keys=keys)))

        yield open_with


def _recomputed(tx: Tx, key: bytes | None = None, first: int = 1) -> None:
    """What somebody who owns the database does: change a row, and compute all hashes from there on anew."""
    _tamper(tx, f"UPDATE audit_logs SET actor = 'nobody' WHERE id = {first}")
    previous = tx.scalar(select(AuditLog.hash).where(AuditLog.id == first - 1)) or FIRST_HASH
    for row in tx.execute(select(AuditLog).where(AuditLog.id >= first).order_by(AuditLog.id)).mappings().all():
        new = {"previous_hash": previous, "hash": row_hash({**row, "previous_hash": previous}, key)}
        tx.execute(update(AuditLog).where(AuditLog.id == row["id"]).values(new))
        previous = new["hash"]
    tx.execute(update(AuditHead).values(last_hash=previous))


class TestKeyed:
    def test_without_a_key_a_chain_that_was_computed_anew_looks_whole(self, db: Database) -> None:
        """The control: this is why there is a key."""
        db.write_now(_five_deeds)
        db.write_now(_recomputed, None, 3)
        assert db.read_now(verify).broken_at is None

    @pytest.mark.parametrize("first", [1, 3, 7, 8])
    def test_a_chain_that_was_computed_anew_is_noticed(self, opened: Callable[..., Database], first: int) -> None:
        opened().write_now(_five_deeds)
        db = opened(KEY)
        db.write_now(begin_signing)
        db.write_now(_five_deeds)
        assert db.read_now(verify).broken_at is None
        for key in (None, b"a-key-that-the-thief-has-made-up-0123456789"):

            def steal(tx: Tx, key: bytes | None = key) -> None:
                _recomputed(tx, key, first)
                raise RolledBack(verify(tx))

            with pytest.raises(RolledBack) as caught:
                db.write_now(steal)
            assert caught.value.verdict.broken_at is not None, key
            assert caught.value.verdict.why

    def test_old_rows_stay_verifiable_and_the_first_signed_row_covers_them(
        self, opened: Callable[..., Database]
    ) -> None:
        opened().write_now(_five_deeds)
        db = opened(KEY)
        db.write_now(begin_signing)
        db.write_now(begin_signing)
        db.write_now(_five_deeds)
        verdict = db.read_now(verify)
        assert (verdict.checked, verdict.broken_at, verdict.signed_from) == (11, None, 6)
        marking = db.read_now(_row, 6)
        assert (marking["actor"], marking["action"], marking["subject"]) == ("start", "AUDIT_KEY", "audit")
        assert KEY.decode() not in str(dict(marking))

    def test_a_key_can_be_changed(self, opened: Callable[..., Database]) -> None:
        first, second = opened(OLD_KEY), opened(KEY, OLD_KEY)
        for db in (first, second):
            db.write_now(begin_signing)
            db.write_now(_five_deeds)
        assert second.read_now(verify).broken_at is None
        forgotten = opened(KEY).read_now(verify)
        assert forgotten.broken_at == 1
        assert "AUDIT_KEY" in str(forgotten.why)

    def test_a_process_without_the_key_writes_nothing(self, opened: Callable[..., Database]) -> None:
        opened(KEY).write_now(_five_deeds)
        for verb in (_five_deeds, begin_signing):
            with pytest.raises(AuditKeyMissing):
                opened().write_now(verb)
        assert opened(KEY).read_now(verify).checked == 5

    def test_a_key_that_has_signed_nothing_yet_proves_nothing(self, opened: Callable[..., Database]) -> None:
        opened().write_now(_five_deeds)
        assert opened(KEY).read_now(verify).broken_at == 6

    def test_an_end_that_was_cut_off_is_noticed_by_what_was_noted_elsewhere(
        self, opened: Callable[..., Database]
    ) -> None:
        db = opened(KEY)
        db.write_now(_five_deeds)
        noted = dict([db.read_now(head)])
        third = db.read_now(_row, 3)["hash"]
        db.write_now(
            _tamper,
            "DELETE FROM audit_logs WHERE id > 3",
            f"UPDATE audit_head SET last_id = 3, last_hash = '{third}'",
        )
        assert db.read_now(verify).broken_at is None, "the key alone does not see it"
        verdict = db.read_now(verify, noted)
        assert verdict.broken_at == 4
        assert "row 5" in str(verdict.why)
        db.write_now(_five_deeds)
        assert db.read_now(verify, noted).broken_at == 5


class TestVerify:
    def test_an_empty_log_is_whole(self, db: Database) -> None:
        assert db.read_now(verify) == ChainCheck(0, FIRST_HASH)

    def test_a_whole_chain_is_whole(self, db: Database) -> None:
        db.write_now(_five_deeds)
        verdict = db.read_now(verify)
        last = db.read_now(lambda tx: tx.scalar(select(AuditLog.hash).where(AuditLog.id == 5)))
        assert verdict == ChainCheck(5, last)

    def test_finds_an_edited_row(self, db: Database) -> None:
        db.write_now(_five_deeds)
        for column in EDITABLE:
            verdict = _check_after(db, f"UPDATE audit_logs SET {column} = 'x' WHERE id = 3")
            assert (verdict.checked, verdict.broken_at) == (2, 3), column
            assert verdict.why

    def test_finds_a_removed_or_moved_row(self, db: Database) -> None:
        db.write_now(_five_deeds)
        for what, (broken_at, statements) in TAMPERING.items():
            verdict = _check_after(db, *statements)
            assert verdict.broken_at == broken_at, what
            assert verdict.why

    def test_finds_a_forged_row_even_when_its_own_hash_is_right(self, db: Database) -> None:
        """Whoever knows the code can compute a hash; the next row, or behind the last one the head, has the old."""
        db.write_now(_five_deeds)
        for number in (3, 5):
            row = dict(db.read_now(_row, number)) | {"actor": "nobody"}
            forged = f"UPDATE audit_logs SET actor = 'nobody', hash = '{row_hash(row)}' WHERE id = {number}"
            assert _check_after(db, forged).broken_at == number + 1

    def test_finds_a_row_added_behind_its_back(self, db: Database) -> None:
        db.write_now(_five_deeds)
        columns = "at, actor, action, subject, reason, old, new, request_id, previous_hash"
        added = f"INSERT INTO audit_logs (id, hash, {columns}) SELECT 6, 'x', {columns} FROM audit_logs WHERE id = 5"
        assert _check_after(db, added).broken_at == 6
