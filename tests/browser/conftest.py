"""The demo as a person starts it, and a real Chromium to look at it with."""

import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright
from xdist.scheduler.loadfile import LoadFileScheduling  # type: ignore[import-untyped]

from tests.browser.complaints import Complaints
from tests.factories.processes import Command, run
from tests.servers import free_port
from tools.prepare import find_browser
from tsudoi.commands.demo import ADMIN, PASSWORD

# Much longer than a page takes, because a machine may have much else to do. Nobody waits for it who need not.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1280, 800)}
_STORED = "local_storage,indexeddb,service_workers,cache_storage,websql,file_systems"
# A test that gave the page another clock gave it to all later pages of the context too. Such a clock stands still or
# goes wrong, and the list of requests in `performance` stays empty.
_UNALTERED = "[setTimeout, Date, performance.now].every(one => String(one).includes('[native code]'))"
# Every window loads two pages for its address bar, which nobody types into.
# Chromium reads the last list only, so Playwright's own stands before them.
_WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "WebUIOmniboxPopup,WebUIOmniboxPopupDebug,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup,WebUIOmniboxSimplification"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first test of a worker starts the demo and Chromium, which on a busy machine takes minutes."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(600))


class ByDemo(LoadFileScheduling):  # type: ignore[misc]
    """Files that share a demo of their own go to one worker, so that no other has to start that demo too."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        text = (Path(__file__).parents[2] / file).read_text(encoding="utf-8")
        return next((kind for kind in ("HOSPITAL", "STAFF") if f"\n{kind} = True\n" in text), file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByDemo | None:
    return ByDemo(config, log) if config.getvalue("dist") == "loadfile" else None


@dataclass(frozen=True)
class Session:
    """Somebody of the office who is logged in."""

    cookies: dict[str, str]
    csrf_token: str

    @property
    def headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"cookie": cookies, "x-csrf-token": self.csrf_token}


@dataclass(frozen=True)
class Demo:
    product: str
    phones: str
    data_dir: Path
    _client: httpx2.Client
    _sessions: dict[str, Session] = field(default_factory=dict)

    def session(self, whose: str) -> Session:
        """One log-in for all tests: a password takes its time to be checked, on purpose. Anew where a test ended it."""
        known = self._sessions.get(whose)
        if known is not None and self._client.get("/api/admin/me", headers=known.headers).is_success:
            return known
        answer = self._client.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD})
        answer.raise_for_status()
        found = Session(dict(self._client.cookies), answer.json()["csrf_token"])
        self._client.cookies.clear()
        self._sessions[whose] = found
        return found

    def command(self, *arguments: str, typed: str = "") -> None:
        variables = {**os.environ, "DATA_DIR": str(self.data_dir), "TSUDOI_DEMO": "1"}
        run(arguments, Path.cwd(), variables, typed).check_returncode()


@contextmanager
def started_demo(data_dir: Path) -> Iterator[Demo]:
    port, box = free_port(), free_port()
    ports = {"PORT": str(port), "SANDBOX_PORT": str(box), "SANDBOX_SMTP_PORT": str(free_port())}
    out = data_dir.with_name(f"{data_dir.name}.out")
    variables = {**os.environ, **ports, "DATA_DIR": str(data_dir)}
    process = Command(["demo"], Path.cwd(), variables, (Path(os.devnull), out, out))
    try:
        eventually(lambda: process.returncode is not None or "Ctrl-C" in _shown(out), seconds=300)
        assert process.returncode is None, f"the demo ended: {_shown(out)}"
        product = f"http://127.0.0.1:{port}"
        with httpx2.Client(base_url=product, timeout=30, trust_env=False) as client:
            yield Demo(product, f"http://127.0.0.1:{box}", data_dir, client)
    finally:
        # The demo alone is told, and stops its own processes.
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(120) == 0, _shown(out)
        finally:
            process.kill()


def _shown(out: Path) -> str:
    return out.read_text("utf-8") if out.exists() else ""


@pytest.fixture(scope="session")
def shared_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with started_demo(tmp_path_factory.mktemp("demo")) as demo:
        yield demo


@pytest.fixture(scope="session")
def hospital_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One demo for all tests about the office of a hospital, which make departments, types and people of their own."""
    with started_demo(tmp_path_factory.mktemp("hospital")) as demo:
        yield demo


