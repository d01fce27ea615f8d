"""How many of our functions, in how many files, does a request pass? The five walks of docs/architecture.md."""

import csv
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from bench.table import Row

_PACKAGE = str(Path(__file__).parents[1] / "src" / "tsudoi") + os.sep
# What every request passes in the same way, and a reader of a walk need not follow: the outermost layer and the leaves.
_SHARED = (
    "core/db/",
    "core/clock",
    "core/columns",
    "core/tokens",
    "core/settings",
    "core/log",
    "core/ndjson",
    "access/middleware",
    "access/route_table",
    "access/headers",
    "access/cookies",
    "commands/serving/",
    "gateway/masking",
    "app.py",
)
_NOW = datetime(2025, 8, 16, 3, 0, tzinfo=UTC)


class _Recorder:
    """Notes each function of the product that is entered, in whichever thread, while it is switched on."""

    def __init__(self) -> None:
        self.on = False
        self.seen: dict[tuple[str, str], None] = {}
        # Before any other thread exists: a thread takes the profiler over when it starts.
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        if not self.on or event != "call":
            return
        code = frame.f_code
        # A reader does not follow comprehensions, nor methods such as `__init__` and `__hash__` that Python calls.
        if code.co_filename.startswith(_PACKAGE) and not code.co_name.startswith(("<", "__")) and not _is_value(frame):
            path = code.co_filename.removeprefix(_PACKAGE)
            if not path.startswith("sandbox"):
                self.seen.setdefault((path, code.co_qualname))

    def walk(self, step: Callable[[], object]) -> list[str]:
        """The functions that are entered. The step runs twice, because what a process does once is not part of it."""
        step()
        self.seen.clear()
        self.on = True
        step()
        self.on = False
        if os.environ.get("WALKS"):
            for path, name in self.seen:
                print(f"  {path}: {name}", file=sys.stderr)
        return [path for path, _ in self.seen]


def _is_value(frame: FrameType) -> bool:
    """Whether this is a property, which reads like a field."""
    owner = type(frame.f_locals.get("self"))
    return isinstance(getattr(owner, frame.f_code.co_name, None), property)


def measure() -> list[Row]:
    recorder = _Recorder()
    try:
        with tempfile.TemporaryDirectory() as folder, _desk(Path(folder)) as desk:
            walks = [
                ("answer: POST …/respond to its 201", _answer(desk), "≤ 15 in ≤ 10"),
                ("follow to linked: webhook and worker", _follow(desk), ""),
                ("create to told: the form to LINE's answer", lambda: desk.create().raise_for_status(), "≤ 45 in ≤ 25"),
                ("event page", lambda: desk.http.get("/api/admin/events/1").raise_for_status(), ""),
                ("sync of a file", _sync(Path(folder)), ""),
            ]
            return [_row(name, recorder.walk(step), aim) for name, step, aim in walks]
    finally:
        threading.setprofile(None)
        sys.setprofile(None)


def _row(name: str, paths: list[str], aim: str) -> Row:
    own = [path for path in paths if not path.startswith(_SHARED)]
    shown = (
        f"{len(own)} functions in {len(set(own))} files (with database, clock, edge: {len(paths)} in {len(set(paths))})"
    )
    return Row(f"walk: {name}", shown, aim=aim)


@contextmanager
def _desk(folder: Path) -> Iterator[Any]:
    from tests.events.planning.desk import Desk  # noqa: PLC0415 (after the profiler is installed)
    from tests.factories.product import (  # noqa: PLC0415
        ACCESS_TOKEN,
        CHANNEL_SECRET,
        LIFF_ID,
        LOGIN_CHANNEL,
        Box,
        running_product,
    )
    from tests.servers import browser  # noqa: PLC0415
    from tsudoi.core.clock import ManualClock  # noqa: PLC0415
    from tsudoi.core.db.connect import open_database  # noqa: PLC0415
    from tsudoi.core.db.schema import migrate  # noqa: PLC0415
    from tsudoi.sandbox.config import SandboxConfig  # noqa: PLC0415
    from tsudoi.sandbox.server import running  # noqa: PLC0415

    config = SandboxConfig(
        port=0,
        channel_secret=CHANNEL_SECRET,
        channel_access_token=ACCESS_TOKEN,
        login_channel_id=LOGIN_CHANNEL,
        liff_id=LIFF_ID,
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
    )
    url, clock = f"sqlite:///{folder / 'walks.sqlite3'}", ManualClock(_NOW)
    migrate(url)
    db = open_database(url, clock)
    with running(config) as box, browser(box.url) as http, running_product(db, folder / "data", box.url) as product:
        http.post("/_sandbox/clock", json={"now": _NOW.isoformat()}).raise_for_status()
        box.world.webhook_url = f"{product.url}/api/line/webhook"
        product.make_admin()
        product.http.headers["x-csrf-token"] = product.log_in().json()["csrf_token"]
        desk = Desk(product, Box(box, http), clock)
        desk.enrol(3)
        desk.create().raise_for_status()
        yield desk
    db.close()


def _answer(desk: Any) -> Callable[[], object]:
    from tests.factories.events import liff_cookie  # noqa: PLC0415 (as above)
    from tests.servers import browser  # noqa: PLC0415

    member_id, who = next(iter(desk.users.items()))
    phone = browser(desk.product.url, cookies={"tsudoi_liff": liff_cookie(desk.product.db, who)})
    keys = iter(f"walk-{member_id}-{number}" for number in range(10))

    def step() -> None:
        headers = {"idempotency-key": next(keys)}
        phone.post("/api/liff/events/1/respond", json={"status": "attend"}, headers=headers).raise_for_status()

    return step


def _follow(desk: Any) -> Callable[[], object]:
    names = iter(("山田一", "山田二"))
    number = iter(range(9001, 9003))

    def step() -> None:
        who = desk.box.person(name := next(names))
        rows = {"name": name, "name_key": name, "display_order": 1, "linked": False}
        desk.enrol(1, first=next(number), **rows)
        desk.box.does(who, "follow")
        desk.product.drain()

    return step


def _sync(folder: Path) -> Callable[[], object]:
    from rich.console import Console  # noqa: PLC0415 (as above)

    from tsudoi.commands.members import SyncArguments, run_sync  # noqa: PLC0415
    from tsudoi.core.db.schema import migrate  # noqa: PLC0415

    os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'sync.sqlite3'}"
    migrate(os.environ["DATABASE_URL"])
    versions = iter(("佐藤", "佐藤 花子"))

    def step() -> None:
        file = folder / "members.csv"
        with file.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([("id", "name"), (1, "山田"), (2, next(versions))])
        with (folder / "out.txt").open("w") as out:
            run_sync(SyncArguments(file=file), Console(file=out))

    return step
