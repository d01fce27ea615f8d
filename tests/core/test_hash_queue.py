import asyncio
import threading

import pytest

from tsudoi.core.hash_queue import HasherBusy, HashQueue, QueueLimits


def make_queue(strangers: int = 10, everybody: int = 20) -> HashQueue:
    return HashQueue("test", QueueLimits(strangers, everybody))


class TestPlaces:
    def test_are_bounded_and_some_are_kept_for_known_devices(self) -> None:
        queue = make_queue(strangers=1, everybody=2)
        with queue.place(known=False):
            with pytest.raises(HasherBusy) as caught, queue.place(known=False):
                pass
            assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "5"})
            with queue.place(known=True), pytest.raises(HasherBusy), queue.place(known=True):
                pass
        with queue.place(known=False):
            pass
        queue.close()

    def test_that_known_devices_have_taken_are_not_for_strangers(self) -> None:
        queue = make_queue(strangers=1, everybody=2)
        with queue.place(known=True), pytest.raises(HasherBusy), queue.place(known=False):
            pass
        queue.close()


class TestTurns:
    def test_known_devices_come_before_strangers_who_waited_longer(self) -> None:
        queue, turns = make_queue(), list[str]()

        async def wait(name: str, *, known: bool) -> None:
            await queue._turn(known=known)
            turns.append(name)

        async def scene() -> None:
            names = ["first 0", "first 1", "stranger 0", "stranger 1", "known 0", "known 1"]
            waiting = [asyncio.ensure_future(wait(name, known=name.startswith("known"))) for name in names]
            while len(turns) < len(names):
                # Everybody who can go on has done so by then, because nothing here waits for a thread.
                for _ in range(10):
                    await asyncio.sleep(0)
                queue._give_turn()
            await asyncio.gather(*waiting)

        asyncio.run(scene())
        queue.close()
        assert turns == ["first 0", "first 1", "known 0", "known 1", "stranger 0", "stranger 1"]

    def test_at_most_two_run_at_once(self) -> None:
        queue, gate, running, most = make_queue(), threading.Lock(), [0], [0]

        def compute() -> None:
            with gate:
                running[0] += 1
                most[0] = max(most[0], running[0])
            threading.Event().wait(0.01)
            with gate:
                running[0] -= 1

        async def scene() -> None:
            await asyncio.gather(*(queue.run(compute, known=bool(n % 2)) for n in range(12)))

        asyncio.run(scene())
        queue.close()
        assert most[0] == 2

    def test_who_goes_away_while_waiting_leaves_the_turn_to_the_next(self) -> None:
        queue, go_on = make_queue(), threading.Event()

        async def scene() -> str:
            begun = [asyncio.ensure_future(queue.run(go_on.wait, 20, known=False)) for _ in range(2)]
            await asyncio.sleep(0)
            gone = [asyncio.ensure_future(queue.run(go_on.wait, 20, known=True)) for _ in range(3)]
            await asyncio.sleep(0)
            for one in gone:
                one.cancel()
            go_on.set()
            await asyncio.gather(*begun, *gone, return_exceptions=True)
            return await asyncio.wait_for(queue.run(lambda: "served", known=False), 20)

        assert asyncio.run(scene()) == "served"
        queue.close()
