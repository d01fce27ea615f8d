"""A process that sends mails and can be killed: it takes what is due once, in a fork that has everything imported."""

import os
import signal
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog

from tests.notifications.mails.post import mail_runtime
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.gateway.clients.mail import MailClient
from tsudoi.notifications.mails import jobs


class DyingBeforeTheContent(MailClient):
    """The server waits for the content, and the process is gone."""

    def send(self, mail: Any, _before_content: Any = None) -> Any:
        return super().send(mail, _die)


class DyingInTheContent(MailClient):
    """The row says that the content is going out, and the process is gone before the first byte."""

    def send(self, mail: Any, before_content: Any = None) -> Any:
        return super().send(mail, lambda: before_content() and _die())


class DyingAfterTheDot(MailClient):
    """The server has taken the mail, and before anything is written down the process is gone."""

    def send(self, *args: Any) -> Any:
        super().send(*args)
        _die()


CLIENTS = {one.__name__: one for one in (MailClient, DyingBeforeTheContent, DyingInTheContent, DyingAfterTheDot)}


def _die() -> bool:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("dead")


def send(client: str, database_url: str, smtp_url: str, folder: str, now: str) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    db = open_database(database_url, ManualClock(datetime.fromisoformat(now)), connections=6)
    with mail_runtime(db, smtp_url, Path(folder), CLIENTS[client], seconds=1) as runtime:
        while jobs.drain(runtime):
            pass
    db.close()
