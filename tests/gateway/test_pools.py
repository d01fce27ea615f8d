"""Threads for calls to the outside, kept apart by purpose."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
import structlog

from tsudoi.gateway.http import Pool, ThreadPools


@pytest.fixture
def threads() -> Iterator[ThreadPools]:
    made = ThreadPools()
    yield made
    made.close()


def test_a_function_runs_in_a_thread_of_its_pool_with_the_context_of_the_request(threads: ThreadPools) -> None:
    def look(word: str) -> tuple[str, str, str]:
        return word, threading.current_thread().name, structlog.contextvars.get_contextvars()["request_id"]

    async def ask() -> object:
        with structlog.contextvars.bound_contextvars(request_id="r-1"):
            return await threads.run(Pool("line-verify", 1), look, "word", if_busy=None)

    assert asyncio.run(ask()) == ("word", "line-verify_0", "r-1")


def test_beyond_its_size_a_pool_is_busy_while_another_is_free(threads: ThreadPools) -> None:
    held = threading.Event()
    ran: list[str] = []
    full = Pool("full", 1, longest_wait=timedelta(seconds=0.2))

    async def ask() -> list[object]:
        first = asyncio.create_task(threads.run(full, held.wait, 60, if_busy="busy"))
        await asyncio.sleep(0)
        second = await threads.run(full, ran.append, "late", if_busy="busy")
        other = await threads.run(Pool("other", 1), lambda: "free", if_busy="busy")
        return [await first, second, other]

    assert asyncio.run(ask()) == ["busy", "busy", "free"]
    held.set()
    assert asyncio.run(threads.run(Pool("full", 1), lambda: "free again", if_busy="busy")) == "free again"
    assert ran == [], "what nobody waits for any more is not begun"


def test_no_thread_exists_before_the_first_call(threads: ThreadPools) -> None:
    before = threading.active_count()
    another = ThreadPools()
    assert threading.active_count() == before
    another.close()


def test_a_failure_is_the_callers(threads: ThreadPools) -> None:
    def fail() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError):
        asyncio.run(threads.run(Pool("p", 1), fail, if_busy=None))


def test_closing_waits_for_what_has_begun() -> None:
    made, begun, go_on = ThreadPools(), threading.Event(), threading.Event()
    written: list[str] = []

    def call() -> None:
        begun.set()
        go_on.wait(60)
        written.append("outcome")

    async def leave() -> None:
        waiting = asyncio.create_task(made.run(Pool("closing", 1), call, if_busy=None))
        assert await asyncio.to_thread(begun.wait, 10)
        waiting.cancel()

    asyncio.run(leave())
    threading.Timer(0.1, go_on.set).start()
    made.close()
    assert written == ["outcome"]
