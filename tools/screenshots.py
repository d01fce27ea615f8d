"""Every screen in every state worth a look, at two widths, from the running demo: `make screenshots`.

They go to var/screenshots with an index page. Those that the handbook shows go to docs/pictures/guide as well.
"""

import html
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.member_desk import USER_IDS, Desk, flyer, open_desk
from tools.prepare import find_browser
from tools.take_pictures import LIFF, demo
from tsudoi.commands.demo import ADMIN, PASSWORD

GALLERY, GUIDE = Path("var/screenshots"), Path("docs/pictures/guide")
WIDTHS = {"phone": (360, 740), "desktop": (1280, 860)}
YAMADA, SATO, STRANGER = (USER_IDS[name] for name in ("山田 太郎", "佐藤 花子", "ケン🎣"))


@dataclass(frozen=True, slots=True)
class World:
    product: str
    phones: str
    desk: Desk
    coming: int
    cancelled: int
    audience: int


@dataclass(frozen=True, slots=True)
class Scene:
    name: str
    show: Callable[[Page, World], None]
    whole: bool = True


def admin(path: str, *steps: Callable[[Page], object]) -> Callable[[Page, World], None]:
    def show(page: Page, world: World) -> None:
        page.goto(f"{world.product}/admin/{path.format(w=world)}")
        page.get_by_label("ユーザー名").fill(ADMIN)
        page.get_by_label("パスワード", exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        page.get_by_role("form", name="ログイン").wait_for(state="detached")
        page.get_by_role("heading", level=1).first.wait_for()
        # The event page keeps a live stream open, so that it is never idle.
        page.wait_for_timeout(1500)
        for step in steps:
            step(page)

    return show


def member(user_id: str, path: str, *steps: Callable[[Page], object]) -> Callable[[Page, World], None]:
    def show(page: Page, world: World) -> None:
        page.goto(f"{world.phones}/{LIFF}{path.format(w=world)}?as={user_id}")
        page.get_by_role("heading", level=1).first.wait_for()
        page.wait_for_load_state("networkidle")
        for step in steps:
            step(page)

    return show


def press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=re.compile(name)).first.click()


def fill_form(step: int) -> Callable[[Page], None]:
    """The form that makes an event, filled up to a step."""

    def fill(page: Page) -> None:
        page.get_by_label("タイトル").fill("秋の定例総会")
        page.get_by_label("開催日", exact=True).fill("2027-09-10")
        page.get_by_label("開始時刻").fill("19:00")
        after = (
            lambda: page.locator("input[type=file]").set_input_files(
                {"name": "案内.jpg", "mimeType": "image/jpeg", "buffer": flyer()}
            ),
            lambda: page.get_by_label("全員").check(),
            lambda: page.get_by_role("list", name="受信者").wait_for(),
        )
        for number in range(step - 1):
            press("^次へ")(page)
            if number < len(after) and number < step - 1:
                after[number]()
        page.wait_for_timeout(800)

    return fill


def log_in_page(page: Page, world: World) -> None:
    page.goto(f"{world.product}/admin/")
    page.get_by_label("ユーザー名").wait_for()


def phones_page(page: Page, world: World) -> None:
    page.goto(f"{world.phones}/")
    page.get_by_text("集い 公式").first.wait_for()
    page.wait_for_timeout(1500)


SCENES = (
    Scene("admin-login", log_in_page),
    Scene("admin-home", admin("")),
    Scene("admin-events", admin("events")),
    *(Scene(f"admin-event-new-{step}", admin("events/new", fill_form(step))) for step in range(1, 6)),
    Scene("admin-event-detail", admin("events/{w.coming}")),
    Scene("admin-event-cancelled", admin("events/{w.cancelled}")),
    Scene(
        "admin-event-remind", admin("events/{w.coming}", press("督促"), lambda page: page.wait_for_timeout(1500)), False
    ),
    Scene("admin-event-missing", admin("events/999999")),
    Scene("admin-audiences", admin("audiences")),
    Scene("admin-audience", admin("audiences/{w.audience}")),
    Scene("admin-members", admin("members")),
    Scene("admin-friends", admin("friends")),
    Scene("admin-audit", admin("audit")),
    Scene("admin-not-found", admin("nowhere")),
    Scene("member-list", member(YAMADA, "")),
    Scene("member-answered", member(YAMADA, "events/{w.coming}")),
    Scene("member-unanswered", member(SATO, "events/{w.cancelled}")),
    Scene(
        "member-status",
        member(
            YAMADA,
            "events/{w.coming}",
            lambda page: page.get_by_text("出欠状況").first.click(),
            lambda page: page.wait_for_timeout(800),
        ),
    ),
    Scene("member-register", member(STRANGER, "register")),
    Scene("member-not-found", member(YAMADA, "nowhere")),
    Scene("phones", phones_page, whole=False),
)
# Which pictures the handbook shows, and under which name.
IN_THE_GUIDE = {"admin-event-new-5-desktop": "event-new", "admin-event-detail-desktop": "event-detail"}


def main(wanted: list[str]) -> None:
    shutil.rmtree(GALLERY, ignore_errors=True)
    for folder in (GALLERY, GUIDE):
        folder.mkdir(parents=True, exist_ok=True)
    with demo() as (product, phones), settled(product, phones) as world, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for scene in SCENES:
            if not wanted or any(word in scene.name for word in wanted):
                take(browser, scene, world)
        browser.close()
    _write_index()


@contextmanager
def settled(product: str, phones: str) -> Iterator[World]:
    """The demo, and what else the screens should show: a cancelled event, a group."""
    with open_desk(product, phones, Path("var")) as desk:
        coming = desk.client.get("/api/admin/events", params={"order": "held_at"}).json()["items"][0]["id"]
        cancelled = desk.invite("町内清掃", days=12)
        desk.cancel(cancelled, "台風のため")
        made = desk.client.post("/api/admin/audiences", json={"name": "理事会", "sort_order": 1}, headers=desk.headers)
        audience = made.json()["id"]
        members = {"member_ids": [1, 2, 3, 5, 8]}
        desk.client.put(f"/api/admin/audiences/{audience}/members", json=members, headers=desk.headers)
        yield World(product, phones, desk, coming, cancelled, audience)


def take(browser: Browser, scene: Scene, world: World) -> None:
    for size, (width, height) in WIDTHS.items():
        context = browser.new_context(viewport={"width": width, "height": height}, locale="ja-JP")
        page = context.new_page()
        name = f"{scene.name}-{size}"
        try:
            scene.show(page, world)
            page.wait_for_timeout(300)
        except Exception as error:  # noqa: BLE001 (one screen that cannot be shown must not hide the others)
            print(f"{name}: {str(error).splitlines()[0]}", file=sys.stderr)
        page.screenshot(path=GALLERY / f"{name}.png", full_page=scene.whole)
        if name in IN_THE_GUIDE:
            page.screenshot(path=GUIDE / f"{IN_THE_GUIDE[name]}.png")
        context.close()


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
    main(sys.argv[1:])
