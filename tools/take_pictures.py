"""Takes the pictures of the README from the running demo, so that they never age: `make pictures`."""

import base64
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tools.prepare import find_browser
from tsudoi.commands.demo import ADMIN, PASSWORD

PICTURES = Path("docs/pictures")
LIFF = "liff/1650000000-tsudoiDM/"


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with demo() as (product, phones), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page(browser, 1440, 900, f"{phones}/", PICTURES / "phones.png", open_member_pages=True)
        console = console_picture(browser, product)
        phone = phone_picture(browser, phones)
        side_by_side(browser, console, phone, PICTURES / "console-and-phone.png")
        browser.close()


@contextmanager
def demo() -> Iterator[tuple[str, str]]:
    """Start a demo in an empty folder.

    The folder is the demo's working directory and not its DATA_DIR, because the pictures show the command that
    updates the roster, and that command would contain the path of the temporary folder.
    """
    product, box, mail = free_port(), free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PORT": str(product), "SANDBOX_PORT": str(box), "SANDBOX_SMTP_PORT": str(mail)}
        environment.pop("DATA_DIR", None)
        process = subprocess.Popen(
            [sys.executable, "-m", "tsudoi", "demo"], env=environment, cwd=folder, stdout=subprocess.PIPE
        )
        try:
            while process.stdout and b"Ctrl-C" not in process.stdout.readline():
                pass
            yield f"http://127.0.0.1:{product}", f"http://127.0.0.1:{box}"
        finally:
            process.terminate()  # SIGTERM, because a process that a shell started in the background ignores SIGINT.
            process.wait(20)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def page(browser: Browser, width: int, height: int, url: str, to: Path, *, open_member_pages: bool) -> None:
    view = browser.new_page(viewport={"width": width, "height": height}, locale="ja-JP")
    view.goto(url)
    view.get_by_text("集い 公式").first.wait_for()
    if open_member_pages:
        view.get_by_role("button", name="会員ページを開く").first.click()
        view.frame_locator("iframe").first.get_by_role("heading", level=1).wait_for()
    view.wait_for_timeout(1500)
    view.screenshot(path=to)
    view.close()


def console_picture(browser: Browser, product: str) -> bytes:
    view = browser.new_page(viewport={"width": 1120, "height": 740}, locale="ja-JP")
    view.goto(f"{product}/admin/events/1")
    view.get_by_label("ユーザー名").fill(ADMIN)
    view.get_by_label("パスワード", exact=True).fill(PASSWORD)
    view.keyboard.press("Enter")
    view.get_by_text("自動更新中").wait_for()
    view.wait_for_timeout(3000)
    return view.screenshot()


def phone_picture(browser: Browser, phones: str) -> bytes:
    view = browser.new_page(viewport={"width": 1440, "height": 900}, locale="ja-JP", device_scale_factor=1)
    view.goto(f"{phones}/")
    view.get_by_role("button", name="会員ページを開く").first.click()
    view.frame_locator("iframe").first.get_by_role("heading", level=1).wait_for()
    view.wait_for_timeout(1500)
    return view.locator(".device").first.screenshot(omit_background=True)


def side_by_side(browser: Browser, console: bytes, phone: bytes, to: Path) -> None:
    view = browser.new_page(viewport={"width": 1600, "height": 860})
    sources = [f"data:image/png;base64,{base64.b64encode(picture).decode()}" for picture in (console, phone)]
    style = "margin:0;background:#ece7dc;display:flex;gap:40px;align-items:center;justify-content:center;height:100vh"
    frame = "border-radius:14px;box-shadow:0 12px 40px #0003"
    view.set_content(f'<body style="{style}"><img src="{sources[0]}" style="{frame}"><img src="{sources[1]}"></body>')
    view.wait_for_timeout(300)
    view.screenshot(path=to)


if __name__ == "__main__":
    main()
