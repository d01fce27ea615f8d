"""The pages of personal links, `/i/…`, in every state that a person can meet."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import httpx2
from playwright.sync_api import Page

from tests.browser.thread_desk import slot
from tests.factories.threads import BY_HAND
from tools.screenshots.scene import Scene, Step, World, press
from tsudoi.core.clock import JST

_WHO = {"name": "山田 太郎", "email": "yamada@example.jp"}
_OTHER = {"name": "勅使河原 龍之介", "email": "teshigawara@example.jp"}
_ABOUT = "来年度の予算案と、事務所の移転について話し合います。\n資料は当日お配りします。"
_ONE_SLOT = {**BY_HAND, "slot_policy": {"multiple_slots_allowed": False}}
# How long a thread stays open that should have expired before its picture is taken.
_A_MOMENT = timedelta(seconds=3)


class Invited:
    """A thread of the gallery, as the person behind the first link meets it."""

    def __init__(self, world: World, open_for: timedelta, **fields: Any) -> None:
        self._office = world.desk
        self.ends = datetime.now(JST) + open_for
        body = {
            "title": "特定非営利活動法人みらいと地域をむすぶ会 臨時理事会",
            "description": _ABOUT,
            "place": "本部 3階会議室",
            "slots": [slot(5), slot(6, 19), slot(7, 10, label="オンライン")],
            "invitees": [_WHO, _OTHER],
            "rule": BY_HAND,
            "deadline_at": self.ends.isoformat(),
            **fields,
        }
        made = self._create(body)
        self.id: str = made["thread"]["id"]
        self.slots: list[str] = [one["slot_id"] for one in made["slots"]]
        self.paths = [f"/i/{one['invite_token']}" for one in made["candidates"]]

    def _create(self, body: dict[str, Any]) -> dict[str, Any]:
        """Ten in a minute: where the gallery needs more, it waits."""
        while True:
            answer = self._office.client.post("/api/threads", json=body, headers=self._office.headers)
            if answer.status_code != httpx2.codes.TOO_MANY_REQUESTS:
                return dict(answer.raise_for_status().json())
            time.sleep(float(answer.headers["retry-after"]))

    def answer(self, number: int, **answer: Any) -> None:
        self._office.client.post(f"{self.paths[number]}/respond", json=answer).raise_for_status()

    def say_yes(self, number: int = 0) -> None:
        maybe = {"maybe_slot_ids": self.slots[1:2], "comment": "15時に退席します"}
        self.answer(number, status="selected", selected_slot_ids=self.slots[:1], **maybe)

    def act(self, verb: str, **body: Any) -> None:
        url = f"/api/threads/{self.id}/{verb}"
        self._office.client.post(url, json=body, headers=self._office.headers).raise_for_status()

    def decide(self) -> None:
        self.act("finalize", selected_slot_id=self.slots[0], notify=False)

    def let_lapse(self) -> None:
        time.sleep(max(0, (self.ends - datetime.now(JST)).total_seconds() + 1))

    def stop_mails(self) -> None:
        self._office.client.post(f"{self.paths[0]}/unsubscribe").raise_for_status()


Make = Callable[[World], Invited]


def _after(*deeds: Callable[[Invited], object], open_for: timedelta = timedelta(days=3), **fields: Any) -> Make:
    """Makes the thread for the first picture; the others show the same one."""
    known: list[Invited] = []

    def make(world: World) -> Invited:
        if not known:
            known.append(Invited(world, open_for, **fields))
            for deed in deeds:
                deed(known[0])
        return known[0]

    return make


def invitation(name: str, make: Make | None, *steps: Step, path: str = "") -> Scene:
    """What the person sees who opens the link. Without `make` nobody has this link."""

    def show(page: Page, world: World) -> None:
        link = make(world).paths[0] if make else "/i/unknown"
        page.goto(f"{world.product}{link}{path}")
        page.get_by_role("heading", level=1).wait_for()
        for step in steps:
            step(page)

    return Scene(f"invitation-{name}", show)


def _declined(made: Invited) -> None:
    made.answer(0, status="declined", comment="出張のため")


def _others_answer(made: Invited) -> None:
    made.say_yes(1)


def _cancelled(made: Invited) -> None:
    made.act("cancel", reason="台風のため", notify=False)


def _slot_added(made: Invited) -> None:
    made.act("slots", slots=[slot(9)], notify=False)


_OPEN, _ANSWERED, _STOPPED = _after(), _after(Invited.say_yes), _after(Invited.stop_mails)
INVITATION_SCENES = (
    invitation("open", _OPEN),
    invitation("open-abroad", _OPEN, path="?tz=Europe/Berlin"),
    invitation("nothing-chosen", _OPEN, press("回答を送る")),
    invitation("open-others-shown", _after(_others_answer, answers_visible=True)),
    invitation("one-slot", _after(rule=_ONE_SLOT)),
    invitation("answered", _ANSWERED),
    invitation("saved", _ANSWERED, path="?saved=1"),
    invitation("slot-added", _after(Invited.say_yes, _slot_added)),
    invitation("declined", _after(_declined)),
    invitation("expired", _after(Invited.let_lapse, open_for=_A_MOMENT)),
    invitation("expired-answered", _after(Invited.say_yes, Invited.let_lapse, open_for=_A_MOMENT)),
    invitation("decided", _after(Invited.say_yes, Invited.decide)),
    invitation("decided-without-me", _after(_others_answer, Invited.decide)),
    invitation("cancelled", _after(_cancelled)),
    invitation("unknown", None),
    invitation("stop-mails", _OPEN, path="/unsubscribe"),
    invitation("mails-stopped", _STOPPED, path="/unsubscribe"),
    invitation("open-mails-stopped", _STOPPED),
    invitation("mails-again", _OPEN, path="/resubscribe"),
)
