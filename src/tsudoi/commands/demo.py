"""Product, sandbox and demo data in one command, each as a process of its own, stopped together."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import httpx2
from rich.console import Console

from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.demo_data import FRIENDS, SHEET_ID, roster
from tsudoi.commands.demo_events import make_events
from tsudoi.commands.house import seed_first_admin
from tsudoi.commands.members import Options, run_sync
from tsudoi.commands.panel import show_panel
from tsudoi.commands.refusals import Refusal, port_taken
from tsudoi.commands.richmenu import put_up
from tsudoi.commands.sandbox import DEMO_SECRETS, port_of, sandbox_port
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.schema import migrate
from tsudoi.core.settings import Settings
from tsudoi.roster.syncs.queries import is_empty

ADMIN, PASSWORD = "jimukyoku", "tsudoi-demo-2025"
_START_SECONDS = 30
_STOP_SECONDS = 12


def run_demo() -> int:
    settings = _demo_settings()
    sandbox_url = f"http://{settings.host}:{sandbox_port()}"
    _refuse_real_data(settings.data_dir)
    migrate(settings.database)
    with database_of(settings) as db:
        seed_first_admin(db, settings)
    signal.signal(signal.SIGTERM, _interrupt)
    with _process("sandbox") as sandbox, _process("serve") as product:
        _wait(f"{sandbox_url}/_sandbox/config", sandbox)
        _put_up_menu(settings)
        _wait(f"{settings.public_base_url}/livez", product)
        _make_roster(settings, sandbox_url)
        _make_friends(sandbox_url)
        _make_events(settings, sandbox_url)
        show_panel(settings.public_base_url, sandbox_url, ADMIN, PASSWORD)
        return _until_interrupted(sandbox, product)


def _demo_settings() -> Settings:
    """The children read the same environment, so it is the one place that says what the demo is."""
    port, box = port_of("PORT", 8000), sandbox_port()
    host = os.environ.get("HOST") or "127.0.0.1"
    for name, number in (("PORT", port), ("SANDBOX_PORT", box)):
        _refuse_taken(host, number, name)
    box_url = f"http://{host}:{box}"
    os.environ.update(DEMO_SECRETS)
    os.environ.update(
        TSUDOI_DEMO="1",
        # Whatever `.env` says: the demo is on SQLite, in its own folder.
        DATABASE_URL=f"sqlite:///{Path(os.environ.get('DATA_DIR') or 'var').absolute() / 'tsudoi.sqlite3'}",
        HOST=host,
        PORT=str(port),
        PUBLIC_BASE_URL=f"http://{host}:{port}",
        ADMIN_USERNAME=ADMIN,
        ADMIN_PASSWORD=PASSWORD,
        LIFF_ADAPTER="sandbox",
        LIFF_BASE=f"{box_url}/liff",
        LINE_API_BASE=box_url,
        LINE_DATA_API_BASE=box_url,
        FRAME_ANCESTORS=box_url,
        IMAGE_ORIGINS=box_url,
        SHEETS_API_BASE=box_url,
        MEMBERS_SHEET_ID=SHEET_ID,
        GOOGLE_SERVICE_ACCOUNT_FILE=str(Path(os.environ.get("DATA_DIR") or "var").absolute() / "demo-google-key.json"),
        NOTION_NEWS_URL=os.environ.get("NOTION_NEWS_URL") or "https://www.notion.so/tsudoi-demo-news",
        LOG_LEVEL=os.environ.get("LOG_LEVEL") or "WARNING",
    )
    return read_settings()


def _refuse_real_data(data_dir: Path) -> None:
    """The demo makes an administrator whose password everybody knows: never beside data that is not its own."""
    mark = data_dir / "this-is-a-demo"
    if (data_dir / "tsudoi.sqlite3").exists() and not mark.exists():
        raise Refusal(
            f"{data_dir} にはデモではないデータがあります。デモは別のフォルダーで動かしてください。\n"
            f"{data_dir} holds data that is not the demo's.\n→ DATA_DIR=./demo make run"
        )
    data_dir.mkdir(parents=True, exist_ok=True)
    mark.touch()


def _refuse_taken(host: str, port: int, variable: str) -> None:
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        raise port_taken(host, port, variable) from error


@contextmanager
def _process(command: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-m", "tsudoi", command])  # noqa: S603 (our own program)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    # One client for all tries: each new one reads every certificate authority, while the product wants to start.
    with httpx2.Client(timeout=1, trust_env=False) as client:
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise Refusal(f"起動できませんでした / did not start: {url}")
            try:
                if client.get(url).status_code == 200:  # noqa: PLR2004 (OK)
                    return
            except httpx2.HTTPError:
                time.sleep(0.05)
    raise Refusal(f"{_START_SECONDS}秒たっても応答がありません / no answer from {url}")


def _put_up_menu(settings: Settings) -> None:
    """While the product starts. Without it (no typeface on this machine) the demo is still a demo."""
    with suppress(Refusal):
        put_up(settings)


def _make_roster(settings: Settings, sandbox_url: str) -> None:
    """The sheet is as new as the sandbox; the roster is filled from it once, and from then on by the office."""
    with httpx2.Client(base_url=sandbox_url, timeout=10, trust_env=False) as box:
        box.put(f"/_sandbox/sheets/{SHEET_ID}/Members", json={"rows": roster()}).raise_for_status()
        key = box.get("/_sandbox/sheets/service-account.json").content
    if settings.google_service_account_file is not None:
        settings.google_service_account_file.write_bytes(key)
    with database_of(settings) as db:
        fresh = db.read_now(is_empty)
    if fresh:
        run_sync(Options(), Console(quiet=True))


def _make_friends(sandbox_url: str) -> None:
    """The sandbox forgets when it stops, so its people are made anew; the product knows them again by their ids."""
    with httpx2.Client(base_url=sandbox_url, timeout=10, trust_env=False) as box:
        for friend in FRIENDS:
            box.post("/_sandbox/users", json={"user_id": friend.user_id, "display_name": friend.name})
            if friend.follows:
                box.post(f"/_sandbox/users/{friend.user_id}/follow")


def _make_events(settings: Settings, sandbox_url: str) -> None:
    """Without a typeface on this machine there are no notices to send, and the demo is still a demo."""
    with suppress(Refusal):
        make_events(settings.public_base_url, sandbox_url, ADMIN, PASSWORD, SystemClock().now())


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _until_interrupted(*processes: subprocess.Popen[bytes]) -> int:
    try:
        while all(process.poll() is None for process in processes):
            time.sleep(0.3)
    except KeyboardInterrupt:
        return 0
    raise Refusal("プログラムの一つが止まったため、終了します / one of the programs stopped, so everything stops")
