"""A hundred calls in four processes meet the same trouble: one ticket counts them all, and each channel rings once."""

from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.threads import at_once
from tests.factories.chain import chain_of, prepare
from tests.factories.forks import FORKS
from tests.factories.product import Box
from tests.gateway.api_comm import escalators
from tests.product_fixtures import box, plain_log, shared_box
from tsudoi.alarms.escalation.models import EscalationAttempt
from tsudoi.alarms.tickets import service as alarms
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.raw_sql import RawSql

__all__ = ["box", "plain_log", "shared_box"]

PROCESSES, TIMES = 4, 25


@pytest.mark.row("4.4.49")
def test_a_hundred_escalations_from_four_processes_are_one_message(
    db: Database, box: Box, database_url: str, tmp_path: Path, plain_log: None
) -> None:
    prepare(box, db)
    with chain_of(box, db, tmp_path) as chain:
        chain.rule("TEST_ALARM", "chatwork", "email", "sms", severity="critical")
        where = (database_url, box.url, box.smtp_url, str(tmp_path), db.clock.now().isoformat(), TIMES)
        begun = [FORKS.Process(target=escalators.escalate, args=where, daemon=True) for _ in range(PROCESSES)]
        for process in begun:
            process.start()
        for process in begun:
            process.join(120)
            process.kill()
        assert [process.exitcode for process in begun] == [0] * PROCESSES
        (ticket,) = chain.rows(Ticket)
        assert (ticket["occurrences"], ticket["status"]) == (PROCESSES * TIMES, "open")
        assert (len(chain.messages()), len(chain.texts()), len(box.mails())) == (1, 1, 1)
        assert [row["outcome"] for row in chain.rows(EscalationAttempt)] == ["sent"] * 3


def test_without_the_decision_in_the_transaction_everybody_rings(
    db: Database, box: Box, tmp_path: Path, plain_log: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the test above would find a product in which each call decides for itself."""

    class Always(RawSql):
        def changed(self, _tx: Any, _parameters: dict[str, Any]) -> int:
            return 1

    monkeypatch.setattr(alarms, "_TAKE_ALARM", Always("SELECT 1"))
    prepare(box, db)
    with chain_of(box, db, tmp_path) as chain:
        chain.rule("TEST_ALARM", "chatwork")
        at_once(4, lambda _: chain.call("notify.escalation", escalators.TROUBLE))
        assert len(chain.messages()) == 4


def test_tickets_of_the_same_trouble_cannot_be_doubled_by_hand(db: Database, box: Box, tmp_path: Path) -> None:
    prepare(box, db)
    with chain_of(box, db, tmp_path) as chain:
        chain.rule("TEST_ALARM")
        chain.call("notify.escalation", escalators.TROUBLE)

        def double(tx: Tx) -> None:
            columns = "source, dedupe_key, severity, title, details_json, opened_at_utc, last_seen_at_utc"
            tx.driver.execute(f"INSERT INTO tickets ({columns}) SELECT {columns} FROM tickets")

        with pytest.raises(Exception, match=r"(?i)unique"):
            db.write_now(double)
