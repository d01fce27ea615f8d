"""The loop itself: it waits for no slow call, keeps few calls under way, and returns to its worker."""

import threading
import time
from typing import Any

import pytest

from tests.events.broadcast.crowd import Hall, gather
from tests.product_fixtures import sqlite_only
from tsudoi.events.broadcast import jobs
from tsudoi.events.broadcast.queries import PushResult
from tsudoi.gateway.clients.line import LineClient


class SlowLine:
    """LINE that keeps the call to one recipient until it is let go, and answers all others at once."""

    def __init__(self, office: Hall, monkeypatch: pytest.MonkeyPatch, user: str) -> None:
        self.let_go, self.waits = threading.Event(), threading.Event()
        self.under_way = self.most_under_way = 0
        real, lock = LineClient.multicast, threading.Lock()

        def multicast(client: LineClient, to: Any, messages: Any, retry_key: str) -> Any:
            with lock:
                self.under_way += 1
                self.most_under_way = max(self.most_under_way, self.under_way)
            if user in to:
                self.waits.set()
                assert self.let_go.wait(30)
            outcome = real(client, to, messages, retry_key)
            with lock:
                self.under_way -= 1
            return outcome

        monkeypatch.setattr(LineClient, "multicast", multicast)
        self.office = office


@pytest.fixture
def impatient_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_STEP", 0.5)


def drain_until(office: Hall, broadcast_id: int, wanted: PushResult) -> None:
    """Each step returns to the worker although one call hangs."""
    deadline = time.monotonic() + 60
    while office.result(broadcast_id) != wanted:
        assert jobs.drain(office.runtime) > 0
        assert time.monotonic() < deadline, office.result(broadcast_id)


class TestOneCallThatHangs:
    @pytest.mark.usefixtures("impatient_step")
    def test_holds_up_neither_the_others_nor_later_broadcasts(
        self, office: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people = gather(office.db, office.box, 30)
        slow = SlowLine(office, monkeypatch, people[0].line_user_id)
        first = office.enqueue(people[:20])
        drain_until(office, first, PushResult(success=18, pending=2))
        assert len(office.lines()) == 18
        second = office.enqueue(people[20:], "late")
        drain_until(office, second, PushResult(success=10))
        assert not slow.let_go.is_set()
        slow.let_go.set()
        while jobs.drain(office.runtime):
            pass
        assert office.result(first) == PushResult(success=20)
        assert len(office.lines()) == 30
        assert office.violations(first) == []

    def test_lets_the_request_go_when_its_time_is_over(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        people = gather(office.db, office.box, 6)
        slow = SlowLine(office, monkeypatch, people[0].line_user_id)
        sent = office.enqueue(people)
        jobs.send(office.runtime, sent, until=time.monotonic() + 0.5)
        assert slow.waits.is_set()
        assert office.chunks()[0]["status"] == "PENDING", "it returned while the call hangs"
        slow.let_go.set()
        deadline = time.monotonic() + 30
        while office.chunks()[0]["status"] == "PENDING":
            assert time.monotonic() < deadline, "its own thread settles it"
            time.sleep(0.01)
        assert office.send_all(sent) == PushResult(success=6)
        assert office.violations(sent) == []
        assert office.chunks()[0]["uncertain"] is False

    @sqlite_only
    @pytest.mark.usefixtures("impatient_step")
    def test_there_are_never_more_calls_than_threads(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        people = gather(office.db, office.box, 80)
        slow = SlowLine(office, monkeypatch, people[0].line_user_id)
        office.enqueue(people)
        for _ in range(3):
            jobs.drain(office.runtime)
        slow.let_go.set()
        while jobs.drain(office.runtime):
            pass
        assert 1 < slow.most_under_way <= jobs.THREADS


class TestExceptions:
    @sqlite_only
    def test_a_call_that_raises_is_unknown_and_settled_by_the_same_key(
        self, office: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = LineClient.multicast

        def broken(client: LineClient, *call: Any) -> Any:
            real(client, *call)
            raise ImportError("a part of the client is not there")

        sent = office.invite(2)
        with monkeypatch.context() as patch:
            patch.setattr(LineClient, "multicast", broken)
            assert office.send(sent) == PushResult(pending=2)
        assert office.chunks()[0]["uncertain"] is True
        assert office.send_all(sent) == PushResult(success=2)
        assert office.violations(sent) == []
