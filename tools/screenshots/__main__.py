"""Every screen in every state worth a look, at two widths, from the running demo: `make screenshots`.

They go to var/screenshots with an index page. Those that the handbook shows go to docs/pictures/guide as well.
It fails when a scene cannot be shown, sticks out of the window, or has a fault that axe-core calls serious.
"""

import html
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tools.prepare import find_browser
from tools.screenshots.scene import Scene, World
from tools.screenshots.staff_scenes import make_hospital
from tools.screenshots.stage import SCENES, WIDTHS, open_page, settled, show
from tools.take_pictures import demo

GALLERY, GUIDE = Path("var/screenshots"), Path("docs/pictures/guide")
# Which pictures the handbook shows, and under which name.
IN_THE_GUIDE = {
    "admin-home-troubled-desktop": "home",
    "admin-event-new-5-desktop": "event-new",
    "admin-event-detail-desktop": "event-detail",
    "admin-event-remind-desktop": "reminder",
    "admin-members-desktop": "members",
    "admin-friends-link-desktop": "link",
    "admin-audience-desktop": "group",
    "member-unanswered-phone": "member",
    "admin-notices-desktop": "notices",
    "admin-payments-desktop": "payments",
    "admin-texts-desktop": "texts",
    "admin-thread-new-2-desktop": "thread-new",
    "admin-thread-nearly-desktop": "thread-board",
    "admin-thread-person-desktop": "thread-person",
    "member-thread-chosen-phone": "thread-member",
    "admin-shop-detail-desktop": "shop",
    "help-found-phone": "help-page",
    "admin-friends-waiting-desktop": "waiting",
    "member-register-waiting-phone": "register-waiting",
    "admin-admins-one-desktop": "admins",
    "admin-admins-one-time-desktop": "one-time-password",
    "admin-account-qr-desktop": "totp",
    "admin-login-code-phone": "login-code",
    "admin-person-erase-desktop": "erase",
    "admin-booking-calendar-desktop": "booking-calendar",
    "admin-booking-day-desktop": "reception",
    "admin-booking-coverage-desktop": "coverage",
    "staff-slots-phone": "staff-slots",
    "admin-connections-troubled-desktop": "connections",
    "admin-ticket-open-desktop": "ticket",
}


def main(wanted: list[str]) -> int:
    faults: list[str] = []
    if not wanted:
        shutil.rmtree(GALLERY, ignore_errors=True)
    for folder in (GALLERY, GUIDE):
        folder.mkdir(parents=True, exist_ok=True)
    with (
        demo() as (product, phones),
        settled(product, phones) as world,
        sync_playwright() as playwright,
    ):
        make_hospital(product)
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for scene in SCENES:
            if not wanted or any(word in scene.name for word in wanted):
                faults += take(browser, scene, world)
        browser.close()
    _write_index()
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def take(browser: Browser, scene: Scene, world: World) -> Iterator[str]:
    """The pictures of a scene, and what is wrong with it."""
    for size in WIDTHS:
        name = f"{scene.name}-{size}"
        with open_page(browser, scene, world, size) as page:
            try:
                show(page, scene, world)
            except Exception as error:  # noqa: BLE001 (one screen that cannot be shown must not hide the others)
                yield f"{name}: {str(error).splitlines()[0]}"
            yield from (f"{name}: {rule} {nodes}" for rule, nodes in serious(page))
            if overflows(page):
                yield f"{name}: sticks out of the window"
            if name in IN_THE_GUIDE:
                page.screenshot(path=GUIDE / f"{IN_THE_GUIDE[name]}.png")
            if scene.whole:
                _stretch(page, size)
            page.screenshot(path=GALLERY / f"{name}.png", full_page=scene.whole)


def _stretch(page: Page, size: str) -> None:
    """As high as the page, so that what sticks to the bottom of the window stands there and not across the middle."""
    width, height = WIDTHS[size]
    whole: int = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": max(height, whole)})


def _write_index() -> None:
    shots = sorted(GALLERY.glob("*.png"))
    cards = "".join(
        f'<figure><img src="{shot.name}" loading="lazy"><figcaption>{html.escape(shot.stem)}</figcaption></figure>'
        for shot in shots
    )
    style = (
        "body{font-family:sans-serif;display:flex;flex-wrap:wrap;gap:16px}img{max-width:420px;border:1px solid #ccc}"
    )
    (GALLERY / "index.html").write_text(f'<meta charset="utf-8"><style>{style}</style>{cards}')
    print(f"{len(shots)} pictures: {GALLERY / 'index.html'}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
