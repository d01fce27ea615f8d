from contextlib import closing
from threading import Event

import pytest

from tests.concurrency.threads import at_once
from tsudoi.core.audit import record, verify
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx

WRITERS, EACH = 8, 6


class Refused(Exception):
    pass


class TestManyWriters:
    @pytest.mark.parametrize("keys", [(), (b"the-audit-key-of-the-tests-0123456789",)], ids=["plain", "signed"])
    def test_make_one_chain_without_gaps(self, database_url: str, clock: ManualClock, keys: tuple[bytes, ...]) -> None:
        with closing(open_database(database_url, clock, audit_keys=keys)) as db:

            def write(number: int) -> None:
                for deed in range(EACH):
                    db.write_now(record, f"admin:{number}", "member.rename", f"member:{deed}")

            at_once(WRITERS, write)
            verdict = db.read_now(verify)
        assert (verdict.checked, verdict.broken_at) == (WRITERS * EACH, None)
        assert verdict.signed_from == (1 if keys else None)

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
