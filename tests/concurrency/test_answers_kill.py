"""G1 for answers: the server is killed again and again while phones with a bad network retry until they hear 201."""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue

import httpx2
import pytest
from sqlalchemy import create_engine, text

from tests.factories.events import liff_cookie, make_event, make_members
from tests.factories.processes import started
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.servers import browser, eventually, free_port, nobody_there
from tests.sizes import size
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database

KILLS = {"sqlite": size(4, 200), "postgresql": size(2, 200)}
POSTS, CLIENTS = size(150, 10_000), 8
# So many that nobody answers more often than is allowed.
MEMBERS = tuple(range(101, 101 + max(CLIENTS, POSTS // 12)))
ABANDONED = 0.25  # So many first tries are given up before the answer comes.
_DEAF, _PATIENT = httpx2.Timeout(5, read=0.0005), httpx2.Timeout(5)


class Run:
    """One event, and phones that each take the next answer from the pile and send it until it is acknowledged."""

    def __init__(self, folder: Path, database_url: str, posts: int, *, with_keys: bool) -> None:
        self.folder, self.database_url, self.posts = folder, database_url, posts
        self.seed = random.randrange(10**6)
        self.acknowledged: dict[str, bytes] = {}
        self.refused: list[int] = []
        self.interrupted = 0
        self._with_keys = with_keys
        self._port = free_port()
        self._heard = threading.Condition()
        self._up = threading.Event()
        self._pile: SimpleQueue[str] = SimpleQueue()
        for number in range(posts):
            self._pile.put(f"answer-{number}")
        self._prepare()

    def _prepare(self) -> None:
        db = open_database(self.database_url, SystemClock())
        event_id = make_event(db, make_members(db, *MEMBERS), extra_text_enabled=1)
        self._url = f"/api/liff/events/{event_id}/respond"
        self._cookies = [liff_cookie(db, user_id(number)) for number in MEMBERS]
        db.close()

    def go(self, kills: int) -> None:
        """Kill the server at so many moments between the first answer and the last, then let it finish."""
        moments = random.Random(self.seed)
        threads = [threading.Thread(target=self._phone, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for moment in sorted(moments.sample(range(1, self.posts - CLIENTS), kills)):
            self._serve_until(moment, moments.uniform(0, 0.004))
        self._serve_until(self.posts, 0)
        for thread in threads:
            thread.join()

    def _serve_until(self, acknowledged: int, then: float) -> None:
        more = {"DATABASE_URL": self.database_url, "LINE_API_BASE": nobody_there(), "WORKER_INLINE": "0"}
        with started(self.folder, "serve", PORT=str(self._port), **more) as server:
            self._up.set()
            with self._heard:
                assert self._heard.wait_for(lambda: self._settled() >= acknowledged, 60), f"seed {self.seed}"
            time.sleep(then)
            server.stop(signal.SIGKILL)
            self._up.clear()

    def _settled(self) -> int:
        return len(self.acknowledged) + len(self.refused)

    def _phone(self, number: int) -> None:
        chance = random.Random(self.seed + number)
        with browser(f"http://127.0.0.1:{self._port}") as http:
            while (name := self._next()) is not None:
                patience = [_DEAF] if chance.random() < ABANDONED else []
                while (answer := self._try(http, name, patience.pop() if patience else _PATIENT)) is None:
                    # Knocking at a door behind which nobody is yet would only slow down who is to open it.
                    self._up.wait()
                self._note(name, answer)

    def _next(self) -> str | None:
        try:
            return self._pile.get_nowait()
        except Empty:
            return None

    def _try(self, http: httpx2.Client, name: str, patience: httpx2.Timeout) -> httpx2.Response | None:
        cookie = self._cookies[int(name.rpartition("-")[2]) % len(self._cookies)]
        headers = {"cookie": f"tsudoi_liff={cookie}", **({"idempotency-key": name} if self._with_keys else {})}
        body = {"status": "attend", "extra_text": name}
        try:
            answer = http.post(self._url, json=body, headers=headers, timeout=patience)
        except (httpx2.ConnectError, httpx2.TimeoutException):
            return None
        except httpx2.HTTPError:
            self.interrupted += 1
            return None
        return None if answer.status_code >= 500 else answer

    def _note(self, name: str, answer: httpx2.Response) -> None:
        with self._heard:
            if answer.status_code == 201:
                self.acknowledged[name] = answer.content
            else:
                self.refused.append(answer.status_code)
            self._heard.notify_all()

    def look(self, statement: str) -> list[tuple[object, ...]]:
        engine = create_engine(self.database_url)
        try:
            with engine.connect() as connection:
                return [tuple(row) for row in connection.execute(text(statement))]
        finally:
            engine.dispose()

    def stored(self) -> Counter[object]:
        return Counter(name for (name,) in self.look("SELECT extra_text FROM event_responses"))


@pytest.fixture
def run(tmp_path: Path, database_url: str) -> Callable[..., Run]:
    return lambda posts, **more: Run(tmp_path, database_url, posts, **more)


class TestKilled:
    @pytest.mark.timeout(1700)
    def test_while_people_answer_nothing_is_lost_and_nothing_doubled(
        self, run: Callable[..., Run], backend: str
    ) -> None:
        asked = run(POSTS, with_keys=True)
        asked.go(KILLS[backend])
        assert asked.refused == []
        assert len(asked.acknowledged) == POSTS
        assert asked.stored() == Counter(dict.fromkeys(asked.acknowledged, 1)), f"seed {asked.seed}"
        kept = {str(key): bytes(body) for key, body in asked.look("SELECT key, body FROM idempotency_keys")}  # type: ignore[call-overload]
        assert kept == asked.acknowledged, f"seed {asked.seed}"
        assert asked.interrupted > 0, "no kill met anybody in the middle of a post"
        if backend == "sqlite":
            assert asked.look("PRAGMA integrity_check") == [("ok",)]

    @sqlite_only
    def test_the_same_without_keys_doubles(self, run: Callable[..., Run]) -> None:
        asked = run(60, with_keys=False)
        asked.go(0)
        eventually(lambda: max(asked.stored().values()) > 1)
        assert set(asked.acknowledged) <= set(asked.stored())
