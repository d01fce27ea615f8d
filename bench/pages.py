"""How long somebody waits for a page on a slow phone: from the opened address until it can be used, nothing cached.

The member's aim is less than two seconds. What is timed is what the product's pages need: the document that LINE opens
with its token, the script, LINE's second redirect to the screen asked for, the session, the screen's own request.
"""

import json
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.table import Row
from tools.prepare import find_browser
from tools.take_pictures import LIFF, demo
from tsudoi.commands.demo import ADMIN, PASSWORD
from tsudoi.commands.demo_people import FRIENDS

TRIES = 7
# Slow 4G as Lighthouse defines it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip; and a processor 4 times slower.
SLOW_4G = (150, 1.6e6, 750e3)
# DevTools' own preset of that name charges each request 3.75 round trips for the connections it does not slow down.
DEVTOOLS = (150 * 3.75, 1.6e6 * 0.9, 750e3 * 0.9)
SLOWER_CPU = 4
PHONE = ViewportSize(width=360, height=740)
Network = tuple[float, float, float]

# Looks at every frame whether the thing is there, enabled and on top, and notes when that was. The time counts from the
# first document: LINE's second redirect loads another one.
_WATCH = """
const begun = (sessionStorage.bench ??= performance.timeOrigin);
const look = () => {
  const found = [...document.querySelectorAll(%s)].find((one) => {
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.width > 0 && !one.disabled && one.contains(top);
  });
  if (found) console.debug("usable", performance.timeOrigin + performance.now() - begun);
  else requestAnimationFrame(look);
};
look();
"""


@dataclass(frozen=True, slots=True)
class World:
    product: str
    phones: str
    browser: Browser
    events: list[int]
    cookies: dict[str, str]

    def opened_by_line(self, path: str) -> str:
        """The address that LINE gives to the phone; how long LINE itself takes is not ours to measure."""
        address = f"{self.phones}/{LIFF}{path}"
        answer = httpx2.get(address, params={"as": FRIENDS[0].user_id}, follow_redirects=False, trust_env=False)
        return str(answer.headers["location"])


def measure() -> list[Row]:
    with demo() as (product, phones), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        world = _world(product, phones, browser)
        rows = [
            _row("member: list shown", _median(world, _member_list), "< 2 s"),
            _row("member: answer buttons usable", _median(world, _member_event), "< 2 s"),
            _row("member: answer buttons usable, DevTools' own preset", _median(world, _member_event, DEVTOOLS)),
            _row("office: home shown", _median(world, _admin_home)),
            _row("office: event page shown", _median(world, _admin_event)),
        ]
        browser.close()
    return rows


def _world(product: str, phones: str, browser: Browser) -> World:
    with httpx2.Client(base_url=product, timeout=60, trust_env=False) as office:
        office.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).raise_for_status()
        events = office.get("/api/admin/events", params={"order": "held_at"}).json()["items"]
        cookies = {one.name: str(one.value) for one in office.cookies.jar}
    return World(product, phones, browser, [event["id"] for event in events], cookies)


def _row(what: str, milliseconds: float, aim: str = "") -> Row:
    return Row(f"{what}, slow 4G, CPU ÷ {SLOWER_CPU}, nothing cached", f"{milliseconds:,.0f} ms", aim=aim)


def _median(world: World, show: Callable[[World, Page], float], network: Network = SLOW_4G) -> float:
    def once() -> float:
        with _slow_phone(world, network) as page:
            return show(world, page)

    once()  # The server's first answer of a kind is slower than all that follow; the phone stays cold each time.
    return statistics.median(once() for _ in range(TRIES))


@contextmanager
def _slow_phone(world: World, network: Network) -> Iterator[Page]:
    """A browser that has never been here, logged in to the office as one is in the morning."""
    context = world.browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="ja-JP")
    context.add_cookies([{"name": name, "value": value, "url": world.product} for name, value in world.cookies.items()])
    page = context.new_page()
    control = context.new_cdp_session(page)
    control.send("Network.enable")
    latency, down, up = network
    slow = {"offline": False, "latency": latency, "downloadThroughput": down / 8, "uploadThroughput": up / 8}
    control.send("Network.emulateNetworkConditions", slow)
    control.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_CPU})
    try:
        yield page
    finally:
        context.close()


def _until(page: Page, url: str, selector: str) -> float:
    page.add_init_script(_WATCH % json.dumps(selector))
    with page.expect_console_message(lambda message: message.text.startswith("usable")) as told:
        page.goto(url, wait_until="commit")
    return float(told.value.text.split()[1])


def _member_list(world: World, page: Page) -> float:
    return _until(page, world.opened_by_line(""), ".rows a")


def _member_event(world: World, page: Page) -> float:
    """Usable means that the very tap is taken: it is made, and the server records it."""
    taken = _until(page, world.opened_by_line(f"events/{world.events[0]}"), ".choice")
    other = page.locator(".choice[aria-pressed=false]").first
    with page.expect_response("**/respond") as recorded:
        other.tap()
    assert recorded.value.ok
    return taken


def _admin_home(world: World, page: Page) -> float:
    return _until(page, f"{world.product}/admin/", "main ul a[href*='/events/']")


def _admin_event(world: World, page: Page) -> float:
    return _until(page, f"{world.product}/admin/events/{world.events[0]}", "main h1")
