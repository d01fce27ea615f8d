"""What the tests of mails share: drafts, a worker's runtime whose mails go to the sandbox, and what became of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tests.factories.product import Box, settings_for
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.mail import MailClient, MailConfig
from tsudoi.notifications.mails import jobs, service
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.rules.drafts import MailDraft

HOST = "tsudoi.example.jp"
FROM = "集い 事務局 <office@tsudoi.example.jp>"


def draft(number: int = 1, **more: Any) -> MailDraft:
    given: dict[str, Any] = {
        "purpose": "CONFIRMATION",
        "subject_kind": "reservation",
        "subject_id": str(number),
        "to_address": f"staff{number}@example.jp",
        "subject": "【予約確定】健康診断 2025/08/20 09:00",
        "text": "山田 太郎 様\n\nご予約を承りました。\nhttps://tsudoi.example.jp/staff/\n",
        "host": HOST,
    }
    return MailDraft(**{**given, **more})


def rows(db: Database) -> list[dict[str, Any]]:
    every = select(MailMessage.__table__).order_by(MailMessage.id)
    return [dict(row) for row in db.read_now(lambda tx: tx.execute(every).mappings().all())]


def settings(box_url: str, smtp_url: str | None, folder: Path) -> Any:
    return settings_for("https://tsudoi.example.jp", folder, box_url, smtp_url=smtp_url, mail_from=FROM)


@contextmanager
def mail_runtime(
    db: Database, smtp_url: str | None, folder: Path, client: type[MailClient] = MailClient, seconds: float = 2.0
) -> Iterator[Runtime]:
    """As the worker has it, with less patience."""
    runtime = Runtime.of(settings("http://127.0.0.1:1", smtp_url, folder), db)
    runtime.add(client(MailConfig.of(runtime.settings), db, timedelta(seconds=seconds)), MailClient)
    runtime.add(jobs.MailSender(runtime))
    try:
        yield runtime
    finally:
        runtime.close()


class PostOffice:
    """The worker, its database and the sandbox's mail server."""

    def __init__(self, runtime: Runtime, box: Box, clock: ManualClock) -> None:
        self.runtime, self.db, self.box, self.clock = runtime, runtime.db, box, clock

    def enqueue(self, *drafts: MailDraft) -> list[int | None]:
        return [self.db.write_now(service.enqueue, one) for one in drafts]

    def drain(self) -> int:
        """Everything that is due now."""
        begun = 0
        while number := jobs.drain(self.runtime):
            begun += number
        return begun

    def until_settled(self) -> None:
        """The worker goes on while time passes, until no mail waits."""
        for _ in range(200):
            self.drain()
            if not any(row["status"] == "PENDING" for row in self.rows()):
                return
            self.clock.advance(timedelta(minutes=31))
        raise AssertionError("mails still wait")

    def rows(self) -> list[dict[str, Any]]:
        return rows(self.db)

    def row(self) -> dict[str, Any]:
        (one,) = self.rows()
        return one
