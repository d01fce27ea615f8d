"""A process that meets the same trouble many times, in several threads at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import structlog

from tests.factories.chain import chain_of
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database

TROUBLE = {"rule_code": "TEST_ALARM", "summary": "試験です", "details": {"component": "A.b"}}


def escalate(database_url: str, box_url: str, smtp_url: str, folder: str, now: str, times: int) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    db = open_database(database_url, ManualClock(datetime.fromisoformat(now)), connections=4)
    box: Any = SimpleNamespace(url=box_url, smtp_url=smtp_url)
    with chain_of(box, db, Path(folder)) as chain, ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: chain.call("notify.escalation", TROUBLE), range(times)))
    db.close()
    assert {one["code"] for one in found} == {"ESCALATION_TRIGGERED"}
