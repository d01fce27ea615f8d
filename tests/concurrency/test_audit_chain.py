from threading import Event

from tests.concurrency.threads import at_once
from tsudoi.core.audit import record, verify
from tsudoi.core.db.interface import Database, Tx

WRITERS, EACH = 8, 6


class Refused(Exception):
    pass


class TestManyWriters:
    def test_make_one_chain_without_gaps(self, db: Database) -> None:
        def write(number: int) -> None:
            for deed in range(EACH):
                db.write_now(record, f"admin:{number}", "member.rename", f"member:{deed}")

        at_once(WRITERS, write)
        verdict = db.read_now(verify)
        assert (verdict.checked, verdict.broken_at) == (WRITERS * EACH, None)

    def test_some_of_whom_fail_still_make_one(self, db: Database) -> None:
        def deed(tx: Tx, fails: bool) -> None:
            record(tx, "admin:1", "member.rename", "member:1")
            if fails:
                raise Refused

        failed = Event()

        def write(number: int) -> None:
            for _ in range(EACH):
                try:
                    db.write_now(deed, fails=number % 2 == 1)
                except Refused:
                    failed.set()

        at_once(WRITERS, write)
        verdict = db.read_now(verify)
        assert (verdict.checked, verdict.broken_at) == (WRITERS // 2 * EACH, None)
        assert failed.is_set()
