"""One read for all subscribers, bounded for the slow, nothing lost, and an end when the server stops."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tsudoi.core.feed import KEPT_ITEMS, Feeds, IdWindow, Reader, Snapshot

ONE, TWO = ("number", 1), ("number", 2)


class Source:
    """A subject that changes, and counts how often it is read."""

    def __init__(self) -> None:
        self.reads, self.state, self.waiting, self.broken = 0, 0, list[int](), False

    async def __call__(self) -> Snapshot[int, int]:
        self.reads += 1
        await asyncio.sleep(0)
        if self.broken:
            raise ConnectionError
        items, self.waiting = self.waiting, []
        return Snapshot(self.state, items, mark=sum(items))


def made(source: Source) -> Callable[[], Reader[int, int]]:
    return lambda: source


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


class TestSubscribe:
    def test_shows_the_state_first_and_then_what_is_new(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds(interval=0.02, pause=0)
            async with feeds.subscribe(ONE, made(source)) as subscriber:
                first = await subscriber.next_update(1)
                assert first is not None
                assert (first.state, first.items) == (0, [])
                source.waiting, source.state = [1, 2], 7
                update = await subscriber.next_update(1)
                assert update is not None
                assert (update.state, update.items, update.mark, update.incomplete) == (7, [1, 2], 3, False)
                assert await subscriber.next_update(0.1) is None, "nothing has changed"

        run(scene)

    def test_reads_as_often_for_fifty_as_for_one(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds(interval=0.05, pause=0)

            async def subscribe() -> int:
                async with feeds.subscribe(ONE, made(source)) as subscriber:
                    await asyncio.sleep(0.5)
                    source.waiting = [1]
                    update = await subscriber.next_update(1)
                    assert update is not None
                    return len(update.items)

            seen = await asyncio.gather(*(subscribe() for _ in range(50)))
            assert len(seen) == 50
            assert source.reads <= 20

        run(scene)

    def test_ends_with_the_last_subscriber_and_begins_anew(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds(interval=0.01, pause=0)
            for _ in range(2):
                async with feeds.subscribe(ONE, made(source)) as subscriber:
                    assert await subscriber.next_update(1) is not None
                reads = source.reads
                await asyncio.sleep(0.05)
                assert source.reads == reads, "no subscriber, no reads"
            assert reads >= 2

        run(scene)

    def test_keeps_a_bounded_number_for_the_slow_and_says_that_it_was_not_all(self) -> None:
        run(_slow_and_quick)

    def test_of_another_kind_with_the_same_id_is_another_feed(self) -> None:
        async def scene() -> None:
            numbers, letters, feeds = Source(), Source(), Feeds(interval=30, pause=0)
            async with (
                feeds.subscribe(("number", 1), made(numbers)) as number,
                feeds.subscribe(("letter", 1), made(letters)) as letter,
            ):
                await number.next_update(1)
                await letter.next_update(1)
                numbers.waiting, letters.waiting = [1], [2]
                feeds.nudge(("letter", 1))
                update = await letter.next_update(5)
                assert update is not None
                assert update.items == [2]
                assert await number.next_update(0.1) is None
                assert (numbers.reads, letters.reads) == (1, 2)

        run(scene)

    def test_outlives_a_database_that_is_away(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds(interval=0.01, pause=0)
            source.broken = True
            async with feeds.subscribe(ONE, made(source)) as subscriber:
                assert await subscriber.next_update(0.1) is None
                source.broken, source.waiting = False, [5]
                update = await subscriber.next_update(1)
                assert update is not None
                assert update.items == [5]

        run(scene)


async def _slow_and_quick() -> None:
    source, feeds = Source(), Feeds(interval=0.005, pause=0)
    async with feeds.subscribe(ONE, made(source)) as slow, feeds.subscribe(ONE, made(source)) as quick:
        heard: list[int] = []
        for start in range(0, KEPT_ITEMS + 100, 100):
            source.waiting = list(range(start, start + 100))
            while len(heard) < start + 100:
                update = await quick.next_update(1)
                heard += update.items if update else []
        assert heard == list(range(KEPT_ITEMS + 100))
        late = await slow.next_update(1)
        assert late is not None
        assert late.incomplete
        assert list(late.items) == list(range(100, KEPT_ITEMS + 100))


class TestNudge:
    def test_makes_it_read_at_once_from_any_thread(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds(interval=30, pause=0.01)
            feeds.nudge(ONE)
            async with feeds.subscribe(ONE, made(source)) as subscriber:
                await subscriber.next_update(1)
                source.waiting = [1]
                threading.Thread(target=feeds.nudge, args=(ONE,)).start()
                update = await subscriber.next_update(5)
                assert update is not None
                assert update.items == [1]

        run(scene)

    def test_a_hundred_of_them_are_a_few_reads(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds(interval=30, pause=0.1)
            began = asyncio.get_running_loop().time()
            async with feeds.subscribe(ONE, made(source)):
                for _ in range(100):
                    feeds.nudge(ONE)
                    await asyncio.sleep(0.003)
                # One read, and one after each pause; a busy machine makes the hundred nudges take longer.
                pauses = (asyncio.get_running_loop().time() - began) / 0.1
                assert source.reads <= 2 + pauses

        run(scene)


class TestClose:
    def test_ends_every_subscriber_now_and_later(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds(interval=30, pause=0)
            async with feeds.subscribe(ONE, made(source)) as subscriber:
                await subscriber.next_update(1)
                asyncio.get_running_loop().call_later(0.05, feeds.close)
                async with asyncio.timeout(5):
                    assert await subscriber.next_update(20) is None
                assert subscriber.closed
                async with feeds.subscribe(TWO, made(source)) as late:
                    async with asyncio.timeout(5):
                        assert await late.next_update(20) is None
                    assert late.closed

        run(scene)

    def test_may_come_when_nobody_ever_subscribed_or_the_loop_is_gone(self) -> None:
        Feeds().close()
        feeds = Feeds()

        async def scene() -> None:
            async with feeds.subscribe(ONE, made(Source())) as subscriber:
                await subscriber.next_update(1)

        run(scene)
        feeds.close()


class TestIdWindow:
    @pytest.mark.parametrize("size", [0, 3, 100])
    def test_finds_each_id_once(self, size: int) -> None:
        window, found, stored = IdWindow(size), list[int](), list[int]()
        for number in range(1, 50):
            stored.append(number)
            found += window.unseen([one for one in stored if one > window.mark])
        assert found == stored

    def test_finds_the_one_that_came_late(self) -> None:
        window = IdWindow(3, [1, 2, 3, 4])
        assert window.mark == 1
        assert window.unseen([2, 3, 4, 6, 7]) == [6, 7]
        assert window.unseen([4, 5, 6, 7]) == [5]
        assert window.unseen([5, 6, 7]) == []

    def test_without_a_window_it_would_be_lost(self) -> None:
        window = IdWindow(0, [1, 2, 3, 4])
        assert window.unseen([6, 7]) == [6, 7]
        assert window.mark == 7, "the control: the next reading begins after 7, and 5 is never seen"
