"""Everybody answers at random, for a live show: one run at a time, in the background, a few phones at once."""

import asyncio
import contextlib
from dataclasses import asdict, dataclass
from typing import Any

from tsudoi.sandbox.answer_plan import ATTEND, PlannedAnswer, Wish, plan
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.invitations import invitations
from tsudoi.sandbox.member_phone import MemberPhone, PhoneTrouble, phone_client
from tsudoi.sandbox.state import World

AT_ONCE = 4
# A product that hangs must not hold the show for ever: what is not answered by then counts as failed.
GRACE_SECONDS = 60.0


@dataclass(slots=True)
class Progress:
    running: bool = False
    stopped: bool = False
    people: int = 0
    attend: int = 0
    absent: int = 0
    failed: int = 0

    def count(self, status: str) -> None:
        if status == ATTEND:
            self.attend += 1
        else:
            self.absent += 1

    def give_up(self) -> None:
        self.failed = self.people - self.attend - self.absent


class Answering:
    def __init__(self, world: World) -> None:
        self._world = world
        self._task: asyncio.Task[None] | None = None
        self._progress = Progress()

    def as_json(self) -> dict[str, Any]:
        return asdict(self._progress)

    def start(self, wish: Wish, event_id: int | None, base_url: str) -> dict[str, int]:
        if self._progress.running:
            raise Refusal(409, "Everybody is answering already")
        invited = invitations(self._world.users, self._world.config.liff_id, event_id)
        answers = plan(invited, wish)
        self._progress = Progress(running=bool(answers), people=len(answers))
        self._tell()
        if answers:
            self._task = asyncio.create_task(self._run(answers, base_url))
        return {"people": len(answers), "invited": len(invited)}

    async def stop(self) -> None:
        """Who has not answered yet does not answer any more; that is no failure."""
        if self._task is None or self._task.done():
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def forget(self) -> None:
        await self.stop()
        self._progress = Progress()

    async def _run(self, answers: list[PlannedAnswer], base_url: str) -> None:
        progress = self._progress
        try:
            async with asyncio.timeout(answers[-1].at + GRACE_SECONDS), phone_client(self._world) as client:
                turns, phone = asyncio.Semaphore(AT_ONCE), MemberPhone(self._world, client, base_url)
                async with asyncio.TaskGroup() as group:
                    for answer in answers:
                        group.create_task(self._answer(answer, phone, turns))
        except TimeoutError:
            progress.give_up()
        except asyncio.CancelledError:
            progress.stopped = True
            raise
        finally:
            progress.running = False
            self._tell()

    async def _answer(self, planned: PlannedAnswer, phone: MemberPhone, turns: asyncio.Semaphore) -> None:
        await asyncio.sleep(planned.at)
        async with turns:
            try:
                await phone.answer(planned)
            except PhoneTrouble:
                self._progress.failed += 1
            else:
                self._progress.count(planned.status)
        self._tell()

    def _tell(self) -> None:
        self._world.stream.tell("answers", answers=self.as_json())
