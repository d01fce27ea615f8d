"""Health checks and metrics for monitoring: `/livez`, `/readyz` and `/metrics`."""

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from pydantic import BaseModel, Field
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tsudoi.access.guard import RuntimeDep
from tsudoi.access.registration import ActiveContexts
from tsudoi.access.watchers import AddressFrom, address_from, require_watcher
from tsudoi.core.db.connect import sqlite_path
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.version import wanted_version
from tsudoi.core.errors import Problem
from tsudoi.core.heartbeats import beat
from tsudoi.core.models import Heartbeat
from tsudoi.core.outbox.claims import oldest_due, waiting
from tsudoi.core.outbox.table import held_back
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import new_token

router = APIRouter(tags=["operations"])

# With less than this a process cannot work. The warning comes much earlier, and leaves the process in service: another
# one would write to the same disk.
LEAST_FREE_BYTES = 20 * 1024 * 1024
COMFORTABLE_BYTES = 1024**3
OLDEST_DUE = timedelta(minutes=5)
OLDEST_HEARTBEAT = timedelta(minutes=2)
# How long the answer of `/readyz` is given again: anybody may ask, and the probe writes to the disk.
PROBE_AGAIN_SECONDS = 1.5
# The worker's loop for the jobs that run every so often; each sender has a loop of its own.
CLOCKWORK_LOOP = "clockwork"
_DISK_FREE = "tsudoi_disk_free_bytes"


class Alive(BaseModel):
    """The process answers requests."""

    status: str = Field(description="Always `ok`: the process answers.", examples=["ok"])
    address_from: AddressFrom = Field(
        description="Whose address counts as the caller's: that of the `connection`; the one that a trusted `proxy` "
        "has reported; or that of an `unknown_proxy`, which is not in TRUSTED_PROXIES.",
        examples=["proxy"],
    )


@router.get("/livez", summary="The process is alive")
async def livez(request: Request) -> Alive:
    """Touches no database: a restart does not mend a database that is away."""
    return Alive(status="ok", address_from=address_from(request))


class Ready(BaseModel):
    """Whether this process can take requests, and beside it how the work in the background goes."""

    status: Literal["ok", "fail"] = Field(description="`ok` when every check is.", examples=["ok"])
    checks: dict[str, str] = Field(
        description="Each check of this process: `ok`, or what is wrong.",
        examples=[{"database": "ok", "schema": "ok", "disk": "ok"}],
    )
    work: dict[str, str] = Field(
        description="The worker, the waiting work, open alarms, the sender of notices, and whether a disk has less "
        "than 1 GiB left: `ok`, or what is wrong. The status does not depend on them, because another process would "
        "not help.",
        examples=[{"worker": "ok", "oldest_due_job": "ok", "alarms": "ok", "notices": "ok", "disk": "ok"}],
    )


class Readiness:
    """The last answer of `/readyz`; a part of the runtime. All requests within a moment share one probe."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._probing = asyncio.Lock()
        self._found: Ready | None = None
        self._again_at = 0.0

    async def now(self) -> Ready:
        async with self._probing:
            if self._found is None or time.monotonic() >= self._again_at:
                self._found = await self._probe()
                self._again_at = time.monotonic() + PROBE_AGAIN_SECONDS
            return self._found

    async def _probe(self) -> Ready:
        runtime, work = self._runtime, dict[str, str]()
        try:
            checks = {
                **await runtime.db.write(_write_and_look),
                "disk": await asyncio.to_thread(lambda: disk_fault(runtime.settings) or "ok"),
            }
            work = {**await runtime.db.read(work_state, runtime), "disk": _low_disks(runtime.settings) or "ok"}
        except Problem as problem:
            checks = {"database": problem.code}
        except SQLAlchemyError:  # A table that the probe needs does not exist.
            checks = {"database": "ok", "schema": "missing"}
        ready = all(value == "ok" for value in checks.values())
        return Ready(status="ok" if ready else "fail", checks=checks, work=work)


@router.get(
    "/readyz",
    summary="This process can take requests",
    response_model=Ready,
    responses={503: {"description": "Not ready: the same body, `status` is `fail`."}},
)
async def readyz(runtime: RuntimeDep) -> Response:
    """A real write, the schema version and free disk; and how the worker and the waiting work are, for information.

    The answer may be a second old.
    """
    found = await runtime.part(Readiness).now()
    return JSONResponse(found.model_dump(), 200 if found.status == "ok" else 503)


@router.get(
    "/metrics",
    summary="Prometheus metrics",
    response_class=PlainTextResponse,
    responses={
        200: {"content": {"text/plain": {"example": 'tsudoi_outbox_rows{outbox="line_events",status="PENDING"} 0'}}},
        401: {"description": "The request has no METRICS_TOKEN, or comes from outside while none is set."},
    },
)
async def metrics(request: Request, runtime: RuntimeDep) -> Response:
    """Counters of this process, and how much work waits in the database.

    With METRICS_TOKEN for those who send it as a bearer token; without, for internal addresses.
    """
    require_watcher(request, runtime.settings)
    try:
        waiting_work = await runtime.db.read(_numbers, runtime.part(ActiveContexts))
    except Problem:  # The counters of the process are still useful when the database is unavailable.
        waiting_work = []
    disks = await asyncio.to_thread(_disk_gauge, runtime.settings)
    refused = (f'tsudoi_refused_total{{kind="{kind}"}} {n}' for kind, n in sorted(runtime.lines.counted.items()))
    lines = ["# TYPE tsudoi_refused_total counter", *refused, *disks, *waiting_work]
    body = generate_latest(runtime.part(CollectorRegistry)) + "\n".join((*lines, "")).encode()
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def heartbeat_name(loop: str) -> str:
    return f"worker:{loop}"


def silent_loops(tx: ReadTx, active: ActiveContexts) -> list[str]:
    """The worker's loops that have not been alive for a while, in any process."""
    oldest = OLDEST_HEARTBEAT.total_seconds()
    return [loop for loop, age in _heartbeat_ages(tx, active).items() if age >= oldest]


