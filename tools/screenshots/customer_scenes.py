"""The pages of a shop's customers: at the door in a browser, and inside LINE."""

import re
import time
from itertools import count

from playwright.sync_api import Page

from tests.browser.customer_desk import MERCHANT, SHOP
from tools.screenshots.scene import STRANGER, YAMADA, Scene, World, member, press

_LINK = re.compile(r"https?://\S+/verify/[\w-]+")
_PHONE = "090-5555-0101"
_ADDRESSES = count(1)
_BROKEN = {"rules": [{"endpoint": "stores", "kind": "error_status", "status": 503}]}


def door(name: str, *steps: "DoorStep", path: str = SHOP) -> Scene:
    """What a customer sees who opens the help page of a shop and goes on from there."""

    def show(page: Page, world: World) -> None:
        page.goto(f"{world.product}/help/{path}")
        page.get_by_role("heading", level=1).wait_for()
        for step in steps:
            step(page, world)

    return Scene(f"help-{name}", show, mend=_mend)


def _mend(world: World) -> None:
    world.box.delete("/_sandbox/faults")


class DoorStep:
    """Types, sends, opens the mail and presses the button, as far as the picture needs it."""

    def __init__(
        self, *, known: bool = False, opened: bool = False, used: bool = False, stores_down: bool = False
    ) -> None:
        self._known, self._opened, self._used, self._down = known, opened or used, used, stores_down

    def __call__(self, page: Page, world: World) -> None:
        number = next(_ADDRESSES)
        mail = f"tobira{number}@guest.example"
        if self._known:
            fields = {"name": "戸口 花子", "email": mail, "primary_phone_number": _PHONE}
            self._put(world, f"customers/{7700 + number}", **fields)
            booking = {
                "customer_canonical_id": 7700 + number,
                "booking_service_name": "スタジオA",
                "status": "accepted",
            }
            times = {"booking_start": "2027-03-05T18:00:00+09:00", "checkout_at": "2027-03-05T20:00:00+09:00"}
            self._put(world, f"reservations/{7700 + number}", **booking, **times)
        page.get_by_label("メールアドレス").fill(mail)
        page.get_by_label("電話番号").fill(_PHONE)
        page.get_by_role("button", name="確認メールを送る").click()
        page.get_by_role("heading", name="メールをご確認ください").wait_for()
        if self._opened:
            page.goto(_mailed_link(world, mail))
        if self._down:
            world.box.put("/_sandbox/faults", json=_BROKEN).raise_for_status()
        if self._used:
            page.get_by_role("button", name="本人確認を完了する").click()
            page.get_by_role("heading", name="ボタンを押すと完了です").wait_for(state="detached", timeout=60_000)
            page.get_by_role("heading", level=1).wait_for()

    def _put(self, world: World, path: str, **fields: object) -> None:
        body = {"merchant_canonical_id": MERCHANT, **fields}
        world.box.put(f"/_sandbox/stores/{path}", json=body).raise_for_status()


def _mailed_link(world: World, mail: str) -> str:
    """The link of the mail, which arrives a moment later."""
    for _ in range(150):
        found = world.box.get("/_sandbox/mails", params={"to": mail}).raise_for_status().json()["mails"]
        if found:
            return str(_LINK.findall(found[0]["text"])[0])
        time.sleep(0.2)
    raise AssertionError("the mail did not arrive")


class _Wrong(DoorStep):
    """Sends the form as it is."""

    def __call__(self, page: Page, world: World) -> None:  # noqa: ARG002 (the world is not needed)
        page.get_by_label("メールアドレス").fill("山田＠example")
        page.get_by_role("button", name="確認メールを送る").click()
        page.locator(".wrong").first.wait_for()


def _typed(page: Page) -> None:
    page.get_by_label("メールアドレス").fill("linekyaku@guest.example")
    page.get_by_label("電話番号").fill(_PHONE)
    page.get_by_role("button", name=re.compile("送る")).click()
    page.get_by_label(re.compile("コード")).wait_for()


CUSTOMER_SCENES = (
    door("form"),
    door("wrong", _Wrong()),
    door("sent", DoorStep()),
    door("verify", DoorStep(opened=True)),
    door("found", DoorStep(known=True, used=True)),
    door("not-found", DoorStep(used=True)),
    door("failed", DoorStep(used=True, stores_down=True)),
    door("no-such-shop", path="nobody"),
    member("shop-linked", YAMADA, f"shops/{SHOP}"),
    member("shop-form", STRANGER, f"shops/{SHOP}"),
    member("shop-wrong", STRANGER, f"shops/{SHOP}", press("送る")),
    member("shop-code", STRANGER, f"shops/{SHOP}", _typed),
    member("reservations", YAMADA, "reservations"),
    member("reservations-none", STRANGER, "reservations"),
)