@pytest.fixture(scope="session")
def staff_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One demo for all tests about the portal of the staff: a file switches off the types of the one before it."""
    with started_demo(tmp_path_factory.mktemp("staff")) as demo:
        yield demo


@pytest.fixture(scope="module")
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The one that most files share, each test with names of its own; or, for a file that says `OWN_DEMO`, another.

    Such a file does to the roster, the list of events or the phones what others must not meet. The files about the
    office of a hospital say `HOSPITAL` and share one, and so do those about the portal of its staff, which say `STAFF`.
    """
    if getattr(request.module, "HOSPITAL", False):
        yield request.getfixturevalue("hospital_demo")
    elif getattr(request.module, "STAFF", False):
        yield request.getfixturevalue("staff_demo")
    elif getattr(request.module, "OWN_DEMO", False):
        with started_demo(tmp_path_factory.mktemp("demo")) as demo:
            yield demo
    else:
        yield request.getfixturevalue("shared_demo")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        assert os.environ.get("CI") != "true", "no Chromium found, and nothing is skipped in CI"
        pytest.skip("no Chromium found: sudo apt-get install -y chromium fonts-noto-cjk")
    with sync_playwright() as playwright:
        args = [f"--disable-features={_WITHOUT}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=path, args=args)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Complaints:
    return Complaints()


class Contexts:
    """Browser contexts that are used again: what one has loaded and compiled, the next test need not load.

    Cookies and storage are cleared in between, so that a test finds the browser of somebody who was never here.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = defaultdict(list)

    def take(self, size: str) -> BrowserContext:
        if self._free[size]:
            return self._free[size].pop()
        width, height = SIZES[size]
        # What fades in would be half seen by axe, and is waited for by everybody.
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, locale="ja-JP", reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        return context

    def give_back(self, size: str, context: BrowserContext) -> None:
        context.set_offline(False)
        altered = False
        for page in context.pages:
            self._forget(context, page)
            altered = altered or not page.evaluate(_UNALTERED)
            page.close()
        context.clear_cookies()
        if altered:
            context.close()
        else:
            self._free[size].append(context)

    def _forget(self, context: BrowserContext, page: Page) -> None:
        """The page is left first: one that still waits for an answer would store something after the clearing."""
        origins = {f"{parts.scheme}://{parts.netloc}" for frame in page.frames if (parts := urlsplit(frame.url)).netloc}
        page.goto("about:blank")
        tools = context.new_cdp_session(page)
        for origin in origins:
            tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": _STORED})


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture
def open_page(contexts: Contexts, complaints: Complaints) -> Iterator[Callable[..., Page]]:
    """Opens an address in a browser of its own, as wide as named. Fails the test on any unexpected complaint."""
    taken: list[tuple[str, BrowserContext]] = []

    def open_at(
        url: str,
        size: str = "desktop",
        session: Session | None = None,
        on_request: Callable[[Request], None] | None = None,
    ) -> Page:
        context = contexts.take(size)
        taken.append((size, context))
        if session is not None:
            for name, value in session.cookies.items():
                context.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": "/"}])
        page = context.new_page()
        complaints.listen(page)
        if on_request is not None:
            page.on("request", on_request)
        page.goto(url)
        return page

    yield open_at
    for size, context in taken:
        contexts.give_back(size, context)
    assert complaints.unexpected() == []


def log_in(page: Page, username: str = ADMIN, password: str = PASSWORD) -> None:
    page.get_by_label("ユーザー名").fill(username)
    page.get_by_label("パスワード", exact=True).fill(password)
    page.get_by_role("button", name="ログイン", exact=True).click()


@pytest.fixture
def office(demo: Demo, open_page: Callable[..., Page]) -> Callable[..., Page]:
    """The admin console with the office already logged in. (Logging in has a file of its own.)"""

    def opened(path: str = "", size: str = "desktop") -> Page:
        page = open_page(f"{demo.product}/admin/{path}", size, demo.session("office"))
        page.get_by_role("heading", level=1).wait_for()
        return page

    return opened


@pytest.fixture
def new_friend(demo: Demo) -> Callable[[str], str]:
    """Somebody who has just added the account, and whom the product knows by name."""

    def made(name: str) -> str:
        with httpx2.Client(base_url=demo.phones, trust_env=False) as box:
            user_id: str = box.post("/_sandbox/users", json={"display_name": name}).json()["user_id"]
            assert box.post(f"/_sandbox/users/{user_id}/follow").json()["webhook"]["status"] == 200
        return user_id

    return made


def eventually(check: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)
