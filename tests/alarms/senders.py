"""A process that calls LINE while it is out."""

from datetime import datetime
from typing import Any

import structlog

from tests.factories.product import GivenSettings, runtime_for
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.gateway.clients.line import LineClient

_RETRY_KEY = "0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f"


def push_in_vain(database_url: str, settings: dict[str, Any], now: str, times: int) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    db = open_database(database_url, ManualClock(datetime.fromisoformat(now)), connections=4)
    with runtime_for(GivenSettings(**settings), db) as runtime:
        for _ in range(times):
            runtime.part(LineClient).push("U" + "a" * 32, [{"type": "text", "text": "x"}], _RETRY_KEY)
    db.close()
