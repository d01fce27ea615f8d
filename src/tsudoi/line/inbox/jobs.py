"""What a handler of LINE's events gets to see and to use."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Database
from tsudoi.core.ndjson import DailyFile
from tsudoi.core.outbox import Outcome, RetryPolicy
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line import LineClient

_log = structlog.stdlib.get_logger(__name__)

# LINE's profiles are back within minutes or not at all, and nobody waits longer for an answer to "hello".
INBOX_POLICY = RetryPolicy(
    first_delay=timedelta(seconds=2),
    most_attempts=8,
    longest_delay=timedelta(minutes=5),
    give_up_after=timedelta(hours=1),
)


@dataclass(frozen=True, slots=True)
class Tools:
    db: Database
    line: LineClient
    settings: Settings


@dataclass(frozen=True, slots=True)
class Told:
    """An event from the inbox."""

    event_id: int
    event_key: str
    kind: str
    user_id: str
    event_ms: int
    attempt: int
    reply: str | None
    payload: dict[str, Any]

    @property
    def is_last_try(self) -> bool:
        return self.attempt >= INBOX_POLICY.most_attempts

    @property
    def reply_token(self) -> str | None:
        found = self.payload.get("replyToken")
        return found if isinstance(found, str) and found else None


Handler = Callable[[Tools, Told], tuple[Outcome, str | None]]


def write_down(tools: Tools, told: Told, **fields: str | int | None) -> None:
    """One line per event handled. What was done stays done when its line cannot be written."""
    now = tools.db.clock.now()
    record = {"ts": jst_text(now), "kind": told.kind, "userId": told.user_id, **fields}
    try:
        DailyFile(tools.settings.log_dir / "line", "WEBHOOK-").append(
            now, [{name: value for name, value in record.items() if value is not None}]
        )
    except OSError:
        _log.exception("webhook_line_not_written")
