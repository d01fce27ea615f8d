"""`tsudoi serve` as a process: how it stops, and what survives a kill."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import httpx2
import pytest
from sqlalchemy import create_engine, text

from tests.factories.id_tokens import forged_token
from tests.factories.processes import SECRETS, Server, started
from tests.factories.product import ADMIN, PASSWORD
from tests.factories.taps import HTTP, Manner, Tap, taps_for
from tests.factories.webhooks import body_of, event, sign, user_id
from tests.servers import eventually, nobody_there
from tsudoi.core.clock import SystemClock

SECRET = SECRETS["LINE_CHANNEL_SECRET"]


def post(http: httpx2.Client, told: dict[str, object]) -> httpx2.Response:
    body = body_of(told)
    headers = {"content-type": "application/json", "x-line-signature": sign(SECRET, body)}
    return http.post("/api/line/webhook", content=body, headers=headers)


def fresh(kind: str, number: int) -> dict[str, object]:
    return event(kind, who=user_id(number), at=SystemClock().now(), event_id=f"01E{number:023d}")


def stored(folder: Path, column: str, table: str, where: str = "1=1") -> set[object]:
    engine = create_engine(f"sqlite:///{folder / 'data' / 'tsudoi.sqlite3'}")
    with engine.connect() as connection:
        found = set(connection.execute(text(f"SELECT {column} FROM {table} WHERE {where}")).scalars())
    engine.dispose()
    return found


@contextmanager
def hanging_line(manner: Manner) -> Iterator[Tap]:
    """In place of LINE; nothing is behind it."""
    with taps_for({"line": (0, HTTP)}) as taps:
        taps["line"].turn(manner)
        yield taps["line"]


class Load:
    """Clients that post webhooks as fast as they can until nobody answers any more."""

    def __init__(self, server: Server, clients: int = 6) -> None:
        self.acknowledged: set[str] = set()
        self.refused: list[int] = []
        self._server = server
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._post, args=(n,)) for n in range(clients)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _post(self, client: int) -> None:
        number = client * 1_000_000
        with self._server.client() as http:
            while not self._stop.is_set():
                number += 1
                told = fresh("message", number)
                try:
                    answer = post(http, told)
                except httpx2.HTTPError:
                    return
                if answer.status_code == 200:
                    self.acknowledged.add(str(told["webhookEventId"]))
                else:
                    self.refused.append(answer.status_code)


class TestStopping:
    def test_under_load_every_request_that_was_taken_is_answered(self, folder: Path) -> None:
        with started(folder, "serve") as server, Load(server) as load:
            eventually(lambda: len(load.acknowledged) > 100)
            asked = time.monotonic()
            code = server.stop()
            took = time.monotonic() - asked
        assert (code, load.refused) == (0, [])
        assert took < 10
        assert stored(folder, "event_key", "line_events") == load.acknowledged

    @pytest.mark.parametrize(("number", "manner"), [(signal.SIGTERM, "drips"), (signal.SIGINT, "keeps silent")])
    def test_it_does_not_wait_for_a_peer_that_hangs(self, folder: Path, number: signal.Signals, manner: Manner) -> None:
        """The job's row is leased: another worker takes it over. Who stops a server will not wait for LINE."""
        with hanging_line(manner) as line, started(folder, "serve", LINE_API_BASE=line.url) as server:
            with server.client() as http:
                assert post(http, fresh("follow", 1)).status_code == 200
            eventually(lambda: line.held and stored(folder, "id", "line_events", "lease_token IS NOT NULL"))
            asked = time.monotonic()
            server.stop(number)
            took = time.monotonic() - asked
        assert took < 10
        assert stored(folder, "status", "line_events") == {"PENDING"}
        assert stored(folder, "following", "line_friends") == {1}

    def test_somebody_who_waits_for_line_is_still_answered(self, folder: Path) -> None:
        heard: list[int] = []

        def enter(server: Server) -> None:
            token = forged_token(aud=SECRETS["LINE_LOGIN_CHANNEL_ID"], exp=time.time() + 600)
            with server.client() as http:
                heard.append(http.post("/api/liff/session", json={"id_token": token}).status_code)

        with hanging_line("drips") as line, started(folder, "serve", LINE_API_BASE=line.url) as server:
            thread = threading.Thread(target=enter, args=(server,))
            thread.start()
            eventually(lambda: line.held)
            asked = time.monotonic()
            server.stop()
            took = time.monotonic() - asked
            thread.join()
        assert heard == [503]
        assert took < 10


class TestKilled:
    def test_what_was_acknowledged_is_handled_by_the_next_process(self, folder: Path) -> None:
        line = nobody_there()
        with started(folder, "serve", LINE_API_BASE=line, WORKER_INLINE="0") as server, server.client() as http:
            answers = [post(http, fresh("unfollow", n)) for n in range(1, 6)]
            server.stop(signal.SIGKILL)
        assert [answer.status_code for answer in answers] == [200] * 5
        assert stored(folder, "status", "line_events") == {"PENDING"}
        with started(folder, "serve", LINE_API_BASE=line):
            eventually(lambda: stored(folder, "status", "line_events") == {"DONE"})
        assert stored(folder, "user_id", "line_friends") == {user_id(n) for n in range(1, 6)}

    def test_under_load_nothing_acknowledged_is_lost(self, folder: Path) -> None:
        with started(folder, "serve") as server, Load(server) as load:
            eventually(lambda: len(load.acknowledged) > 100)
            server.stop(signal.SIGKILL)
        assert load.acknowledged <= stored(folder, "event_key", "line_events")
        assert stored(folder, "*", "pragma_integrity_check") == {"ok"}


def test_the_first_administrator_is_made_at_the_start(folder: Path) -> None:
    credentials = {"ADMIN_USERNAME": ADMIN, "ADMIN_PASSWORD": PASSWORD}
    with started(folder, "serve", **credentials) as server, server.client() as http:
        body = {"username": ADMIN, "password": PASSWORD}
        assert http.post("/api/admin/login", json=body).status_code == 200
