"""Notices that PostgreSQL has stopped to answer, and ends the calls that wait for it.

A thread that waits in the client library waits for ever if the server is frozen: its machine still confirms every
packet. A deadline for each verb would end long imports too. So a verb that takes long makes us ask by another
connection whether the server is alive. If it does not answer, the connections of the waiting verbs are shut down. Their
threads then get the usual error of a lost connection, with what is known about their commit.
"""

import threading
import time
from typing import Any

import psycopg
import structlog
from psycopg.errors import ConnectionTimeout

from tsudoi.core.db.driver import cut_off
from tsudoi.core.errors import DatabaseUnavailable

_log = structlog.stdlib.get_logger(__name__)

# A verb that takes longer than this makes us ask, and again after the same time.
_PATIENCE = 5.0
# How long the server may take to let us in. libpq knows whole seconds, and two are its least.
_ANSWER_SECONDS = 5
# The server ends every statement after a minute. No verb has so many of them, so only its own process can be frozen.
_LONGEST_VERB = 600.0
_LOOK_SECONDS = 0.5


class ServerWatch:
    """Watches the connections that are in use; one thread for all of them."""

    def __init__(self, parameters: dict[str, Any], longest: float | None = None) -> None:
        """`longest`: how many seconds a verb may take while the server answers; None: `_LONGEST_VERB`."""
        self._longest = longest
        self._parameters = {**parameters, "connect_timeout": _ANSWER_SECONDS}
        self._in_use: dict[psycopg.Connection[Any], float] = {}
        self._gate, self._stop = threading.Lock(), threading.Event()
        self._frozen = False
        self._alive_at = time.monotonic()
        threading.Thread(target=self._run, name="db-watch", daemon=True).start()

    def require_answering(self) -> None:
        """Refuse at once while the server is frozen, so that nobody waits to find out what we know."""
        if self._frozen:
            raise DatabaseUnavailable

    def begin(self, connection: "psycopg.Connection[Any]") -> None:
        self._in_use[connection] = time.monotonic()

    def end(self, connection: "psycopg.Connection[Any]") -> None:
        """Call it before the connection is closed: another file could get the same number."""
        with self._gate:
            self._in_use.pop(connection, None)

    def close(self) -> None:
        self._stop.set()  # Without waiting for the thread, which may be asking a frozen server.

    def _run(self) -> None:
        while not self._stop.wait(_LOOK_SECONDS):
            oldest = min(list(self._in_use.values()), default=None)
            now = time.monotonic()
            if self._frozen or (oldest is not None and now - max(oldest, self._alive_at) > _PATIENCE):
                self._ask(now)

    def _ask(self, asked_at: float) -> None:
        answers = self._answers()
        if answers is None:
            return
        if self._frozen is answers:
            _log.warning("database_answers_again" if answers else "database_frozen")
        self._frozen = not answers
        self._alive_at = time.monotonic()
        longest = _LONGEST_VERB if self._longest is None else self._longest
        self._cut_off(asked_at - (longest if answers else _PATIENCE))

    def _answers(self) -> bool | None:
        """Whether the server lets us in. None: it refuses, which the waiting verbs hear from it too."""
        try:
            psycopg.connect(**self._parameters).close()
        except ConnectionTimeout:
            return False
        except psycopg.Error:
            return None
        return True

    def _cut_off(self, begun_before: float) -> None:
        with self._gate:
            late = [connection for connection, begun in self._in_use.items() if begun < begun_before]
            for connection in late:
                cut_off(connection)
                del self._in_use[connection]
        if late:
            _log.warning("database_calls_cut_off", calls=len(late))
