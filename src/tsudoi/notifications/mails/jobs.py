"""The worker's loop that sends mails: claim as many as there are free threads, talk to the server, settle.

The threads are used for nothing else, so that a mail server that keeps us waiting delays no LINE message and no
database. A mail is claimed only when a thread is free for it, so that no claimed mail waits while its lease runs.
"""

import math
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from datetime import timedelta
from functools import partial
from threading import Lock
from typing import Any

import structlog
from sqlalchemy import Row

from tsudoi.core.errors import Problem
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.mail import MailClient, MailConfig, OutgoingMail
from tsudoi.gateway.clients.mail_outcomes import MailOutcome, MailRefused, MailServerReady
from tsudoi.gateway.http import HttpGateway, Pool
from tsudoi.notifications.mails import service
from tsudoi.notifications.mails.rules.addresses import written_address
from tsudoi.notifications.mails.rules.messages import MailSenderName, message_bytes

_log = structlog.stdlib.get_logger(__name__)

# Few, because mail services slow down or refuse senders that send many mails at once.
THREADS = 4
# How long to wait for a conversation to end before looking for new work.
_PATIENCE = 0.25
# The worker's step returns after this time at the latest, so that its heartbeat goes on; conversations go on too.
_STEP = 5.0
# A page waits for the answer: somebody stands at a door.
_ANSWER_WITHIN = timedelta(seconds=3)
_ASKING = Pool("mail_server_watch", 2, timedelta(seconds=5))
_CANNOT_BE_BUILT = MailRefused(554, "the mail cannot be built")


def drain(runtime: Runtime) -> int:
    """Send the mails that are due; returns how many conversations were begun or are under way."""
    return runtime.part(MailSender).run(time.monotonic() + _STEP)


async def mails_go_out(runtime: Runtime) -> bool:
    """For a page that is about to promise a mail: whether the mail server takes mails of ours at this moment.

    It says nothing about any address, so that a page may show it to everybody.
    """
    watch = runtime.part(MailServerWatch)
    return await runtime.part(HttpGateway).threads.run(_ASKING, watch.takes_mails, if_busy=False)


class MailServerWatch:
    """Asks the mail server whether it takes mails. Those who ask at the same time share one conversation."""

    def __init__(self, runtime: Runtime) -> None:
        self._client = runtime.part(MailClient)
        self._one_at_a_time = Lock()
        self._answer = False
        self._answered_at = -math.inf

    def takes_mails(self) -> bool:
        """Blocks for some seconds at most."""
        came_at = time.monotonic()
        with self._one_at_a_time:
            # An older answer is not used, because an outage begins or ends between two customers.
            if self._answered_at < came_at:
                self._answer = isinstance(self._client.offer(_ANSWER_WITHIN), MailServerReady)
                self._answered_at = time.monotonic()
            return self._answer


class MailSender:
    """Sends the mails of `mail_messages` with a few threads of its own. Each thread settles the mail that it sent."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")
        self._one_run = Lock()
        self._in_flight: set[Future[None]] = set()

    def run(self, until: float) -> int:
        """Run until nothing is due and no conversation is under way, or until that time of `time.monotonic`."""
        config, stopping = self._runtime.part(MailClient).config, self._runtime.stopping
        # Without a mail server the mails wait, and the health check shows how old they are.
        if config is None:
            return 0
        with self._one_run:
            begun = 0
            while True:
                begun += 0 if stopping.is_set() else self._begin(config)
                if not self._in_flight or (time.monotonic() >= until and not stopping.is_set()):
                    return begun or len(self._in_flight)
                self._in_flight = wait(self._in_flight, _PATIENCE, return_when=FIRST_COMPLETED).not_done

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin(self, config: MailConfig) -> int:
        free = THREADS - len(self._in_flight)
        dry_run = self._runtime.settings.notification_cron_dry_run
        rows = self._runtime.db.write_now(service.take, free, dry_run=dry_run) if free else ()
        for row in rows:
            self._in_flight.add(self._pool.submit(copy_context().run, self._send, config, row))
        return len(rows)

    def _send(self, config: MailConfig, row: Row[Any]) -> None:
        """Runs in a thread of the pool, and never raises."""
        outcome = self._outcome(config, row)
        try:
            if self._runtime.db.write_now(service.settle, row, outcome) is None:
                _log.warning("mail_lease_lost", mail_id=row.id)
        except Problem:  # The database is not reachable. The lease runs out, and the row says how far the mail came.
            _log.exception("mail_not_settled", mail_id=row.id)

    def _outcome(self, config: MailConfig, row: Row[Any]) -> MailOutcome:
        sender = MailSenderName(config.sender_name, config.sender_address)
        try:
            content = message_bytes(row._mapping, sender, row.first_attempt_at)  # noqa: SLF001 (public by documentation)
        except Exception:  # noqa: BLE001 (one bad row must not stop the others)
            _log.exception("mail_not_built", mail_id=row.id)
            return _CANNOT_BE_BUILT
        mail = OutgoingMail(written_address(row.to_address), row.message_id, content)
        return self._runtime.part(MailClient).send(mail, partial(self._begin_content, row))

    def _begin_content(self, row: Row[Any]) -> bool:
        if self._runtime.stopping.is_set():
            return False
        return self._runtime.db.write_now(service.begin_content, row, self._check(row.subject_kind))

    def _check(self, subject_kind: str) -> service.MailCheck | None:
        """The check of the context that decides such mails, if that context is on and has one."""
        # Loaded here, because it loads the web framework, which the command that sends notices does not need.
        from tsudoi.access.registration import ActiveContexts  # noqa: PLC0415

        active = self._runtime.find(ActiveContexts)
        check = None if active is None else active.mail_checks.get(subject_kind)
        return None if check is None else partial(check, self._runtime)
