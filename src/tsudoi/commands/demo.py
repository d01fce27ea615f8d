"""`tsudoi demo`: starts product, sandbox and the sender of notices, creates demo data, and stops all of them."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import httpx2
from sqlalchemy import select

from tsudoi.access.admins.errors import NoSuchAdmin
from tsudoi.access.admins.service import create_token
from tsudoi.commands.data import database_of
from tsudoi.commands.demo_booking import make_hospital
from tsudoi.commands.demo_environment import claim_data_dir, take_demo_environment
from tsudoi.commands.demo_events import make_events
from tsudoi.commands.demo_file import demo_file, demo_settings
from tsudoi.commands.demo_people import make_friends, make_groups, make_roster
from tsudoi.commands.demo_shops import check_once, fill_stores, make_shops
from tsudoi.commands.demo_staff import make_staff_friends
from tsudoi.commands.demo_threads import make_threads
from tsudoi.commands.panel import show_panel
from tsudoi.commands.refusals import Refusal
from tsudoi.commands.richmenu import publish_menu
from tsudoi.commands.runtime import seed_first_admin
from tsudoi.commands.sandbox import STATE_FILE, require_free, sandbox_port, sandbox_smtp_port
from tsudoi.contexts import active_contexts
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.schema import migrate
from tsudoi.core.models import AuditLog
from tsudoi.core.sessions import revoke_session
from tsudoi.core.settings import Settings

ADMIN, PASSWORD = "jimukyoku", "tsudoi-demo-2025"
# More often than a real office needs it, because somebody is watching.
_NOTICES = ("notifications", "send", "--every", "10")
_START_SECONDS = 30
# Only Linux has it. It is looked up here, because little is allowed between the start of a process and its program.
_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
_SIGNAL_WHEN_PARENT_DIES = 1
_STOP_SECONDS = 12


def run_demo() -> int:
    environment = take_demo_environment(ADMIN, PASSWORD)
    # `read_settings` would return the settings of another demo that already runs in the folder.
    settings = demo_settings(environment)
    ports = {"PORT": settings.port, "SANDBOX_PORT": sandbox_port(), "SANDBOX_SMTP_PORT": sandbox_smtp_port()}
    require_free(settings.host, ports, "demo")
    claim_data_dir(settings.data_dir)
    with demo_file(settings.data_dir, environment):
        return _run(settings, f"http://{settings.host}:{sandbox_port()}")


def _run(settings: Settings, sandbox_url: str) -> int:
    migrate(settings.database)
    parts = {context.name for context in active_contexts(settings)}
    with database_of(settings) as db:
        seed_first_admin(db, settings)
        if "booking" in parts:
            db.write_now(make_hospital)
        if "shops" in parts:
            db.write_now(make_shops, settings)
        os.environ[STATE_FILE] = str(state_file_for(settings.data_dir, db.read_now(database_id)))
    signal.signal(signal.SIGTERM, _interrupt)
    with _process("sandbox") as sandbox, _process("serve") as product, _process(*_NOTICES, quiet=True) as notices:
        _wait(f"{sandbox_url}/_sandbox/config", sandbox)
        # This runs while the product starts. Without a Japanese typeface on this machine the demo has no menu.
        with suppress(Refusal):
            publish_menu(settings)
        _wait(f"{settings.public_base_url}/livez", product)
        _fill(settings, sandbox_url, parts)
        show_panel(settings.public_base_url, sandbox_url, (ADMIN, PASSWORD), parts)
        return _until_interrupted(sandbox, product, notices)


def database_id(tx: ReadTx) -> str:
    """The hash of the first entry of the audit trail, which is different in every database."""
    return str(tx.execute(select(AuditLog.hash).order_by(AuditLog.id).limit(1)).scalar_one())


def state_file_for(data_dir: Path, database: str) -> Path:
    """The sandbox's chats belong to one database. Chats of a database that no longer exists are deleted."""
    state_file = data_dir / "sandbox" / f"{database[:16]}.json"
    for other in state_file.parent.glob("*.json"):
        if other != state_file:
            other.unlink()
    return state_file


def _fill(settings: Settings, sandbox_url: str, parts: set[str]) -> None:
    """Create only what is missing, so that a second start keeps the data of the first."""
    make_roster(settings, sandbox_url)
    make_friends(sandbox_url)
    if "booking" in parts:
        make_staff_friends(sandbox_url)
    # Nobody works in the office whose administrator has been disabled, and its data was made before that.
    with suppress(NoSuchAdmin), _office(settings) as office:
        make_groups(office)
        if "events" in parts:
            # Without a Japanese typeface on this machine the demo has no events.
            with suppress(Refusal):
                make_events(office, sandbox_url, SystemClock().now())
        if "shops" in parts:
            fill_stores(sandbox_url)
            check_once(office)
        if "scheduling" in parts:
            make_threads(office, sandbox_url, SystemClock().now())


@contextmanager
def _office(settings: Settings) -> Iterator[httpx2.Client]:
    """An HTTP client of the administrator.

    It has a token, because somebody may have changed the password by now, or a second factor may be required.
    """
    with database_of(settings) as db:
        token = db.write_now(create_token, ADMIN, "demo")
        headers = {"authorization": f"Bearer {token}"}
        try:
            with httpx2.Client(
                base_url=settings.public_base_url, headers=headers, timeout=30, trust_env=False
            ) as office:
                yield office
        finally:
            db.write_now(revoke_session, token)


@contextmanager
def _process(*command: str, quiet: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    output = subprocess.DEVNULL if quiet else None
    process = subprocess.Popen(  # noqa: S603 (our own program)
        [sys.executable, "-m", "tsudoi", *command],
        stdout=output,
        preexec_fn=_end_with_demo,  # noqa: PLW1509 (the demo has no other threads here)
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _end_with_demo() -> None:
    """Runs in the new process: Linux ends it when the demo is killed, so that the next demo finds the ports free."""
    if _PRCTL is not None:
        _PRCTL(_SIGNAL_WHEN_PARENT_DIES, signal.SIGTERM)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    # One client for all attempts, because each new one loads all certificates and slows down the start.
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


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _until_interrupted(*processes: subprocess.Popen[bytes]) -> int:
    try:
        while all(process.poll() is None for process in processes):
            time.sleep(0.3)
    except KeyboardInterrupt:
        return 0
    raise Refusal("プログラムの一つが止まったため、終了します / one of the programs stopped, so everything stops")
