"""What a picture is made of: who opens which page, what the server says meanwhile, and what is pressed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2
from playwright.sync_api import Page, Route

from tests.browser.member_desk import USER_IDS, Desk
from tools.take_pictures import LIFF

Step = Callable[[Page], object]
YAMADA, STRANGER = (USER_IDS[name] for name in ("山田 太郎", "ケン🎣"))
_BROKEN = {
    "code": "INTERNAL",
    "message": "サーバーで問題が起きました。時間をおいて、もう一度お試しください。",
    "details": [],
}
_held: list[Route] = []


@dataclass(frozen=True, slots=True)
class World:
    product: str
    phones: str
    desk: Desk
    box: httpx2.Client
    coming: int
    unanswered: int
    cancelled: int
    audience: int


@dataclass(frozen=True, slots=True)
class Scene:
    name: str
    show: Callable[[Page, World], None]
    whole: bool = True
    logged_in: bool = False
    mend: Callable[[World], object] | None = None


def admin(
    name: str, path: str, *steps: Step, given: tuple[Step, ...] = (), whole: bool = True, loading: bool = False
) -> Scene:
    """`given` happens before the page is opened, the steps after it stands there, or at once while it is loading."""

    def show(page: Page, world: World) -> None:
        for step in given:
            step(page)
        page.goto(f"{world.product}/admin/{path.format(w=world)}")
        page.locator("main").wait_for()
        if not loading:
            page.get_by_role("heading", level=1).first.wait_for()
            page.get_by_role("status", name="読み込んでいます").first.wait_for(state="detached")
        for step in steps:
            step(page)

    return Scene(f"admin-{name}", show, whole, logged_in=True)


def member(
    name: str,
    user_id: str,
    path: str,
    *steps: Step,
    given: tuple[Step, ...] = (),
    whole: bool = True,
    loading: bool = False,
) -> Scene:
    def show(page: Page, world: World) -> None:
        for step in given:
            step(page)
        page.goto(f"{world.phones}/{LIFF}{path.format(w=world)}?as={user_id}")
        page.wait_for_url(re.compile(r"/liff/[^?#]*$|/liff$"))
        if not loading:
            page.get_by_role("heading", level=1).first.wait_for()
            page.wait_for_load_state("networkidle")
        for step in steps:
            step(page)

    return Scene(f"member-{name}", show, whole)


def phones(name: str, *steps: Step, before: Callable[[World], object] | None = None) -> Scene:
    def show(page: Page, world: World) -> None:
        if before:
            before(world)
        page.goto(f"{world.phones}/")
        page.get_by_text("集い 公式").first.wait_for()
        page.wait_for_timeout(1200)
        for step in steps:
            step(page)

    return Scene(name, show, whole=False, mend=_mend)


def _mend(world: World) -> None:
    world.box.delete("/_sandbox/faults")
    world.box.put("/_sandbox/quota", json={"type": "none"})


def press(name: str, role: Any = "button") -> Step:
    return lambda page: page.get_by_role(role, name=re.compile(name)).first.click()


def pause(milliseconds: int) -> Step:
    return lambda page: page.wait_for_timeout(milliseconds)


def see(words: str) -> Step:
    return lambda page: page.get_by_text(re.compile(words)).first.wait_for()


def holds(path: str) -> Step:
    """The server has not answered yet, and does not before the picture is taken."""
    return lambda page: page.route(f"**/api/{path}", _hold)


def _hold(route: Route) -> None:
    _held.append(route)


def let_go() -> None:
    """What was never answered is ended before the browser is, which would complain about it."""
    while _held:
        _held.pop().abort()


def breaks(path: str) -> Step:
    headers = {"x-request-id": "01JD8ZK3V5"}
    return lambda page: page.route(
        f"**/api/{path}", lambda route: route.fulfill(status=500, json=_BROKEN, headers=headers)
    )


def unreachable(path: str) -> Step:
    return lambda page: page.route(f"**/api/{path}", lambda route: route.abort())


def says(path: str, body: Any, status: int = 200) -> Step:
    return lambda page: page.route(f"**/api/{path}", lambda route: route.fulfill(status=status, json=body))


def changes(path: str, **fields: Any) -> Step:
    """What the server says, with some of it otherwise: for what only time or trouble brings about."""

    def answer(route: Route) -> None:
        real = route.fetch()
        route.fulfill(response=real, json=real.json() | fields)

    return lambda page: page.route(f"**/api/{path}", answer)


def alert(page: Page) -> None:
    page.get_by_role("alert").filter(has_text=re.compile(".")).first.wait_for()