def work_state(tx: ReadTx, runtime: Runtime) -> dict[str, str]:
    """Whether the work in the background goes on, in whichever process: `ok`, or what is wrong."""
    active = runtime.part(ActiveContexts)
    silent, late = silent_loops(tx, active), late_since(tx, active, dry_run=runtime.settings.notification_cron_dry_run)
    return {
        "worker": f"no heartbeat: {', '.join(silent)}" if silent else "ok",
        "oldest_due_job": f"waiting since {late.isoformat()}" if late else "ok",
        **active.health_checks(runtime, tx),
    }


def late_since(tx: ReadTx, active: ActiveContexts, *, dry_run: bool) -> datetime | None:
    """Since when the oldest work waits that is due for more than a few minutes; None: nothing is late.

    What `NOTIFICATION_CRON_DRY_RUN` holds back is not late: somebody has chosen that.
    """
    boxes = [held_back(box) if dry_run else box for box in active.outboxes.values()]
    oldest = min(filter(None, (oldest_due(tx, box) for box in boxes)), default=None)
    return oldest if oldest is not None and tx.now - oldest >= OLDEST_DUE else None


def _write_and_look(tx: Tx) -> dict[str, str]:
    beat(tx, "readyz")
    found = tx.scalar(text("SELECT version_num FROM alembic_version"))
    return {"database": "ok", "schema": "ok" if found == wanted_version() else f"found {found}"}


def places(settings: Settings) -> dict[str, Path]:
    """The folders that are written to, by the name of the place in the metrics."""
    file = sqlite_path(settings.database) if settings.on_sqlite else None
    database = {} if file is None else {"database": file.parent}
    return {"data": settings.data_dir, **database, "backup": settings.backup_folder}


def free_bytes(settings: Settings) -> dict[str, int]:
    """By place. A folder that does not exist yet will be made on the disk of the nearest one that does."""
    return {name: _free_at(folder) for name, folder in places(settings).items()}


def _free_at(folder: Path) -> int:
    path = folder.absolute()
    existing = next((one for one in (path, *path.parents) if one.exists()), path)
    return shutil.disk_usage(existing).free


def low_places(settings: Settings) -> dict[str, int]:
    """The free bytes of the places with less than 1 GiB."""
    return {name: free for name, free in free_bytes(settings).items() if free < COMFORTABLE_BYTES}


def disk_fault(settings: Settings) -> str | None:
    """Why this process cannot work with its folder, in words for an engineer; None: it can write there."""
    folder = settings.data_dir
    if not folder.is_dir():
        return "no such folder"
    probe = folder / f".probe-{new_token()[:8]}.tmp"
    try:
        with os.fdopen(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(b"?")
    except OSError as error:
        return f"cannot be written: {error.strerror}"
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    free = shutil.disk_usage(folder).free
    return None if free >= LEAST_FREE_BYTES else _left(free)


def _low_disks(settings: Settings) -> str:
    return ", ".join(f"{name}: {_left(free)}" for name, free in low_places(settings).items())


def _left(free: int) -> str:
    return f"{free // 1024**2} MiB left"


def _disk_gauge(settings: Settings) -> list[str]:
    found = free_bytes(settings).items()
    return [f"# TYPE {_DISK_FREE} gauge", *(f'{_DISK_FREE}{{place="{name}"}} {free}' for name, free in found)]


def _heartbeat_ages(tx: ReadTx, active: ActiveContexts) -> dict[str, float]:
    """In seconds, by loop; infinite for a loop that has never been alive."""
    loops = [CLOCKWORK_LOOP, *(sender.name for sender in active.senders)]
    found = {row.name: row.at for row in tx.execute(select(Heartbeat.name, Heartbeat.at))}
    ages = {loop: found.get(heartbeat_name(loop)) for loop in loops}
    return {loop: float("inf") if at is None else (tx.now - at).total_seconds() for loop, at in ages.items()}


def _numbers(tx: ReadTx, active: ActiveContexts) -> list[str]:
    return [line for lines in _gauges(tx, active) for line in lines]


def _gauges(tx: ReadTx, active: ActiveContexts) -> Iterator[list[str]]:
    rows, ages, heartbeats = (
        "tsudoi_outbox_rows",
        "tsudoi_outbox_oldest_due_age_seconds",
        "tsudoi_heartbeat_age_seconds",
    )
    yield [f"# TYPE {rows} gauge"]
    for name, box in active.outboxes.items():
        yield [f'{rows}{{outbox="{name}",status="{state}"}} {number}' for state, number in waiting(tx, box).items()]
    yield [f"# TYPE {ages} gauge"]
    for name, box in active.outboxes.items():
        oldest = oldest_due(tx, box)
        yield [f'{ages}{{outbox="{name}"}} {(tx.now - oldest).total_seconds() if oldest else 0:g}']
    yield [f"# TYPE {heartbeats} gauge"]
    yield [f'{heartbeats}{{loop="{loop}"}} {age:g}' for loop, age in _heartbeat_ages(tx, active).items()]
    families: dict[str, list[str]] = {}
    for name, value in active.gauges(tx).items():
        families.setdefault(name.partition("{")[0], []).append(f"{name} {value:g}")
    for family, numbers in families.items():
        yield [f"# TYPE {family} gauge", *numbers]
