"""The demo as the scenes need it, and a browser in front of one of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from playwright.sync_api import Browser, Page

from tests.browser.member_desk import open_desk
from tools.screenshots.account_scenes import ACCOUNT_SCENES
from tools.screenshots.admin_scenes import ADMIN_SCENES
from tools.screenshots.booking_scenes import BOOKING_SCENES
from tools.screenshots.connection_scenes import CONNECTION_SCENES
from tools.screenshots.customer_scenes import CUSTOMER_SCENES
from tools.screenshots.invitation_scenes import INVITATION_SCENES
from tools.screenshots.member_scenes import MEMBER_SCENES
from tools.screenshots.member_thread_scenes import MEMBER_THREAD_SCENES
from tools.screenshots.notice_scenes import NOTICE_SCENES
from tools.screenshots.payment_scenes import PAYMENT_SCENES
from tools.screenshots.phones_scenes import PHONES_SCENES
from tools.screenshots.scene import Scene, World, let_go
from tools.screenshots.shop_scenes import SHOP_SCENES
from tools.screenshots.staff_payment_scenes import STAFF_PAYMENT_SCENES
from tools.screenshots.staff_scenes import STAFF_SCENES
from tools.screenshots.thread_scenes import THREAD_SCENES

WIDTHS = {"phone": (360, 740), "desktop": (1280, 860)}
SCENES = (
    *ADMIN_SCENES,
    *ACCOUNT_SCENES,
    *THREAD_SCENES,
    *BOOKING_SCENES,
    *NOTICE_SCENES,
    *PAYMENT_SCENES,
    *CONNECTION_SCENES,
    *SHOP_SCENES,
    *MEMBER_SCENES,
    *MEMBER_THREAD_SCENES,
    *INVITATION_SCENES,
    *CUSTOMER_SCENES,
    *STAFF_SCENES,
    *STAFF_PAYMENT_SCENES,
    *PHONES_SCENES,
)


@contextmanager
def settled(product: str, phones: str) -> Iterator[World]:
    """The demo, and what else the screens should show: a cancelled event, one nobody has answered."""
    with (
        open_desk(product, phones, Path("var")) as desk,
        httpx2.Client(base_url=phones, timeout=60, trust_env=False) as box,
    ):
        coming = desk.client.get("/api/admin/events", params={"order": "held_at"}).json()["items"][0]["id"]
        cancelled = desk.invite("町内清掃", days=12)
        desk.cancel(cancelled, "台風のため")
        unanswered = desk.invite("役員会", days=20, extra_text_enabled="true")
        audience = desk.client.get("/api/admin/audiences").json()["items"][0]["id"]
        yield World(product, phones, desk, box, coming, unanswered, cancelled, audience)


@contextmanager
def open_page(browser: Browser, scene: Scene, world: World, size: str) -> Iterator[Page]:
    """A browser of its own for each scene; whatever the scene broke is mended after it."""
    width, height = WIDTHS[size]
    # What fades in would be half seen, and has no contrast yet.
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale="ja-JP",
        timezone_id="Asia/Tokyo",
        reduced_motion="reduce",
    )
    context.set_default_timeout(15_000)
    if scene.logged_in:
        # The desk's own session: logging in for each picture would take longer than the picture.
        for cookie in world.desk.client.cookies.jar:
            context.add_cookies([{"name": cookie.name, "value": str(cookie.value), "url": world.product}])
    try:
        yield context.new_page()
    finally:
        let_go()
        context.close()
        if scene.mend:
            scene.mend(world)


def show(page: Page, scene: Scene, world: World) -> None:
    scene.show(page, world)
    page.wait_for_timeout(150)
