"""G1 for bookings: the server is killed again and again while people book and cancel, and retry until they know."""

import random
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import httpx2
import pytest

from tests.booking.reservations.hospital import Hospital
from tests.concurrency.test_booking_rush import FAR_AWAY, SECRETS
from tests.factories.processes import started
from tests.servers import browser, free_port, nobody_there
from tests.sizes import size
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.core import audit
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.notifications.notices.models import NotificationJob, NotificationSkip

PEOPLE, CLIENTS, SLOTS, SEATS = size(120, 5_000), 8, size(4, 40), size(20, 80)
KILLS = {"sqlite": size(3, 100), "postgresql": size(2, 100)}
CANCELS = 0.3  # So many of those who get a seat give it up again.


class Rush:
    """People who each book one seat, and some of whom cancel it, over a server that dies in between."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder, self.database_url, self.seed = folder, database_url, random.randrange(10**6)
        self.db = open_database(database_url, SystemClock())
        self.clinic = Hospital(self.db, SECRETS["JWT_SECRET"])
        type_id = self.clinic.type()
        self.slots = [self.clinic.slot(type_id, FAR_AWAY, number, capacity=SEATS) for number in range(SLOTS)]
        people = self.clinic.people(PEOPLE, first=1)
        # With a link, so that each booking and cancellation makes its notices too. LINE is away.
        self.clinic.sql("UPDATE staffs SET line_user_id = 'U' || staff_uid")
        self.kept: set[int] = set()
        self.canceled: set[int] = set()
        self.refused = 0
        self.interrupted = 0
        self._port, self._heard, self._up = free_port(), threading.Condition(), threading.Event()
        self._pile: SimpleQueue[str] = SimpleQueue()
        for token in self.clinic.tokens(people):
            self._pile.put(token)

    def go(self, kills: int) -> None:
        moments = random.Random(self.seed)
        threads = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for moment in sorted(moments.sample(range(1, PEOPLE - CLIENTS), kills)):
            self._serve_until(moment, moments.uniform(0, 0.004))
        self._serve_until(PEOPLE, 0)
        for thread in threads:
            thread.join()

    def _settled(self) -> int:
        return len(self.kept) + len(self.canceled) + self.refused

    def _serve_until(self, settled: int, then: float) -> None:
        more = {"DATABASE_URL": self.database_url, "LINE_API_BASE": nobody_there(), "WORKER_INLINE": "0", **SECRETS}
        more["TRUSTED_PROXIES"] = "127.0.0.1/32"
        with started(self.folder, "serve", PORT=str(self._port), **more) as server:
            self._up.set()
            with self._heard:
                assert self._heard.wait_for(lambda: self._settled() >= settled, 120), f"seed {self.seed}"
            time.sleep(then)
            server.stop(signal.SIGKILL)
            self._up.clear()

    def _client(self, number: int) -> None:
        chance = random.Random(self.seed + number)
        with browser(f"http://127.0.0.1:{self._port}") as http, suppress(Empty):
            while True:
                token = self._pile.get_nowait()
                # The product limits the bookings of one address, and at full size one address would make too many.
                address = f"10.0.{chance.randrange(250)}.{chance.randrange(1, 250)}"
                headers = {"authorization": f"Bearer {token}", "idempotency-key": "k", "x-forwarded-for": address}
                self._person(http, headers, chance.choice(self.slots), cancels=chance.random() < CANCELS)

    def _person(self, http: httpx2.Client, headers: dict[str, str], slot_id: int, *, cancels: bool) -> None:
        made = self._until_answered(http, "POST", "/api/reservations", headers, {"slotId": slot_id})
        reservation_id = made.json().get("id")
        if reservation_id is not None and cancels:
            gone = self._until_answered(http, "DELETE", f"/api/reservations/{reservation_id}", headers, {})
            assert gone.status_code == 204, gone.text
        with self._heard:
            if reservation_id is None:
                assert made.json()["code"] == "SLOT_FULL", made.text
                self.refused += 1
            else:
                (self.canceled if cancels else self.kept).add(reservation_id)
            self._heard.notify_all()

    def _until_answered(
        self, http: httpx2.Client, method: str, url: str, headers: dict[str, str], body: dict[str, int]
    ) -> httpx2.Response:
        while True:
            # Without waiting, requests to a port where nobody listens would slow down the server's start.
            self._up.wait()
            try:
                answer = http.request(method, url, json=body, headers=headers)
            except (httpx2.ConnectError, httpx2.TimeoutException):
                continue
            except httpx2.HTTPError:
                self.interrupted += 1
                continue
            if answer.status_code < 500:
                return answer


@pytest.mark.row("3.5.4", "2.6.5")
@pytest.mark.timeout(1700)
def test_killed_while_people_book_nothing_is_lost_and_the_counts_are_right(
    tmp_path: Path, database_url: str, backend: str
) -> None:
    rush = Rush(tmp_path, database_url)
    rush.go(KILLS[backend])
    rows = rush.clinic.reservations()
    assert {row.id for row in rows if row.canceled_at is None} == rush.kept, f"seed {rush.seed}"
    assert {row.id for row in rows if row.canceled_at is not None} == rush.canceled, f"seed {rush.seed}"
    assert rush.db.read_now(lambda tx: list(flaws(tx))) == [], f"seed {rush.seed}"
    assert rush.db.read_now(audit.verify).broken_at is None
    assert len(rush.clinic.audit("RESERVE_CREATE")) == len(rows)
    made = [("CONFIRMATION", row.id) for row in rows] + [("REMINDER", row.id) for row in rows]
    made += [("CANCEL_COMPLETED", reservation_id) for reservation_id in rush.canceled]
    jobs = rush.clinic.rows(NotificationJob)
    assert sorted((job.kind, job.reservation_id) for job in jobs) == sorted(made), f"seed {rush.seed}"
    assert {job.status for job in jobs if job.reservation_id in rush.canceled} == {"DASH", "PENDING"}
    assert rush.clinic.rows(NotificationSkip) == []
    assert rush.interrupted > 0, "no kill met anybody in the middle of a request"
    rush.db.close()
