"""One look for all who watch, bounded for the slow, nothing lost, and an end when the server ends."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from tsudoi.core.feed import KEPT, Feeds, Look, Overlap, Viewer

Numbers = Viewer[int, int]


class Source:
    """Something that changes, and counts how often it is looked at."""

    def __init__(self) -> None:
        self.looks, self.state, self.waiting, self.broken = 0, 0, list[int](), False

    async def __call__(self) -> Look[int, int]:
        self.looks += 1
        await asyncio.sleep(0)
        if self.broken:
            raise ConnectionError
        items, self.waiting = self.waiting, []
        return Look(self.state, items, mark=sum(items))


def made(source: Source) -> Callable[[], Callable[[], Awaitable[Look[int, int]]]]:
    return lambda: source


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


class TestWatch:
    def test_shows_the_state_first_and_then_what_is_new(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds[int, int](tick=0.02, rest=0)
            async with feeds.watch("a", made(source)) as viewer:
                first = await viewer.news(1)
                assert first is not None
                assert (first.state, first.items) == (0, [])
                source.waiting, source.state = [1, 2], 7
                news = await viewer.news(1)
                assert news is not None
                assert (news.state, news.items, news.mark, news.missed) == (7, [1, 2], 3, False)
                assert await viewer.news(0.1) is None, "nothing has changed"

        run(scene)

    def test_looks_as_often_for_fifty_as_for_one(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds[int, int](tick=0.05, rest=0)

            async def view() -> int:
                async with feeds.watch("a", made(source)) as viewer:
                    await asyncio.sleep(0.5)
                    source.waiting = [1]
                    news = await viewer.news(1)
                    assert news is not None
                    return len(news.items)

            seen = await asyncio.gather(*(view() for _ in range(50)))
            assert len(seen) == 50
            assert source.looks <= 20

        run(scene)

    def test_ends_with_the_last_viewer_and_begins_anew(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds[int, int](tick=0.01, rest=0)
            for _ in range(2):
                async with feeds.watch("a", made(source)) as viewer:
                    assert await viewer.news(1) is not None
                looks = source.looks
                await asyncio.sleep(0.05)
                assert source.looks == looks, "nobody watches, nobody looks"
            assert looks >= 2

        run(scene)

    def test_keeps_a_bounded_number_for_the_slow_and_says_that_it_was_not_all(self) -> None:
        run(_slow_and_quick)

    def test_outlives_a_database_that_is_away(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds[int, int](tick=0.01, rest=0)
            source.broken = True
            async with feeds.watch("a", made(source)) as viewer:
                assert await viewer.news(0.1) is None
                source.broken, source.waiting = False, [5]
                news = await viewer.news(1)
                assert news is not None
                assert news.items == [5]

        run(scene)


async def _slow_and_quick() -> None:
    source, feeds = Source(), Feeds[int, int](tick=0.005, rest=0)
    async with feeds.watch("a", made(source)) as slow, feeds.watch("a", made(source)) as quick:
        heard: list[int] = []
        for start in range(0, KEPT + 100, 100):
            source.waiting = list(range(start, start + 100))
            while len(heard) < start + 100:
                news = await quick.news(1)
                heard += news.items if news else []
        assert heard == list(range(KEPT + 100))
        late = await slow.news(1)
        assert late is not None
        assert late.missed
        assert list(late.items) == list(range(100, KEPT + 100))


class TestNudge:
    def test_makes_it_look_at_once_from_any_thread(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds[int, int](tick=30, rest=0.01)
            feeds.nudge("a")
            async with feeds.watch("a", made(source)) as viewer:
                await viewer.news(1)
                source.waiting = [1]
                threading.Thread(target=feeds.nudge, args=("a",)).start()
                news = await viewer.news(5)
                assert news is not None
                assert news.items == [1]

        run(scene)

    def test_a_hundred_of_them_are_a_few_looks(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds[int, int](tick=30, rest=0.1)
            began = asyncio.get_running_loop().time()
            async with feeds.watch("a", made(source)):
                for _ in range(100):
                    feeds.nudge("a")
                    await asyncio.sleep(0.003)
                # One look, and one after each rest; a busy machine makes the hundred nudges take longer.
                rests = (asyncio.get_running_loop().time() - began) / 0.1
                assert source.looks <= 2 + rests

        run(scene)


class TestClose:
    def test_ends_every_viewer_now_and_later(self) -> None:
        async def scene() -> None:
            source, feeds = Source(), Feeds[int, int](tick=30, rest=0)
            async with feeds.watch("a", made(source)) as viewer:
                await viewer.news(1)
                asyncio.get_running_loop().call_later(0.05, feeds.close)
                async with asyncio.timeout(5):
                    assert await viewer.news(20) is None
                assert viewer.over
                async with feeds.watch("b", made(source)) as late:
                    async with asyncio.timeout(5):
                        assert await late.news(20) is None
                    assert late.over

        run(scene)

    def test_may_come_when_nobody_ever_watched_or_the_loop_is_gone(self) -> None:
        Feeds[int, int]().close()
        feeds = Feeds[int, int]()

        async def scene() -> None:
            async with feeds.watch("a", made(Source())) as viewer:
                await viewer.news(1)

        run(scene)
        feeds.close()


class TestOverlap:
    @pytest.mark.parametrize("window", [0, 3, 100])
    def test_tells_each_id_once(self, window: int) -> None:
        overlap, told, stored = Overlap(window), list[int](), list[int]()
        for number in range(1, 50):
            stored.append(number)
            told += overlap.fresh([found for found in stored if found > overlap.mark])
        assert told == stored

    def test_finds_the_one_that_came_late(self) -> None:
        overlap = Overlap(3, [1, 2, 3, 4])
        assert overlap.mark == 1
        assert overlap.fresh([2, 3, 4, 6, 7]) == [6, 7]
        assert overlap.fresh([4, 5, 6, 7]) == [5]
        assert overlap.fresh([5, 6, 7]) == []

    def test_without_a_window_it_would_be_lost(self) -> None:
        overlap = Overlap(0, [1, 2, 3, 4])
        assert overlap.fresh([6, 7]) == [6, 7]
        assert overlap.mark == 7, "the control: the next reading begins after 7, and 5 is never seen"
