"""The demo as a person starts it, and a real Chromium to look at it with."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tools.prepare import find_browser
from tsudoi.commands.demo import ADMIN, PASSWORD

SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1280, 800)}
# Chromium reports every answer of 400 and above as a console error; these are the ones a screen expects and handles.
_EXPECTED = re.compile(r"Failed to load resource: the server responded with a status of (401|403|404|429)")


@dataclass(frozen=True)
class Demo:
    product: str
    phones: str
    data_dir: Path

    def command(self, *arguments: str, typed: str = "") -> None:
        environment = {**os.environ, "DATA_DIR": str(self.data_dir), "TSUDOI_DEMO": "1"}
        command = [sys.executable, "-m", "tsudoi", *arguments]
        subprocess.run(command, env=environment, input=typed, text=True, check=True, capture_output=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One for each file: what one does to the roster or the quota, another must not meet."""
    data_dir = tmp_path_factory.mktemp("demo")
    port, box = _free_port(), _free_port()
    environment = {**os.environ, "PORT": str(port), "SANDBOX_PORT": str(box), "DATA_DIR": str(data_dir)}
    command = [sys.executable, "-m", "tsudoi", "demo"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    try:
        shown = ""
        while "Ctrl-C" not in shown:
            line = process.stdout.readline()
            assert line, f"the demo ended: {shown}"
            shown += line
        yield Demo(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{box}", data_dir)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(20) == 0
        process.stdout.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        assert os.environ.get("CI") != "true", "no Chromium found, and nothing is skipped in CI"
        pytest.skip("no Chromium found: sudo apt-get install -y chromium fonts-noto-cjk")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about: script errors, refused resources, content security policy."""
    return []


@pytest.fixture
def open_page(chromium: Browser, complaints: list[str]) -> Iterator[Callable[[str, str], Page]]:
    """Opens an address in a browser of its own, as wide as named. Fails the test on any unexpected complaint."""
    contexts: list[BrowserContext] = []

    def open_at(url: str, size: str = "desktop") -> Page:
        width, height = SIZES[size]
        context = chromium.new_context(viewport={"width": width, "height": height}, locale="ja-JP")
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        return page

    yield open_at
    for context in contexts:
        context.close()
    unexpected = [text for text in complaints if not _EXPECTED.match(text)]
    assert unexpected == []


def log_in(page: Page, username: str = ADMIN, password: str = PASSWORD) -> None:
    page.get_by_label("ユーザー名").fill(username)
    page.get_by_label("パスワード", exact=True).fill(password)
    page.get_by_role("button", name="ログイン", exact=True).click()


@pytest.fixture
def office(demo: Demo, open_page: Callable[[str, str], Page]) -> Callable[..., Page]:
    """The admin console with the office already logged in."""

    def opened(path: str = "", size: str = "desktop") -> Page:
        page = open_page(f"{demo.product}/admin/{path}", size)
        log_in(page)
        page.get_by_role("form", name="ログイン").wait_for(state="detached")
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


def eventually(check: Callable[[], bool], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)
