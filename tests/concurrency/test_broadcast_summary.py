"""`event_push_stats` when many workers finish at once; its control reads first and writes afterwards, and loses."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from sqlalchemy import select

from tests.concurrency.threads import at_once
from tests.events.broadcast.crowd import Hall, gather, hall
from tests.factories.product import Box
from tests.product_fixtures import box, impatient, plain_log, postgresql_only, shared_box
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventPushStats
from tsudoi.events.broadcast.service import settling
from tsudoi.events.broadcast.service.claiming import claim_tasks
from tsudoi.events.broadcast.service.settling import settle_attempt
from tsudoi.events.broadcast.service.tasks import NOBODY, SendAttempt
from tsudoi.gateway.clients.line_outcomes import Accepted, Rejected

__all__ = ["box", "impatient", "plain_log", "shared_box"]

WORKERS = 8


@pytest.fixture
def office(
    db: Database, clock: ManualClock, box: Box, tmp_path: Path, plain_log: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Hall]:
    monkeypatch.setattr(rules, "CHUNK", 2)
    with hall(db, clock, box, tmp_path / "data") as found:
        yield found


def settle_all_at_once(office: Hall) -> tuple[int, int] | None:
    office.enqueue(gather(office.db, office.box, WORKERS * 2))
    tasks = office.db.write_now(claim_tasks, WORKERS)
    words = [Accepted("yes") if number % 2 else Rejected(403, "no") for number in range(WORKERS)]
    attempts = [SendAttempt(task, NOBODY, word) for task, word in zip(tasks, words, strict=True)]
    at_once(WORKERS, lambda number: office.db.write_now(settle_attempt, attempts[number]))
    return office.stats()


def test_every_worker_is_counted(office: Hall) -> None:
    assert settle_all_at_once(office) == (WORKERS, WORKERS)


@postgresql_only
def test_reading_first_loses_some(office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    all_have_read = Barrier(WORKERS)

    def naive(tx: Tx, event_id: int, _kind: str, status: str, number: int) -> None:
        success, fail = tx.scalar(select(EventPushStats.success_count)), tx.scalar(select(EventPushStats.fail_count))
        with suppress(BrokenBarrierError):
            all_have_read.wait(2)
        after: dict[str, Any] = {
            "success_count": (success or 0) + (number if status == "DONE" else 0),
            "fail_count": (fail or 0) + (number if status == "FAILED" else 0),
            "last_sent_at": tx.now,
        }
        statement = upsert(tx, EventPushStats).values(event_id=event_id, **after)
        tx.execute(statement.on_conflict_do_update(index_elements=["event_id"], set_=after))

    monkeypatch.setattr(settling, "count_results", naive)
    assert settle_all_at_once(office) != (WORKERS, WORKERS)
