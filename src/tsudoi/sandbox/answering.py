"""Lets everybody answer at random for a demonstration. One run goes on at a time, in the background."""

import asyncio
import contextlib
from dataclasses import asdict, dataclass
from typing import Any

from tsudoi.sandbox.answer_plan import ATTEND, AnswerOptions, PlannedAnswer, invitations, plan
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.member_phone import MemberPhone, PhoneError, phone_client
from tsudoi.sandbox.state import World

# How many phones answer at the same time.
AT_ONCE = 4
# A run ends even if the product hangs: what is not answered by then counts as failed.
GRACE_SECONDS = 60.0


@dataclass(slots=True)
class AnsweringProgress:
    """How far the run is, as the phones page shows it."""

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
    """The run that is under way, if there is one."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._task: asyncio.Task[None] | None = None
        self._progress = AnsweringProgress()

    def as_json(self) -> dict[str, Any]:
        return asdict(self._progress)

    def start(self, options: AnswerOptions, event_id: int | None, base_url: str) -> dict[str, int]:
        if self._progress.running:
            raise Refusal(409, "Everybody is answering already")
        invited = invitations(self._world.users, self._world.config.liff_id, event_id)
        answers = plan(invited, options)
        self._progress = AnsweringProgress(running=bool(answers), people=len(answers))
        self._publish()
        if answers:
            self._task = asyncio.create_task(self._run(answers, base_url))
        return {"people": len(answers), "invited": len(invited)}

    async def stop(self) -> None:
        """Those who have not answered yet do not answer any more, and do not count as failed."""
        if self._task is None or self._task.done():
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def forget(self) -> None:
        await self.stop()
        self._progress = AnsweringProgress()

    async def _run(self, answers: list[PlannedAnswer], base_url: str) -> None:
        progress = self._progress
        try:
            async with asyncio.timeout(answers[-1].at + GRACE_SECONDS), phone_client(self._world) as client:
                slots, phone = asyncio.Semaphore(AT_ONCE), MemberPhone(self._world, client, base_url)
                async with asyncio.TaskGroup() as group:
                    for answer in answers:
                        group.create_task(self._answer(answer, phone, slots))
        except TimeoutError:
            progress.give_up()
        except asyncio.CancelledError:
            progress.stopped = True
            raise
        finally:
            progress.running = False
            self._publish()

    async def _answer(self, planned: PlannedAnswer, phone: MemberPhone, slots: asyncio.Semaphore) -> None:
        await asyncio.sleep(planned.at)
        async with slots:
            try:
                await phone.answer(planned)
            except PhoneError:
                self._progress.failed += 1
            else:
                self._progress.count(planned.status)
        self._publish()

    def _publish(self) -> None:
        self._world.stream.publish("answers", answers=self.as_json())
